/** Renders predicates, for reads and writes. Every value is bound with its type. */
import { emptySql, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { propertySql } from '../../model/property.ts'
import { rangeSql } from '../../model/ranges.ts'
import type { Relationship } from '../../model/relationships.ts'
import { holdsForMissingRecord, not, type Operand, type Predicate, visible } from '../predicate.ts'
import { fieldSql, innerRow, junctionRow, type Row } from '../row.ts'
import { renderSearch } from './render-search.ts'

/**
 * Renders a predicate on the row `of`. Without it, the statement must have a single table. For
 * `{"maker.name": "Acme"}` the result is:
 *
 *     exists (select from site_7.shop_makers _row1 where _row1.id = _row.maker_id and _row1.name = $1::text)
 */
export function renderPredicate(predicate: Predicate, of?: Row): Sql {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.length === 0 ? sql`true` : parenthesized(renderAll(predicate.of, of), sql` and `)
    case 'or':
      return predicate.of.length === 0 ? sql`false` : parenthesized(renderAll(predicate.of, of), sql` or `)
    case 'not':
      // Postgres joins tables for `not exists`, but not for `exists … is not true`.
      return isExistence(predicate.of)
        ? sql`not ${renderPredicate(predicate.of, of)}`
        : sql`(${renderPredicate(predicate.of, of)}) is not true`
    case 'compare': {
      const values = predicate.values.map(({ value, type }) => sql`${value}::${type}`)
      return predicate.sql(renderOperand(predicate.operand, of), ...values)
    }
    case 'hasValue':
      return sql`${renderOperand(predicate.operand, of)} ${predicate.is ? sql`is not null` : sql`is null`}`
    case 'isTrue':
      return sql`${fieldSql(predicate.field, of)} ${predicate.is ? sql`is true` : sql`is not true`}`
    case 'overlaps': {
      const { from, to, bounds, ends } = predicate
      const [low, high] = ends.map((end) => sql`${end}::${from.type.column}`) as [Sql, Sql]
      const own = rangeSql(from, fieldSql(from, of), fieldSql(to, of), bounds)
      return sql`${own} && ${rangeSql(from, low, high, bounds)}`
    }
    case 'related':
      return renderRelated(predicate.relationship, predicate.where, of)
    case 'search':
      return renderSearch(predicate, rowOf(of, 'a search'))
  }
}

/** Tells whether a predicate is rendered as `exists` or `not exists`, which is never null. */
const isExistence = (predicate: Predicate): boolean => {
  if (predicate.kind === 'related') return true
  const [only, ...others] = predicate.kind === 'and' || predicate.kind === 'or' ? predicate.of : []
  return only !== undefined && others.length === 0 && isExistence(only)
}

const renderAll = (predicates: readonly Predicate[], of?: Row) =>
  predicates.map((predicate) => renderPredicate(predicate, of))

const parenthesized = (fragments: readonly Sql[], by: Sql) =>
  fragments.length === 1 ? (fragments[0] as Sql) : sql`(${join(fragments, by)})`

function renderOperand({ field, property }: Operand, of?: Row): Sql {
  const column = fieldSql(field, of)
  return property ? propertySql(column, property) : column
}

/** Returns the row, which some predicates need. */
function rowOf(of: Row | undefined, what: string): Row {
  if (!of) throw new TypeError(`${what} needs the row that it is about`)
  return of
}

function renderRelated({ to, target, pairs, junction }: Relationship, where: Predicate, of?: Row): Sql {
  const near = rowOf(of, 'a condition on a related record')
  const record = innerRow(near)
  const via = junctionRow(record)
  const { alias } = record
  const from = junction
    ? sql`from ${target.rows} ${alias}, ${junction.table.rows} ${via.alias}
           where ${joinCondition(junction.pairs, via, record)} and ${joinCondition(pairs, near, via)}
                 ${andNotDeleted(junction.table, via)}`
    : sql`from ${target.rows} ${alias} where ${joinCondition(pairs, near, record)}`
  const found = sql`select ${from}${andNotDeleted(target, record)}`
  // A missing record also passes. So the condition is that no related record exists that does not pass.
  return to === 'one' && holdsForMissingRecord(where)
    ? sql`not exists (${found} and ${renderPredicate(not(where), record)})`
    : sql`exists (${found} and ${renderPredicate(where, record)})`
}

/**
 * Returns the condition that two rows are related. The near fields of the pairs are those of the row `near`.
 */
export const joinCondition = (pairs: Relationship['pairs'], near: Row, far: Row): Sql =>
  join(
    pairs.map((pair) => sql`${fieldSql(pair.far, far)} = ${fieldSql(pair.near, near)}`),
    sql` and `,
  )

/**
 * Returns the condition that a record is related to the row `of`. It selects the record once, even if the
 * junction joins the two several times.
 */
export function isRelated({ pairs, junction }: Relationship, of: Row, record: Row): Sql {
  if (!junction) return joinCondition(pairs, of, record)
  const via = junctionRow(record)
  const far = join(junction.pairs.map((pair) => fieldSql(pair.far, record)))
  const linked = join(junction.pairs.map((pair) => fieldSql(pair.near, via)))
  return sql`(${far}) in (select ${linked} from ${junction.table.rows} ${via.alias}
    where ${joinCondition(pairs, of, via)}${andNotDeleted(junction.table, via)})`
}

/** Returns ` and …` for the condition that a row is not soft-deleted; nothing without soft deletion. */
export function andNotDeleted(table: Relationship['target'], of: Row): Sql {
  const predicate = visible(table)
  return predicate.kind === 'isTrue' ? sql` and ${renderPredicate(predicate, of)}` : emptySql
}

/**
 * The version of a record, from which its ETag is made: `_version` is the `xmin` of its row. It changes with
 * every write, even of the same values. R12.
 */
export const entityTag: Sql = sql`_version::text`
