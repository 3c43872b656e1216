/** Which part of a list is asked for, in one of four ways. Spec: Query parameters for record lists; R1. */
import type { Range } from './ast.ts'
import type { Problems } from './problems.ts'

const limitDefault = 20
/** A larger one is this. */
const limitMax = 1000

/** The last way is that of json-server, whose clients also say `_limit` with `_start`. */
const ways = [
  ['page', 'page_size'],
  ['limit', 'offset'],
  ['_start', '_end'],
  ['_page', '_per_page', '_limit'],
] as const
type Name = (typeof ways)[number][number]

/** Names that mean the same. */
const rivals = [
  ['_per_page', '_limit'],
  ['_end', '_limit'],
] as const

/** The number of a page, from 1. */
export const pageOf = ({ offset, limit }: Range): number => (limit === 0 ? 1 : Math.floor(offset / limit) + 1)

/** `given` answers what was given for a parameter. */
export function parseRange(given: (parameter: string) => string | undefined, problems: Problems): Range {
  const texts = new Map(ways.flat().map((name) => [name, given(name)]))
  const isGiven = (name: Name) => texts.get(name) !== undefined
  const used = ways.filter((way) => way.some((name) => isGiven(name) && !(name === '_limit' && isGiven('_start'))))
  if (used.length > 1) {
    for (const name of used.flat()) {
      if (isGiven(name))
        problems.add(
          name,
          'Pages are asked for by page and page_size, by limit and offset, by _start and _end, or by _page and _per_page: by one of the four.',
        )
    }
  }
  for (const [one, other] of rivals) if (isGiven(one) && isGiven(other)) problems.add(other, `Says how long the page is, as ${one} does.`)
  const number = (name: Name, from: 0 | 1, otherwise: number): number => {
    const text = texts.get(name)
    if (text === undefined) return otherwise
    if (/^\d{1,12}$/.test(text) && Number(text) >= from) return Number(text)
    problems.add(name, `A whole number from ${from} is required.`)
    return otherwise
  }
  const limited = (limit: number) => Math.min(limit, limitMax)
  const page = (name: Name, size: Name): Range => {
    const limit = limited(number(size, 1, limitDefault))
    return { parameter: name, offset: (number(name, 1, 1) - 1) * limit, limit }
  }

  switch (used[0]?.[0]) {
    case 'limit':
      return { parameter: 'offset', offset: number('offset', 0, 0), limit: limited(number('limit', 0, limitDefault)) }
    case '_start': {
      const offset = number('_start', 0, 0)
      const end = number('_end', 1, offset + number('_limit', 1, limitDefault))
      if (end <= offset) problems.add('_end', 'Has to be greater than _start: what stands there is the first that is not in the page.')
      return { parameter: '_start', offset, limit: limited(end - offset) }
    }
    case '_page':
      return page('_page', isGiven('_per_page') ? '_per_page' : '_limit')
    default:
      return page('page', 'page_size')
  }
}
