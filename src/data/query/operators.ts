/**
 * The filter operators: one row each, with an example that a test runs. Spec: Records, filter operators; R2, R13.
 * What negates another has no SQL of its own: a negation holds where the other does not, so for records without a value, too.
 */
import { type Sql, sql } from '../../db/sql.ts'
import { readJson } from '../../lib/exact-json.ts'
import { escapeLike } from '../../lib/like.ts'
import { storageProblem } from '../../lib/storable.ts'
import { type FieldType, fieldTypes } from '../datatables/field-types.ts'

export type Operator = Comparison | { negates: string; example: Example } | { takes: 'flag'; example: Example }

export interface Comparison {
  /** What the client writes after it: one value, two with a comma between them, or a list of them. */
  takes: 'one' | 'pair' | 'list'
  /** Which of two values comes first is what it asks: of a property, which has no type, the value says whether as numbers or as texts. */
  ordered?: boolean
  /** What it means, by the type it is used on. */
  forms: readonly Form[]
  example: Example
}

export interface Form {
  on(type: FieldType): boolean
  /** As what values are bound, where that is not the type of the column. */
  as?: { column: Sql; read(value: unknown, json: boolean): string | undefined }
  /** Values are bound and have their type; those of a list are one array of it. */
  sql(operand: Sql, ...values: Sql[]): Sql
}

/** `?field__operator=given` finds, in a field of this type, the records that have `finds`, and not those that have `not`. */
interface Example {
  type: string
  given: string
  finds: readonly unknown[]
  not: readonly unknown[]
}

const any = () => true
const comparable = (type: FieldType) => type.comparable
const text = (type: FieldType) => type === fieldTypes.get('string') || type.base === 'string'
/** A duration has an order that its text has not. */
const inOrder = (type: FieldType) => type.comparable && !type.ordinal
const json = (type: FieldType) => !type.comparable

const readText = (value: unknown) => (typeof value === 'string' && !storageProblem(value) ? value : undefined)

/** A text with something before it, after it, or both. `%` and `_` in it stand for themselves. */
function pattern(before: '' | '%', after: '' | '%') {
  const read = (value: unknown) => (readText(value) === undefined ? undefined : `${before}${escapeLike(value as string)}${after}`)
  return { column: sql`text`, read }
}
const within = pattern('%', '%')
const first = pattern('', '%')
const last = pattern('%', '')

const like = (as: Form['as'] & object): Form => ({ on: text, as, sql: (operand, value) => sql`${operand} like ${value}` })
const ilike = (as: Form['as'] & object): Form => ({ on: text, as, sql: (operand, value) => sql`${operand} ilike ${value}` })

/** Any JSON: written as such, or else a string. */
const anyJson = {
  column: sql`jsonb`,
  read(value: unknown, isJson: boolean): string | undefined {
    let said = value
    try {
      if (!isJson) said = readJson(value as string)
    } catch {
      // A text that is no JSON is the string that it is.
    }
    if (storageProblem(said)) return undefined
    return isJson || said === value ? JSON.stringify(said) : (value as string)
  },
}
const key = { column: sql`text`, read: readText }

const equal: Form[] = [{ on: any, sql: (operand, value) => sql`${operand} = ${value}` }]
const among: Form[] = [{ on: comparable, sql: (operand, values) => sql`${operand} = any (${values})` }]
const amongAnyCase: Form[] = [
  { on: text, sql: (operand, values) => sql`lower(${operand}) = any (array(select lower(_value) from unnest(${values}) _value))` },
]
const between: Form[] = [{ on: inOrder, sql: (operand, min, max) => sql`${operand} between ${min} and ${max}` }]

const ordered = (render: Form['sql']): Form[] => [{ on: inOrder, sql: render }]
const ofJson = (as: Form['as'] & object, render: Form['sql']): Form => ({ on: json, as, sql: render })

/** A filter without an operator. */
export const equality = 'exact'

/** What it means if it is given several times. */
export const listed = 'in'

const number = (given: string, finds: readonly unknown[], not: readonly unknown[]): Example => ({ type: 'number', given, finds, not })
const string = (given: string, finds: readonly unknown[], not: readonly unknown[]): Example => ({ type: 'string', given, finds, not })
const array = (given: string, finds: readonly unknown[], not: readonly unknown[]): Example => ({ type: 'array', given, finds, not })
const object = (given: string, finds: readonly unknown[], not: readonly unknown[]): Example => ({ type: 'object', given, finds, not })

export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [equality, { takes: 'one', forms: equal, example: string('Red', ['Red'], ['red', 'Redder', null]) }],
  ['ne', { negates: equality, example: string('Red', ['red', '', null], ['Red']) }],

  ['gt', { takes: 'one', ordered: true, forms: ordered((a, b) => sql`${a} > ${b}`), example: number('5', [5.01, 9], [5, -9, null]) }],
  ['gte', { takes: 'one', ordered: true, forms: ordered((a, b) => sql`${a} >= ${b}`), example: number('5', [5, 9], [4.99, null]) }],
  ['lt', { takes: 'one', ordered: true, forms: ordered((a, b) => sql`${a} < ${b}`), example: number('5', [4.99, -9], [5, 9, null]) }],
  ['lte', { takes: 'one', ordered: true, forms: ordered((a, b) => sql`${a} <= ${b}`), example: number('5', [5, -9], [5.01, null]) }],
  ['between', { takes: 'pair', ordered: true, forms: between, example: number('2,5', [2, 3.5, 5], [1.99, 5.01, null]) }],
  ['nbetween', { negates: 'between', example: number('2,5', [1.99, 5.01, null], [2, 3.5, 5]) }],

  [listed, { takes: 'list', forms: among, example: string('Red,Blue', ['Red', 'Blue'], ['red', 'Green', null]) }],
  ['nin', { negates: 'in', example: string('Red,Blue', ['red', 'Green', null], ['Red', 'Blue']) }],
  ['ins', { takes: 'list', forms: among, example: string('Red,Blue', ['Red'], ['red', null]) }],
  ['nins', { negates: 'ins', example: string('Red,Blue', ['red', null], ['Red']) }],
  ['ina', { takes: 'list', forms: amongAnyCase, example: string('RED,blüe', ['red', 'Red', 'BLÜE'], ['Redder', null]) }],
  ['nina', { negates: 'ina', example: string('RED,blüe', ['Redder', null], ['red', 'BLÜE']) }],

  [
    'contains',
    {
      takes: 'one',
      forms: [like(within), ofJson(anyJson, (a, b) => sql`${a} @> ${b}`)],
      example: string('b%', ['ab%c', 'b%'], ['abc', 'aB%c', null]),
    },
  ],
  ['ncontains', { negates: 'contains', example: array('red', [['blue'], [], null], [['red', 'blue']]) }],
  ['containss', { takes: 'one', forms: [like(within)], example: string('b_', ['ab_c'], ['abc', 'aB_c', null]) }],
  ['ncontainss', { negates: 'containss', example: string('b', ['aBc', null], ['abc']) }],
  ['icontains', { takes: 'one', forms: [ilike(within)], example: string('ÉB', ['aéBc', 'Éb'], ['aeb', null]) }],
  ['nicontains', { negates: 'icontains', example: string('B', ['ac', null], ['abc', 'aBc']) }],

  ['startswith', { takes: 'one', forms: [like(first)], example: string('a\\', ['a\\b'], ['A\\b', 'ba\\', 'ab', null]) }],
  ['nstartswith', { negates: 'startswith', example: string('a', ['Ab', 'ba', null], ['ab']) }],
  ['startswiths', { takes: 'one', forms: [like(first)], example: string('a', ['ab'], ['Ab', 'ba', null]) }],
  ['nstartswiths', { negates: 'startswiths', example: string('a', ['Ab', null], ['ab']) }],
  ['istartswith', { takes: 'one', forms: [ilike(first)], example: string('A', ['ab', 'Ab'], ['ba', null]) }],
  ['nistartswith', { negates: 'istartswith', example: string('A', ['ba', null], ['ab', 'Ab']) }],

  ['endswith', { takes: 'one', forms: [like(last)], example: string('b', ['ab', 'b'], ['aB', 'ba', null]) }],
  ['nendswith', { negates: 'endswith', example: string('b', ['aB', 'ba', null], ['ab']) }],
  ['endswiths', { takes: 'one', forms: [like(last)], example: string('b', ['ab'], ['aB', null]) }],
  ['nendswiths', { negates: 'endswiths', example: string('b', ['aB', null], ['ab']) }],
  ['iendswith', { takes: 'one', forms: [ilike(last)], example: string('B', ['ab', 'aB'], ['ba', null]) }],
  ['niendswith', { negates: 'iendswith', example: string('B', ['ba', null], ['ab', 'aB']) }],

  ['null', { takes: 'flag', example: number('true', [null], [0]) }],
  ['nnull', { negates: 'null', example: number('true', [0], [null]) }],

  [
    'contained_by',
    {
      takes: 'one',
      forms: [ofJson(anyJson, (a, b) => sql`${a} <@ ${b}`)],
      example: array('["a","b",1]', [['a'], [1, 'b'], []], [['c'], ['1'], null]),
    },
  ],
  ['has_key', { takes: 'one', forms: [ofJson(key, (a, b) => sql`${a} ? ${b}`)], example: object('a', [{ a: null }], [{ A: 1 }, { b: 'a' }, null]) }],
  [
    'has_any_keys',
    { takes: 'list', forms: [ofJson(key, (a, b) => sql`${a} ?| ${b}`)], example: object('a,b', [{ a: 1 }, { b: 1, c: 1 }], [{ c: 1 }, {}, null]) },
  ],
  [
    'has_all_keys',
    { takes: 'list', forms: [ofJson(key, (a, b) => sql`${a} ?& ${b}`)], example: object('a,b', [{ a: 1, b: 2, c: 3 }], [{ a: 1 }, null]) },
  ],
])

/** The operators that work on a type, for a refusal that names them. */
export const operatorsOn = (type: FieldType): string[] =>
  [...operators.keys()].filter((name) => {
    const positive = positiveOf(name)
    return positive.takes === 'flag' || positive.forms.some((form) => form.on(type))
  })

/** What an operator negates, or itself. */
export function positiveOf(name: string): Exclude<Operator, { negates: string }> {
  const operator = operators.get(name) as Operator
  return 'negates' in operator ? positiveOf(operator.negates) : operator
}
