/**
 * What Postgres can store: no NUL, no lone surrogates, numbers and nesting within limits.
 */
import { isRawNumber, numberProblem } from './exact-json.ts'

const depthMax = 64

function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'Text may not contain the NUL character.'
  if (!value.isWellFormed()) return 'Text may not contain a lone surrogate.'
  return undefined
}

/** Replaces the characters of a text that Postgres cannot store: lone surrogates and NUL. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** Returns why a JSON value cannot be stored; undefined if it can. */
export function storageProblem(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'string') return textProblem(value)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'The number is too large.'
  if (isRawNumber(value)) return numberProblem(value.rawJSON)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > depthMax) return `The value is nested deeper than ${depthMax} levels.`
  for (const [key, member] of Object.entries(value)) {
    const problem = textProblem(key) ?? storageProblem(member, depth + 1)
    if (problem) return problem
  }
  return undefined
}

/** Returns why a value cannot be stored if its numbers become doubles. RawNumbers would lose digits. */
export function storageProblemAsDoubles(value: unknown): string | undefined {
  return (
    storageProblem(value) ??
    (hasRawNumber(value)
      ? 'A number has too many digits to be stored exactly. Send it as a string.'
      : undefined)
  )
}

function hasRawNumber(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (isRawNumber(value) || Object.values(value).some(hasRawNumber))
  )
}
