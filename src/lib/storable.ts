/** What Postgres can hold of JSON: text without NUL and without half a surrogate pair, numbers up to its limits, nested only so deep. */
import { isRawNumber, numberProblem } from './exact-json.ts'

const depthMax = 64

function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'Text may not contain the NUL character.'
  if (!value.isWellFormed()) return 'Text may not contain a lone surrogate.'
  return undefined
}

/** Why a JSON value cannot be stored; undefined when it can. */
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

/** The same for what is kept as JavaScript has it: a number that a double does not hold has no place there. */
export function parsedProblem(value: unknown): string | undefined {
  return storageProblem(value) ?? (hasRawNumber(value) ? 'A number has more digits than are kept here: it has to be sent as a string.' : undefined)
}

function hasRawNumber(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (isRawNumber(value) || Object.values(value).some(hasRawNumber))
}
