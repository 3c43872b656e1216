/** Plans an expression for a table. Only known names are allowed, and every value has a type. R11. */

import { emptySql, join, type Sql, sql } from '../../../../kernel/db/sql.ts'
import { nearest } from '../../../../kernel/lib/nearest.ts'
import { quoteValue } from '../../../../kernel/lib/quote-value.ts'
import { locate, type Path, pathText } from '../../../model/path.ts'
import { propertyTypes } from '../../../model/property.ts'
import { type Call, ExpressionError, type Syntax } from '../../parse/expression/syntax.ts'
import { singleValue } from '../path.ts'
import type { Planning } from '../planning.ts'
import { aggregates } from './aggregates.ts'
import { bounded } from './bounded.ts'
import {
  apply,
  coerce,
  column,
  type Expression,
  named,
  type PropertyValue,
  property,
  type Related,
  unify,
  value,
} from './expression.ts'
import { scalarFunctions } from './functions.ts'
import { operations } from './operations.ts'
import { planAggregate } from './plan-aggregate.ts'
import { scopeOf, valueInScope } from './scope.ts'
import { boolean, castNames, castSql, castsOf, integer, number, string, type Type } from './types.ts'

/**
 * The context of an expression: `_group_by`, `_aggregate`, `_annotate`, an operand of an aggregate function,
 * or a schema.
 */
export type ExpressionPlace = 'group' | 'result' | 'annotation' | 'aggregate' | 'schema'

/** Plans an expression. Throws an ExpressionError. */
export function planExpression(state: Planning, place: ExpressionPlace, syntax: Syntax): Expression {
  const { at } = syntax
  const planAll = (all: readonly Syntax[]) => all.map((one) => planExpression(state, place, one))
  switch (syntax.kind) {
    case 'column':
      if (place === 'result')
        throw new ExpressionError(
          at,
          `${quoteValue(syntax.name)} must be inside an aggregate function, for example sum(${syntax.name}).`,
        )
      return planColumn(state, place, at, syntax.path)
    case 'constant':
      return planConstant(syntax)
    case 'operation':
      return named(
        syntax.operator,
        (operations.get(syntax.operator) as NonNullable<ReturnType<typeof operations.get>>)(
          at,
          planAll(syntax.operands),
        ),
      )
    case 'cast':
      return planCast(at, planExpression(state, place, syntax.operand), syntax.type)
    case 'case': {
      const conditions = planAll(syntax.branches.map(({ when }) => when)).map((condition) =>
        coerce(boolean, condition),
      )
      const results = planAll([
        ...syntax.branches.map(({ result }) => result),
        ...(syntax.otherwise ? [syntax.otherwise] : []),
      ])
      return planCase(at, conditions, results)
    }
    case 'call':
      return planCall(state, place, syntax)
  }
}

function planColumn(state: Planning, place: ExpressionPlace, at: number, path: Path): Expression {
  if (place === 'schema' && !locate(state.table.fields, path.parts))
    throw new ExpressionError(at, notOfRecord(state, path))
  const found = state.scope
    ? valueInScope(state, state.scope, path)
    : singleValue(state, path, notSingle[place])
  if ('problem' in found) throw new ExpressionError(at, found.problem)
  return found.path.length > 0 ? property(at, found) : column(at, found.relationships, found.field)
}

const notAggregated = 'their fields cannot be aggregated here'
const notSingle: Readonly<Record<ExpressionPlace, string>> = {
  group: notAggregated,
  result: notAggregated,
  aggregate: notAggregated,
  annotation: 'their fields need an aggregate function, for example max(…)',
  schema: notAggregated,
}

/** Returns the message about a name in a schema that is no field of the record itself. */
function notOfRecord({ table }: Planning, { parts }: Path): string {
  const names = [...table.fields.keys()]
  const suggestion = nearest(parts[0]?.text ?? '', names)
  const question = suggestion ? ` Did you mean "${suggestion}"?` : ''
  return `${quoteValue(pathText(parts))} is no field of the record.${question} Fields: ${names.join(', ')}.`
}

function planConstant({ at, of, text }: Syntax & { kind: 'constant' }): Expression {
  if (of === 'null') return value(at, string, null, true)
  if (of === 'boolean') return value(at, boolean, text)
  if (of === 'string') {
    if (string.parse(text) === undefined)
      throw new ExpressionError(at, `${quoteValue(text)} has a character that cannot be stored.`)
    return value(at, string, text, true)
  }
  const type = [integer, number].find((one) => one.parse(text) !== undefined)
  if (!type) throw new ExpressionError(at, `${quoteValue(text)} is not a number.`)
  return value(at, type, text)
}

function planCast(at: number, operand: Expression, name: string): Expression {
  const type = castNames.get(name)
  if (!type) {
    const names = [...new Set(castNames.values())].map((one) => one.name).join(', ')
    throw new ExpressionError(at, `Unknown type ${quoteValue(name)}. Types: ${names}.`)
  }
  if (operand.kind === 'value' && operand.isUntyped) return coerce(type, operand)
  if (operand.kind === 'property' && operand.property.as === 'value') return typedProperty(at, operand, type)
  if (!castsOf(operand.type).includes(type))
    throw new ExpressionError(at, `A value of type ${operand.type.name} cannot be cast to ${type.name}.`)
  const of = type === string ? bounded(operand) : operand
  return named(
    'cast',
    apply(at, type, [of], (x) => sql`(${castSql(x, operand.type, type)})`),
  )
}

/**
 * Reads a property as a type. Unlike other casts, this cannot fail: a property of another type has no value.
 */
function typedProperty(at: number, operand: PropertyValue, { name }: Type): Expression {
  const as = propertyTypes.find((one) => one === name)
  if (as) return property(at, { ...operand, path: operand.property.path }, as)
  throw new ExpressionError(at, `A property cannot be read as ${name}. Types: ${propertyTypes.join(', ')}.`)
}

function planCase(at: number, conditions: readonly Expression[], values: readonly Expression[]): Expression {
  const { type, of: results } = unify(values)
  const planned = apply(at, type, [...conditions, ...results], (...parts) => {
    const branches = conditions.map(
      (_, index) => sql`when ${parts[index] as Sql} then ${parts[conditions.length + index] as Sql}`,
    )
    const otherwise = results.length > conditions.length ? sql` else ${parts.at(-1) as Sql}` : emptySql
    return sql`(case ${join(branches, sql` `)}${otherwise} end)`
  })
  return named('case', planned)
}

function planCall(state: Planning, place: ExpressionPlace, call: Call): Expression {
  const { at, name, operands } = call
  if (aggregates.has(name)) return planAggregation(state, place, call)
  const scalar = scalarFunctions.get(name)
  if (!scalar) {
    const names = [...aggregates.keys(), ...scalarFunctions.keys()].join(', ')
    throw new ExpressionError(at, `Unknown function ${quoteValue(name)}. Functions: ${names}.`)
  }
  const [min, max] = scalar.operands
  if (operands === '*' || call.distinct || operands.length < min || operands.length > max)
    throw new ExpressionError(at, `Usage: ${scalar.usage}.`)
  const [clause] = [call.filter, call.order[0]?.of].filter((one) => one !== undefined)
  if (clause) {
    const word = call.filter ? 'FILTER' : 'ORDER BY'
    throw new ExpressionError(clause.at, `${word} is only for aggregate functions, not for ${name}.`)
  }
  const planned = operands.map((operand) => planExpression(state, place, operand))
  return named(name, scalar.plan(at, planned))
}

/** Plans a call of an aggregate function where it is possible. */
function planAggregation(state: Planning, place: ExpressionPlace, call: Call): Expression {
  const { at } = call
  if (place === 'group') throw new ExpressionError(at, 'Aggregate functions are not allowed in _group_by.')
  if (place === 'schema')
    throw new ExpressionError(at, 'Aggregate functions are not possible here: a record is computed alone.')
  if (place === 'aggregate')
    throw new ExpressionError(at, 'An aggregate function inside another one is not supported.')
  return place === 'annotation' ? planRelated(state, call) : planAggregate(state, call, planOperand)
}

const planOperand = (state: Planning, syntax: Syntax) => planExpression(state, 'aggregate', syntax)

/** Plans an aggregate of related records. */
function planRelated(state: Planning, call: Call): Related {
  const { scope, isOfRecords } = scopeOf(state, call)
  const counted: Call = isOfRecords ? { ...call, operands: '*' } : call
  const of = planAggregate({ ...state, scope }, counted, planOperand)
  return { kind: 'related', at: call.at, type: of.type, scope, of, isCount: call.name === 'count' }
}
