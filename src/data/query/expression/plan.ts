/** From what an expression says to what it means for a table: every name is one of a closed list, every value has a type. R11. */
import { join, nothing, type Sql, sql } from '../../../db/sql.ts'
import { shown } from '../../../lib/shown.ts'
import { aggregates } from '../aggregates.ts'
import { singleField } from '../path.ts'
import type { Planning } from '../plan.ts'
import { alike, applied, as, type Column, type Expression, value } from './expression.ts'
import { scalarFunctions } from './functions.ts'
import { operations } from './operations.ts'
import { type Call, RefusedExpression, type Syntax } from './syntax.ts'
import { boolean, castNames, castSql, castsOf, integer, number, string, typeOf } from './types.ts'
import { textOf } from './units.ts'

/** Where an expression stands: in _group_by, in _aggregate, or in what an aggregate function is applied to. */
export type Place = 'group' | 'result' | 'aggregate'

/** Throws what is wrong with it. */
export function planExpression(state: Planning, place: Place, syntax: Syntax): Expression {
  const { at } = syntax
  const planAll = (all: readonly Syntax[]) => all.map((one) => planExpression(state, place, one))
  switch (syntax.kind) {
    case 'column':
      if (place === 'result')
        throw new RefusedExpression(at, `${shown(syntax.name)} stands outside of an aggregate function, as sum(${syntax.name}).`)
      return planColumn(state, at, syntax.name)
    case 'constant':
      return planConstant(syntax)
    case 'operation':
      return (operations.get(syntax.operator) as NonNullable<ReturnType<typeof operations.get>>)(at, planAll(syntax.operands))
    case 'cast':
      return planCast(at, planExpression(state, place, syntax.operand), syntax.type)
    case 'case': {
      const conditions = planAll(syntax.branches.map(({ when }) => when)).map((condition) => as(boolean, condition))
      const results = planAll([...syntax.branches.map(({ result }) => result), ...(syntax.otherwise ? [syntax.otherwise] : [])])
      return planCase(at, conditions, results)
    }
    case 'call':
      return planCall(state, place, syntax)
  }
}

function planColumn(state: Planning, at: number, name: string): Column {
  const found = singleField(state, name, 'nothing of theirs is aggregated here')
  if ('problem' in found) throw new RefusedExpression(at, found.problem)
  return { kind: 'column', at, type: typeOf(found.field), ...found }
}

function planConstant({ at, of, text }: Syntax & { kind: 'constant' }): Expression {
  if (of === 'null') return value(at, string, null, true)
  if (of === 'boolean') return value(at, boolean, text)
  if (of === 'string') {
    if (string.parse(text) === undefined) throw new RefusedExpression(at, `${shown(text)} has a character that no text can have.`)
    return value(at, string, text, true)
  }
  const type = [integer, number].find((one) => one.parse(text) !== undefined)
  if (!type) throw new RefusedExpression(at, `${shown(text)} is no number.`)
  return value(at, type, text)
}

function planCast(at: number, operand: Expression, name: string): Expression {
  const type = castNames.get(name)
  if (!type)
    throw new RefusedExpression(
      at,
      `There is no type ${shown(name)} to cast to. Types: ${[...new Set(castNames.values())].map((one) => one.name).join(', ')}.`,
    )
  if (operand.kind === 'value' && operand.isUntyped) return as(type, operand)
  if (!castsOf(operand.type).includes(type)) throw new RefusedExpression(at, `A value of type ${operand.type.name} is not cast to ${type.name}.`)
  return applied(at, type, [operand], (x) => sql`(${castSql(x, operand.type, type)})`)
}

function planCase(at: number, conditions: readonly Expression[], given: readonly Expression[]): Expression {
  const { type, of: results } = alike(given)
  return applied(at, type, [...conditions, ...results], (...parts) => {
    const branches = conditions.map((_, index) => sql`when ${parts[index] as Sql} then ${parts[conditions.length + index] as Sql}`)
    const otherwise = results.length > conditions.length ? sql` else ${parts.at(-1) as Sql}` : nothing
    return sql`(case ${join(branches, sql` `)}${otherwise} end)`
  })
}

function planCall(state: Planning, place: Place, call: Call): Expression {
  const { at, name, operands } = call
  if (aggregates.has(name)) return planAggregate(state, place, call)
  const scalar = scalarFunctions.get(name)
  if (!scalar)
    throw new RefusedExpression(
      at,
      `There is no function ${shown(name)}. Functions: ${[...aggregates.keys(), ...scalarFunctions.keys()].join(', ')}.`,
    )
  const [min, max] = scalar.operands
  if (operands === '*' || call.distinct || operands.length < min || operands.length > max)
    throw new RefusedExpression(at, `It is written ${scalar.usage}.`)
  if (call.filter) throw new RefusedExpression(call.filter.at, `FILTER is for aggregate functions; ${name} is none.`)
  return scalar.plan(
    at,
    operands.map((operand) => planExpression(state, place, operand)),
  )
}

function planAggregate(state: Planning, place: Place, call: Call): Expression {
  const { at, name, distinct, operands } = call
  const aggregate = aggregates.get(name) as NonNullable<ReturnType<typeof aggregates.get>>
  if (place === 'group') throw new RefusedExpression(at, 'Groups are not made by an aggregate.')
  if (place === 'aggregate') throw new RefusedExpression(at, 'An aggregate inside of an aggregate is not supported.')
  const given = operands === '*' ? [] : operands.map((operand) => planExpression(state, 'aggregate', operand))
  const [of, separator] = given
  const isStar = operands === '*' && name === 'count'
  if (!(isStar || of) || given.length > (aggregate.separator === undefined ? 1 : 2))
    throw new RefusedExpression(at, `It is written ${usageOf(name)}.`)
  if (of && !(aggregate.of ?? [of.type]).includes(of.type)) {
    throw new RefusedExpression(
      of.at,
      `"${name}" is not for values of type ${of.type.name}. Types: ${aggregate.of?.map((type) => type.name).join(', ')}.`,
    )
  }
  if (separator && textOf(separator) === undefined) throw new RefusedExpression(separator.at, "The separator is a text in quotes, as ', '.")
  const filter = call.filter && as(boolean, planExpression(state, 'aggregate', call.filter))
  const between = aggregate.separator === undefined ? [] : [as(string, separator ?? value(at, string, aggregate.separator))]
  // What is distinct is sorted for that, and comes in its own order.
  const order =
    aggregate.lists && !distinct
      ? state.table.primaryKey.map((field): Column => ({ kind: 'column', at, type: typeOf(field), relationships: [], field }))
      : []
  const all = [...(of ? [of] : []), ...between, ...order, ...(filter ? [filter] : [])]
  return applied(at, aggregate.makes(of?.type ?? integer), all, write, true)

  function write(...parts: Sql[]): Sql {
    const rest = parts.slice()
    const condition = filter ? sql` filter (where ${rest.pop() as Sql})` : nothing
    const keys = order.length > 0 ? sql` order by ${join(rest.splice(-order.length))}` : nothing
    const [first = sql`*`, ...more] = rest
    const output = aggregate.lists && of?.type.output
    if (output && distinct) {
      // What is shown may be JSON, which has no equality: the values themselves are compared.
      const values = sql`unnest(array_agg(distinct ${first})${condition}) with ordinality _distinct (_value, _n)`
      return sql`(select ${aggregate.sql}(${output(sql`_value`)} order by _n) from ${values})`
    }
    const shownFirst = output ? output(first) : first
    return sql`${aggregate.sql}(${distinct ? sql`distinct ` : nothing}${join([shownFirst, ...more])}${keys})${condition}`
  }
}

const usageOf = (name: string) => (name === 'count' ? 'count(*), count(field)' : name === 'string_agg' ? "string_agg(field, ', ')" : `${name}(field)`)
