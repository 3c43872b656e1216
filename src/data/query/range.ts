/** Which part of a list is asked for, in one of three ways. Spec: Query parameters for record lists; R1. */
import type { Range } from './ast.ts'
import type { Problems } from './problems.ts'

const limitDefault = 20
/** A larger one is this. */
const limitMax = 1000

const ways = [
  ['page', 'page_size'],
  ['limit', 'offset'],
  ['_start', '_end'],
] as const

/** The number of a page, from 1. */
export const pageOf = ({ offset, limit }: Range): number => (limit === 0 ? 1 : Math.floor(offset / limit) + 1)

/** `given` answers what was given for a parameter. */
export function parseRange(given: (parameter: string) => string | undefined, problems: Problems): Range {
  const texts = new Map(ways.flat().map((name) => [name, given(name)]))
  const used = ways.filter((way) => way.some((name) => texts.get(name) !== undefined))
  if (used.length > 1) {
    for (const name of used.flat()) {
      if (texts.get(name) !== undefined)
        problems.add(name, 'Pages are asked for by page and page_size, by limit and offset, or by _start and _end: by one of the three.')
    }
  }
  const number = (name: (typeof ways)[number][number], from: 0 | 1, otherwise: number): number => {
    const text = texts.get(name)
    if (text === undefined) return otherwise
    if (/^\d{1,12}$/.test(text) && Number(text) >= from) return Number(text)
    problems.add(name, `A whole number from ${from} is required.`)
    return otherwise
  }
  const limited = (limit: number) => Math.min(limit, limitMax)

  switch (used[0]?.[0]) {
    case 'limit':
      return { parameter: 'offset', offset: number('offset', 0, 0), limit: limited(number('limit', 0, limitDefault)) }
    case '_start': {
      const offset = number('_start', 0, 0)
      const end = number('_end', 1, offset + limitDefault)
      if (end <= offset) problems.add('_end', 'Has to be greater than _start: what stands there is the first that is not in the page.')
      return { parameter: '_start', offset, limit: limited(end - offset) }
    }
    default: {
      const limit = limited(number('page_size', 1, limitDefault))
      return { parameter: 'page', offset: (number('page', 1, 1) - 1) * limit, limit }
    }
  }
}
