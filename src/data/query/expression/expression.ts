/** What an expression means: fields of records, typed values, and what is made of them. */
import { type Sql, sql } from '../../../db/sql.ts'
import { shown } from '../../../lib/shown.ts'
import type { Field } from '../../datatables/table.ts'
import type { Relationship } from '../relationships.ts'
import { fieldSql, type Row } from '../row.ts'
import { RefusedExpression } from './syntax.ts'
import { integer, isNumeric, number, string, type Type } from './types.ts'

export type Expression = Column | Value | Applied

interface Meant {
  /** Where it was written, counted from 1. */
  at: number
  type: Type
}

export interface Column extends Meant {
  kind: 'column'
  /** To the record that the field is of: each to one. */
  relationships: readonly Relationship[]
  field: Field
}

interface Value extends Meant {
  kind: 'value'
  value: string | null
  /** A text or null: it becomes whatever type is expected of it. */
  isUntyped: boolean
}

/** A function or an operator with what it is applied to. */
interface Applied extends Meant {
  kind: 'applied'
  of: readonly Expression[]
  sql(...of: Sql[]): Sql
  /** Whether it makes one value of many records. */
  isAggregate: boolean
}

export const value = (at: number, type: Type, text: string | null, isUntyped = false): Value => ({ kind: 'value', at, type, value: text, isUntyped })

/** What it writes holds together whatever stands beside it. */
export const applied = (at: number, type: Type, of: readonly Expression[], write: Applied['sql'], isAggregate = false): Applied => ({
  kind: 'applied',
  at,
  type,
  of,
  sql: write,
  isAggregate,
})

export const isAggregated = (expression: Expression): boolean =>
  expression.kind === 'applied' && (expression.isAggregate || expression.of.some(isAggregated))

/** Whether nothing is computed that could fail for the values of some records. */
export const isPlain = (expression: Expression): boolean =>
  expression.kind !== 'applied' || (expression.isAggregate && expression.of.every(({ kind }) => kind !== 'applied'))

/** The expression as one of this type, where it can be: an integer stands for a number, and a text for what is written in it. */
export function as(type: Type, expression: Expression): Expression {
  const { at } = expression
  if (expression.kind === 'value' && expression.isUntyped) {
    const text = expression.value === null ? null : type.parse(expression.value)
    if (text === undefined) throw new RefusedExpression(at, `${shown(expression.value)} is not a value of type ${type.name}.`)
    return value(at, type, text)
  }
  if (expression.type !== type && !(type === number && expression.type === integer)) {
    throw new RefusedExpression(at, `A value of type ${type.name} is expected; this is of type ${expression.type.name}.`)
  }
  return expression
}

const isUntyped = (expression: Expression) => expression.kind === 'value' && expression.isUntyped

/** Expressions as of one type: that of the first which has one, or numbers where it is integers and numbers. */
export function alike(expressions: readonly Expression[]): { type: Type; of: readonly Expression[] } {
  const types = expressions.filter((expression) => !isUntyped(expression)).map((expression) => expression.type)
  const type = types.includes(number) && types.every(isNumeric) ? number : (types[0] ?? string)
  return { type, of: expressions.map((expression) => as(type, expression)) }
}

/** Expressions as numbers. What is computed of integers alone is one. */
export function numeric(expressions: readonly Expression[]): { type: Type; of: readonly Expression[] } {
  const isInteger = expressions.some(({ type }) => type === integer) && expressions.every((one) => one.type === integer || isUntyped(one))
  const type = isInteger ? integer : number
  return { type, of: expressions.map((expression) => as(type, expression)) }
}

/** `rowOf` answers the row at the end of a path. */
export function renderExpression(expression: Expression, rowOf: (relationships: readonly Relationship[]) => Row): Sql {
  switch (expression.kind) {
    case 'column':
      return fieldSql(expression.field, rowOf(expression.relationships))
    case 'value':
      return sql`${expression.value}::${expression.type.column}`
    case 'applied':
      return expression.sql(...expression.of.map((one) => renderExpression(one, rowOf)))
  }
}
