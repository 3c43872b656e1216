/** The precedences of operators in expressions, as in Postgres. R11. */
import { type Cursor, wordOf } from './cursor.ts'

/** The precedence of operators: a higher one binds more tightly. */
export const precedence = {
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  compare: 5,
  range: 6,
  sum: 7,
  product: 8,
  zone: 9,
  sign: 10,
  cast: 11,
} as const

const precedences = new Map<string, number>([
  ['or', precedence.or],
  ['and', precedence.and],
  ['is', precedence.is],
  ...['=', '<>', '!=', '<', '<=', '>', '>='].map((sign) => [sign, precedence.compare] as const),
  ['in', precedence.range],
  ['between', precedence.range],
  ...['+', '-'].map((sign) => [sign, precedence.sum] as const),
  ...['*', '/', '%'].map((sign) => [sign, precedence.product] as const),
  ['at', precedence.zone],
  ['::', precedence.cast],
])

/** Tells whether operators of a precedence cannot follow each other: `1 < 2 < 3`. */
export const isNonAssociative = (level: number) =>
  level === precedence.is || level === precedence.compare || level === precedence.range

/** Returns the precedence of the operator that comes next; -1 if none does. */
export function nextLevel(c: Cursor): number {
  if (c.isAt('not', 'in') || c.isAt('not', 'between')) return precedence.range
  return precedences.get(wordOf(c.peek()) ?? '') ?? -1
}
