/**
 * Renders a planned filter as a filter of MongoDB. Values of clients are always operands, never
 * operators.
 */
import type { Document } from 'mongodb'
import type { OperandForm, PredicateForm, RelatedForm } from '../../src/data/providers/mongodb/read-forms.ts'
import { readJson, sortKeyOf } from '../../src/kernel/lib/exact-json.ts'
import { floorOf } from './decimals.ts'
import {
  containedInJson,
  containsJson,
  type Expression,
  equalsJson,
  hasKey,
  inside,
  isNumber,
  isPresent,
  typeIs,
} from './json-expressions.ts'
import { type Pattern, patternFor } from './patterns.ts'
import { encode, instantOf } from './values.ts'

/** The filter that no document passes. */
const never: Document = { $nor: [{}] }

/** A value to compare with. A value that BSON cannot hold is compared by the largest one below it. */
interface Bound {
  value: unknown
  isExact: boolean
}

/** Tells whether a double has this value: its shortest text is the same number. */
const isDouble = (text: string): boolean =>
  Number.isFinite(Number(text)) && sortKeyOf(String(Number(text))) === sortKeyOf(text)

/** Reads a value of a type, as it is bound in Postgres. */
function bound(type: string, text: string): Bound {
  if (type === 'number') return floorOf(text)
  if (type === 'double')
    return isDouble(text) ? { value: Number(text), isExact: true } : { ...floorOf(text), isExact: false }
  if (type === 'datetime' || type === 'local datetime') {
    const key = instantOf(text)
    const whole = key - (((key % 1000n) + 1000n) % 1000n)
    return { value: new Date(Number(whole / 1000n)), isExact: whole === key }
  }
  if (type === 'boolean') return { value: /^(true|1)$/i.test(text), isExact: true }
  return { value: encode(type, text), isExact: true }
}

type Compare = '$eq' | '$gt' | '$gte' | '$lt' | '$lte'

/** The operator that has the same meaning for the largest value below the one of the client. */
const belowExact: Readonly<Record<Compare, Compare | undefined>> = {
  $eq: undefined,
  $gt: '$gt',
  $gte: '$gt',
  $lt: '$lte',
  $lte: '$lte',
}

/** Each comparison is a list of alternatives, of which a value has to pass all conditions of one. */
type Conditions = { op: Compare | '$in'; value: unknown }[]

function compared(op: Compare, type: string, text: string): Conditions | undefined {
  const { value, isExact } = bound(type, text)
  const own = isExact ? op : belowExact[op]
  return own && [{ op: own, value }]
}

/** The comparisons of values that have an order, by the names of the forms of operators. */
const orders: Readonly<Record<string, (type: string, values: readonly string[]) => Conditions | undefined>> =
  {
    equal: (type, [text = '']) => compared('$eq', type, text),
    greater: (type, [text = '']) => compared('$gt', type, text),
    atLeast: (type, [text = '']) => compared('$gte', type, text),
    less: (type, [text = '']) => compared('$lt', type, text),
    atMost: (type, [text = '']) => compared('$lte', type, text),
    between(type, [min = '', max = '']) {
      const [from, to] = [compared('$gte', type, min), compared('$lte', type, max)]
      return from && to && [...from, ...to]
    },
    inRange(type, [range = '']) {
      const [from = '', to = ''] = range.slice(1, -1).split(',')
      return [...(compared('$gte', type, from) ?? []), ...(compared('$lt', type, to) ?? [])]
    },
    among: (type, values) => [
      {
        op: '$in',
        value: values.flatMap((text) => {
          const { value, isExact } = bound(type, text)
          return isExact ? [value] : []
        }),
      },
    ],
  }

/** The comparisons of JSON, by the names of the forms of operators. */
const ofJson: Readonly<Record<string, (value: Expression, values: readonly string[]) => Expression>> = {
  equal: (value, [text = '']) => equalsJson(value, readJson(text)),
  containsJson: (value, [text = '']) => containsJson(value, readJson(text)),
  containedBy: (value, [text = '']) => containedInJson(value, readJson(text)),
  overlaps: (value, values) => ({ $or: values.map((text) => containsJson(value, readJson(text))) }),
  hasKey: (value, [name = '']) => hasKey(value, name),
  hasAnyKeys: (value, names) => ({ $or: names.map((name) => hasKey(value, name)) }),
  hasAllKeys: (value, names) => ({ $and: names.map((name) => hasKey(value, name)) }),
}

/** The conditions that a property is of a type. */
const guards: Readonly<Record<string, (value: Expression) => Expression>> = {
  string: (value) => typeIs(value, 'string'),
  number: isNumber,
  boolean: (value) => typeIs(value, 'bool'),
}

/** Renders a comparison of a property: first its type is compared, then its value. */
function comparedInside({ path, type, inside: names }: OperandForm, by: string, values: readonly string[]) {
  const value = inside(path, names)
  const json = type === 'json' ? ofJson[by] : undefined
  if (json) return { $expr: json(value, values) }
  const guard = guards[type]?.(value) ?? isPresent(value)
  const pattern = patternFor(by, values)
  if (pattern) return { $expr: guarded(guard, { $regexMatch: { input: value, ...pattern } }) }
  const conditions = orders[by]?.(type, values)
  if (!conditions) return never
  const parts = conditions.map(({ op, value: wanted }) => ({ [op]: [value, { $literal: wanted }] }))
  return { $expr: guarded(guard, { $and: parts }) }
}

/** Evaluates an expression only for values that pass the guard: it would fail for others. */
const guarded = (guard: Expression, expression: Expression): Expression => ({
  $cond: [guard, expression, false],
})

function comparedField({ path, type }: OperandForm, by: string, values: readonly string[]): Document {
  if (type === 'object' || type === 'array') {
    const json = ofJson[by]
    return json ? { $expr: json(`$${path}`, values) } : never
  }
  const pattern: Pattern | undefined = patternFor(by, values)
  if (pattern) return { [path]: { $regex: pattern.regex, $options: pattern.options } }
  const conditions = orders[by]?.(type, values)
  if (!conditions) return never
  return { [path]: Object.fromEntries(conditions.map(({ op, value }) => [op, value])) }
}

/** Types of values that may be arrays: `$eq` and `$ne` also compare each element, which may be null. */
const mayBeArray: ReadonlySet<string> = new Set(['array', 'list', 'any', 'json'])

/** Looks up related records, and returns the name of the member that has them. */
type LookUp = (related: RelatedForm) => string

const noLookUp: LookUp = () => {
  throw new TypeError('a filter of related records needs stages')
}

/** Renders a filter. `lookUp` is for related records: `filterStages` has it. */
export function renderPredicate(predicate: PredicateForm, lookUp: LookUp = noLookUp): Document {
  const renderAll = (of: readonly PredicateForm[]) => of.map((one) => renderPredicate(one, lookUp))
  switch (predicate.is) {
    case 'and':
      return predicate.of.length === 0 ? {} : { $and: renderAll(predicate.of) }
    case 'or':
      return predicate.of.length === 0 ? never : { $or: renderAll(predicate.of) }
    case 'not':
      return { $nor: renderAll([predicate.of]) }
    case 'related':
      return { [`${lookUp(predicate.related)}.0`]: { $exists: predicate.wanted } }
    case 'true':
      return { [predicate.path]: predicate.wanted ? { $eq: true } : { $ne: true } }
    case 'has value': {
      const { operand, wanted } = predicate
      if (operand.inside.length === 0 && !mayBeArray.has(operand.type))
        return { [operand.path]: wanted ? { $ne: null } : { $eq: null } }
      const value = inside(operand.path, operand.inside)
      const present = guards[operand.type]?.(value) ?? isPresent(value)
      return { $expr: wanted ? present : { $not: [present] } }
    }
    case 'compared': {
      const { operand, by, values } = predicate
      return operand.inside.length > 0
        ? comparedInside(operand, by, values)
        : comparedField(operand, by, values)
    }
  }
}

/** Returns a value of an order from its text in a position. */
export const positionValue = (type: string, text: string | null): unknown =>
  text === null ? null : bound(type, text).value
