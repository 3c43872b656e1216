/** Comparisons of texts as regular expressions of MongoDB (PCRE). */

export interface Pattern {
  regex: string
  options: string
}

/** The end of a text. `$` also matches before a line feed at the end. */
const end = '(?![\\s\\S])'

const special = /[\\^$.*+?()[\]{}|/-]/g
const escaped = (text: string): string => text.replace(special, '\\$&')

/**
 * Translates a pattern of LIKE, in which only the ends can be `%`, and others are escaped by a backslash.
 */
function ofLike(text: string): string {
  const [before, after] = [text.startsWith('%'), /(?<!\\)(?:\\\\)*%$/.test(text) && text !== '%']
  const middle = text.slice(before ? 1 : 0, after ? -1 : undefined).replace(/\\([\s\S])/g, '$1')
  return `${before ? '' : '^'}${escaped(middle)}${after || text === '%' ? '' : end}`
}

/** The escapes of Postgres that PCRE writes differently. */
const escapes: Readonly<Record<string, string>> = { y: '\\b', Y: '\\B', Z: end, z: end }

/** Translates an expression of Postgres to PCRE: word boundaries, and the ends of the text. */
const ofExpression = (source: string): string =>
  source.replace(
    /\\([\s\S])|\[\^?\]?(?:\[:[a-z]+:\]|\\[\s\S]|[^\]\\])*\]|\$/g,
    (part, after: string | undefined) =>
      after === undefined ? part.replace(/^\$$/, end) : (escapes[after] ?? part),
  )

const patterns: Readonly<Record<string, (values: readonly string[]) => Pattern>> = {
  like: ([text = '']) => ({ regex: ofLike(text), options: 's' }),
  ilike: ([text = '']) => ({ regex: ofLike(text), options: 'is' }),
  matches: ([text = '']) => ({ regex: ofExpression(text), options: 's' }),
  imatches: ([text = '']) => ({ regex: ofExpression(text), options: 'is' }),
  amongAnyCase: (values) => ({ regex: `^(?:${values.map(escaped).join('|')})${end}`, options: 'is' }),
}

/** Returns the pattern of a comparison of texts; undefined if it is none. */
export const patternFor = (by: string, values: readonly string[]): Pattern | undefined =>
  Object.hasOwn(patterns, by) ? patterns[by]?.(values) : undefined
