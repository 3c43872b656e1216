/**
 * Regular expressions in filters: only those that RE2 and Postgres read alike, and that run in bounded time.
 */
import { compileExpression, compilePattern, postgresPattern } from '../../kernel/lib/pattern.ts'
import { storageProblem } from '../../kernel/lib/storable.ts'

const classMember = String.raw`\[:[a-z]+:\]|\\[dwsntrfv]|\\[^A-Za-z0-9]|[^\]\\[]`

/** Matches one part of an expression. */
const part = new RegExp(
  [
    String.raw`\\[dDwWsSntrfv]`,
    String.raw`\\[^A-Za-z0-9]`,
    String.raw`\[\^?\]?(?:${classMember})*\]`,
    String.raw`\((?:\?:|\?P?<[A-Za-z]\w*>|(?!\?))`,
    '[).|]',
    String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})\??`,
    // An anchor cannot be repeated.
    String.raw`(?:[$^]|\\[bBAz])(?![*+?{])`,
    String.raw`[^\\[\](){}*+?.|^$]`,
  ].join('|'),
  'suy',
)

/** The most repetitions that Postgres accepts. */
const repetitionsMax = 255

/** Returns why a value is not a pattern for a filter; undefined if it is. */
export function patternProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'A pattern must be a string.'
  const problem = storageProblem(value)
  if (problem) return problem
  const compiled = compilePattern(value)
  if ('problem' in compiled) return `Not a pattern: ${compiled.problem}.`
  return partsProblem(value)
}

function partsProblem(source: string): string | undefined {
  part.lastIndex = 0
  while (part.lastIndex < source.length) {
    const at = part.lastIndex
    const [text] = part.exec(source) ?? []
    if (text === undefined)
      return (
        `Not a pattern: position ${at + 1} has something that is not supported. Supported: characters, ., ` +
        'classes as in [a-z], \\d, \\w, \\s, \\b, ^, $, groups, |, *, +, ? and {n,m}; other signs after a \\.'
      )
    const [most = 0] = text.startsWith('{')
      ? (text.match(/\d+/g) ?? []).map(Number).toSorted((a, b) => b - a)
      : []
    if (most > repetitionsMax)
      return `Not a pattern: a part may be repeated ${repetitionsMax} times at most, position ${at + 1}.`
  }
  return undefined
}

/** Texts so different that a pattern which finds each of them is taken to find every text. R20. */
const samples = ['', 'a', '0 ', 'é\n']

/** Tells whether a valid pattern finds every text. In Postgres, `.` also matches the end of a line. */
export function matchesEveryText(value: unknown): boolean {
  const compiled = compileExpression(`(?s)${String(value)}`)
  return 'matches' in compiled && samples.every((sample) => compiled.matches(sample))
}

/** Converts a pattern to the syntax of Postgres. */
export const readPattern = (value: unknown): string | undefined =>
  patternProblem(value) === undefined ? postgresPattern(value as string) : undefined

/** A class, or a single character. */
const place = new RegExp(String.raw`\\[^]|\[\^?\]?(?:${classMember})*\]|[^]`, 'gu')

/**
 * Converts a pattern that ignores case. Postgres takes the two small forms of the Greek sigma for two
 * letters.
 */
export const readPatternAnyCase = (value: unknown): string | undefined =>
  readPattern(value)?.replace(place, (part) => {
    if (!/[σςΣ]/.test(part)) return part
    return part.startsWith('[') ? `${part.slice(0, -1)}σςΣ]` : '[σςΣ]'
  })
