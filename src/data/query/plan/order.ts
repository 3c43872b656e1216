/**
 * Plans the order of a list: by the given terms or by the rank of a search, then by the primary key. R13.
 */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { namedValue } from '../../model/property.ts'
import type { Table } from '../../model/table.ts'
import { hasNullsMoved, type Sorting } from '../direction.ts'
import type { SortTerm } from '../parse/ast.ts'
import { type Predicate, requiresValue, type Search } from '../predicate.ts'
import { column, type Expression, property } from './expression/expression.ts'
import { propertyTypeOf, singleValue } from './path.ts'
import type { Planning } from './planning.ts'
import { searchOf } from './search.ts'

/** A term of the order: a value, or the rank of a search. */
export type Order = Direction &
  ({ by: 'value'; expression: Expression; isZoned?: boolean } | { by: 'rank'; search: Search })

/** How the values of a term are sorted. */
export interface Direction extends Sorting {
  /** The type of the values in Postgres. */
  type: Sql
}

/** The most terms to sort by. */
export const termsMax = 10

/** The name of the rank of a search in an order. */
const rankName = '_rank'

/** The suffixes of a name in an order. */
const nullsPlace = /\.nulls(?<place>first|last)$/

/**
 * Resolves a name in an order. A suffix `.nullsfirst` or `.nullslast` says where records without a value are
 * placed. If only the name with the suffix exists, the suffix is a part of the name.
 */
export function withNulls<Found extends object>(
  name: string,
  find: (name: string) => Found | { problem: string },
): { found: Found; nullsFirst: boolean } | { problem: string } {
  const { place } = nullsPlace.exec(name)?.groups ?? {}
  const found = find(name.replace(nullsPlace, ''))
  if (!('problem' in found)) return { found, nullsFirst: place === 'first' }
  const whole = place === undefined ? found : find(name)
  return 'problem' in whole ? found : { found: whole, nullsFirst: false }
}

/**
 * Plans the order. The primary key comes last, so that the order of any two records is fixed and pages never
 * overlap. `within`: the fields that are the same in all records, if these belong to another record. Adds
 * each problem to `problems`.
 */
export function planOrder(
  state: Planning,
  terms: readonly SortTerm[],
  where: Predicate,
  within?: readonly string[],
): Order[] {
  const { table, problems } = state
  if (terms.length > termsMax)
    problems.add((terms[0] as SortTerm).parameter, `You can sort by at most ${termsMax} fields.`)
  const order = terms.slice(0, termsMax).flatMap((term) => {
    const planned = planTerm(state, term, where, within)
    if (!('problem' in planned)) return [planned]
    problems.add(term.parameter, planned.problem)
    return []
  })
  const search = searchOf(where)
  const best = terms.length === 0 && search ? [rankOf(search, true)] : order
  const tieBreakers = table.primaryKey.filter((field) => !best.some((term) => isOf(term, field)))
  return [...best, ...tieBreakers.map(byKey)]
}

const isOf = (term: Order, field: Field): boolean =>
  term.by === 'value' &&
  term.expression.kind === 'column' &&
  term.expression.relationships.length === 0 &&
  term.expression.field === field

const byKey = (field: Field): Order => ({
  by: 'value',
  expression: column(0, [], field),
  type: field.type.column,
  descending: false,
  nullable: false,
  nullsFirst: false,
})

function planTerm(
  state: Planning,
  { name, descending }: SortTerm,
  where: Predicate,
  within: readonly string[] | undefined,
): Order | { problem: string } {
  if (name === rankName) {
    const search = searchOf(where)
    return search
      ? rankOf(search, descending)
      : { problem: `"${rankName}" is the rank of a search: add search.` }
  }
  const planned = withNulls(name, (one) => orderedValue(state, one, where))
  if ('problem' in planned) return planned
  const { expression, nullable } = planned.found
  const { nullsFirst } = planned
  const type = expression.type.column
  const isZoned =
    hasNullsMoved({ descending, nullable, nullsFirst }) && isOfIndex(state.table, expression, within)
  return { by: 'value', expression, isZoned, type, descending, nullable, nullsFirst }
}

/**
 * Tells whether an index of the table may have the values of an expression in their order. `within`: the
 * fields that are the same in all records; then the index must begin with some of them.
 */
function isOfIndex({ schema, fields }: Table, of: Expression, within?: readonly string[]): boolean {
  if (!('field' in of) || of.relationships.length > 0) return false
  const { name, schema: own } = of.field
  const isOwn = (text: string) => {
    const named = namedValue(text, fields)
    return 'field' in named && named.field === name
  }
  const trees = (schema.indexes ?? []).filter(({ method }) => method === 'btree')
  const lists = [...(schema.uniqueKeys ?? []), ...trees.map((index) => index.fields)]
  const unique = own.constraints?.unique ? [[name]] : []
  return [...unique, ...lists].some((names) => {
    const at = names.findIndex(isOwn)
    return within ? at > 0 && names.slice(0, at).every((one) => within.includes(one)) : at >= 0
  })
}

/** Returns the value of a name in an order: a field, or a property with its type. */
function orderedValue(
  state: Planning,
  name: string,
  where: Predicate,
): { expression: Expression; nullable: boolean } | { problem: string } {
  const found = singleValue(state, name, 'sorting by their fields is not possible')
  if ('problem' in found) return found
  const { relationships, field, path } = found
  const as = propertyTypeOf(found, name.replace(/::[^"]*$/, ''))
  if (typeof as === 'object') return as
  if (path.length > 0) return { expression: property(0, found, as), nullable: true }
  if (!field.type.comparable || field.type.ordinal)
    return { problem: `"${field.name}" is of type ${field.schema.type}, which has no order.` }
  const nullable = relationships.length > 0 || !(field.required || requiresValue(where, field))
  return { expression: column(0, relationships, field), nullable }
}

const rankOf = (search: Search, descending: boolean): Order => ({
  by: 'rank',
  search,
  type: sql`real`,
  descending,
  nullable: false,
  nullsFirst: false,
})
