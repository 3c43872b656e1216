/**
 * Plans the comparisons of a condition: an operator with its values, on a field or on a property inside it.
 */
import { type Sql, sql } from '../../../db/sql.ts'
import { isRawNumber } from '../../../lib/exact-json.ts'
import { quoteValue } from '../../../lib/quote-value.ts'
import { storageProblem } from '../../../lib/storable.ts'
import { type FieldType, fieldTypes } from '../../model/field-types.ts'
import type { Field } from '../../model/table.ts'
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
import { all, any, never, not, type Operand, type Predicate } from '../predicate.ts'
import type { Target } from './path.ts'

interface Problem {
  problem: string
}

const listLengthMax = 1000

/** The meaning of a condition. */
export interface Comparisons {
  where: Predicate
  /** The number of comparisons in `where`. */
  count: number
}

/** An operator with the values of one comparison. */
interface Operation {
  /** The name of the operator, which may be a negation. */
  name: string
  operator: Comparison
  values: readonly unknown[]
  /** Whether the values are JSON. */
  json: boolean
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
  const { field, path, operator: name } = target
  const { values: allValues, json } = condition
  const isRepeated = name === equality && allValues.length > 1
  // The values of a repeated parameter are not split: a comma is part of a value.
  if (isRepeated && path.length === 0 && field.type.comparable) {
    const operator = positiveOf(repeatedEquality) as Comparison
    const where = fieldComparison(field, { name, operator, values: allValues, json })
    return 'problem' in where ? where : { where, count: 1 }
  }
  const operator = positiveOf(name)
  const isNegated = operators.get(name) !== operator
  const comparisons: Predicate[] = []
  const asked = groups(operator.takes, condition)
  if (asked.length > conditionsMax) return { problem: tooManyConditions }
  for (const values of asked) {
    const comparison =
      operator.takes === 'flag'
        ? presence(field, path, values[0])
        : compareTarget(target, { name, operator, values, json })
    if ('problem' in comparison) return comparison
    comparisons.push(isNegated ? not(comparison) : comparison)
  }
  return { where: isRepeated ? any(comparisons) : all(comparisons), count: comparisons.length }
}

const compareTarget = ({ field, path }: Target, operation: Operation): Predicate | Problem =>
  path.length === 0 ? fieldComparison(field, operation) : propertyComparison(field, path, operation)

/**
 * Returns the values of each comparison. All values of a list belong to one comparison. Lists and pairs are
 * split at commas. If a parameter is sent twice with a single value each, the two values are a pair.
 */
function groups(takes: Comparison['takes'] | 'flag', { values, json }: Condition): (readonly unknown[])[] {
  if (takes === 'one' || takes === 'flag') return values.map((value) => [value])
  const parts = values.map((value) => splitValue(value, json))
  const isOneGroup = takes === 'list' || (parts.length === 2 && parts.every((part) => part.length === 1))
  return isOneGroup ? [parts.flat()] : parts
}

function splitValue(value: unknown, json: boolean): readonly unknown[] {
  if (typeof value === 'string') return value.split(',')
  return json && Array.isArray(value) ? value : [value]
}

/** Returns the predicate that a field equals a value. The value must be of the field's type. */
export function isEqual(field: Field, value: string): Predicate {
  const operator = positiveOf(equality) as Comparison
  return compare({ field }, operator, operator.forms[0] as Form, [value], field.type.column)
}

const flags = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
])

/**
 * Plans the operator `null`: true finds fields without a value, and properties that are absent or JSON's
 * null.
 */
function presence(field: Field, path: readonly string[], value: unknown): Predicate | Problem {
  const flag = flags.get(value)
  if (flag === undefined) return { problem: `Must be true or false; ${quoteValue(value)} is not.` }
  const operand: Operand = path.length === 0 ? { field } : { field, property: { path, as: 'any' } }
  return { kind: 'hasValue', operand, is: !flag }
}

function fieldComparison(field: Field, { name, operator, values, json }: Operation): Predicate | Problem {
  const form = operator.forms.find((candidate) => candidate.on(field.type))
  if (!form) {
    const known = operatorsOn(field.type).join(', ')
    return {
      problem:
        `"${name}" does not work on "${field.name}", which is of type ${field.schema.type}. ` +
        `Operators: ${known}.`,
    }
  }
  const problem = shapeProblem(operator, values)
  if (problem) return { problem }
  if (values.length === 0) return never
  const read = form.as?.read ?? reader(field.type)
  const bound: string[] = []
  for (const value of values) {
    const text = read(value, json)
    if (text === undefined) return { problem: formProblem(form, value) ?? valueProblem(field, value) }
    bound.push(text)
  }
  return compare({ field }, operator, form, bound, form.as?.column ?? field.type.column)
}

function shapeProblem({ takes }: Comparison, values: readonly unknown[]): string | undefined {
  if (takes === 'pair' && values.length !== 2) return 'Two values are required, for example 1,10.'
  return values.length > listLengthMax ? `A list may have ${listLengthMax} values at most.` : undefined
}

const formProblem = ({ as }: Form, value: unknown): string | undefined =>
  value === null ? undefined : as?.problem?.(value)

function valueProblem(field: Field, value: unknown): string {
  if (value === null)
    return (
      'Comparing with null is not supported. ' +
      `To find records without a value, use "${field.name}__null": true.`
    )
  const hint = typeof value === 'string' && lostPlus.test(value) ? ' In a URL, write + as %2B.' : ''
  const { name, schema } = field
  return `${quoteValue(value)} is not a value of "${name}", which is of type ${schema.type}.${hint}`
}

/** A time whose offset had a plus sign, which is a space in a URL. */
const lostPlus = /\d\d:\d\d[\d:.]* \d\d(?::?\d\d)?$/

/** Reads a value of a type: texts are parsed; other JSON must be of the type. */
const reader =
  (type: FieldType) =>
  (value: unknown): string | undefined => {
    if (typeof value === 'string') return type.parse(value)
    if (value === null || type.problem(value)) return undefined
    return type.parse(typeof value === 'object' ? JSON.stringify(value) : String(value))
  }

function compare(
  operand: Operand,
  { takes }: Comparison,
  form: Form,
  texts: readonly string[],
  type: Sql,
): Predicate {
  const values =
    takes === 'list' ? [{ value: texts, type: sql`${type}[]` }] : texts.map((value) => ({ value, type }))
  return { kind: 'compare', operand, sql: form.sql, values }
}

/** A JSON type that a property can be read as. */
interface Reading {
  as: 'string' | 'number' | 'boolean' | 'json'
  type: FieldType
  read(value: unknown, json: boolean): string | undefined
}

const container = fieldTypes.get('object') as FieldType
const isContainer = (value: unknown) =>
  typeof value === 'object' && value !== null && !isRawNumber(value) && !storageProblem(value)

/**
 * The ways to read a property. Properties have no declared type, so the value determines the type. A JSON
 * value has one type; a text of a query string is tried as each type. The order matters: numbers are compared
 * before texts.
 */
const readings: readonly Reading[] = [
  readingOf('number'),
  readingOf('string'),
  readingOf('boolean'),
  {
    as: 'json',
    type: container,
    read(value, json) {
      if (json) return isContainer(value) ? JSON.stringify(value) : undefined
      const text = value as string
      if (!/^\s*[[{]/.test(text)) return undefined
      return container.parse(text) ?? (fieldTypes.get('array') as FieldType).parse(text)
    },
  },
]

function readingOf(as: 'string' | 'number' | 'boolean'): Reading {
  const fieldType = fieldTypes.get(as) as FieldType
  const read = reader(fieldType)
  return {
    as,
    type: fieldType,
    read: (value, json) => (json && kindOf(value) !== as ? undefined : read(value)),
  }
}

const kindOf = (value: unknown): string => (isRawNumber(value) ? 'number' : typeof value)

const notOnProperties = 'This operator does not work on JSON properties, which cannot be dates.'

/**
 * Plans a comparison of a property. It is true if it is true for any of the types as which the values can be
 * read.
 */
function propertyComparison(
  field: Field,
  path: readonly string[],
  { operator, values, json }: Operation,
): Predicate | Problem {
  const problem = shapeProblem(operator, values)
  if (problem) return { problem }
  const unread = new Set(values)
  const comparisons = readings.flatMap(({ as, type, read }): Predicate[] => {
    const form = operator.forms.find((candidate) => candidate.on(type))
    if (!form) return []
    const texts = values.flatMap((value) => {
      const text = (form.as?.read ?? read)(value, json)
      if (text !== undefined) unread.delete(value)
      return text ?? []
    })
    const isComplete = operator.takes === 'list' ? texts.length > 0 : texts.length === values.length
    return isComplete
      ? [compare({ field, property: { path, as } }, operator, form, texts, form.as?.column ?? type.column)]
      : []
  })
  const wrongValues = unread.size > 0 || comparisons.length > 0 ? [...unread] : values
  const [wrong] = wrongValues
  const form = operator.forms.find(({ on }) => readings.some(({ type }) => on(type)))
  if (wrongValues.length > 0 && !form) return { problem: notOnProperties }
  if (wrongValues.length > 0)
    return {
      problem:
        (form && formProblem(form, wrong)) ??
        `This operator cannot compare a JSON property with ${quoteValue(wrong)}.`,
    }
  return operator.ordered ? (comparisons[0] as Predicate) : any(comparisons)
}
