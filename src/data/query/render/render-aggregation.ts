/** Renders the plan of an aggregation as a statement whose answer is one row of text and numbers. */

import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { withData } from '../../../kernel/db/data-sql.ts'
import { emptySql, identifier, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import { type AggregationPlan, type Having, keyOf } from '../plan/aggregation/plan-aggregation.ts'
import type { Result } from '../plan/aggregation/results.ts'
import { renderExpression } from '../plan/expression/expression.ts'
import { row } from '../row.ts'
import { measureOf } from './answer-size.ts'
import { joins } from './joins.ts'
import { renderPredicate } from './render.ts'
import { dataWithin, type ListRow } from './render-list.ts'
import { renderOrder } from './render-order.ts'
import { countColumn, populatedColumn, recordSelection, type Selected } from './render-record.ts'
import { csvCell, type TextForm, textOf } from './render-text.ts'

/** The alias of a group, whose columns are its results. */
const group = sql`"_group"`
const resultSql = ({ name }: Result): Sql => sql`${group}.${identifier(name)}`

/**
 * Renders an aggregation. The answer for groups is a page of them and their number; for all records together
 * it is the results as an object, and null. For
 * `parts?_aggregate=sum(price)&_group_by=code&_having=sum_price__gt=5`:
 *
 *     with _groups as (
 *       select * from (select _row.code as code, sum(_row.price) as sum_price
 *                        from site_7.shop_parts _row where true group by 1) _group
 *        where _group.sum_price > 5)
 *     select null::bigint as found,
 *            (select jsonb_build_object('total', count(*), 'is', 'exact') from _groups) as counted,
 *            case when octet_length(_page.data) <= 12582912 then _page.data end as data
 *       from (select coalesce(json_agg(_record), '[]')::text as data
 *               from (select _group.code, _group.sum_price
 *                       from (select * from _groups _group order by _group.code limit 20 offset 0) _group
 *                    ) _record) _page
 */
export const renderAggregation = (plan: AggregationPlan, form: TextForm = 'json'): Sql<ListRow> =>
  withData(plan.keys ? renderGroups(plan, plan.keys, form) : renderTotals(plan, form), ['found', 'counted'])

/** Renders the results of all records. As lines they are one line. */
function renderTotals(plan: AggregationPlan, form: TextForm): Sql<ListRow> {
  const { columns, json } = recordSelection(selectedGroups(plan, []))
  const one = { columns, text: sql`${json}::text` }
  const { columns: selected, text } = form === 'json' ? one : textOfGroups(plan, [], form)
  return sql<ListRow>`
    select null::bigint as found, null::jsonb as counted, ${dataWithin(sql`_page.data`)}
      from (select ${text} as data
              from (select ${selected} from (${renderResults(plan, [])}) ${group}) _record) _page`
}

/** Returns what a selection of groups selects. */
function selectedGroups(plan: AggregationPlan, keys: readonly Result[]): Selected {
  const results = [...keys, ...plan.aggregates].map(({ name, expression: { type } }) => ({ name, type }))
  return {
    measure: (place) =>
      measureOf(
        results.filter(({ name }) => !place.json.includes(name)),
        place,
      ),
    columns: recordOf(plan, keys),
    populate: plan.populate,
  }
}

/** Returns how groups become text. */
const textOfGroups = (plan: AggregationPlan, keys: readonly Result[], form: TextForm) =>
  textOf(
    selectedGroups(plan, keys),
    () => ({
      of: group,
      cells: [...keys, ...plan.aggregates].map((one) => csvCell(resultSql(one), one.expression.type)),
    }),
    { form, rows: keys.length === 0 ? 1 : Math.min(plan.limit, groupsMany), bytesMax: answerBytesMax },
  )

/** The number of groups on a large page. */
const groupsMany = 1_000

/** Computes the groups once, for the page and for the total. Only the groups of the page become JSON. */
function renderGroups(plan: AggregationPlan, keys: readonly Result[], form: TextForm): Sql<ListRow> {
  const { limit, offset, having, countOnly, order } = plan
  const passing = having.length === 0 ? emptySql : sql` where ${join(having.map(renderHaving), sql` and `)}`
  const groups = sql`
    with _groups as (select * from (${renderResults(plan, keys)}) ${group}${passing})
    select null::bigint as found,
           (select jsonb_build_object('total', count(*), 'is', 'exact') from _groups) as counted`
  if (countOnly) return sql<ListRow>`${groups}, '[]' as data`
  const terms = renderOrder(order.map((term) => ({ ...term, value: resultSql(term.result) })))
  const { columns, text } = textOfGroups(plan, keys, form)
  const page = sql`select * from _groups ${group} order by ${terms} limit ${limit} offset ${offset}`
  const rows = sql`(${page}) ${group}${populatedFrom(plan, keys)}`
  return sql<ListRow>`
    ${groups}, ${dataWithin(sql`_page.data`)}
      from (select ${text} as data
              from (select ${columns} from ${rows} offset 0) _record) _page`
}

/**
 * Selects every result as a column. The keys come first and are grouped by position, so that their values are
 * bound once.
 */
function renderResults({ table, where, aggregates }: AggregationPlan, keys: readonly Result[]): Sql {
  const joined = joins()
  const columns = [...keys, ...aggregates].map(
    ({ name, expression }) => sql`${renderExpression(expression, joined)} as ${identifier(name)}`,
  )
  const positions = keys.map((_, index) => literal(index + 1))
  const grouping = keys.length === 0 ? emptySql : sql` group by ${join(positions)}`
  return sql`select ${join(columns)} from ${table.rows} ${row.alias}${joined.sql()}
     where ${renderPredicate(where, row)}${grouping}`
}

function renderHaving({ result, sql: compare, value, type, isNegated }: Having): Sql {
  const comparison = compare(resultSql(result), sql`${value}::${type.column}`)
  return isNegated ? sql`(${comparison}) is not true` : comparison
}

/** Returns a result as it appears in JSON. */
function resultColumn(result: Result): Sql {
  const { output } = result.expression.type
  return output ? sql`${output(resultSql(result))} as ${identifier(result.name)}` : resultSql(result)
}

/**
 * Returns the columns of a group: its results and its related records. Related records replace the key of the
 * same name, or come last.
 */
function recordOf({ aggregates, populate }: AggregationPlan, keys: readonly Result[]): Sql {
  const populated = new Map(populate.map((one) => [one.relationship.name, populatedColumn(one, row)]))
  const results = [...keys, ...aggregates].map((result) => {
    const instead = populated.get(result.name)
    populated.delete(result.name)
    return instead ?? resultColumn(result)
  })
  return join([...results, ...populated.values(), ...countColumn(populate, row)])
}

/** Returns the keys as a row with the names of their fields. Related records are found by this row. */
function populatedFrom({ populate }: AggregationPlan, keys: readonly Result[]): Sql {
  if (populate.length === 0) return emptySql
  const fields = new Set(populate.flatMap(({ relationship }) => relationship.pairs.map(({ near }) => near)))
  const columns = [...fields].map(
    (field) => sql`${resultSql(keyOf(keys, field) as Result)} as ${field.column}`,
  )
  return sql` cross join lateral (select ${join(columns)}) ${row.alias}`
}
