/**
 * Regular expressions that clients write. They run on an engine whose time is linear in the text (RE2's): the one of
 * JavaScript can be made to take for ever. RE2's syntax is the common one without look-around and back-references.
 */
import { RE2JS } from 're2js'
import { sizeOf } from './pattern-size.ts'

export const patternLengthMax = 500
/** Real patterns have a hundred; repetitions within repetitions make thousands, which Postgres takes seconds to read. */
export const patternStatesMax = 2_000

export interface Pattern {
  /** Whether the expression matches anywhere in the text. */
  matches(text: string): boolean
  /** How many steps that may take: some 30 nanoseconds each. */
  stepsFor(text: string): number
}

/** The compiled expression, or why it cannot be one. */
export const compilePattern = (source: string): Pattern | { problem: string } =>
  source.length > patternLengthMax ? tooLong : compileExpression(source)

/** The same for an expression that was made of a client's, and may be longer. */
export function compileExpression(source: string): Pattern | { problem: string } {
  // Compiling it would be dear already.
  if (sizeOf(source) > patternStatesMax) return tooManyStates
  try {
    const compiled = RE2JS.compile(source)
    const size = compiled.programSize()
    return { matches: (text) => compiled.matcher(text).find(), stepsFor: (text) => size * (text.length + 1) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'not a regular expression' }
  }
}

export const tooLong = { problem: `a pattern has at most ${patternLengthMax} characters` }

export const tooManyStates = {
  problem: `a pattern has at most ${patternStatesMax} states, and this one has more: what {n} repeats counts n times, also within another repetition`,
}

/** Texts that are as hard for an expression as such get: long, of the characters that it speaks of, and different at the end. */
export function hostileTexts(source: string): string[] {
  const characters = [...new Set(source.match(/[\p{L}\p{N}@./ _-]/gu)), 'a', '0', ' '].slice(0, hostileCharactersMax)
  return [...characters, characters.join('')].map((part) => `${part.repeat(Math.ceil(hostileLength / part.length))}\u{1}`)
}
const hostileCharactersMax = 8
const hostileLength = 2_000

const escapes: Record<string, string> = { b: '\\y', B: '\\Y', z: '\\Z' }

/**
 * The same expression as Postgres writes it, which calls word boundaries and the end of the text otherwise and has no
 * names for groups. What it has no form for at all, it refuses when asked.
 */
export const postgresPattern = (source: string): string =>
  source.replace(/\\([\s\S])|\(\?P?<[A-Za-z]\w*>/g, (part, escaped: string | undefined) => (escaped === undefined ? '(' : (escapes[escaped] ?? part)))
