/** The access rules of an app, as its tables take them. */
import { type AppRule, rulesOf } from './access.ts'
import type { Table, TableRow } from './table.ts'

/** Returns the rules of an app that a table takes. References and tables in MongoDB take none. */
export const appRulesFor = (
  { source, datasource }: Pick<TableRow, 'source' | 'datasource'>,
  rules: readonly AppRule[],
): readonly AppRule[] => (source || datasource.providerType === 'mongodb' ? [] : rules)

/** Returns a table with these rules of its app. */
export function withAppRules(table: Table, ofApp: readonly AppRule[]): Table {
  const appRules = appRulesFor(table, ofApp)
  return { ...table, appRules, rules: rulesOf(table.schema, table.name, appRules) }
}
