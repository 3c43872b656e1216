/** The target of a read: a table, now or at an earlier time, and the state for planning the query. */
import { catalogAsOf, checkAsOf } from '../catalog/as-of.ts'
import { type RecordsPath, readableTable } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import type { Table } from '../model/table.ts'
import { parseAsOf } from '../query/parse/as-of.ts'
import { type Planning, planning } from '../query/plan/planning.ts'
import type { Problems } from '../query/problems.ts'

interface ReadTarget {
  catalog: Catalog
  table: Table
  /** The state in which the planning of the query begins. */
  state: Planning
  /** The time that is read. Undefined: the present. */
  time: string | undefined
}

/**
 * Returns the target of a request with these parameters. Adds each problem to `problems`. Throws 403, 404
 * and 422 as `readableTable` does.
 */
export function readTarget(
  present: Catalog,
  path: RecordsPath,
  parameters: URLSearchParams,
  problems: Problems,
): ReadTarget {
  const time = parseAsOf(parameters, problems)
  const catalog = catalogAsOf(present, time)
  const table = readableTable(catalog, path)
  checkAsOf(table, time, problems)
  return { catalog, table, state: planning(table, problems, catalog.relationships), time }
}
