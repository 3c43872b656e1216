/** Judges a value by a prepared schema: what is wrong with it, by field, and never a word of the value itself. */
import { format as formatChecks, type OutputUnit, validate } from '@cfworker/json-schema'
import { messageOf } from './messages.ts'
import { type PreparedSchema, stepsToMatch, type Work } from './prepare.ts'

/** What one judgement may cost, in evaluations of a schema: a part of a second. */
const stepsMax = 20_000

class TooMuchWork extends Error {}

/** So many fields are named. */
const fieldsMax = 100

export type FieldProblems = Record<string, string[]>

/** Undefined when the value fits. */
export function problemsOf({ root, known, draft, patterns, work }: PreparedSchema, value: unknown): FieldProblems | undefined {
  let steps = 0
  work.spend = (more) => {
    steps += more
    if (steps > stepsMax) throw new TooMuchWork()
  }
  Object.assign(work, measured(value))
  for (const [name, pattern] of patterns) {
    formatChecks[name] = (text) => {
      work.spend(stepsToMatch(pattern, text))
      return pattern.matches(text)
    }
  }
  try {
    const { valid, errors } = validate(value, root, draft, known, false)
    return valid ? undefined : byField(errors)
  } catch (error) {
    // A schema that refers to itself without going deeper ends here, too.
    if (!(error instanceof TooMuchWork || error instanceof RangeError)) throw error
    return { non_field_errors: ['To judge this value by the schema of its type takes too much work.'] }
  } finally {
    for (const name of patterns.keys()) delete formatChecks[name]
  }
}

function measured(value: unknown): Pick<Work, 'names' | 'longest'> {
  const names = new Set<string>()
  let longest = 0
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if (Array.isArray(part)) longest = Math.max(longest, part.length)
    else for (const name of Object.keys(part)) names.add(name)
    Object.values(part).forEach(look)
  }
  look(value)
  return { names: [...names], longest }
}

/** Their errors only say that there are errors below them. */
const branches: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'anyOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
])

/** What is below them is of no interest: that none of the items is the wanted one, that several alternatives fit. */
const closes = ({ keyword, error }: OutputUnit) => keyword === 'contains' || (keyword === 'oneOf' && !error.includes('(0 matches)'))

/** That there are errors below, and nothing else. */
const isBranch = ({ keyword, error }: OutputUnit) =>
  branches.has(keyword) ||
  (keyword === 'oneOf' && error.includes('(0 matches)')) ||
  (/^depende\w+$/.test(keyword) && error.includes('dependant schema'))

function byField(errors: readonly OutputUnit[]): FieldProblems {
  const closed = errors.filter(closes).map(({ keywordLocation }) => `${keywordLocation}/`)
  const leaves = errors.filter((error) => !isBranch(error) && !closed.some((place) => error.keywordLocation.startsWith(place)))
  const fields = new Map<string, Set<string>>()
  for (const leaf of leaves) {
    const { path, message } = messageOf(leaf)
    const field = path.join('.') || 'non_field_errors'
    fields.set(field, (fields.get(field) ?? new Set()).add(message))
  }
  return Object.fromEntries([...fields].slice(0, fieldsMax).map(([field, messages]) => [field, [...messages]]))
}
