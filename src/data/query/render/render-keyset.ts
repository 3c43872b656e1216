/**
 * Renders a page that begins or ends at a position. The position is a condition on the values that sort the
 * records. So if an index has the order, every page costs the same.
 */
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Keyset } from '../plan/keyset.ts'
import type { Term } from './render-order.ts'
import { type Zone, zonesOf } from './render-zones.ts'

/** Returns the terms in the order in which records are read: backwards if the page ends at a position. */
export const termsRead = (terms: readonly Term[], { isBackward }: Keyset): readonly Term[] =>
  isBackward ? terms.map(reversed) : terms

const reversed = (term: Term): Term => ({
  ...term,
  descending: !term.descending,
  nullsFirst: !term.nullsFirst,
})

/**
 * Returns the zones of the records after a position. If the first term can be null, the position is in one of
 * its two zones.
 */
export function zonesAfter(order: readonly Term[], { values, isInclusive = false }: Keyset): Zone[] {
  const [first, ...rest] = order as [Term, ...Term[]]
  if (!first.nullable) return [{ where: values && isAfter(order, values, isInclusive), terms: order }]
  const zones = zonesOf([first, ...rest])
  if (!values) return zones
  const isNull = values[0] === null
  const begins = isNull === first.nullsFirst ? 0 : 1
  const { where, terms } = zones[begins]
  const beyond = isNull ? isAfter(rest, values.slice(1), isInclusive) : isAfter(terms, values, isInclusive)
  return [{ where: isNull ? sql`${where as Sql} and ${beyond}` : beyond, terms }, ...zones.slice(begins + 1)]
}

/** Returns the condition that a record comes after a position, or is at it. */
function isAfter(terms: readonly Term[], values: readonly (string | null)[], isInclusive: boolean): Sql {
  const run = alikeAtStart(terms, values)
  if (run === 0) return follows(terms, values, isInclusive)
  const alike = terms.slice(0, run)
  const [{ descending }] = alike as [Term]
  const position = join(alike.map((term, index) => bound(term, values[index] ?? null)))
  const beyond = (sign: Sql) => sql`(${join(alike.map(({ value }) => value))}) ${sign} (${position})`
  const orAt = beyond(descending ? sql`<=` : sql`>=`)
  if (run === terms.length) return isInclusive ? orAt : beyond(descending ? sql`<` : sql`>`)
  // The first condition is the one that an index can use.
  return sql`${orAt} and ${follows(terms, values, isInclusive)}`
}

/**
 * Returns the number of terms that can be compared as one row, because they have values and the same
 * direction.
 */
function alikeAtStart(terms: readonly Term[], values: readonly (string | null)[]): number {
  const end = terms.findIndex(
    ({ descending, nullable }, index) =>
      nullable || values[index] === null || descending !== terms[0]?.descending,
  )
  return end === -1 ? terms.length : end
}

/** Returns the condition of each term in turn: it follows, or it is equal and the next one follows. */
function follows(terms: readonly Term[], values: readonly (string | null)[], isInclusive: boolean): Sql {
  const [first, ...rest] = terms
  if (!first) return isInclusive ? sql`true` : sql`false`
  const [value = null, ...others] = values
  const isEqual = value === null ? sql`${first.value} is null` : sql`${first.value} = ${bound(first, value)}`
  const next = sql`(${isEqual} and ${follows(rest, others, isInclusive)})`
  const beyond = follow(first, value)
  return beyond ? sql`(${beyond} or ${next})` : next
}

/** Returns the condition that a value of a term follows another; undefined if none does. */
function follow(term: Term, value: string | null): Sql | undefined {
  const { descending, nullable, nullsFirst } = term
  if (value === null) return nullsFirst ? sql`${term.value} is not null` : undefined
  const beyond = sql`${term.value} ${descending ? sql`<` : sql`>`} ${bound(term, value)}`
  return nullable && !nullsFirst ? sql`${beyond} or ${term.value} is null` : beyond
}

const bound = ({ type }: Term, value: string | null): Sql => sql`${value}::${type}`
