/**
 * Makes the input with which Postgres finds out whether an index would help a list of records: the index, and
 * a statement with the list's comparisons and order, but without values of requests. `hypopg` plans the
 * statement with the index.
 */
import { join, renderText, sql } from '../../kernel/db/sql.ts'
import type { ReadPlan } from '../query/plan/plan.ts'
import type { Predicate } from '../query/predicate.ts'

/** The texts of a statement that reads, and of one that makes an index for it. */
export interface IndexTrial {
  reads: string
  creates: string
}

/** A comparison of a field with values. */
export type FieldComparison = Extract<Predicate, { kind: 'compare' }>

/** The number of records on a page. */
const limit = sql`limit 50`

/**
 * Returns a trial of an index on fields. Undefined if the table has no columns for fields, which `hypopg`
 * needs.
 */
export function trialOf(
  { table }: Pick<ReadPlan, 'table'>,
  comparisons: readonly FieldComparison[],
  sorted: readonly string[],
  fields: readonly string[],
): IndexTrial | undefined {
  const { relation, storage } = table
  if (!storage.hasColumns) return undefined
  const columnsOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const field = table.fields.get(name)
      return field ? storage.field(field) : []
    })
  const conditions = comparisons.map(({ operand, sql: compare, values }) => {
    // These values are known only when the statement runs, like those of a client. So the plan does not
    // depend on a value.
    const unknown = values.map(({ value, type }) => {
      const whole = Array.isArray(value) ? sql`${type}[]` : type
      return sql`(select null::${whole} from ${relation} limit 1)::${whole}`
    })
    return compare(storage.field(operand.field), ...unknown)
  })
  const where = conditions.length > 0 ? sql`where ${join(conditions, sql` and `)}` : sql``
  const order = sorted.length > 0 ? sql`order by ${join(columnsOf(sorted))}` : sql``
  return {
    reads: renderText(sql`select * from ${relation} ${where} ${order} ${limit}`),
    creates: renderText(sql`create index on ${relation} using btree (${join(columnsOf(fields))})`),
  }
}
