/** Plans the calls of aggregate functions. Spec: Aggregations; R15, R19. */
import { emptySql, join, type Sql, sql } from '../../../../kernel/db/sql.ts'
import { directionSql } from '../../direction.ts'
import { type Call, ExpressionError, type Syntax } from '../../parse/expression/syntax.ts'
import type { Planning } from '../planning.ts'
import { conditionSql, withCall } from './aggregate-parts.ts'
import { type Aggregate, aggregates } from './aggregates.ts'
import { apply, coerce, type Expression, named, type Parts, typeHint } from './expression.ts'
import { planList } from './plan-list.ts'
import { boolean, integer, number } from './types.ts'

/** Plans an expression of the aggregated records. */
type Plan = (state: Planning, syntax: Syntax) => Expression

/** Plans a call of an aggregate function. Throws an ExpressionError. */
export function planAggregate(state: Planning, call: Call, plan: Plan): Expression {
  const { at, name } = call
  const aggregate = aggregates.get(name) as Aggregate
  if (aggregate.lists && ++state.used.lists > listsMax)
    throw new ExpressionError(
      at,
      `A query can use at most ${listsMax} functions that return lists (${namesOf('lists')}).`,
    )
  const problem = problemOf(call, aggregate)
  if (problem) throw new ExpressionError(at, problem)
  const { values, options } = roles(call)
  const planAll = (all: readonly Syntax[]) => all.map((one) => plan(state, one))
  const parts: Parts = {
    values: planAll(values),
    options: planAll(options),
    order: aggregate.lists ? planAll(call.order.map(({ of }) => of)) : [],
    filter: call.filter && coerce(boolean, plan(state, call.filter)),
  }
  for (const value of parts.values) checkType(name, aggregate, value)
  if (aggregate.lists) return planList(state, call, aggregate, parts)
  const planned = aggregate.withinGroup
    ? planWithinGroup(call, aggregate, parts)
    : planPlain(call, aggregate, parts)
  const { distinct } = call
  const order = parts.values.map((of) => ({ of, descending: isDescending(call), nullsFirst: false }))
  const called = withCall(planned, { ...parts, name, distinct, order })
  return aggregate.isFloat
    ? named(
        'bounded',
        apply(at, number, [called], (x) => sql`(${x})::numeric`),
      )
    : called
}

/** Tells the values that a call aggregates from its other operands: a separator, a fraction. */
export function roles(call: Call): { values: readonly Syntax[]; options: readonly Syntax[] } {
  const operands = call.operands === '*' ? [] : call.operands
  const { withinGroup, separator } = aggregates.get(call.name) as Aggregate
  if (withinGroup) return { values: call.order.map(({ of }) => of), options: operands }
  const count = separator === undefined ? operands.length : 1
  return { values: operands.slice(0, count), options: operands.slice(count) }
}

/** Each list can be as large as all the values of a table. */
const listsMax = 5

const namesOf = (property: 'lists' | 'withinGroup'): string =>
  [...aggregates].flatMap(([name, one]) => (one[property] ? [name] : [])).join(', ')

/** Returns what is wrong with the form of a call; undefined if nothing is. */
function problemOf(call: Call, aggregate: Aggregate): string | undefined {
  const { name, operands, order, distinct, isWithinGroup } = call
  if (isWithinGroup && !aggregate.withinGroup)
    return `WITHIN GROUP is only for ${namesOf('withinGroup')}, not for ${name}.`
  if (order.length > 0 && !aggregate.lists && !aggregate.withinGroup)
    return `ORDER BY is only for ${namesOf('lists')}, not for ${name}.`
  const [min, max] = operandsOf(aggregate)
  const isStar = operands === '*' && name === 'count'
  const count = operands === '*' ? 0 : operands.length
  // Only different combinations of values can be counted.
  const most = name === 'count' && !distinct ? 1 : max
  const isComplete = aggregate.withinGroup ? isWithinGroup && order.length === 1 && !distinct : true
  if (isComplete && (isStar || (operands !== '*' && count >= min && count <= most))) return undefined
  return `Usage: ${aggregate.usage ?? `${name}(field)`}.`
}

const operandsOf = ({ operands = [1, 1] }: Aggregate) => operands

function checkType(name: string, aggregate: Aggregate, value: Expression): void {
  if ((aggregate.of ?? [value.type]).includes(value.type)) return
  const names = aggregate.of?.map((type) => type.name).join(', ')
  throw new ExpressionError(
    value.at,
    `"${name}" does not take values of type ${value.type.name}. Types: ${names}.${typeHint(value)}`,
  )
}

function planPlain({ at, distinct }: Call, aggregate: Aggregate, { values, filter }: Parts): Expression {
  const type = values[0]?.type ?? integer
  const all = [...values, ...(filter ? [filter] : [])]
  return apply(at, aggregate.makes(type), all, write, true)

  function write(...parts: Sql[]): Sql {
    const of = parts.slice(0, values.length)
    const condition = parts.slice(values.length)
    const [first = sql`*`] = of
    if (aggregate.write) return sql`${aggregate.write(first, type)}${conditionSql(condition)}`
    const call = (one: Sql) => sql`${aggregate.sql}(${distinct ? sql`distinct ` : emptySql}${one})`
    const isCombination = of.length > operandsOf(aggregate)[0]
    if (!isCombination) return sql`${call(of.length === 0 ? first : join(of))}${conditionSql(condition)}`
    // A combination counts if all of its values are there, as a single value does.
    const row = sql`(${join(of)})`
    return sql`${call(row)}${conditionSql([sql`${row} is not null`, ...condition])}`
  }
}

function planWithinGroup(call: Call, aggregate: Aggregate, parts: Parts): Expression {
  const { values, options, filter } = parts
  const [value] = values as [Expression]
  const fraction = options.map(fractionOf)
  // Missing values are left out.
  const direction = directionSql({
    descending: isDescending(call),
    nullable: false,
    nullsFirst: false,
  })
  return apply(
    call.at,
    aggregate.makes(value.type),
    [value, ...(filter ? [filter] : [])],
    (of, ...condition) => {
      const call = sql`${aggregate.sql}(${join(fraction)}) within group (order by ${of}${direction})`
      return sql`${call}${conditionSql(condition)}`
    },
    true,
  )
}

const isDescending = ({ order: [first] }: Call): boolean => first?.descending === true

/** Returns a constant from 0 to 1. Throws an ExpressionError for any other expression. */
function fractionOf(operand: Expression): Sql {
  const isNumber = operand.kind === 'value' && (operand.type === integer || operand.type === number)
  const fraction = isNumber ? Number(operand.value) : Number.NaN
  if (fraction >= 0 && fraction <= 1) return sql`${fraction}::float8`
  throw new ExpressionError(operand.at, 'The fraction must be a number from 0 to 1.')
}
