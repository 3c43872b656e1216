/** Plans an expression for a table. Only known names are allowed, and every value has a type. R11. */

import { emptySql, join, type Sql, sql } from '../../../../db/sql.ts'
import { quoteValue } from '../../../../lib/quote-value.ts'
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
  type PropertyValue,
  property,
  type Related,
  typeHint,
  unify,
  value,
} from './expression.ts'
import { scalarFunctions } from './functions.ts'
import { operations } from './operations.ts'
import { scopeOf, valueInScope } from './scope.ts'
import { boolean, castNames, castSql, castsOf, integer, number, string, type Type } from './types.ts'
import { textOf } from './units.ts'

/**
 * The context of an expression: `_group_by`, `_aggregate`, `_annotate`, or an operand of an aggregate
 * function.
 */
export type Place = 'group' | 'result' | 'annotation' | 'aggregate'

/** Plans an expression. Throws an ExpressionError. */
export function planExpression(state: Planning, place: Place, syntax: Syntax): Expression {
  const { at } = syntax
  const planAll = (all: readonly Syntax[]) => all.map((one) => planExpression(state, place, one))
  switch (syntax.kind) {
    case 'column':
      if (place === 'result')
        throw new ExpressionError(
          at,
          `${quoteValue(syntax.name)} must be inside an aggregate function, for example sum(${syntax.name}).`,
        )
      return planColumn(state, place, at, syntax.name)
    case 'constant':
      return planConstant(syntax)
    case 'operation':
      return (operations.get(syntax.operator) as NonNullable<ReturnType<typeof operations.get>>)(
        at,
        planAll(syntax.operands),
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

function planColumn(state: Planning, place: Place, at: number, name: string): Expression {
  const found = state.scope
    ? valueInScope(state, state.scope, name)
    : singleValue(state, name, notSingle[place])
  if ('problem' in found) throw new ExpressionError(at, found.problem)
  return found.path.length > 0 ? property(at, found) : column(at, found.relationships, found.field)
}

const notAggregated = 'their fields cannot be aggregated here'
const notSingle: Readonly<Record<Place, string>> = {
  group: notAggregated,
  result: notAggregated,
  aggregate: notAggregated,
  annotation: 'their fields need an aggregate function, for example max(…)',
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
  return apply(at, type, [of], (x) => sql`(${castSql(x, operand.type, type)})`)
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
  return apply(at, type, [...conditions, ...results], (...parts) => {
    const branches = conditions.map(
      (_, index) => sql`when ${parts[index] as Sql} then ${parts[conditions.length + index] as Sql}`,
    )
    const otherwise = results.length > conditions.length ? sql` else ${parts.at(-1) as Sql}` : emptySql
    return sql`(case ${join(branches, sql` `)}${otherwise} end)`
  })
}

function planCall(state: Planning, place: Place, call: Call): Expression {
  const { at, name, operands } = call
  if (aggregates.has(name)) return planAggregate(state, place, call)
  const scalar = scalarFunctions.get(name)
  if (!scalar) {
    const names = [...aggregates.keys(), ...scalarFunctions.keys()].join(', ')
    throw new ExpressionError(at, `Unknown function ${quoteValue(name)}. Functions: ${names}.`)
  }
  const [min, max] = scalar.operands
  if (operands === '*' || call.distinct || operands.length < min || operands.length > max)
    throw new ExpressionError(at, `Usage: ${scalar.usage}.`)
  if (call.filter)
    throw new ExpressionError(call.filter.at, `FILTER is only for aggregate functions, not for ${name}.`)
  return scalar.plan(
    at,
    operands.map((operand) => planExpression(state, place, operand)),
  )
}

function planAggregate(state: Planning, place: Place, call: Call): Expression {
  const { at, name, distinct, operands } = call
  const aggregate = aggregates.get(name) as NonNullable<ReturnType<typeof aggregates.get>>
  if (place === 'group') throw new ExpressionError(at, 'Aggregate functions are not allowed in _group_by.')
  if (place === 'aggregate')
    throw new ExpressionError(at, 'An aggregate function inside another one is not supported.')
  if (place === 'annotation') return planRelated(state, call)
  const planned = operands === '*' ? [] : operands.map((one) => planExpression(state, 'aggregate', one))
  const [of, separator] = planned
  const isStar = operands === '*' && name === 'count'
  if (aggregate.lists && ++state.used.lists > listsMax)
    throw new ExpressionError(at, `A query may have ${listsMax} lists at most: ${listNames}.`)
  if (!(isStar || of) || planned.length > (aggregate.separator === undefined ? 1 : 2))
    throw new ExpressionError(at, `Usage: ${usageOf(name)}.`)
  if (of && !(aggregate.of ?? [of.type]).includes(of.type)) {
    const names = aggregate.of?.map((type) => type.name).join(', ')
    throw new ExpressionError(
      of.at,
      `"${name}" does not take values of type ${of.type.name}. Types: ${names}.${typeHint(of)}`,
    )
  }
  if (separator && textOf(separator) === undefined)
    throw new ExpressionError(separator.at, "The separator must be a text in quotes, for example ', '.")
  const filter = call.filter && coerce(boolean, planExpression(state, 'aggregate', call.filter))
  const between =
    aggregate.separator === undefined
      ? []
      : [coerce(string, separator ?? value(at, string, aggregate.separator))]
  const aggregated = state.scope?.at(-1)?.target ?? state.table
  // Postgres sorts distinct values to find duplicates, so they keep that order.
  const order =
    aggregate.lists && !distinct ? aggregated.primaryKey.map((field) => column(at, [], field)) : []
  const listed = of && aggregate.lists ? bounded(of) : of
  const all = [...(listed ? [listed] : []), ...between, ...order, ...(filter ? [filter] : [])]
  return apply(at, aggregate.makes(of?.type ?? integer), all, write, true)

  function write(...parts: Sql[]): Sql {
    const rest = parts.slice()
    const condition = filter ? sql` filter (where ${rest.pop() as Sql})` : emptySql
    const keys = order.length > 0 ? sql` order by ${join(rest.splice(-order.length))}` : emptySql
    const [first = sql`*`, ...more] = rest
    const output = aggregate.lists && of?.type.output
    if (output && distinct) {
      // The output may be JSON, which cannot be compared. So the values themselves are compared.
      const values = sql`unnest(array_agg(distinct ${first})${condition}) with ordinality`
      const list = sql`${aggregate.sql}(${output(sql`_value`)} order by _n)`
      return sql`(select ${list} from ${values} _distinct (_value, _n))`
    }
    const list = join([output ? output(first) : first, ...more])
    return sql`${aggregate.sql}(${distinct ? sql`distinct ` : emptySql}${list}${keys})${condition}`
  }
}

/** Each list can be as large as all the values of a table. */
const listsMax = 5
const listNames = [...aggregates].flatMap(([name, { lists }]) => (lists ? [name] : [])).join(', ')

/** Plans an aggregate of related records. */
function planRelated(state: Planning, call: Call): Related {
  const { scope, isOfRecords } = scopeOf(state, call)
  const of = planAggregate({ ...state, scope }, 'result', isOfRecords ? { ...call, operands: '*' } : call)
  return { kind: 'related', at: call.at, type: of.type, scope, of, isCount: call.name === 'count' }
}

const usages: Readonly<Record<string, string>> = {
  count: 'count(*), count(field)',
  string_agg: "string_agg(field, ', ')",
}
const usageOf = (name: string): string => usages[name] ?? `${name}(field)`
