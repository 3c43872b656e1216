/** A page at a position of a list: `after=<cursor>` and `before=<cursor>`. */
import type { Problems } from '../problems.ts'

/** The parameters of a position. */
export const seekParameters = ['after', 'before'] as const

/** The other parameters that select a page. The page size can be combined with a position. */
const otherWays = [
  'page',
  'offset',
  '_start',
  '_end',
  '_page',
  '_count',
  '_aggregate',
  '_group_by',
  '_having',
]

/**
 * The parameters that change neither the selection of a list nor its order. A cursor stays valid if they
 * change.
 */
const viewParameters: ReadonlySet<string> = new Set([
  ...seekParameters,
  ...['page_size', 'limit', '_per_page', '_limit', '_total', 'populate', 'fields', 'format', '_envelope'],
  ...['_bom', '_rank', '_highlight'],
  ...['include', 'depth', 'relationship_type'],
])

/**
 * Checks the parameters that are combined with a position. `read` returns the value of a parameter. Adds each
 * problem to `problems`.
 */
export function checkSeek(read: (parameter: string) => string | undefined, problems: Problems): void {
  const given = seekParameters.filter((name) => read(name) !== undefined)
  const [parameter] = given
  if (!parameter) return
  if (given.length > 1) problems.add('before', 'Cannot be combined with after: a page has one position.')
  for (const name of otherWays)
    if (read(name) !== undefined)
      problems.add(name, `Cannot be combined with ${parameter}, which gives the page of a list of records.`)
  if (read('limit') === '0') problems.add('limit', `Must be 1 or greater with ${parameter}.`)
}

/** Returns the parameters that decide which records a list has, and their order, as one text. */
export function questionOf(parameters: URLSearchParams): string {
  const asked = [...parameters].filter(([name]) => !viewParameters.has(name))
  return JSON.stringify(asked.toSorted(([one], [other]) => (one < other ? -1 : Number(one > other))))
}
