/** Where a parser stands among the words of an expression, and how it says that it expected others. */
import { shown } from '../../../lib/shown.ts'
import { RefusedExpression } from './syntax.ts'
import type { Token } from './tokens.ts'

export interface Cursor {
  /** The word that comes next, or one after it. Behind the last one stands the end. */
  peek(ahead?: number): Token
  next(): Token
  /** Whether these words come next. */
  isAt(...expected: string[]): boolean
  /** Goes past them when they do. */
  accept(...expected: string[]): boolean
  /** Goes past them, or throws. */
  expect(...expected: string[]): void
  /** What is thrown where the next word has no place. */
  unexpected(wanted?: string): RefusedExpression
  /** Runs what may call itself again, so deep and no deeper. */
  nested<Result>(run: () => Result): Result
}

const depthMax = 40

/** What SQL has and expressions here do not, by the word that it begins with. */
export const unsupported: ReadonlyMap<string, string> = new Map([
  ['over', 'Window functions are not supported.'],
  ['within', 'Ordered-set aggregates are not supported.'],
  ...['select', 'with', 'values', 'table', 'exists', 'any', 'some', 'all'].map((word) => [word, 'Sub-selects are not supported.'] as const),
  ...['like', 'ilike', 'similar', 'collate', 'isnull', 'notnull', 'interval', 'array', 'row'].map(
    (word) => [word, `${word.toUpperCase()} is not supported.`] as const,
  ),
])

/** A word of the language, in whatever case, or a sign. What is quoted is none. */
export const wordOf = ({ kind, text }: Token): string | undefined => (kind === 'name' ? text.toLowerCase() : kind === 'symbol' ? text : undefined)

/** `tokens` end with an end. */
export function cursorOver(tokens: readonly Token[]): Cursor {
  let position = 0
  let depth = 0
  const peek = (ahead = 0) => tokens[Math.min(position + ahead, tokens.length - 1)] as Token
  const isAt = (...expected: string[]) => expected.every((word, ahead) => wordOf(peek(ahead)) === word)
  const accept = (...expected: string[]) => {
    const is = isAt(...expected)
    if (is) position += expected.length
    return is
  }

  function unexpected(wanted?: string): RefusedExpression {
    const { kind, text, at, apart } = peek()
    const reason = wanted ? `: ${wanted} is expected` : ''
    if (kind === 'end') return new RefusedExpression(at, `The expression ends too early${reason}.`)
    const known = kind === 'name' ? unsupported.get(text.toLowerCase()) : undefined
    if (known) return new RefusedExpression(at, known)
    // A + that was not written as %2B arrived as a space.
    const isOperand = kind !== 'symbol' || text === '('
    const hint = isOperand && position > 0 && apart && (wanted ?? ')') === ')' ? ' In an address, + is written %2B.' : ''
    return new RefusedExpression(at, `${shown(text)} was not expected here${reason}.${hint}`)
  }

  return {
    peek,
    next: () => {
      const token = peek()
      position++
      return token
    },
    isAt,
    accept,
    expect(...expected) {
      if (!accept(...expected)) throw unexpected(expected.join(' ').toUpperCase())
    },
    unexpected,
    nested(run) {
      if (++depth > depthMax) throw new RefusedExpression(peek().at, `Expressions may be nested ${depthMax} deep.`)
      const result = run()
      depth--
      return result
    },
  }
}
