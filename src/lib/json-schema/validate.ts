/** Judges a value by a prepared schema: what is wrong with it, by field, and never a word of the value itself. */
import { canonicalJson } from '../canonical-json.ts'
import type { PreparedSchema } from './prepare.ts'
import { fits, type Path, type Problem, type Run, TooMuchWork } from './run.ts'

/** What one judgement may cost: a step takes about a microsecond. */
const stepsMax = 50_000

/** So many fields are named. */
const fieldsMax = 100

export type FieldProblems = Record<string, string[]>

/** Undefined when the value fits. */
export function problemsOf({ root }: PreparedSchema, value: unknown): FieldProblems | undefined {
  const problems: Problem[] = []
  try {
    return fits(root, value, { run: createRun(), path: undefined, problems, marks: undefined }) ? undefined : byField(problems)
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return { non_field_errors: ['Checking this value against the schema of its type takes too much work.'] }
  }
}

/** To read so many members, or characters of what is compared, is a step. */
const membersPerStep = 2
const charactersPerStep = 100

function createRun(): Run {
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
      const found = names.get(value) ?? Object.keys(value)
      names.set(value, found)
      spend(found.length / membersPerStep)
      return found
    },
    keyOf(value) {
      if (typeof value !== 'object' || value === null) return value
      const known = keys.get(value)
      if (known !== undefined) return known
      const text = canonicalJson(value)
      spend(text.length / charactersPerStep)
      const key = byText.get(text) ?? value
      byText.set(text, key)
      keys.set(value, key)
      return key
    },
  }
}

function byField(problems: readonly Problem[]): FieldProblems {
  const fields = new Map<string, Set<string>>()
  for (const { path, message } of problems) {
    const field = fieldOf(path)
    fields.set(field, (fields.get(field) ?? new Set()).add(message))
  }
  return Object.fromEntries([...fields].slice(0, fieldsMax).map(([field, messages]) => [field, [...messages]]))
}

function fieldOf(path: Path | undefined): string {
  const names: (string | number)[] = []
  for (let each = path; each; each = each.outer) names.unshift(each.name)
  return names.join('.') || 'non_field_errors'
}
