/**
 * Expressions on JSON inside a document. Names of members are always literals, never paths: they can
 * contain dots and dollars. Arrays are never searched by accident, as a plain path would.
 */
import { isRawNumber } from '../../src/kernel/lib/exact-json.ts'
import { jsonToBson } from './values.ts'

/** An expression of MongoDB's aggregation. */
export type Expression = unknown

const literal = (value: unknown): Expression => ({ $literal: value })
export const typeIs = (value: Expression, ...types: string[]): Expression => ({
  $in: [{ $type: value }, types],
})
export const isNumber = (value: Expression): Expression => ({ $isNumber: value })
const and = (...of: Expression[]): Expression => ({ $and: of })
const or = (...of: Expression[]): Expression => ({ $or: of })

const index = /^-?\d{1,9}$/

/** Returns the member of an object, or the item of an array, as `#>` of Postgres finds it. */
function step(value: Expression, name: string, depth: number): Expression {
  const [variable, own] = [`v${depth}`, `$$v${depth}`]
  const item = { $cond: [{ $isArray: [own] }, { $arrayElemAt: [own, Number(name)] }, null] }
  const member = { $getField: { field: literal(name), input: own } }
  return {
    $let: {
      vars: { [variable]: value },
      in: { $cond: [typeIs(own, 'object'), member, index.test(name) ? item : null] },
    },
  }
}

/** Returns the value that names lead to; null if there is none. */
export const inside = (path: string, names: readonly string[]): Expression => ({
  $ifNull: [names.reduce<Expression>((value, name, depth) => step(value, name, depth), `$${path}`), null],
})

/** Returns whether a value is there, and not JSON's null. */
export const isPresent = (value: Expression): Expression => ({
  $not: [typeIs(value, 'missing', 'null', 'undefined')],
})

type Json = unknown
const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** Returns the members of an object as an array, and nothing for other values. */
const membersOf = (value: Expression): Expression => ({
  $objectToArray: { $cond: [typeIs(value, 'object'), value, literal({})] },
})
const itemsOf = (value: Expression): Expression => ({ $cond: [{ $isArray: [value] }, value, []] })

const scalarTypes = (wanted: Json): string[] => {
  if (wanted === null) return ['null']
  if (typeof wanted === 'string') return ['string']
  return typeof wanted === 'boolean' ? ['bool'] : ['int', 'long', 'double', 'decimal']
}

/** Returns whether a value is a text, number, true, false or null. */
const isScalar = (value: Expression, wanted: Json): Expression =>
  and(typeIs(value, ...scalarTypes(wanted)), { $eq: [value, literal(jsonToBson(wanted))] })

/** Returns a member that is compared with JSON. Only for JSON's null, one that is absent is not the same as null. */
const memberFor = (value: Expression, name: string, depth: number, wanted: Json): Expression =>
  wanted === null ? step(value, name, depth) : { $ifNull: [step(value, name, depth), null] }

/** Returns whether a value equals JSON. The order of members has no meaning. */
export function equalsJson(value: Expression, wanted: Json, depth = 0): Expression {
  if (Array.isArray(wanted))
    return and(
      { $isArray: [value] },
      { $eq: [{ $size: itemsOf(value) }, wanted.length] },
      ...wanted.map((item, place) => equalsJson({ $arrayElemAt: [itemsOf(value), place] }, item, depth + 1)),
    )
  if (!isObject(wanted)) return isScalar(value, wanted)
  return and(
    typeIs(value, 'object'),
    { $eq: [{ $size: membersOf(value) }, Object.keys(wanted).length] },
    ...Object.entries(wanted).map(([name, member]) =>
      equalsJson(memberFor(value, name, depth, member), member, depth + 1),
    ),
  )
}

const anyItem = (value: Expression, depth: number, passes: (item: Expression) => Expression): Expression => ({
  $anyElementTrue: [{ $map: { input: itemsOf(value), as: `i${depth}`, in: passes(`$$i${depth}`) } }],
})

/** Returns whether a value contains JSON, as `@>` of Postgres does. */
export function containsJson(value: Expression, wanted: Json, depth = 0): Expression {
  if (Array.isArray(wanted))
    return and(
      { $isArray: [value] },
      ...wanted.map((item) => anyItem(value, depth, (own) => containsJson(own, item, depth + 1))),
    )
  if (isObject(wanted))
    return and(
      typeIs(value, 'object'),
      ...Object.entries(wanted).map(([name, member]) =>
        containsJson(memberFor(value, name, depth, member), member, depth + 1),
      ),
    )
  const own = isScalar(value, wanted)
  // A whole array also contains one of its items without brackets.
  return depth === 0
    ? or(
        own,
        anyItem(value, depth, (item) => isScalar(item, wanted)),
      )
    : own
}

/** Returns whether JSON contains a value, as `<@` of Postgres does. */
export function containedInJson(value: Expression, whole: Json, depth = 0): Expression {
  if (Array.isArray(whole))
    return and(
      { $isArray: [value] },
      {
        $allElementsTrue: [
          {
            $map: {
              input: itemsOf(value),
              as: `i${depth}`,
              in: or(...whole.map((item) => containedInJson(`$$i${depth}`, item, depth + 1))),
            },
          },
        ],
      },
    )
  if (!isObject(whole)) return isScalar(value, whole)
  const known = Object.entries(whole).reduceRight<Expression>(
    (others, [name, member]) => ({
      $cond: [
        { $eq: [`$$i${depth}.k`, literal(name)] },
        containedInJson(`$$i${depth}.v`, member, depth + 1),
        others,
      ],
    }),
    false,
  )
  return and(typeIs(value, 'object'), {
    $allElementsTrue: [{ $map: { input: membersOf(value), as: `i${depth}`, in: known } }],
  })
}

/** Returns whether an object has a member of this name, or an array this text. */
export const hasKey = (value: Expression, name: string): Expression =>
  or(
    anyItem({ $map: { input: membersOf(value), as: 'm', in: '$$m.k' } }, 0, (own) => ({
      $eq: [own, literal(name)],
    })),
    anyItem(value, 0, (own) => ({ $eq: [own, literal(name)] })),
  )
