/** Renders annotations: as columns of the rows that a page is chosen from, and of the records of a page. */
import { emptySql, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Annotation, Annotations } from '../plan/annotations.ts'
import { fieldsIn, renderExpression } from '../plan/expression/expression.ts'
import { list } from '../plan/expression/types.ts'
import { row } from '../row.ts'
import { joins } from './joins.ts'
import { aggregatesAtOnce, aggregatesPerRow, type RelatedAggregates } from './related-aggregates.ts'

/** Returns annotations as columns, and the joins that compute them, to follow `_row` in the `from` clause. */
function computed(annotations: readonly Annotation[], aggregates: RelatedAggregates) {
  const joined = joins()
  const source = { rowOf: joined.rowOf, aggregateOf: aggregates.aggregateOf }
  const columns = annotations.map(({ expression, field }) => {
    const value = renderExpression(expression, source)
    return sql`${expression.type === list ? sql`to_jsonb(${value})` : value} as ${field.column}`
  })
  return { columns: join(columns), joined: sql`${joined.sql()}${aggregates.sql()}` }
}

/**
 * Up to this number of rows, which is the largest page, related records are read for each row by an index.
 */
const fewRows = 1_000

/**
 * Returns rows with annotations as columns, to filter and to sort by. Related records are grouped once: those
 * of all rows of the table, or with `onlyThese` only those of the rows. If the rows are few, their related
 * records are read for each row: Postgres runs only the branch of the union whose condition is true.
 */
export function annotatedRows(rows: Sql, annotations: readonly Annotation[], onlyThese: boolean): Sql {
  if (annotations.length === 0) return rows
  const computedBy = (aggregates: RelatedAggregates) => {
    const { columns, joined } = computed(annotations, aggregates)
    return sql`select ${row.alias}.*, ${columns} from ${rows} ${row.alias}${joined}`
  }
  if (!onlyThese) return sql`(${computedBy(aggregatesAtOnce(undefined))})`
  const areFew = sql`(select count(*) <= ${fewRows}::bigint from ${rows})`
  return sql`(${computedBy(aggregatesPerRow())} where ${areFew}
    union all ${computedBy(aggregatesAtOnce(rows))} where not ${areFew})`
}

/** Returns the SQL after the rows of a page in the `from` clause: it adds their annotations as columns. */
export function annotationsBeside({ shown }: Pick<Annotations, 'shown'>): Sql {
  if (shown.length === 0) return emptySql
  const { columns, joined } = computed(shown, aggregatesPerRow())
  return sql` cross join lateral (select ${columns} from (select) _one${joined} offset 0) _computed`
}

/** Returns the fields of the records themselves that annotations are computed from. */
export const fieldsUsed = (annotations: readonly Annotation[]): Field[] =>
  annotations.flatMap(({ expression }) => fieldsIn(expression))
