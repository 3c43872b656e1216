/** From the text of expressions to its words. Where Postgres would read a word otherwise than it looks, it is none here. R11. */
import { shown } from '../../../lib/shown.ts'
import { RefusedExpression } from './syntax.ts'

export interface Token {
  kind: 'name' | 'quoted' | 'number' | 'string' | 'symbol' | 'end'
  /** What it stands for: of quoted ones without the quotes. */
  text: string
  /** Where it begins, counted from 1. */
  at: number
  /** Whether it stands apart from the one before it. */
  apart: boolean
}

/** Both kinds of quotes are doubled to stand for themselves. */
const word =
  /\s*(?:(?<name>[A-Za-z_]\w*)|(?<number>\d[\w.]*(?:(?<=[eE])[+-]\d*)?)|"(?<quoted>(?:[^"]|"")*)"(?!")|'(?<string>(?:[^']|'')*)'(?!')|(?<mark>[(),.]))/y
const kinds = ['name', 'number', 'quoted', 'string'] as const
const operator = /\s*([-+*/<>=~!@#%^&|`?:]+)/y
const known = new Set(['::', '<>', '!=', '<=', '>=', '<', '>', '=', '+', '-', '*', '/', '%'])
const tokensMax = 1000

/** Throws what has no place in an expression. The last token is the end. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  const end = text.trimEnd().length
  while (position < end) {
    const token = wordAt(text, position) ?? operatorAt(text, position) ?? noneAt(text, position)
    tokens.push(token.token)
    position = token.next
    if (tokens.length > tokensMax) throw new RefusedExpression(token.token.at, `There may be ${tokensMax} words at most.`)
  }
  tokens.push({ kind: 'end', text: '', at: text.length + 1, apart: true })
  return tokens
}

interface Found {
  token: Token
  next: number
}

function wordAt(text: string, position: number): Found | undefined {
  word.lastIndex = position
  const match = word.exec(text)
  if (!match) return undefined
  const groups = match.groups as Record<string, string | undefined>
  const kind = kinds.find((name) => groups[name] !== undefined) ?? 'symbol'
  const written = (groups[kind] ?? groups.mark) as string
  const said = kind === 'quoted' ? written.replace(/""/g, '"') : kind === 'string' ? written.replace(/''/g, "'") : written
  const quotes = kind === 'quoted' || kind === 'string' ? 2 : 0
  const start = word.lastIndex - written.length - quotes
  return { token: { kind, text: said, at: start + 1, apart: start > position }, next: word.lastIndex }
}

/** The longest run of signs, as in Postgres; but a `+` or `-` at its end is the sign of what follows. */
function operatorAt(text: string, position: number): Found | undefined {
  operator.lastIndex = position
  const match = operator.exec(text)
  if (!match) return undefined
  let run = match[1] as string
  const start = operator.lastIndex - run.length
  const comment = run.search(/--|\/\*/)
  if (comment !== -1) throw new RefusedExpression(start + comment + 1, 'Comments have no place in an expression.')
  while (run.length > 1 && /[+-]$/.test(run)) run = run.slice(0, -1)
  if (!known.has(run)) throw new RefusedExpression(start + 1, `There is no operator ${shown(run)}. Operators: ${[...known].slice(1).join(' ')}.`)
  return { token: { kind: 'symbol', text: run, at: start + 1, apart: start > position }, next: start + run.length }
}

function noneAt(text: string, position: number): never {
  const start = position + text.slice(position).search(/\S/)
  const character = String.fromCodePoint(text.codePointAt(start) as number)
  if (character === '"' || character === "'") throw new RefusedExpression(start + 1, 'The quote that begins here does not end.')
  throw new RefusedExpression(start + 1, `${shown(character)} has no place in an expression.`)
}
