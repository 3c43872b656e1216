/** Plans the aggregate functions that list values: their order, and how long they can be. T9, R19. */

import { answerBytesMax, relatedBytesMax } from '../../../../kernel/db/answer-bytes.ts'
import { emptySql, join, literal, type Sql, sql, utf8Length } from '../../../../kernel/db/sql.ts'
import type { Field } from '../../../model/field.ts'
import { directionSql, type Sorting } from '../../direction.ts'
import { type Call, ExpressionError, type OrderTerm, type Syntax } from '../../parse/expression/syntax.ts'
import { termsMax } from '../order.ts'
import type { Planning } from '../planning.ts'
import { conditionSql, withCall } from './aggregate-parts.ts'
import type { Aggregate } from './aggregates.ts'
import { bounded } from './bounded.ts'
import {
  apply,
  coerce,
  column,
  type Expression,
  isOfRecords,
  type Parts,
  typeHint,
  value,
} from './expression.ts'
import { boolean, string } from './types.ts'
import { textOf } from './units.ts'

/** Plans a list of values. Throws an ExpressionError. */
export function planList(state: Planning, call: Call, aggregate: Aggregate, parts: Parts): Expression {
  const { distinct } = call
  const [of] = parts.values as [Expression]
  const separator = separatorOf(aggregate, parts.options[0])
  checkOrder(call, parts.order)
  // The key makes the order complete. Distinct values are sorted by themselves.
  const { primaryKey } = state.scope?.at(-1)?.target ?? state.table
  const keys = distinct ? [] : [...parts.order, ...primaryKey.map((field) => column(call.at, [], field))]
  const sortings = keys.map((_, index) => sortingOf(call.order[index]))
  const conditions = [
    ...(parts.filter ? [parts.filter] : []),
    ...(distinct && !isOfRecords(of) ? [ofEachRecord(primaryKey)] : []),
  ]
  const all = [bounded(of), ...separator, ...keys, ...conditions]
  const bytesMax = state.scope ? relatedBytesMax : answerBytesMax
  const bytesBetween = utf8Length((parts.options[0] && textOf(parts.options[0])) ?? '  ')
  const order = distinct
    ? [{ ...sortingOf(call.order[0]), of }]
    : keys.map((key, index) => ({ ...(sortings[index] as Sorting), of: key }))
  const { values, filter } = parts
  return withCall(apply(call.at, aggregate.makes(of.type), all, write, true), {
    ...{ name: call.name, distinct, values, options: separator, filter, order },
  })

  function write(first: Sql, ...rest: Sql[]): Sql {
    const between = rest.slice(0, separator.length)
    const sorted = rest.slice(separator.length, separator.length + keys.length)
    const condition = conditionSql(rest.slice(separator.length + keys.length))
    const output = of.type.output ?? ((one: Sql) => one)
    const listOf = (one: Sql) => join([output(one), ...between])
    if (distinct && (of.type.output || call.order.length > 0)) {
      // The output may be JSON, which cannot be compared. So the values themselves are compared and sorted.
      const values = sql`unnest(array_agg(distinct ${first})${condition}) with ordinality`
      const list = sql`${aggregate.sql}(${listOf(sql`_value`)} order by ${distinctOrder(call.order[0])})`
      return within(sql`(select ${list} from ${values} _distinct (_value, _n))`)
    }
    const terms = sorted.map((one, index) => sql`${one}${directionSql(sortings[index] as Sorting)}`)
    const order = terms.length > 0 ? sql` order by ${join(terms)}` : emptySql
    return within(
      sql`${aggregate.sql}(${distinct ? sql`distinct ` : emptySql}${listOf(first)}${order})${condition}`,
    )

    /** Fails before a list is made that would be too long. */
    function within(listing: Sql): Sql {
      const bytes = sql`coalesce(octet_length(to_json(${first})::text), 4) + ${literal(bytesBetween)}`
      const sum = distinct
        ? sql`tessera.texts_within(distinct ${first}::text, ${literal(bytesMax)})`
        : sql`tessera.bytes_within(${bytes}, ${literal(bytesMax)})`
      return sql`case when coalesce(${sum}${condition}, 0) >= 0 then ${listing} end`
    }
  }
}

/**
 * Returns a condition that is always true. Postgres computes an aggregate in the select whose columns it has:
 * without any, that would be the inner one, where distinct values are sorted.
 */
const ofEachRecord = ([key]: readonly Field[]): Expression =>
  apply(0, boolean, [column(0, [], key as Field)], (x) => sql`(${x} is null or ${x} is not null)`)

function separatorOf({ separator }: Aggregate, given: Expression | undefined): Expression[] {
  if (given && textOf(given) === undefined)
    throw new ExpressionError(given.at, "The separator must be a text in quotes, for example ', '.")
  return separator === undefined ? [] : [coerce(string, given ?? value(0, string, separator))]
}

/** Throws an ExpressionError for values that cannot be sorted, and for a wrong order of distinct values. */
function checkOrder({ distinct, operands, order }: Call, planned: readonly Expression[]): void {
  const [first, another] = order
  for (const one of planned)
    if (!one.type.ordered)
      throw new ExpressionError(one.at, `Values of type ${one.type.name} have no order.${typeHint(one)}`)
  if (order.length > termsMax)
    throw new ExpressionError((first as OrderTerm).of.at, `You can sort by at most ${termsMax} values.`)
  const isOther = first && (operands === '*' || !isSame(first.of, operands[0] as Syntax))
  if (distinct && (isOther || another))
    throw new ExpressionError(
      (isOther ? first : (another as OrderTerm)).of.at,
      'With DISTINCT, a list can only be sorted by its own values: ORDER BY repeats the expression.',
    )
}

/** Tells whether two expressions are the same, wherever they are written. */
const isSame = (one: Syntax, other: Syntax): boolean => textWithoutPlaces(one) === textWithoutPlaces(other)

const textWithoutPlaces = (syntax: Syntax): string =>
  JSON.stringify(syntax, (key, part) => {
    if (key === 'at') return undefined
    return key === 'path' ? part.parts.map(({ text }: { text: string }) => text) : part
  })

/** Returns the sorting of a term; without one, that of a key. */
const sortingOf = (term: OrderTerm | undefined): Sorting =>
  term ? { ...term, nullable: true } : { descending: false, nullable: false, nullsFirst: false }

/** Sorts distinct values by their numbers, which are in the order of the values with null at the end. */
function distinctOrder(term: OrderTerm | undefined): Sql {
  if (!term) return sql`_n`
  const isNull = sql`_value is null${term.nullsFirst ? sql` desc` : emptySql}`
  return sql`${isNull}, _n${directionSql({ ...sortingOf(term), nullable: false })}`
}
