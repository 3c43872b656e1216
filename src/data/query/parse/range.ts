/**
 * Parses the page of a list, which can be given in four ways. Spec: Query parameters for record lists; R1.
 */

import type { Problems } from '../problems.ts'
import type { Range } from './ast.ts'

const limitDefault = 20
/** The largest page with an envelope. Larger sizes are reduced to it. */
const pageMax = 1000

/**
 * The parameters of each way. The last one is json-server's, whose clients also send `_limit` with `_start`.
 */
const ways = [
  ['page', 'page_size'],
  ['limit', 'offset'],
  ['_start', '_end'],
  ['_page', '_per_page', '_limit'],
] as const
type Name = (typeof ways)[number][number]

/** Pairs of parameters that both give the size of the page. */
const sizePairs = [
  ['_per_page', '_limit'],
  ['_end', '_limit'],
] as const

/** Returns the number of a page, counted from 1. */
export const pageOf = ({ offset, limit }: Range): number => (limit === 0 ? 1 : Math.floor(offset / limit) + 1)

/** Tells whether a request selects a page or its size. */
export const asksForPage = (parameters: URLSearchParams): boolean =>
  ways.flat().some((name) => parameters.has(name))

/**
 * Parses the page. `read` returns the value of a parameter. A size larger than `limitMax` becomes `limitMax`.
 * Adds each problem to `problems`.
 */
export function parseRange(
  read: (parameter: string) => string | undefined,
  problems: Problems,
  limitMax = pageMax,
): Range {
  const texts = new Map(ways.flat().map((name) => [name, read(name)]))
  const isGiven = (name: Name) => texts.get(name) !== undefined
  const used = ways.filter((way) =>
    way.some((name) => isGiven(name) && !(name === '_limit' && isGiven('_start'))),
  )
  if (used.length > 1) {
    for (const name of used.flat()) {
      if (isGiven(name)) problems.add(name, mixedWays)
    }
  }
  for (const [one, other] of sizePairs)
    if (isGiven(one) && isGiven(other))
      problems.add(other, `Cannot be combined with ${one}: both set the page size.`)
  const number = (name: Name, from: 0 | 1, otherwise: number): number => {
    const text = texts.get(name)
    if (text === undefined) return otherwise
    if (/^\d{1,12}$/.test(text) && Number(text) >= from) return Number(text)
    problems.add(name, `Must be a whole number, ${from} or greater.`)
    return otherwise
  }
  const limited = (limit: number) => Math.min(limit, limitMax)
  const page = (name: Name, size: Name): Range => {
    const limit = limited(number(size, 1, limitDefault))
    return { parameter: name, offset: (number(name, 1, 1) - 1) * limit, limit }
  }

  switch (used[0]?.[0]) {
    case 'limit':
      return {
        parameter: 'offset',
        offset: number('offset', 0, 0),
        limit: limited(number('limit', 0, limitDefault)),
      }
    case '_start': {
      const offset = number('_start', 0, 0)
      const end = number('_end', 1, offset + number('_limit', 1, limitDefault))
      if (end <= offset)
        problems.add('_end', 'Must be greater than _start: the record at _end is the first after the page.')
      return { parameter: '_start', offset, limit: limited(end - offset) }
    }
    case '_page':
      return page('_page', isGiven('_per_page') ? '_per_page' : '_limit')
    default:
      return page('page', 'page_size')
  }
}

const mixedWays =
  'Use only one way to choose a page: page and page_size, limit and offset, ' +
  '_start and _end, or _page and _per_page.'
