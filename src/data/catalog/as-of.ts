/** The catalog of an app for reading the past. */
import { daysKept, isVersioned, tableAsOf } from '../model/history.ts'
import { relationshipGraph } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { asOfParameter } from '../query/parse/parse.ts'
import type { Problems } from '../query/problems.ts'
import type { Catalog } from './load-catalog.ts'
import { readableRelationships } from './scoped.ts'

/**
 * Returns the catalog with every table as it was at a time. Relationships to tables without a history, or
 * with one that does not reach that far, cannot be followed.
 */
export function catalogAsOf(catalog: Catalog, time: string | undefined): Catalog {
  if (time === undefined) return catalog
  const tables = new Map(
    [...catalog.tables].map(([name, table]) => [name, isVersioned(table) ? tableAsOf(table, time) : table]),
  )
  const relationships = relationshipGraph(tables, ({ target, junction }) =>
    [target, junction?.table]
      .map((table) => table && asOfProblem(table, time))
      .find((problem) => problem !== undefined),
  )
  const past = { ...catalog, tables, relationships }
  return catalog.scopes ? { ...past, relationships: readableRelationships(past, catalog.scopes.known) } : past
}

/** Adds a problem if the query asks for an earlier time than the history of the table has. */
export function checkAsOf(table: Table, time: string | undefined, problems: Problems): void {
  const problem = time === undefined ? undefined : asOfProblem(table, time)
  if (problem === undefined) return
  problems.add(asOfParameter, problem)
  if (!table.isView && !isVersioned(table)) problems.withoutHistory = table
}

const dayMs = 86_400_000

/** Returns why a table cannot be read as of a time; undefined if it can. */
function asOfProblem(table: Table, time: string): string | undefined {
  const { name } = table
  if (table.isView) return 'Access rules do not show records as of a time.'
  if (!isVersioned(table))
    return `"${name}" has no history, so it cannot be read as of a time. Set "history": true in its schema.`
  const days = daysKept(table)
  if (days === undefined || Date.parse(time) >= Date.now() - days * dayMs) return undefined
  return `"${name}" keeps its history for ${days} days, so it cannot be read as of an earlier time.`
}
