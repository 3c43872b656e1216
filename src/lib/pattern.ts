/**
 * Regular expressions that clients write. They run on an engine whose time is linear in the text (RE2's): the one of
 * JavaScript can be made to take for ever. RE2's syntax is the common one without look-around and back-references.
 */
import { RE2JS } from 're2js'

const lengthMax = 500

export interface Pattern {
  /** Whether the expression matches anywhere in the text. */
  matches(text: string): boolean
}

/** The compiled expression, or why it cannot be one. */
export function compilePattern(source: string): Pattern | { problem: string } {
  if (source.length > lengthMax) return { problem: `a pattern has at most ${lengthMax} characters` }
  try {
    const compiled = RE2JS.compile(source)
    return { matches: (text) => compiled.matcher(text).find() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'not a regular expression' }
  }
}

const escapes: Record<string, string> = { b: '\\y', B: '\\Y', z: '\\Z' }

/**
 * The same expression as Postgres writes it, which calls word boundaries and the end of the text otherwise and has no
 * names for groups. What it has no form for at all, it refuses when asked.
 */
export const postgresPattern = (source: string): string =>
  source.replace(/\\([\s\S])|\(\?P?<[A-Za-z]\w*>/g, (part, escaped: string | undefined) => (escaped === undefined ? '(' : (escapes[escaped] ?? part)))
