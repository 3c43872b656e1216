/** The rule of values that MongoDB cannot hold exactly: they are rejected, never rounded. */
import { instantKey } from '../../kernel/lib/date-texts.ts'
import { decimalOf, numberText } from '../../kernel/lib/exact-json.ts'
import { wayOf } from './adopted.ts'
import type { Rule } from './constraints.ts'
import type { FieldSchema } from './schema-form.ts'
import { baseOf } from './types.ts'

const digitsMax = 34
const [exponentMin, exponentMax] = [-6176, 6144]

/** Returns why MongoDB cannot hold a number; undefined if it can. */
function numberProblem(text: string): string | undefined {
  const { digits, exponent } = decimalOf(text)
  if (digits.length > digitsMax) return `In MongoDB, a number has at most ${digitsMax} digits.`
  const isInRange = digits === '' || (exponent >= exponentMin && digits.length + exponent <= exponentMax)
  return isInRange ? undefined : 'In MongoDB, a number is from 1e-6176 to below 1e6144.'
}

function jsonProblem(value: unknown): string | undefined {
  const text = numberText(value)
  if (text !== undefined) return numberProblem(text)
  if (typeof value !== 'object' || value === null) return undefined
  for (const member of Object.values(value)) {
    const problem = jsonProblem(member)
    if (problem) return problem
  }
  return undefined
}

const instantProblem = (value: unknown): string | undefined =>
  instantKey(String(value)) % 1000n === 0n ? undefined : 'In MongoDB, a time has at most milliseconds.'

/** Returns the rules of a field that follow from how MongoDB keeps its values. */
export function bsonRules(field: FieldSchema): Rule[] {
  const base = baseOf(field)
  const way = wayOf(field)
  if (way) return [{ name: 'bson', problem: (value) => way.problem(numberText(value) ?? String(value)) }]
  if (base === 'datetime') return [{ name: 'bson', problem: instantProblem }]
  return ['number', 'object', 'array'].includes(base) ? [{ name: 'bson', problem: jsonProblem }] : []
}
