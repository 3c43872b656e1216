/** From the plan of an aggregation to the statement that computes it: one row of text and numbers. */
import { identifier, join, literal, nothing, type Sql, sql } from '../../db/sql.ts'
import { renderExpression } from './expression/expression.ts'
import { joins } from './joins.ts'
import { type AggregationPlan, type Having, keyOf } from './plan-aggregation.ts'
import { populatedColumn, renderPredicate, shown } from './render.ts'
import { unlessTooLong } from './render-list.ts'
import type { Result } from './results.ts'
import { row } from './row.ts'

/** A group, by its alias, with its results by their names. */
const group = sql`"_group"`
const resultSql = ({ name }: Result): Sql => sql`${group}.${identifier(name)}`

/**
 * One row of `data` and `total`. Of groups: the page as the text of a JSON array, and how many there are. Of all records together:
 * the results as that of an object, and null. Text that is too long is null.
 */
export const renderAggregation = (plan: AggregationPlan): Sql => (plan.keys ? renderGroups(plan, plan.keys) : renderTotals(plan))

const renderTotals = (plan: AggregationPlan): Sql => sql`
  select null as total, ${unlessTooLong(sql`_page.data`)}
    from (select row_to_json(_record)::text as data
            from (select ${recordOf(plan, [])} from (${renderResults(plan, [])}) ${group}) _record) _page`

/** Groups are computed once, for the page and the total; only those of the page become JSON. */
function renderGroups(plan: AggregationPlan, keys: readonly Result[]): Sql {
  const { limit, offset, having, countOnly, order } = plan
  const passing = having.length === 0 ? nothing : sql` where ${join(having.map(renderHaving), sql` and `)}`
  const groups = sql`with _groups as (select * from (${renderResults(plan, keys)}) ${group}${passing}) select (select count(*) from _groups) as total`
  if (countOnly) return sql`${groups}, '[]' as data`
  const terms = order.map(({ result, descending }) => sql`${resultSql(result)}${descending ? sql` desc nulls last` : nothing}`)
  const { columns, item } = shown(recordOf(plan, keys), plan.populate)
  const rows = sql`select * from _groups ${group} order by ${join(terms)} limit ${limit} offset ${offset}`
  return sql`
    ${groups}, ${unlessTooLong(sql`_page.data`)}
      from (select coalesce(json_agg(${item}), '[]')::text as data
              from (select ${columns} from (${rows}) ${group}${populatedFrom(plan, keys)}) _record) _page`
}

/** Each result a column. Keys come first: they are grouped by their positions, so that what is bound in them is bound once. */
function renderResults({ table, where, aggregates }: AggregationPlan, keys: readonly Result[]): Sql {
  const joined = joins()
  const columns = [...keys, ...aggregates].map(({ name, expression }) => sql`${renderExpression(expression, joined.rowOf)} as ${identifier(name)}`)
  const grouping = keys.length === 0 ? nothing : sql` group by ${join(keys.map((_, index) => literal(index + 1)))}`
  return sql`select ${join(columns)} from ${table.rows} ${row.alias}${joined.sql()} where ${renderPredicate(where, row)}${grouping}`
}

function renderHaving({ result, sql: compare, value, type, isNegated }: Having): Sql {
  const comparison = compare(resultSql(result), sql`${value}::${type.column}`)
  return isNegated ? sql`(${comparison}) is not true` : comparison
}

/** As it stands in JSON. */
function shownResult(result: Result): Sql {
  const { output } = result.expression.type
  return output ? sql`${output(resultSql(result))} as ${identifier(result.name)}` : resultSql(result)
}

/** What a group shows: its results, and what is related to it, in the place of the key that has its name or at the end. */
function recordOf({ aggregates, populate }: AggregationPlan, keys: readonly Result[]): Sql {
  const populated = new Map(populate.map((one) => [one.relationship.name, populatedColumn(one, row)]))
  const results = [...keys, ...aggregates].map((result) => {
    const instead = populated.get(result.name)
    populated.delete(result.name)
    return instead ?? shownResult(result)
  })
  return join([...results, ...populated.values()])
}

/** The keys under the names of their fields, as the row that records are related to. */
function populatedFrom({ populate }: AggregationPlan, keys: readonly Result[]): Sql {
  if (populate.length === 0) return nothing
  const fields = new Set(populate.flatMap(({ relationship }) => relationship.pairs.map(({ near }) => near)))
  const columns = [...fields].map((field) => sql`${resultSql(keyOf(keys, field) as Result)} as ${field.column}`)
  return sql` cross join lateral (select ${join(columns)}) ${row.alias}`
}
