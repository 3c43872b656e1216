/**
 * Renders planned expressions as those of MongoDB. What clients write is always a literal. As in SQL, most
 * results are null if an operand is; a field that is not there is null.
 */
import type { ExpressionForm, OperandForm } from '../../src/data/providers/mongodb/read-forms.ts'
import { floorOf } from './decimals.ts'
import { functions } from './functions.ts'
import { type Expression, inside, isNumber, isPresent, typeIs } from './json-expressions.ts'
import { encode } from './values.ts'

export type AggregateForm = Extract<ExpressionForm, { is: 'aggregate' }>

/** Renders an aggregate of the documents of a group, as the expression of its result. */
export type Aggregated = (form: AggregateForm) => Expression

const noAggregates: Aggregated = () => {
  throw new TypeError('an aggregate is only possible in a group')
}

/** The types as which a property is read. A property of another type has no value. */
const readAs: Readonly<Record<string, (value: Expression) => Expression>> = {
  string: (value) => typeIs(value, 'string'),
  number: isNumber,
  boolean: (value) => typeIs(value, 'bool'),
  JSON: isPresent,
}

/** Returns the value of a field, or of a property inside it; null if there is none. */
function fieldValue({ path, inside: names, type: own }: OperandForm, type: string): Expression {
  if (names.length === 0)
    return { $ifNull: [own === 'objectId' ? { $toString: `$${path}` } : `$${path}`, null] }
  const value = inside(path, names)
  const isOfType = readAs[type]?.(value) ?? false
  return { $cond: [isOfType, type === 'number' ? { $toDecimal: value } : value, null] }
}

/** Returns a constant. */
function constant(type: string, text: string | null): Expression {
  if (text === null) return null
  const value = type === 'number' ? floorOf(text).value : encode(type, text)
  return { $literal: value }
}

/** Renders an expression. `aggregated` renders the aggregates in it; omitted: it has none. */
export function renderExpression(form: ExpressionForm, aggregated: Aggregated = noAggregates): Expression {
  if (form.is === 'value') return constant(form.type, form.text)
  if (form.is === 'field') return fieldValue(form.operand, form.type)
  if (form.is === 'aggregate') return aggregated(form)
  const write = functions[form.name]
  if (!write) throw new TypeError(`no function ${form.name}`)
  return write(
    form.of.map((one) => renderExpression(one, aggregated)),
    { type: form.type, types: form.of.map(({ type }) => type), constants: form.of.map(textOf) },
  )
}

const textOf = (form: ExpressionForm): string | undefined =>
  form.is === 'value' ? (form.text ?? undefined) : undefined
