/** Plans a page that begins after a position, or ends before it. */
import type { Problems } from '../problems.ts'
import type { Order } from './order.ts'

/** A place between the records of a list: the values that a record is sorted by. */
export interface Position {
  /** The types of the values, in Postgres. */
  types: readonly string[]
  values: readonly (string | null)[]
}

/** The client's position: its parameter, and the position or its problem. */
export interface KeysetQuery {
  parameter: 'after' | 'before'
  /** Undefined: the beginning or the end of the list. */
  position: Position | 'wrong' | undefined
}

/** A page at a position. */
export interface Keyset {
  /** Whether the page ends at the position. */
  isBackward: boolean
  /** The values of the record at the position. Undefined: the page is the first one, or the last one. */
  values: readonly (string | null)[] | undefined
  /** The types of the values. */
  types: readonly string[]
  /** Whether a record with the values of the position is on the page. Omitted: it is not. */
  isInclusive?: boolean
}

/** Plans a page at a position. Adds a problem if the position is not of a list in this order. */
export function planKeyset(
  { parameter, position }: KeysetQuery,
  order: readonly Order[],
  problems: Problems,
): Keyset {
  const types = order.map(({ type }) => type.strings.join())
  const isBackward = parameter === 'before'
  if (position === undefined) return { isBackward, values: undefined, types }
  const isOfOrder = position !== 'wrong' && types.join() === position.types.join()
  if (!isOfOrder) problems.add(parameter, foreignCursor)
  return { isBackward, values: isOfOrder ? position.values : undefined, types }
}

const foreignCursor =
  'Not a cursor of this list. A cursor belongs to its site, caller, table, filters and order. ' +
  'Begin again without a value: after= is the first page, before= the last.'
