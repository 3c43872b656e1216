/** Pages at a position: the position of a request's cursor, and the cursors in the answer. */
import type { RequestContext } from '../../kernel/context.ts'
import type { Table } from '../model/table.ts'
import { questionOf, seekParameters } from '../query/parse/seek.ts'
import type { Keyset, KeysetQuery } from '../query/plan/keyset.ts'
import type { Ends, ListRow } from '../query/render/render-list.ts'
import { type OpenCursor, openCursor, sealCursor } from './cursors.ts'
import type { Cursors } from './views.ts'

/** The position that a request asks for. */
export interface RequestedPosition extends Pick<KeysetQuery, 'parameter'> {
  question: string
  /** Undefined: the beginning or the end of the list. */
  cursor: OpenCursor | 'wrong' | undefined
}

/** Returns the position that a request asks for; undefined if it asks for none. */
export async function requestedPosition(
  ctx: RequestContext,
  parameters: URLSearchParams,
): Promise<RequestedPosition | undefined> {
  const parameter = seekParameters.find((name) => parameters.has(name))
  if (!parameter) return undefined
  const question = questionOf(parameters)
  const text = parameters.get(parameter)
  const cursor = text ? ((await openCursor(ctx, question, text)) ?? 'wrong') : undefined
  return { parameter, question, cursor }
}

/** Returns the position in a table. A cursor of another site or table is wrong. */
export function positionIn(
  { parameter, cursor }: RequestedPosition,
  siteId: number,
  table: Table,
): KeysetQuery {
  const isHere = typeof cursor !== 'object' || (cursor.site === siteId && cursor.table === table.id)
  return { parameter, position: isHere ? cursor : 'wrong' }
}

/** A page at a position, with its site and table. */
interface Page {
  siteId: number
  table: Table
  keyset: Keyset
  row: ListRow
  /** Whether there are records beyond it, in the direction in which it was read. */
  hasMore: boolean
}

/**
 * Returns the cursors of a page, and whether there are records after it. If the request had a cursor, there
 * was a record at that position, so there is also a page on that side.
 */
export async function besidePage(
  ctx: RequestContext,
  { question }: RequestedPosition,
  { siteId, table, keyset, row, hasMore }: Page,
): Promise<{ cursors: Cursors; hasMore: boolean }> {
  const { isBackward, types, values } = keyset
  const [first = null, last = null] = row.ends ?? []
  const cursorAt = async (ends: Ends, isWanted: boolean): Promise<string | null> =>
    isWanted && ends
      ? sealCursor(ctx, question, { site: siteId, table: table.id, types, values: ends })
      : null
  const [isAfter, isBefore] = isBackward ? [values !== undefined, hasMore] : [hasMore, values !== undefined]
  const cursors = { next: await cursorAt(last, isAfter), previous: await cursorAt(first, isBefore) }
  return { cursors, hasMore: isAfter }
}
