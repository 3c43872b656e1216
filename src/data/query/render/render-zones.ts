/**
 * Renders rows in an order. An index has records without a value at one end of it; where the order has them
 * at the other one, no index has the order. So records with a value and those without are then read apart,
 * each by the index.
 */
import { emptySql, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import { renderOrder, type Term } from './render-order.ts'

/** A part of the records. All of them come before the records of the next zone. */
export interface Zone {
  /** Undefined: all records. */
  where: Sql | undefined
  /** The terms of the order among these records. */
  terms: readonly Term[]
}

/** How many rows to select, after how many others. */
interface Range {
  limit: number
  offset: number
}

/** What to select in an order. */
interface Ordered extends Range {
  columns: Sql
  /** The `from` clause without its keyword. */
  from: Sql
  where: Sql
}

/**
 * Returns the zones of an order whose first term can be null: records with a value of it and records without.
 * Within a zone, the order does not depend on the place of nulls, so that an index can have the order.
 * Postgres does not know that a term that is null everywhere adds nothing to an order: an index needs it
 * there, too.
 */
export function zonesOf([first, ...rest]: readonly [Term, ...Term[]]): [Zone, Zone] {
  const terms = [{ ...first, nullable: false }, ...rest]
  const zones: [Zone, Zone] = [
    { where: sql`${first.value} is not null`, terms },
    { where: sql`${first.value} is null`, terms },
  ]
  return first.nullsFirst ? [zones[1], zones[0]] : zones
}

/** Selects a page of rows from the start of an order. */
export function selectInOrder(terms: readonly Term[], rows: Ordered): Sql {
  const [first, ...rest] = terms
  return selectZones(first?.isZoned ? zonesOf([first, ...rest]) : [{ where: undefined, terms }], rows)
}

/**
 * Selects a page of rows from zones. Postgres reads the parts of `union all` one after the other, and no
 * further than the limit needs: it runs them in parallel only if none of them has a limit.
 */
export function selectZones(zones: readonly Zone[], { columns, from, where, ...range }: Ordered): Sql {
  const select = (zone: Zone, part: Range) => sql`select ${columns} from ${from}
       where ${where}${zone.where ? sql` and ${zone.where}` : emptySql}
       order by ${renderOrder(zone.terms)} ${rangeSql(part)}`
  const [only, ...others] = zones
  if (only && others.length === 0) return select(only, range)
  const parts = zones.map((zone) => sql`(${select(zone, { limit: range.offset + range.limit, offset: 0 })})`)
  return sql`select * from (${join(parts, sql` union all `)}) _zones ${rangeSql(range)}`
}

export const rangeSql = ({ limit, offset }: Range): Sql =>
  sql`limit ${limit}${offset === 0 ? emptySql : sql` offset ${offset}`}`
