/**
 * Functions on texts for filter conditions, as the CEL specification and its strings extension define them.
 * Positions count code points.
 */
import { IsolateCache } from '../../../kernel/lib/isolate-cache.ts'
import { compilePattern, type Pattern } from '../../../kernel/lib/pattern.ts'
import { spend, spendOnSearch, textLengthMax } from './work.ts'

/** The steps that a pattern takes to compile, for each of its characters. */
const stepsToCompile = 3_000
/** What a compiled pattern takes for each of its states. */
const bytesPerState = 1_000
const patterns = new IsolateCache<Pattern>('patterns', {
  // The steps for no text are the states.
  bytesOf: (pattern) => bytesPerState * pattern.stepsFor(''),
})

/**
 * Compiles a pattern. Throws an Error if the pattern is not supported or the evaluation takes too much work.
 */
export function patternOf(source: string): Pattern {
  const known = patterns.get(source)
  if (known) return known
  spend(stepsToCompile * source.length)
  const pattern = compilePattern(source)
  if ('problem' in pattern) throw new Error(pattern.problem)
  patterns.set(source, pattern)
  return pattern
}

/** Tests a text against a pattern in linear time, which JavaScript's own engine does not guarantee. */
export function matches(text: string, source: string): boolean {
  const pattern = patternOf(source)
  spend(pattern.stepsFor(text))
  return pattern.matches(text)
}

/** Tests whether a text contains another. */
export function contains(text: string, searched: string): boolean {
  spendOnSearch(text, searched)
  return text.includes(searched)
}

const hasSurrogates = /[\ud800-\udfff]/
const codePoints = (text: string): readonly string[] => Array.from(text)

/** Returns the number of code points before an index of the string. */
const pointsBefore = (text: string, position: number): number =>
  hasSurrogates.test(text) ? codePoints(text.slice(0, position)).length : position

/** Returns the index of a code point in the string. Throws an Error if it is out of range. */
function positionOf(text: string, point: number): number {
  if (!hasSurrogates.test(text)) {
    if (point < 0 || point > text.length) throw new Error(`index out of range: ${point}`)
    return point
  }
  const points = codePoints(text)
  if (point < 0 || point > points.length) throw new Error(`index out of range: ${point}`)
  return points.slice(0, point).join('').length
}

/** Returns the position of a text in another at or after `from`; -1 if it does not occur. */
export function indexOf(text: string, searched: string, from = 0n): bigint {
  spendOnSearch(text, searched)
  spend(text.length)
  const position = text.indexOf(searched, positionOf(text, Number(from)))
  return BigInt(position < 0 ? -1 : pointsBefore(text, position))
}

/** Returns the part from one position to before another. Throws an Error if one is out of range. */
export function substring(text: string, from: bigint, to?: bigint): string {
  spend(text.length)
  const start = positionOf(text, Number(from))
  const end = to === undefined ? text.length : positionOf(text, Number(to))
  if (end < start) throw new Error(`index out of range: ${to}`)
  return text.slice(start, end)
}

/** Converts the letters A to Z to lower case, and no others. */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
/** Converts the letters a to z to upper case, and no others. */
export const upperAscii = (text: string): string =>
  text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/**
 * Splits a text into at most `limit` parts, the last of which is the rest. A negative limit means no limit.
 */
export function split(text: string, separator: string, limit = -1n): string[] {
  spendOnSearch(text, separator)
  spend(text.length)
  if (limit === 0n) return []
  const parts = separator === '' ? [...codePoints(text)] : text.split(separator)
  if (limit < 0n || BigInt(parts.length) <= limit) return parts
  const kept = Number(limit) - 1
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)]
}

/**
 * Replaces the first `limit` occurrences; a negative limit means all. The empty text occurs around every code
 * point.
 */
export function replace(text: string, searched: string, replacement: string, limit = -1n): string {
  spendOnSearch(text, searched)
  spend(text.length)
  const parts = searched === '' ? ['', ...codePoints(text), ''] : text.split(searched)
  const replaced = limit < 0n || BigInt(parts.length - 1) <= limit ? parts.length - 1 : Number(limit)
  spendOnText(text.length + replaced * (replacement.length - searched.length))
  return (
    parts.slice(0, replaced + 1).join(replacement) +
    parts
      .slice(replaced + 1)
      .map((part) => searched + part)
      .join('')
  )
}

/** Joins texts. Throws an Error if a member is not a text. */
export function join(texts: readonly unknown[], separator = ''): string {
  let length = separator.length * Math.max(0, texts.length - 1)
  for (const text of texts) {
    if (typeof text !== 'string') throw new Error('only texts can be joined')
    length += text.length
  }
  spendOnText(length)
  return texts.join(separator)
}

function spendOnText(length: number): void {
  if (length > textLengthMax) throw new Error('a text becomes too long')
  spend(length)
}
