/**
 * Compiles regular expressions of clients with RE2, which takes time linear in the text. JavaScript's own
 * engine can take exponential time. RE2 supports the common syntax, except look-around and back-references.
 */
import { RE2JS } from 're2js'
import { patternSize } from './pattern-size.ts'

/** The largest length of a pattern, in UTF-16 code units. */
export const patternLengthMax = 500
/**
 * The largest number of states of a pattern. Usual patterns have about a hundred; nested repetitions have
 * thousands, and Postgres takes seconds to compile those.
 */
export const patternStatesMax = 2_000

/** A compiled expression. */
export interface Pattern {
  /** Tells whether the expression matches anywhere in the text. */
  matches(text: string): boolean
  /** Returns the maximum number of steps for a text, of about 30 nanoseconds each. */
  stepsFor(text: string): number
}

/** Compiles a pattern of a client, or returns why that is not possible. */
export const compilePattern = (source: string): Pattern | { problem: string } =>
  source.length > patternLengthMax ? tooLong : compileExpression(source)

/** Compiles an expression that was derived from a pattern of a client, and that may be longer. */
export function compileExpression(source: string): Pattern | { problem: string } {
  // Compiling a large expression would take too long.
  if (patternSize(source) > patternStatesMax) return tooManyStates
  try {
    const compiled = RE2JS.compile(source)
    const size = compiled.programSize()
    return { matches: (text) => compiled.matcher(text).find(), stepsFor: (text) => size * (text.length + 1) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'not a regular expression' }
  }
}

/** The problem of a pattern with too many characters. */
export const tooLong = { problem: `a pattern has at most ${patternLengthMax} characters` }

/** The problem of a pattern with too many states. */
export const tooManyStates = {
  problem:
    `a pattern has at most ${patternStatesMax} states, and this one has more: ` +
    'a part repeated by {n} counts n times, and nested repetitions multiply',
}

/**
 * Returns long texts that are hard to match: they repeat characters of the expression, and fail only at their
 * end.
 */
export function hostileTexts(source: string): string[] {
  const characters = [...new Set(source.match(/[\p{L}\p{N}@./ _-]/gu)), 'a', '0', ' '].slice(
    0,
    hostileCharactersMax,
  )
  return [...characters, characters.join('')].map(
    (part) => `${part.repeat(Math.ceil(hostileLength / part.length))}\u{1}`,
  )
}
const hostileCharactersMax = 8
const hostileLength = 2_000

const escapes: Record<string, string> = { b: '\\y', B: '\\Y', z: '\\Z' }

/**
 * Translates an expression to the syntax of Postgres: word boundaries, the end of the text, and groups
 * without names. Unsupported parts stay unchanged, and Postgres will reject them.
 */
export const postgresPattern = (source: string): string =>
  source.replace(/\\([\s\S])|\(\?P?<[A-Za-z]\w*>/g, (part, escaped: string | undefined) =>
    escaped === undefined ? '(' : (escapes[escaped] ?? part),
  )
