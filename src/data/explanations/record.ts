/** Finds the record for an explanation. */
import type { Sql } from '../../kernel/db/sql.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { recordNotFound } from '../failures/errors.ts'
import type { Table } from '../model/table.ts'
import { planReadOne } from '../query/plan/plan.ts'
import { planning } from '../query/plan/planning.ts'
import { Problems } from '../query/problems.ts'
import { renderPredicate } from '../query/render/render.ts'
import { row } from '../query/row.ts'

/**
 * Returns the condition that the row `_row` has a primary key, also if it is soft-deleted. Throws 404 for a
 * text that no record can have as its key.
 */
export function recordWhere({ relationships }: Catalog, table: Table, key: string | number): Sql {
  const state = planning(table, new Problems(), relationships)
  const one = planReadOne(state, String(key), {
    deleted: 'included',
    populate: [],
    fields: [],
    annotations: [],
  })
  if (!one) throw recordNotFound(table.name, String(key))
  return renderPredicate(one.where, row)
}
