/** Creates the views and functions of guests again when a table of an app changes. */
import type { Sql } from '../../kernel/db/sql.ts'
import { AppError, invalidFields } from '../../kernel/errors.ts'
import { holdingKeys } from '../catalog/inbound-keys.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { withAppRules } from '../model/app-rules.ts'
import { relationshipGraph } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { Problems } from '../query/problems.ts'
import { type PlannedRule, planRules, withWayOut } from './planned-rules.ts'
import { createViews, dropViews } from './views.ts'
import { createWriteFunctions, dropWriteFunctions } from './write-functions/functions.ts'

/** The changes in an app: the new state of its tables, and the tables to be dropped. */
export interface TablesChange {
  made?: readonly Table[]
  /** Tables that come back from the trash. Rules that no longer fit the app are ignored. */
  restored?: readonly Table[]
  removed?: readonly Table[]
  /** Tables that become inactive. Rules that no longer fit the app without them allow nothing. */
  withdrawn?: readonly Table[]
}

/** Statements before and after those of a change. */
interface RemadeViews {
  dropped: Sql[]
  created: Sql[]
}

/**
 * Returns the statements that drop all views and functions of guests of the app's tables before a change, and
 * create them again for the new state of the tables, with the rules that the catalog has. Throws 400 for rule
 * filters of the changed tables that cannot be planned, and 422 for those of other tables that the change
 * breaks.
 */
export function remakeViews(
  catalog: Catalog,
  { made = [], restored = [], removed = [], withdrawn = [] }: TablesChange,
): RemadeViews {
  const before = [...catalog.tables.values()].filter(hasRules)
  const after = tablesAfter(catalog, [...made, ...restored], [...removed, ...withdrawn])
  const ruled = [...after.values()].filter(hasRules)
  const dropped = [...dropWriteFunctions(catalog.siteId, before), ...dropViews(catalog.siteId, before)]
  if (ruled.length === 0) return { dropped, created: [] }
  const graph = relationshipGraph(after)
  const names = new Set(made.map(({ name }) => name))
  const restoredNames = new Set(restored.map(({ name }) => name))
  const planned = ruled.flatMap((table): (readonly [Table, PlannedRule[]])[] => {
    const problems = new Problems()
    const rules = planRules(table, graph, problems)
    if (problems.isEmpty) return [[table, rules]]
    if (names.has(table.name)) throw invalidRules(problems.asList())
    const mayBreak = withdrawn.length > 0 || restoredNames.has(table.name)
    if (!mayBreak && isPlanned(catalog, table)) throw breaksRules(table.name, problems.asList())
    // The rules did not fit the app before the change, either, or may do so again: they allow nothing.
    return []
  })
  const seen = new Map(planned.map(([table]) => [table.name, table]))
  // Keys of other apps are not known to the functions, because changes of those apps do not make them again.
  const own = { siteId: catalog.siteId, tables: after, dependents: [] }
  const writes = planned.flatMap(([table, rules]) =>
    createWriteFunctions(catalog, table, rules, seen, holdingKeys(own, table)),
  )
  const created = [
    ...planned.flatMap(([table, rules]) => createViews(catalog.siteId, table, rules)),
    ...writes,
  ]
  return { dropped, created }
}

const hasRules = ({ rules, isMaterialized, source }: Table): boolean =>
  isMaterialized && source === null && rules.length > 0

function tablesAfter(
  { tables, app }: Catalog,
  made: readonly Table[],
  removed: readonly Table[],
): ReadonlyMap<string, Table> {
  const after = new Map(tables)
  for (const { name } of removed) after.delete(name)
  // A table may have been compiled before the rules of the app were replaced.
  for (const table of made) after.set(table.name, withNewestKeys(withAppRules(table, app.rules)))
  return after
}

/**
 * Marks foreign keys that do not exist yet as the newest. Postgres will do so too, so they take no name that
 * is in use.
 */
function withNewestKeys(table: Table): Table {
  const newest = (table.schema.foreignKeys ?? [])
    .map(({ fields }) => fields.join())
    .filter((key) => !table.keysSince.has(key))
  if (newest.length === 0 || table.keysSince.size === 0) return table
  const since = newest.map((key): [string, number] => [key, Number.MAX_SAFE_INTEGER])
  return { ...table, keysSince: new Map([...table.keysSince, ...since]) }
}

/** Returns the tables of an app that have views and functions of guests, by name. */
export const tablesWithViews = (catalog: Catalog): ReadonlyMap<string, Table> =>
  new Map([...catalog.tables].filter(([, table]) => hasRules(table) && isPlanned(catalog, table)))

function isPlanned({ relationships }: Catalog, table: Table): boolean {
  const problems = new Problems()
  planRules(table, relationships, problems)
  return problems.isEmpty
}

const invalidRules = (problems: readonly string[]): AppError =>
  invalidFields({ json_schema: withWayOut(problems) })

const breaksRules = (table: string, problems: readonly string[]): AppError =>
  new AppError(422, 'rules_do_not_fit', {
    error: 'Access rules would no longer fit',
    detail:
      `The access rules of "${table}" use what this change takes away. Change them first. ` +
      problems.join(' '),
  })
