/** Renders the source from which a list selects its page and counts its records. */
import { emptySql, join, type Sql, sql, withInlineValues } from '../../../kernel/db/sql.ts'
import { type Expression, renderExpression } from '../plan/expression/expression.ts'
import type { ReadPlan } from '../plan/plan.ts'
import { fieldSql, row } from '../row.ts'
import { joins } from './joins.ts'
import { renderPredicate } from './render.ts'
import { annotatedRows } from './render-annotations.ts'
import { renderOrder, termsOf } from './render-order.ts'

/** Rows, and the condition for rows of the list. */
export interface Source {
  /** The part after `from`, before the alias `_row`. */
  rows: Sql
  where: Sql
}

/** What is counted for the total. */
export interface CountedSource extends Source {
  /** The expressions for `with` of a statement that only counts. Undefined: the statement has them. */
  shared: readonly Sql[] | undefined
}

/** The source of a list statement. */
interface Sources {
  /** The expressions for `with`, at the beginning of the statement. */
  shared: readonly Sql[]
  page: Source
  counted: CountedSource
}

/**
 * Returns the source of a statement. Parts that the statement needs several times are computed once. These
 * are the records that match the filters without annotations, if related records are grouped for them; and
 * the groups of related records, if both the page and the total need them (because a filter uses
 * annotations), or several zones of a page at a position.
 */
export function sourcesOf(plan: ReadPlan): Sources {
  const { annotations, keyset } = plan
  const isShared = !plan.countOnly && annotations && annotations[keyset ? 'page' : 'where'].length > 0
  const shared = matchesOf(plan)
  const counted = { ...distinctSource(plan, sourceWith(plan, 'where')), shared }
  if (!isShared)
    return { shared, page: newestMatches(plan, firstOfGroups(plan, sourceWith(plan, 'page'))), counted }
  const { rows, where } = sourceWith(plan, 'page')
  const computed = sql`_rows as materialized (select ${row.alias}.* from ${rows} ${row.alias} where ${where})`
  const all = whole(sql`_rows`)
  return {
    shared: [...shared, computed],
    page: firstOfGroups(plan, all),
    counted: annotations.where.length > 0 ? { ...distinctSource(plan, all), shared: undefined } : counted,
  }
}

const matches = sql`_among`

/** Returns the expression for the records that pass the filters without annotations, if it is needed. */
function matchesOf({ table, annotations }: ReadPlan): Sql[] {
  if (!annotations?.among) return []
  const where = renderPredicate(annotations.among.where, row)
  return [
    sql`${matches} as materialized (select ${row.alias}.* from ${table.rows} ${row.alias} where ${where})`,
  ]
}

/** Returns `with …` for expressions; nothing without any. */
export const withSql = (expressions: readonly Sql[]): Sql =>
  expressions.length === 0 ? emptySql : sql`with ${join(expressions)}`

const whole = (rows: Sql): Source => ({ rows, where: sql`true` })

function sourceWith({ table, where, annotations }: ReadPlan, use: 'page' | 'where'): Source {
  if (!annotations) return { rows: table.rows, where: renderPredicate(where, row) }
  const { among } = annotations
  const rows = annotatedRows(among ? matches : table.rows, annotations[use], among !== undefined)
  return { rows, where: renderPredicate(among ? among.rest : where, row) }
}

/** Keeps the matches that are sorted by rank. Their keys choose them, so that all pages rank the same. */
function newestMatches({ rankedMax, table }: ReadPlan, { rows, where }: Source): Source {
  if (rankedMax === undefined) return { rows, where }
  const newest = join(table.primaryKey.map((field) => sql`${fieldSql(field, row)} desc`))
  return whole(sql`(select ${row.alias}.* from ${rows} ${row.alias}
    where ${where} order by ${newest} limit ${rankedMax})`)
}

/**
 * Keeps one row of each combination of keys: the first one in the order. If the order within a group is that
 * of the primary key, its least value in each group is computed first, which needs no sort of all rows.
 */
function firstOfGroups(plan: ReadPlan, source: Source): Source {
  const { distinct, order } = plan
  if (distinct.length === 0) return source
  const joined = joins()
  const key = keyWithinGroups(plan)
  if (key) {
    const value = fieldSql(key.field, row)
    const groups = join(distinct.map((one) => renderExpression(one, joined)))
    const first = sql`${key.descending ? sql`max` : sql`min`}(${value})`
    const where = sql`${value} in (select ${first} from ${source.rows} ${row.alias}${joined.sql()}
      where ${source.where} group by ${groups})`
    return { rows: source.rows, where }
  }
  // Postgres compares the texts of both lists, in which bound values would have different numbers.
  const keys = withInlineValues(join(distinct.map((key) => renderExpression(key, joined))))
  const terms = renderOrder(termsOf(order, joined))
  const from = sql`${source.rows} ${row.alias}${joined.sql()}`
  return whole(sql`(select distinct on (${keys}) ${row.alias}.* from ${from}
    where ${source.where} order by ${keys}, ${terms})`)
}

/** The types of keys of which Postgres finds the least value. */
const leastTypes: ReadonlySet<string> = new Set(['bigint', 'numeric', 'text', 'date', 'timestamptz'])

/**
 * Returns the primary key and its direction if it alone decides which record of a group is the first one. The
 * keys of the groups decide nothing: they are the same in a group.
 */
function keyWithinGroups({ table, distinct, order, annotations }: ReadPlan) {
  const isOfGroup = (of: Expression) =>
    of.kind === 'column' &&
    distinct.some(
      (one) =>
        one.kind === 'column' &&
        one.field === of.field &&
        one.relationships.length + of.relationships.length === 0,
    )
  const [first] = order.filter((term) => term.by === 'rank' || !isOfGroup(term.expression))
  const [field, ...others] = table.primaryKey
  const isKey =
    first?.by === 'value' &&
    first.expression.kind === 'column' &&
    first.expression.relationships.length === 0 &&
    first.expression.field === field
  if (!field || !isKey || others.length > 0 || annotations) return undefined
  return leastTypes.has(field.type.column.strings.join())
    ? { field, descending: first.descending }
    : undefined
}

/** Keeps only the keys of the rows, each combination once. */
function distinctSource({ distinct }: ReadPlan, source: Source): Source {
  if (distinct.length === 0) return source
  const joined = joins()
  const keys = join(distinct.map((key) => renderExpression(key, joined)))
  return whole(sql`(select distinct ${keys} from ${source.rows} ${row.alias}${joined.sql()}
    where ${source.where})`)
}
