/** The filters of partial indexes and of exclusions. */
import { type Sql, withInlineValues } from '../../../kernel/db/sql.ts'
import type { IndexSchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'
import { parseFilter } from '../../query/parse/filter-tree.ts'
import { planFilter } from '../../query/plan/filter.ts'
import { planning } from '../../query/plan/planning.ts'
import type { Predicate } from '../../query/predicate.ts'
import { Problems } from '../../query/problems.ts'
import { renderPredicate } from '../../query/render/render.ts'

export type ObjectFilter = NonNullable<IndexSchema['where']>

/** Returns the condition of a filter, with constants instead of bound values. */
export const conditionOf = (table: Table, filter: ObjectFilter): Sql =>
  withInlineValues(renderPredicate(planned(table, filter)))

/** Returns a filter as a predicate. It was checked with the schema (datatables/draft.ts). */
export function planned(table: Table, filter: ObjectFilter): Predicate {
  const problems = new Problems()
  const predicate = planFilter(planning(table, problems), parseFilter('where', filter, problems))
  problems.throwIfAny()
  return predicate
}
