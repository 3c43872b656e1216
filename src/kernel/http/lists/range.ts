/** The part of a list that a request selects: by `page` and `page_size`, or by `limit` and `offset`. W6. */
import * as z from 'zod'

const defaultSize = 20
/** The largest page size. Larger sizes are reduced to it. Spec: Limits. */
const sizeMax = 100
/** The largest position: beyond the end of every list, but small enough for Postgres to multiply. */
const positionMax = 1_000_000_000_000

const wholeNumber = (from: 0 | 1, max: number, description: string) =>
  z
    .string()
    .regex(from === 0 ? /^\d+$/ : /^0*[1-9]\d*$/, `Must be a whole number of ${from} or more.`)
    .transform((text) => Math.min(Number(text), max))
    .optional()
    .meta({ type: 'integer', minimum: from, description })

/** How a list is paged: the default page size, and whether the whole list is returned by default. */
export interface Paged {
  pageSize?: number
  isWhole?: true
}

/** Describes the size of a page, in the same words for every list. */
export const sizeText = (usual: number, max: number): string =>
  `Default: ${usual}. Maximum: ${max}; a larger number is reduced to it.`

/** Describes the number of records or edges to return, which may be none. */
export const limitText = (usual: number, max: number): string =>
  `The number of items to return, as an alternative to pages. ${sizeText(usual, max)} ` +
  '0 returns only the total.'

/** Returns the four query parameters. */
export function rangeParameters({ pageSize = defaultSize, isWhole }: Paged) {
  const size = sizeText(pageSize, sizeMax)
  const whole = isWhole ? ' Without any of these parameters, the answer is the whole list.' : ''
  return {
    page: wholeNumber(1, positionMax, `The number of the page, from 1.${whole}`),
    page_size: wholeNumber(1, sizeMax, `The number of items on a page. ${size}`),
    limit: wholeNumber(1, sizeMax, `The number of items to return, as an alternative to pages. ${size}`),
    offset: wholeNumber(
      0,
      positionMax,
      'The number of items to skip, as an alternative to pages. Default: 0.',
    ),
  }
}

/** The four query parameters, parsed. */
export interface RangeQuery {
  page?: number | undefined
  page_size?: number | undefined
  limit?: number | undefined
  offset?: number | undefined
}

/** A part of a list. */
export interface Range {
  /** The parameter that differs in links to other parts. */
  by: 'page' | 'offset'
  /** Null: the whole list. */
  limit: number | null
  offset: number
}

/** Returns the part of a list whose items are all in memory. */
export function partOf<Item>(items: readonly Item[], query: RangeQuery, paged: Paged): Item[] {
  const { offset, limit } = rangeOf(query, paged)
  return items.slice(offset, limit === null ? undefined : offset + limit)
}

/** A part of a list with a limit. */
export type BoundedRange = Range & { limit: number }

/** Returns the part that a request selects. */
export function rangeOf(query: RangeQuery, paged: Paged): Range {
  const hasRange = [query.page, query.page_size, query.limit, query.offset].some(
    (value) => value !== undefined,
  )
  return paged.isWhole && !hasRange ? { by: 'page', limit: null, offset: 0 } : boundedRangeOf(query, paged)
}

/** Returns the part that a request selects, or the first page. */
export function boundedRangeOf(
  { page = 1, page_size, limit, offset }: RangeQuery,
  { pageSize = defaultSize }: Paged,
): BoundedRange {
  if (limit !== undefined || offset !== undefined)
    return { by: 'offset', limit: limit ?? pageSize, offset: offset ?? 0 }
  const size = page_size ?? pageSize
  return { by: 'page', limit: size, offset: (page - 1) * size }
}

/** Returns the number of the page in which a part begins. */
export const pageNumber = ({ limit, offset }: BoundedRange): number => Math.floor(offset / limit) + 1

const ways = [
  ['page', 'page_size'],
  ['limit', 'offset'],
] as const

/** Rejects a query that mixes pages with limit and offset. */
export function rejectMixedPaging(query: object, refinement: z.RefinementCtx): void {
  const values = new Map<string, unknown>(Object.entries(query))
  if (!ways.every((way) => way.some((name) => values.get(name) !== undefined))) return
  const message = 'Use either page and page_size, or limit and offset.'
  for (const name of ways.flat())
    if (values.get(name) !== undefined) refinement.addIssue({ code: 'custom', path: [name], message })
}
