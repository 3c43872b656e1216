/** The position of a parser among the tokens of an expression, and the errors it raises there. */
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import { ExpressionError } from './syntax.ts'
import type { Token } from './tokens.ts'

/** Reads the tokens of an expression one after the other. */
export interface Cursor {
  /** Returns the next token, or one after it, without moving. Past the last token it returns the end. */
  peek(ahead?: number): Token
  /** Returns the next token, and moves past it. */
  next(): Token
  /** Tells whether these words come next. */
  isAt(...expected: string[]): boolean
  /** Moves past these words if they come next. Returns whether they did. */
  accept(...expected: string[]): boolean
  /** Moves past these words. Throws an ExpressionError if others come next. */
  expect(...expected: string[]): void
  /** Creates the error for the next token. `wanted` describes the allowed tokens. */
  unexpected(wanted?: string): ExpressionError
  /** Runs a function that may recurse. Throws an ExpressionError beyond 40 levels. */
  nested<Result>(run: () => Result): Result
}

const depthMax = 40

/** Messages for SQL that expressions do not have, by its first word. */
export const unsupported: ReadonlyMap<string, string> = new Map([
  ['over', 'Window functions are not supported.'],
  ...['select', 'with', 'values', 'table', 'exists', 'any', 'some', 'all'].map(
    (word) => [word, 'Sub-selects are not supported.'] as const,
  ),
  ...['like', 'ilike', 'similar', 'collate', 'isnull', 'notnull', 'interval', 'array', 'row'].map(
    (word) => [word, `${word.toUpperCase()} is not supported.`] as const,
  ),
])

/** Returns a name in lower case, or a symbol. Returns undefined for quoted names, constants and the end. */
export function wordOf({ kind, text }: Token): string | undefined {
  if (kind === 'name') return text.toLowerCase()
  return kind === 'symbol' ? text : undefined
}

export function inParentheses<Result>(c: Cursor, parse: (c: Cursor) => Result): Result {
  c.expect('(')
  const result = parse(c)
  c.expect(')')
  return result
}

/** Parses one or more of the same kind, with commas between them. */
export function listed<Result>(c: Cursor, parse: (c: Cursor) => Result): Result[] {
  const list = [parse(c)]
  while (c.accept(',')) list.push(parse(c))
  return list
}

/** Creates a cursor before the first token. The last token must be the end. */
export function cursorOver(tokens: readonly Token[]): Cursor {
  let position = 0
  let depth = 0
  const peek = (ahead = 0) => tokens[Math.min(position + ahead, tokens.length - 1)] as Token
  const isAt = (...expected: string[]) => expected.every((word, ahead) => wordOf(peek(ahead)) === word)
  const accept = (...expected: string[]) => {
    const isAccepted = isAt(...expected)
    if (isAccepted) position += expected.length
    return isAccepted
  }

  function unexpected(wanted?: string): ExpressionError {
    const { kind, text, at, hasSpaceBefore } = peek()
    const expected = wanted ? `: ${wanted} is expected` : ''
    if (kind === 'end') return new ExpressionError(at, `The expression ends too early${expected}.`)
    const known = kind === 'name' ? unsupported.get(text.toLowerCase()) : undefined
    if (known) return new ExpressionError(at, known)
    // In a URL, a + that is not written as %2B becomes a space.
    const isOperand = kind !== 'symbol' || text === '('
    const mayBePlus = isOperand && position > 0 && hasSpaceBefore && (wanted ?? ')') === ')'
    const hint = mayBePlus ? ' In a URL, write + as %2B.' : ''
    return new ExpressionError(at, `Unexpected ${quoteValue(text)}${expected}.${hint}`)
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
      if (++depth > depthMax)
        throw new ExpressionError(peek().at, `Expressions may be nested at most ${depthMax} levels deep.`)
      const result = run()
      depth--
      return result
    },
  }
}
