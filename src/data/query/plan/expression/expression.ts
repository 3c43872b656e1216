/** A planned expression: fields, typed constants, and functions and operators applied to them. */
import { type Sql, sql } from '../../../../kernel/db/sql.ts'
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import type { Field } from '../../../model/field.ts'
import { type Property, type PropertyType, propertySql } from '../../../model/property.ts'
import type { Relationship } from '../../../model/relationships.ts'
import type { Sorting } from '../../direction.ts'
import { ExpressionError } from '../../parse/expression/syntax.ts'
import { fieldSql, type Row } from '../../row.ts'
import type { SingleValue } from '../path.ts'
import { castNames, integer, isNumeric, json, number, string, type Type, typeOf } from './types.ts'

/** A node of a planned expression. */
export type Expression = Column | PropertyValue | Value | Application | Related

interface ExpressionBase {
  /** The position in the client's text, counted from 1. */
  at: number
  type: Type
}

/** A field of a record, or of a record that it references. */
export interface Column extends ExpressionBase {
  kind: 'column'
  /** The relationships, each to one, that lead to the record with the field. */
  relationships: readonly Relationship[]
  field: Field
}

/** A property inside the JSON of a field. */
export interface PropertyValue extends ExpressionBase {
  kind: 'property'
  relationships: readonly Relationship[]
  field: Field
  property: Property
}

interface Value extends ExpressionBase {
  kind: 'value'
  value: string | null
  /** Whether it is a text or null, which becomes a value of the expected type. */
  isUntyped: boolean
}

/** A function or an operator with its operands. */
export interface Application extends ExpressionBase {
  kind: 'application'
  /** The word of the function or the operator, for providers that do not speak SQL. */
  name: string
  of: readonly Expression[]
  /** The call of an aggregate function. Omitted: it is none. */
  aggregate?: AggregateCall
  sql(...of: Sql[]): Sql
  /** Whether it is an aggregate function. */
  isAggregate: boolean
}

/** The planned parts of a call of an aggregate function. */
export interface Parts {
  /** The aggregated values. None for `count(*)`. */
  values: readonly Expression[]
  /** The operands that are not aggregated: a separator, a fraction. */
  options: readonly Expression[]
  /** The values by which a list is sorted. */
  order: readonly Expression[]
  filter: Expression | undefined
}

/** A planned call of an aggregate function. */
export interface AggregateCall extends Omit<Parts, 'order'> {
  name: string
  distinct: boolean
  /** How its values are sorted. */
  order: readonly ({ of: Expression } & Pick<Sorting, 'descending' | 'nullsFirst'>)[]
}

/** An aggregate of the records that are related to a record. */
export interface Related extends ExpressionBase {
  kind: 'related'
  /** The relationships that lead to the records. The last one is to many. */
  scope: readonly Relationship[]
  /** The aggregate function. Its columns are those of the records at the end of the scope. */
  of: Expression
  /** Whether it is 0 if there are no records. Otherwise it has no value then. */
  isCount: boolean
}

/** The rows that an expression is computed from. */
export interface RowSource {
  /** Returns the row at the end of a path of relationships. Undefined: the statement has no other. */
  rowOf(relationships: readonly Relationship[]): Row | undefined
  /** Returns an aggregate of related records. Omitted: the expression has none. */
  aggregateOf?(related: Related): Sql
}

export const column = (at: number, relationships: readonly Relationship[], field: Field): Column => ({
  kind: 'column',
  at,
  type: typeOf(field),
  relationships,
  field,
})

/** Creates a property. Without a type it is JSON of any kind. */
export const property = (
  at: number,
  { relationships, field, path }: Omit<SingleValue, 'type'>,
  as?: PropertyType,
): PropertyValue => ({
  kind: 'property',
  at,
  type: as ? (castNames.get(as) as Type) : json,
  relationships,
  field,
  property: { path, as: as ?? 'value' },
})

/** Creates a constant. */
export const value = (at: number, type: Type, text: string | null, isUntyped = false): Value => ({
  kind: 'value',
  at,
  type,
  value: text,
  isUntyped,
})

/**
 * Creates an application. The returned SQL must be safe to combine with other SQL: in parentheses if needed.
 */
export const apply = (
  at: number,
  type: Type,
  of: readonly Expression[],
  write: Application['sql'],
  isAggregate = false,
): Application => ({
  kind: 'application',
  name: '',
  at,
  type,
  of,
  sql: write,
  isAggregate,
})

/** Names an application, unless it has a name. */
export const named = (name: string, expression: Expression): Expression =>
  expression.kind === 'application' && expression.name === '' ? { ...expression, name } : expression

/** Tells whether an aggregate function is anywhere in an expression. */
export const isAggregated = (expression: Expression): boolean =>
  expression.kind === 'application' && (expression.isAggregate || expression.of.some(isAggregated))

/** Tells whether an expression depends on the records. */
export const isOfRecords = (expression: Expression): boolean =>
  expression.kind === 'application' ? expression.of.some(isOfRecords) : expression.kind !== 'value'

/** Returns the fields of the record itself that an expression is computed from. */
export function fieldsIn(expression: Expression): Field[] {
  switch (expression.kind) {
    case 'value':
      return []
    case 'application':
      return expression.of.flatMap(fieldsIn)
    case 'related':
      return expression.scope[0]?.pairs.map(({ near }) => near) ?? []
    case 'column':
    case 'property':
      return expression.relationships[0]?.pairs.map(({ near }) => near) ?? [expression.field]
  }
}

/** Tells whether an expression computes nothing that could fail for some values. */
export const isPlain = (expression: Expression): boolean => {
  if (expression.kind === 'related') return isPlain(expression.of)
  return (
    expression.kind !== 'application' ||
    (expression.isAggregate && expression.of.every(({ kind }) => kind !== 'application'))
  )
}

/** The applications that fail for some values of their operands, besides those that divide. */
const failing: ReadonlySet<string> = new Set(['+', '-', '*', '-…', 'abs', 'power', 'sqrt', 'cast', 'bounded'])
const dividing: ReadonlySet<string> = new Set(['/', '%', 'mod'])

/** Tells whether Postgres may fail to compute an expression. `byDivision`: because it divides by zero. */
export const canFail = (expression: Expression, byDivision: boolean): boolean =>
  expression.kind === 'application' &&
  (dividing.has(expression.name) ||
    (!byDivision && failing.has(expression.name)) ||
    expression.of.some((operand) => canFail(operand, byDivision)))

/**
 * Converts an expression to a type: an integer is also a number, and an untyped text is parsed. Throws an
 * ExpressionError if that is impossible.
 */
export function coerce(type: Type, expression: Expression): Expression {
  const { at } = expression
  if (expression.kind === 'value' && expression.isUntyped) {
    const text = expression.value === null ? null : type.parse(expression.value)
    if (text === undefined)
      throw new ExpressionError(at, `${quoteValue(expression.value)} is not a value of type ${type.name}.`)
    return value(at, type, text)
  }
  if (expression.type !== type && !(type === number && expression.type === integer)) {
    throw new ExpressionError(
      at,
      `A value of type ${type.name} is expected; this is of type ${expression.type.name}.` +
        typeHint(expression),
    )
  }
  return expression
}

/** Returns the advice for a property of JSON without a type; '' for any other expression. */
export const typeHint = ({ kind, type }: Expression): string =>
  kind === 'property' && type.name === 'JSON' ? ' Write the type of a property after it: ::number.' : ''

const isUntyped = (expression: Expression) => expression.kind === 'value' && expression.isUntyped

/**
 * Returns expressions converted to one type: that of the first typed one, or number if integers and numbers
 * are mixed. Throws an ExpressionError.
 */
export function unify(expressions: readonly Expression[]): { type: Type; of: readonly Expression[] } {
  const types = expressions
    .filter((expression) => !isUntyped(expression))
    .map((expression) => expression.type)
  const type = types.includes(number) && types.every(isNumeric) ? number : (types[0] ?? string)
  return { type, of: expressions.map((expression) => coerce(type, expression)) }
}

/** Returns expressions as numbers; as integers if all typed ones are integers. Throws an ExpressionError. */
export function unifyNumbers(expressions: readonly Expression[]): { type: Type; of: readonly Expression[] } {
  const isInteger =
    expressions.some(({ type }) => type === integer) &&
    expressions.every((one) => one.type === integer || isUntyped(one))
  const type = isInteger ? integer : number
  return { type, of: expressions.map((expression) => coerce(type, expression)) }
}

/** Throws TypeError for an aggregate of related records where rows cannot have one: a fault of the caller. */
export function renderExpression(expression: Expression, rows: RowSource): Sql {
  switch (expression.kind) {
    case 'column':
      return fieldSql(expression.field, rows.rowOf(expression.relationships))
    case 'property':
      return propertySql(
        fieldSql(expression.field, rows.rowOf(expression.relationships)),
        expression.property,
      )
    case 'value':
      return sql`${expression.value}::${expression.type.column}`
    case 'application':
      return expression.sql(...expression.of.map((one) => renderExpression(one, rows)))
    case 'related':
      if (!rows.aggregateOf) throw new TypeError('related records are aggregated in annotations only')
      return rows.aggregateOf(expression)
  }
}
