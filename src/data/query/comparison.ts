/** From an operator and the values said with it to the comparison that is meant, of a field or of a property inside one. */
import { type Sql, sql } from '../../db/sql.ts'
import { isRawNumber } from '../../lib/exact-json.ts'
import { shown } from '../../lib/shown.ts'
import { storageProblem } from '../../lib/storable.ts'
import { type FieldType, fieldTypes } from '../datatables/field-types.ts'
import type { Field } from '../datatables/table.ts'
import type { Condition } from './ast.ts'
import { type Comparison, equality, type Form, listed, operators, operatorsOn, positiveOf } from './operators.ts'
import type { Target } from './path.ts'
import { all, any, never, not, type Operand, type Predicate, type Property } from './predicate.ts'

type Refusal = { problem: string }

const listLengthMax = 1000

/** What a condition means. */
interface Comparisons {
  where: Predicate
  /** How many comparisons there are in it. */
  count: number
}

/** One comparison for each value that the operator takes: all of them have to hold, but of several equalities any one. R2. */
export function comparisonsOf({ field, path, operator: name }: Target, condition: Condition): Comparisons | Refusal {
  const isRepeated = name === equality && condition.values.length > 1
  // Values of a query string are whole here: a comma in one is part of it.
  if (isRepeated && path.length === 0 && field.type.comparable) {
    const where = fieldComparison(field, name, positiveOf(listed) as Comparison, condition.values, condition.json)
    return 'problem' in where ? where : { where, count: 1 }
  }
  const operator = positiveOf(name)
  const negated = operators.get(name) !== operator
  const comparisons: Predicate[] = []
  for (const values of groups(operator.takes, condition)) {
    const comparison =
      operator.takes === 'flag'
        ? presence(field, path, values[0])
        : path.length === 0
          ? fieldComparison(field, name, operator, values, condition.json)
          : propertyComparison(field, path, operator, values, condition.json)
    if ('problem' in comparison) return comparison
    comparisons.push(negated ? not(comparison) : comparison)
  }
  return { where: isRepeated ? any(comparisons) : all(comparisons), count: comparisons.length }
}

/**
 * The values that belong together. What is given for a list is one list; between commas are the values of lists and pairs.
 * Two values, given one at a time, are a pair, too.
 */
function groups(takes: Comparison['takes'] | 'flag', { values, json }: Condition): (readonly unknown[])[] {
  if (takes === 'one' || takes === 'flag') return values.map((value) => [value])
  const split = values.map((value) => (typeof value === 'string' ? value.split(',') : json && Array.isArray(value) ? value : [value]))
  const isOne = takes === 'list' || (split.length === 2 && split.every((parts) => parts.length === 1))
  return isOne ? [split.flat()] : split
}

/** Whether a field has this value, which is one of its type. */
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

/** `null` is true where there is no value; of a property that means also where it is JSON's null. */
function presence(field: Field, path: readonly string[], value: unknown): Predicate | Refusal {
  const flag = flags.get(value)
  if (flag === undefined) return { problem: `${shown(value)} is neither true nor false.` }
  const operand: Operand = path.length === 0 ? { field } : { field, property: { path, as: 'any' } }
  return { kind: 'hasValue', operand, is: !flag }
}

function fieldComparison(field: Field, name: string, operator: Comparison, values: readonly unknown[], json: boolean): Predicate | Refusal {
  const form = operator.forms.find((candidate) => candidate.on(field.type))
  if (!form) {
    return {
      problem: `"${name}" does not work on "${field.name}", which is of type ${field.schema.type}. Operators: ${operatorsOn(field.type).join(', ')}.`,
    }
  }
  const problem = shapeProblem(operator, values)
  if (problem) return { problem }
  if (values.length === 0) return never
  const read = form.as?.read ?? reader(field.type)
  const bound: string[] = []
  for (const value of values) {
    const text = read(value, json)
    if (text === undefined) return { problem: valueProblem(field, value) }
    bound.push(text)
  }
  return compare({ field }, operator, form, bound, form.as?.column ?? field.type.column)
}

function shapeProblem({ takes }: Comparison, values: readonly unknown[]): string | undefined {
  if (takes === 'pair' && values.length !== 2) return 'Two values are required: with a comma between them, or each in a parameter of its own.'
  return values.length > listLengthMax ? `A list may have ${listLengthMax} values at most.` : undefined
}

function valueProblem(field: Field, value: unknown): string {
  if (value === null) return `null is not compared with: "${field.name}__null": true finds records without a value.`
  return `${shown(value)} is not a value of "${field.name}", which is of type ${field.schema.type}.`
}

/** Texts are read by the type; other JSON has to be of it. */
const reader =
  (type: FieldType) =>
  (value: unknown): string | undefined => {
    if (typeof value === 'string') return type.parse(value)
    if (value === null || type.problem(value)) return undefined
    return type.parse(typeof value === 'object' ? JSON.stringify(value) : String(value))
  }

function compare(operand: Operand, { takes }: Comparison, form: Form, texts: readonly string[], type: Sql): Predicate {
  const values = takes === 'list' ? [{ value: texts, type: sql`${type}[]` }] : texts.map((value) => ({ value, type }))
  return { kind: 'compare', operand, sql: form.sql, values }
}

interface View {
  as: Exclude<Property['as'], 'any'>
  type: FieldType
  read(value: unknown, json: boolean): string | undefined
}

const container = fieldTypes.get('object') as FieldType
const isContainer = (value: unknown) => typeof value === 'object' && value !== null && !isRawNumber(value) && !storageProblem(value)

/**
 * As what a property may be looked at. It has no type, so the value has to tell: in JSON it does; a text of a query
 * string is all that it can be read as. An order is one of numbers where the value is a number, and of texts else.
 */
const views: readonly View[] = [
  viewOf('number', 'number'),
  viewOf('string', 'string'),
  viewOf('boolean', 'boolean'),
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

function viewOf(as: 'string' | 'number' | 'boolean', type: string): View {
  const fieldType = fieldTypes.get(type) as FieldType
  const read = reader(fieldType)
  return { as, type: fieldType, read: (value, json) => (json && kindOf(value) !== as ? undefined : read(value)) }
}

const kindOf = (value: unknown): string => (isRawNumber(value) ? 'number' : typeof value)

/** Holds where it holds for the property as any of what it may be looked at. */
function propertyComparison(
  field: Field,
  path: readonly string[],
  operator: Comparison,
  values: readonly unknown[],
  json: boolean,
): Predicate | Refusal {
  const problem = shapeProblem(operator, values)
  if (problem) return { problem }
  const unread = new Set(values)
  const comparisons = views.flatMap(({ as, type, read }): Predicate[] => {
    const form = operator.forms.find((candidate) => candidate.on(type))
    if (!form) return []
    const texts = values.flatMap((value) => {
      const text = (form.as?.read ?? read)(value, json)
      if (text !== undefined) unread.delete(value)
      return text ?? []
    })
    const isWhole = operator.takes === 'list' ? texts.length > 0 : texts.length === values.length
    return isWhole ? [compare({ field, property: { path, as } }, operator, form, texts, form.as?.column ?? type.column)] : []
  })
  if (unread.size > 0 || (comparisons.length === 0 && values.length > 0)) {
    const [value] = unread.size > 0 ? unread : values
    return { problem: `${shown(value)} is nothing that a property can be compared with in this way.` }
  }
  return operator.ordered ? (comparisons[0] as Predicate) : any(comparisons)
}
