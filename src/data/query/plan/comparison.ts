/**
 * Plans the comparisons of a condition: an operator with its values, on a field or on a property inside it.
 */
import { booleanOf } from '../../../kernel/lib/boolean-text.ts'
import { parseJson } from '../../../kernel/lib/parse-json.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Field } from '../../model/field.ts'
import { type FieldType, fieldTypes } from '../../model/field-types.ts'
import type { Form } from '../operator-forms.ts'
import {
  type Comparison,
  equality,
  operators,
  operatorsOn,
  positiveOf,
  repeatedEquality,
} from '../operators.ts'
import type { Condition } from '../parse/ast.ts'
import { never, type Operand, type Predicate } from '../predicate.ts'
import {
  compare,
  formProblem,
  type Operation,
  operationProblem,
  type Problem,
  reader,
} from './compared-values.ts'
import { misplacedQuote, splitList } from './keys.ts'
import type { Target } from './path.ts'
import { propertyComparison } from './property-comparison.ts'

/** The meaning of a condition, before it is applied to the records that its path leads to. */
export interface Comparisons {
  /** The comparisons. A record must pass all of them; with `isAny`, one of them. */
  of: readonly Predicate[]
  /** Whether each of them is negated. */
  isNegated: boolean
  isAny: boolean
}

/** The maximum number of conditions of a query. */
export const conditionsMax = 100
/** The message for more of them. */
export const tooManyConditions = `At most ${conditionsMax} conditions are allowed.`

/**
 * Plans one comparison for each value or group of values. All of them must be true; of repeated equalities,
 * at least one. R2.
 */
export function planComparisons(target: Target, condition: Condition): Comparisons | Problem {
  const { operator: name } = target
  const { values: allValues, json } = condition
  const isRepeated = name === equality && allValues.length > 1
  const typed = typedOperand(target)
  // The values of a repeated parameter are not split: a comma is part of a value.
  if (isRepeated && typed?.type.comparable) {
    const operator = positiveOf(repeatedEquality) as Comparison
    const where = typedComparison(typed, { name, operator, values: allValues, json })
    return 'problem' in where ? where : { of: [where], isNegated: false, isAny: false }
  }
  const operator = positiveOf(name)
  const isFlag = operator.takes === 'flag'
  const isNegated = operators.get(name) !== operator
  const comparisons: Predicate[] = []
  const asked = groups(operator, condition)
  if ('problem' in asked) return asked
  if (asked.length > conditionsMax) return { problem: tooManyConditions }
  for (const values of asked) {
    const comparison =
      operator.takes === 'flag'
        ? presence(target, values[0], isNegated)
        : compareTarget(target, { name, operator, values, json })
    if ('problem' in comparison) return comparison
    comparisons.push(comparison)
  }
  return { of: comparisons, isNegated: isNegated && !isFlag, isAny: isRepeated }
}

function compareTarget(target: Target, operation: Operation): Predicate | Problem {
  const typed = typedOperand(target)
  return typed ? typedComparison(typed, operation) : propertyComparison(target.field, target.path, operation)
}

/** A field, or a property whose type is written after it. */
interface TypedOperand {
  operand: Operand
  /** The name for messages. */
  name: string
  type: FieldType
  typeName: string
}

/** Returns the operand with its type; undefined for a property whose type the values determine. */
function typedOperand({ field, path, as }: Target): TypedOperand | undefined {
  if (path.length === 0)
    return { operand: { field }, name: field.name, type: field.type, typeName: field.schema.type }
  if (!as) return undefined
  const name = [field.name, ...path].join('.')
  return {
    operand: { field, property: { path, as } },
    name,
    type: fieldTypes.get(as) as FieldType,
    typeName: as,
  }
}

/**
 * Returns the values of each comparison. All values of a list belong to one comparison. Lists and pairs are
 * split at commas, quotes as in CSV. If a parameter is sent twice with a single value each, the two values
 * are a pair.
 */
function groups(
  operator: ReturnType<typeof positiveOf>,
  { values, json }: Condition,
): (readonly unknown[])[] | Problem {
  const { takes } = operator
  if (takes === 'one' || takes === 'flag') return values.map((value) => [value])
  const isQuotedJson = !json && operator.forms.some(({ as }) => as?.isQuotedJson)
  const parts: (readonly unknown[])[] = []
  for (const value of values) {
    const part = splitValue(value, json, isQuotedJson)
    if (!part) return { problem: misplacedQuote(value as string) }
    parts.push(part)
  }
  const isOneGroup = takes === 'list' || (parts.length === 2 && parts.every((part) => part.length === 1))
  return isOneGroup ? [parts.flat()] : parts
}

/** Splits a list. Returns undefined for a text with a misplaced quote. R17. */
function splitValue(value: unknown, json: boolean, isQuotedJson: boolean): readonly unknown[] | undefined {
  if (typeof value === 'string')
    return splitList(value)?.map(({ raw, text }) => (isQuotedJson && 'value' in parseJson(raw) ? raw : text))
  return json && Array.isArray(value) ? value : [value]
}

/** Returns the predicate that a field equals a value. The value must be of the field's type. */
export function isEqual(field: Field, value: string): Predicate {
  const operator = positiveOf(equality) as Comparison
  const form = operator.forms[0] as Form
  return compare({ field }, operator, { form, values: [value], texts: [value], as: field.type })
}

/**
 * Plans the operator `null`: true finds fields without a value, and properties that are absent or JSON's
 * null. `isNegated`: plans `nnull`.
 */
function presence({ field, path, as }: Target, value: unknown, isNegated: boolean): Predicate | Problem {
  const flag = readFlag(value)
  if (typeof flag === 'object') return flag
  const operand: Operand = path.length === 0 ? { field } : { field, property: { path, as: as ?? 'any' } }
  return { kind: 'hasValue', operand, is: flag === isNegated }
}

/** Reads the value of `null` and `nnull`. */
export function readFlag(value: unknown): boolean | Problem {
  const flag = typeof value === 'boolean' ? value : booleanOf(value)
  return flag ?? { problem: `Must be true or false; ${quoteValue(value)} is not.` }
}

function typedComparison(typed: TypedOperand, operation: Operation): Predicate | Problem {
  const { operand, type } = typed
  const { name, operator, values, json } = operation
  const form = operator.forms.find((candidate) => candidate.on(type))
  if (!form) {
    const known = operatorsOn(type).join(', ')
    return {
      problem:
        `"${name}" does not work on ${quoteValue(typed.name)}, which is of type ${typed.typeName}. ` +
        `Operators: ${known}.`,
    }
  }
  const problem = operationProblem(operation, type)
  if (problem) return { problem }
  if (values.length === 0) return never
  const read = form.as?.read ?? reader(type)
  const bound: string[] = []
  for (const value of values) {
    const text = read(value, json)
    if (text === undefined) return { problem: formProblem(form, value) ?? valueProblem(typed, value) }
    // No field has JSON's null: it has no value instead.
    if (text === 'null' && form.means === 'equal' && !type.comparable)
      return { problem: valueProblem(typed, null) }
    bound.push(text)
  }
  return compare(operand, operator, { form, values, texts: bound, as: type })
}

function valueProblem({ name, typeName }: TypedOperand, value: unknown): string {
  if (value === null)
    return `Comparing with null is not supported. To find records without a value, use "${name}__null": true.`
  const hint = typeof value === 'string' && lostPlus.test(value) ? ' In a URL, write + as %2B.' : ''
  return `${quoteValue(value)} is not a value of ${quoteValue(name)}, which is of type ${typeName}.${hint}`
}

/** A time whose offset had a plus sign, which is a space in a URL. */
const lostPlus = /\d\d:\d\d[\d:.]* \d\d(?::?\d\d)?$/
