/** Which part of a list is asked for: by `page` and `page_size`, or by `limit` and `offset`. W6. */
import { z } from 'zod'

const usualSize = 20
/** A larger size is this. Spec: Limits. */
const sizeMax = 100
/** Beyond every list; still a number that Postgres can multiply. */
const placeMax = 1_000_000_000_000

const number = (name: string, from: 0 | 1, max: number, description: string) =>
  z
    .string()
    .regex(from === 0 ? /^\d+$/ : /^0*[1-9]\d*$/, `${name} is a whole number from ${from}.`)
    .transform((text) => Math.min(Number(text), max))
    .optional()
    .meta({ type: 'integer', minimum: from, description })

/** How long a page is, and whether it is the whole list where nothing is asked for. */
export interface Paged {
  pageSize?: number
  isWhole?: true
}

export function rangeParameters({ pageSize = usualSize, isWhole }: Paged) {
  const size = `${pageSize} when omitted; a larger one than ${sizeMax} is ${sizeMax}.`
  const whole = isWhole ? ' The whole list is answered where neither pages nor a part are asked for.' : ''
  return {
    page: number('A page', 1, placeMax, `Counted from 1.${whole}`),
    page_size: number('A page size', 1, sizeMax, size),
    limit: number('A limit', 1, sizeMax, `In the place of pages: how many. ${size}`),
    offset: number('An offset', 0, placeMax, 'In the place of pages: how many come before it.'),
  }
}

export interface RangeQuery {
  page?: number | undefined
  page_size?: number | undefined
  limit?: number | undefined
  offset?: number | undefined
}

export interface Range {
  /** How links to other parts name them. */
  by: 'page' | 'offset'
  /** Null: all. */
  limit: number | null
  offset: number
}

/** A part of a list that is never answered whole. */
export type Part = Range & { limit: number }

export function rangeOf(query: RangeQuery, paged: Paged): Range {
  const isAsked = [query.page, query.page_size, query.limit, query.offset].some((given) => given !== undefined)
  return paged.isWhole && !isAsked ? { by: 'page', limit: null, offset: 0 } : partOf(query, paged)
}

export function partOf({ page = 1, page_size, limit, offset }: RangeQuery, { pageSize = usualSize }: Paged): Part {
  if (limit !== undefined || offset !== undefined) return { by: 'offset', limit: limit ?? pageSize, offset: offset ?? 0 }
  const size = page_size ?? pageSize
  return { by: 'page', limit: size, offset: (page - 1) * size }
}

/** The number of the page that a part begins in. */
export const pageNumber = ({ limit, offset }: Part): number => Math.floor(offset / limit) + 1

const ways = [
  ['page', 'page_size'],
  ['limit', 'offset'],
] as const

/** Refuses both ways in one request: neither could be answered with what was meant. */
export function oneWay(query: object, refinement: z.RefinementCtx): void {
  const given = new Map<string, unknown>(Object.entries(query))
  if (!ways.every((way) => way.some((name) => given.get(name) !== undefined))) return
  const message = 'Pages are asked for by page and page_size, or by limit and offset: by one of the two.'
  for (const name of ways.flat()) if (given.get(name) !== undefined) refinement.addIssue({ code: 'custom', path: [name], message })
}
