/**
 * Renders aggregates of related records: either for each row of a page, with a cost that depends on these
 * rows only, or for all rows of a table at once.
 */
import { emptySql, identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Relationship } from '../../model/relationships.ts'
import { type Related, renderExpression } from '../plan/expression/expression.ts'
import { isSamePath } from '../plan/expression/scope.ts'
import { fieldSql, innerRow, junctionRow, type Row, row } from '../row.ts'
import { joins } from './joins.ts'
import { andNotDeleted, isRelated } from './render.ts'

/** Aggregates of related records, and the joins that compute them. */
export interface RelatedAggregates {
  /** Returns an aggregate as a column. Aggregates of the same records are computed together. */
  aggregateOf(related: Related): Sql
  /** Returns the joins, to follow the table. Call it after `aggregateOf` has seen all aggregates. */
  sql(): Sql
}

/** The aggregates of the same records. */
interface Group {
  scope: readonly Relationship[]
  alias: Sql
  of: Related[]
}

type RenderGroup = (group: Group) => Sql

/** Begins without any aggregate. `render` joins a group, `read` reads the column of an aggregate. */
function relatedAggregates(
  render: RenderGroup,
  read: (column: Sql, related: Related) => Sql,
): RelatedAggregates {
  const groups: Group[] = []
  return {
    aggregateOf(related) {
      let group = groups.find(({ scope }) => isSamePath(scope, related.scope))
      if (!group) {
        group = { scope: related.scope, alias: identifier(`_of${groups.length + 1}`), of: [] }
        groups.push(group)
      }
      group.of.push(related)
      return read(sql`${group.alias}.${aggregateName(group.of.length - 1)}`, related)
    },
    sql: () => join(groups.map(render), emptySql),
  }
}

const aggregateName = (index: number): Sql => identifier(`_a${index}`)
const keyName = (index: number): Sql => identifier(`_key${index}`)

/**
 * Computes aggregates for each row:
 *
 *     cross join lateral (select count(*) as _a0 from site_7.shop_reviews _row1
 *                          where _row1.product_id = _row.id) _of1
 */
export const aggregatesPerRow = (of: Row = row): RelatedAggregates =>
  relatedAggregates(
    (group) => {
      const [first, ...rest] = stepsFrom(of, group.scope) as [Step, ...Step[]]
      const { columns, joined } = columnsOf(group, (rest.at(-1) ?? first).record)
      return sql` cross join lateral (select ${columns} from ${tablesOf([first, ...rest])}${joined}
        where ${join([first, ...rest].map(stepCondition), sql` and `)}) ${group.alias}`
    },
    (column) => column,
  )

/**
 * Computes aggregates for all rows of the table at once, or for those `among` some rows:
 *
 *     left join (select _row1.product_id as _key0, count(*) as _a0
 *                  from site_7.shop_reviews _row1 where true group by 1) _of1 on _of1._key0 = _row.id
 */
export const aggregatesAtOnce = (among: Sql | undefined): RelatedAggregates =>
  relatedAggregates(
    (group) => {
      const [first, ...rest] = stepsFrom(row, group.scope) as [Step, ...Step[]]
      const { columns, joined } = columnsOf(group, (rest.at(-1) ?? first).record)
      const { keys, tables, where } = keyed(first)
      const { pairs } = first.relationship
      const isNear = (one: readonly Sql[]) =>
        join(
          pairs.map(({ near }, index) => sql`${one[index] as Sql} = ${fieldSql(near, row)}`),
          sql` and `,
        )
      const wanted = among
        ? sql` and exists (select from ${among} ${row.alias} where ${isNear(keys)})`
        : emptySql
      const conditions = [where, ...rest.map(stepCondition)]
      const named = keys.map((key, index) => sql`${key} as ${keyName(index)}`)
      return sql` left join (select ${join(named)}, ${columns}
          from ${join([tables, ...(rest.length > 0 ? [tablesOf(rest)] : [])])}${joined}
         where ${join(conditions, sql` and `)}${wanted}
         group by ${join(keys)}) ${group.alias}
        on ${isNear(keys.map((_, index) => sql`${group.alias}.${keyName(index)}`))}`
    },
    (column, { isCount }) => (isCount ? sql`coalesce(${column}, 0)` : column),
  )

/** A relationship of a scope, from a row to the record that is reached by it. */
interface Step {
  relationship: Relationship
  near: Row
  record: Row
}

function stepsFrom(start: Row, scope: readonly Relationship[]): Step[] {
  const steps: Step[] = []
  let near = start
  for (const relationship of scope) {
    const record = innerRow(near)
    steps.push({ relationship, near, record })
    near = record
  }
  return steps
}

const tablesOf = (steps: readonly Step[]): Sql =>
  join(steps.map(({ relationship, record }) => sql`${relationship.target.rows} ${record.alias}`))

const stepCondition = ({ relationship, near, record }: Step): Sql =>
  sql`${isRelated(relationship, near, record)}${andNotDeleted(relationship.target, record)}`

/**
 * Returns the columns of the aggregates, and the joins of the records that the aggregated records reference.
 */
function columnsOf({ of }: Group, end: Row): { columns: Sql; joined: Sql } {
  const joined = joins(end)
  const columns = of.map(
    (related, index) => sql`${renderExpression(related.of, joined)} as ${aggregateName(index)}`,
  )
  return { columns: join(columns), joined: joined.sql() }
}

/** Returns the tables of the first step with their grouping columns, which are equal to those of a row. */
function keyed({ relationship, record }: Step): { keys: readonly Sql[]; tables: Sql; where: Sql } {
  const { pairs, junction, target } = relationship
  const table = sql`${target.rows} ${record.alias}`
  const isThere = sql`true${andNotDeleted(target, record)}`
  if (!junction) return { keys: pairs.map(({ far }) => fieldSql(far, record)), tables: table, where: isThere }
  // A record counts once, even if the junction joins it several times.
  const via = junctionRow(record)
  const near = pairs.map(({ far }, index) => sql`${fieldSql(far, via)} as ${keyName(index)}`)
  const linkName = (index: number) => identifier(`_link${index}`)
  const links = junction.pairs.map((pair, index) => sql`${fieldSql(pair.near, via)} as ${linkName(index)}`)
  const isLinked = junction.pairs.map(
    ({ far }, index) => sql`${fieldSql(far, record)} = ${via.alias}.${linkName(index)}`,
  )
  return {
    keys: pairs.map((_, index) => sql`${via.alias}.${keyName(index)}`),
    tables: sql`(select distinct ${join([...near, ...links])} from ${junction.table.rows} ${via.alias}
      where true${andNotDeleted(junction.table, via)}) ${via.alias}, ${table}`,
    where: sql`${join(isLinked, sql` and `)} and ${isThere}`,
  }
}
