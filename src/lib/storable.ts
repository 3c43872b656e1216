/** What Postgres can hold of JSON: text without NUL and without half a surrogate pair, nested only so deep. */

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
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > depthMax) return `The value is nested deeper than ${depthMax} levels.`
  for (const [key, member] of Object.entries(value)) {
    const problem = textProblem(key) ?? storageProblem(member, depth + 1)
    if (problem) return problem
  }
  return undefined
}

/** The same for what is kept as it was parsed: numbers lost digits in it that a double has no place for. */
export function parsedProblem(value: unknown): string | undefined {
  return storageProblem(value) ?? (isExact(value) ? undefined : 'An integer beyond ±(2^53−1) has to be sent as a string.')
}

function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}
