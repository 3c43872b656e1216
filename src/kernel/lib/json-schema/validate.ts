/** Validates a value against a prepared schema. Problems are listed by field, and never quote the value. */

import { canonicalJson } from '../canonical-json.ts'
import { isValid, TooMuchWork } from './evaluation.ts'
import type { Evaluation, Path, Problem } from './node.ts'
import type { PreparedSchema } from './prepare-schema.ts'

/** The largest number of steps of one validation. A step takes about a microsecond. */
const stepsMax = 50_000

/** The largest number of fields with problems that are reported. */
const fieldsMax = 100

/** Messages by field. */
export type FieldProblems = Record<string, string[]>

/** Returns the problems of a value; undefined if it is valid. */
export function problemsOf({ root }: PreparedSchema, value: unknown): FieldProblems | undefined {
  const problems: Problem[] = []
  try {
    return isValid(root, value, { run: createEvaluation(), path: undefined, problems, marks: undefined })
      ? undefined
      : byField(problems)
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return { non_field_errors: ['Validating this value against the schema of its type takes too long.'] }
  }
}

/** The number of members that are read in one step. */
const membersPerStep = 2
/** The number of characters that are compared in one step. */
const charactersPerStep = 100

function createEvaluation(): Evaluation {
  let steps = 0
  const names = new Map<object, readonly string[]>()
  const keys = new Map<object, object>()
  const byText = new Map<string, object>()
  const spend = (more: number) => {
    steps += more
    if (steps > stepsMax) throw new TooMuchWork()
  }
  return {
    spend,
    scope: undefined,
    depth: 0,
    namesIn(value) {
      const memberNames = names.get(value) ?? Object.keys(value)
      names.set(value, memberNames)
      spend(memberNames.length / membersPerStep)
      return memberNames
    },
    keyOf(value) {
      if (typeof value !== 'object' || value === null) return value
      const known = keys.get(value)
      if (known !== undefined) return known
      spend(countValues(value))
      const text = canonicalJson(value)
      spend(text.length / charactersPerStep)
      const key = byText.get(text) ?? value
      byText.set(text, key)
      keys.set(value, key)
      return key
    },
  }
}

/** Counts a value and the values in it. Writing each in its canonical form takes about a step. */
const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((count: number, member) => count + countValues(member), 2)
    : 1

function byField(problems: readonly Problem[]): FieldProblems {
  const fields = new Map<string, Set<string>>()
  for (const { path, message } of problems) {
    const field = fieldOf(path)
    fields.set(field, (fields.get(field) ?? new Set()).add(message))
  }
  return Object.fromEntries(
    [...fields].slice(0, fieldsMax).map(([field, messages]) => [field, [...messages]]),
  )
}

function fieldOf(path: Path | undefined): string {
  const names: (string | number)[] = []
  for (let step = path; step; step = step.outer) names.unshift(step.name)
  return names.join('.') || 'non_field_errors'
}
