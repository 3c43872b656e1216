/** The access rules of an app, as its tables take them. */
import { type AppRule, rulesOf } from './access.ts'
import type { Table, TableRow } from './table.ts'

type Kind = Pick<TableRow, 'source' | 'datasource'>

/** Tells whether rules of the app can apply to a table: not to references, nor to tables in MongoDB. */
export const takesAppRules = ({ source, datasource }: Kind): boolean =>
  !source && datasource.providerType !== 'mongodb'

/** Returns the rules of an app that a table takes. */
export const appRulesFor = (table: Kind, rules: readonly AppRule[]): readonly AppRule[] =>
  takesAppRules(table) ? rules : []

/** Returns a table with these rules of its app. */
export function withAppRules(table: Table, ofApp: readonly AppRule[]): Table {
  const appRules = appRulesFor(table, ofApp)
  return { ...table, appRules, rules: rulesOf(table.schema, table.name, appRules) }
}
