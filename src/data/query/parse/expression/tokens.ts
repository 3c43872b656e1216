/**
 * Splits the text of expressions into tokens. Texts that Postgres would read differently than they look are
 * errors. R11.
 */
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import { type Path, pathInExpression, pathText } from '../../../model/path.ts'
import { ExpressionError } from './syntax.ts'

/** A word, constant or symbol of an expression, or its end. */
export interface Token {
  /** A single name is a `name` or `quoted`; several with separators between them are a `path`. */
  kind: 'name' | 'quoted' | 'path' | 'number' | 'string' | 'symbol' | 'end'
  /** The text without the quotes that it does not need. */
  text: string
  /** The names of a `name`, `quoted` or `path`. */
  path?: Path
  /** The position of its first character, counted from 1. */
  at: number
  hasSpaceBefore: boolean
}

/** Inside quotes, a quote is written twice. */
const words = [
  /(?<number>\d[\w.]*(?:(?<=[eE])[+-]\d*)?)/,
  /'(?<string>(?:[^']|'')*)'(?!')/,
  /(?<mark>[(),.])/,
]
const word = new RegExp(`\\s*(?:${words.map(({ source }) => source).join('|')})`, 'y')
const kinds = ['number', 'string'] as const
const operator = /\s*([-+*/<>=~!@#%^&|`?:]+)/y
const known = new Set(['::', '<>', '!=', '<=', '>=', '<', '>', '=', '+', '-', '*', '/', '%'])
const tokensMax = 1000

/** Returns the tokens of a text; the last one is the end. Throws an ExpressionError. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  const end = text.trimEnd().length
  while (position < end) {
    const { token, next } =
      pathAt(text, position) ??
      wordAt(text, position) ??
      operatorAt(text, position) ??
      rejectAt(text, position)
    tokens.push(token)
    position = next
    if (tokens.length > tokensMax)
      throw new ExpressionError(token.at, `A parameter may have ${tokensMax} words at most.`)
  }
  tokens.push({ kind: 'end', text: '', at: text.length + 1, hasSpaceBefore: true })
  return tokens
}

/** A token with the position after it. */
interface Scanned {
  token: Token
  next: number
}

function pathAt(text: string, position: number): Scanned | undefined {
  const start = position + text.slice(position).search(/\S/)
  const found = pathInExpression(text, start)
  if (!found) return undefined
  if ('problem' in found) throw new ExpressionError(found.at + 1, found.problem)
  const { path, end } = found
  const [first, ...others] = path.parts
  const single = first?.isQuoted ? 'quoted' : 'name'
  const kind = others.length > 0 ? 'path' : single
  const name = kind === 'quoted' ? (first?.text as string) : pathText(path.parts)
  return { token: { kind, text: name, path, at: start + 1, hasSpaceBefore: start > position }, next: end }
}

function wordAt(text: string, position: number): Scanned | undefined {
  word.lastIndex = position
  const match = word.exec(text)
  if (!match) return undefined
  const groups = match.groups as Record<string, string | undefined>
  const kind = kinds.find((name) => groups[name] !== undefined) ?? 'symbol'
  const written = (groups[kind] ?? groups.mark) as string
  const quotes = kind === 'string' ? 2 : 0
  const start = word.lastIndex - written.length - quotes
  return {
    token: {
      kind,
      text: kind === 'string' ? written.replace(/''/g, "'") : written,
      at: start + 1,
      hasSpaceBefore: start > position,
    },
    next: word.lastIndex,
  }
}

/**
 * Reads the longest run of symbols, as Postgres does; but a `+` or `-` at its end is the sign of the next
 * operand.
 */
function operatorAt(text: string, position: number): Scanned | undefined {
  operator.lastIndex = position
  const match = operator.exec(text)
  if (!match) return undefined
  let run = match[1] as string
  const start = operator.lastIndex - run.length
  const comment = run.search(/--|\/\*/)
  if (comment !== -1)
    throw new ExpressionError(start + comment + 1, 'Comments are not allowed in an expression.')
  while (run.length > 1 && /[+-]$/.test(run)) run = run.slice(0, -1)
  if (!known.has(run))
    throw new ExpressionError(
      start + 1,
      `Unknown operator ${quoteValue(run)}. Operators: ${[...known].slice(1).join(' ')}.`,
    )
  return {
    token: { kind: 'symbol', text: run, at: start + 1, hasSpaceBefore: start > position },
    next: start + run.length,
  }
}

function rejectAt(text: string, position: number): never {
  const start = position + text.slice(position).search(/\S/)
  const character = String.fromCodePoint(text.codePointAt(start) as number)
  if (character === '"' || character === "'")
    throw new ExpressionError(start + 1, 'The quote that begins here is not closed.')
  throw new ExpressionError(start + 1, `${quoteValue(character)} is not allowed in an expression.`)
}
