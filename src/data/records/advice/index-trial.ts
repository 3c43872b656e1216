/**
 * Makes the input with which Postgres finds out whether an index would help a list of records: the index, and
 * a statement with the list's comparisons and order, but without values of requests. `hypopg` plans the
 * statement with the index.
 */
import { emptySql, join, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { ReadPlan } from '../../query/plan/plan.ts'
import type { WantedIndex } from './schema.ts'
import { needsOf } from './wanted-index.ts'

/** The texts of a statement that reads, and of one that makes an index for it. */
export interface IndexTrial {
  reads: string
  creates: string
}

/** The number of records on a page. */
const limit = sql`limit 50`

/**
 * Returns a trial of an index. Undefined if the table has no columns for fields, or the index is for parts of
 * texts: `hypopg` plans neither.
 */
export function trialOf(plan: ReadPlan, { fields, method, descending }: WantedIndex): IndexTrial | undefined {
  const { table } = plan
  const { relation, storage } = table
  if (!storage.hasColumns || method) return undefined
  const columnOf = (name: string, isDescending = false): Sql[] => {
    const field = table.fields.get(name)
    return field ? [sql`${storage.field(field)}${isDescending ? sql` desc` : emptySql}`] : []
  }
  const { compared, sorted } = needsOf(plan)
  const conditions = compared.map(({ operand, sql: compare, values }) => {
    // These values are known only when the statement runs, like those of a client. So the plan does not
    // depend on a value.
    const unknown = values.map(({ value, type }) => {
      const whole = Array.isArray(value) ? sql`${type}[]` : type
      return sql`(select null::${whole} from ${relation} limit 1)::${whole}`
    })
    return compare(storage.field(operand.field), ...unknown)
  })
  const where = conditions.length > 0 ? sql`where ${join(conditions, sql` and `)}` : emptySql
  const terms = sorted.flatMap((term) => columnOf(term.name, term.descending))
  const order = terms.length > 0 ? sql`order by ${join(terms)}` : emptySql
  const columns = fields.flatMap((name) => columnOf(name, descending?.includes(name)))
  return {
    reads: renderText(sql`select * from ${relation} ${where} ${order} ${limit}`),
    creates: renderText(sql`create index on ${relation} using btree (${join(columns)})`),
  }
}
