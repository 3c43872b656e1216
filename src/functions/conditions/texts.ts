/**
 * Functions on texts for filter conditions, as the CEL specification and its extension for strings define them. Positions
 * count code points.
 */
import { LruCache } from '../../lib/lru-cache.ts'
import { compilePattern, type Pattern } from '../../lib/pattern.ts'
import { spend, spendOnSearch, textLengthMax } from './work.ts'

/** What compiling a pattern costs for each of its characters, in steps. */
const stepsToCompile = 3_000
const patterns = new LruCache<string, Pattern>(500)

/** Throws an Error that says what is wrong with the pattern. */
export function patternOf(source: string): Pattern {
  const known = patterns.get(source)
  if (known) return known
  spend(stepsToCompile * source.length)
  const pattern = compilePattern(source)
  if ('problem' in pattern) throw new Error(pattern.problem)
  patterns.set(source, pattern)
  return pattern
}

/** In time that is linear in the text, which JavaScript's own engine does not promise. */
export function matches(text: string, source: string): boolean {
  const pattern = patternOf(source)
  spend(pattern.stepsFor(text))
  return pattern.matches(text)
}

export function contains(text: string, searched: string): boolean {
  spendOnSearch(text, searched)
  return text.includes(searched)
}

const hasSurrogates = /[\ud800-\udfff]/
const codePoints = (text: string): readonly string[] => Array.from(text)

/** The code points before a position of JavaScript's. */
const pointsBefore = (text: string, position: number): number => (hasSurrogates.test(text) ? codePoints(text.slice(0, position)).length : position)

/** JavaScript's position of a code point. Throws an Error where there is none. */
function positionOf(text: string, point: number): number {
  if (!hasSurrogates.test(text)) {
    if (point < 0 || point > text.length) throw new Error(`index out of range: ${point}`)
    return point
  }
  const points = codePoints(text)
  if (point < 0 || point > points.length) throw new Error(`index out of range: ${point}`)
  return points.slice(0, point).join('').length
}

/** -1 where it is not there. */
export function indexOf(text: string, searched: string, from = 0n): bigint {
  spendOnSearch(text, searched)
  spend(text.length)
  const position = text.indexOf(searched, positionOf(text, Number(from)))
  return BigInt(position < 0 ? -1 : pointsBefore(text, position))
}

/** From one code point to before another. */
export function substring(text: string, from: bigint, to?: bigint): string {
  spend(text.length)
  const start = positionOf(text, Number(from))
  const end = to === undefined ? text.length : positionOf(text, Number(to))
  if (end < start) throw new Error(`index out of range: ${to}`)
  return text.slice(start, end)
}

/** Of the 26 letters alone. */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
export const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** `limit`: how many parts there are at most, the last with all that is left; below 0, as many as there are. */
export function split(text: string, separator: string, limit = -1n): string[] {
  spendOnSearch(text, separator)
  spend(text.length)
  if (limit === 0n) return []
  const parts = separator === '' ? [...codePoints(text)] : text.split(separator)
  if (limit < 0n || BigInt(parts.length) <= limit) return parts
  const kept = Number(limit) - 1
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)]
}

/** `limit`: how many are replaced at most, from the left; below 0, all. The empty text stands around every code point. */
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

/** Throws an Error where a member is no text. */
export function join(texts: readonly unknown[], separator = ''): string {
  let length = separator.length * Math.max(0, texts.length - 1)
  for (const text of texts) {
    if (typeof text !== 'string') throw new Error('only texts are joined')
    length += text.length
  }
  spendOnText(length)
  return texts.join(separator)
}

function spendOnText(length: number): void {
  if (length > textLengthMax) throw new Error('they make a text that is too long')
  spend(length)
}
