/**
 * The filter operators: one row each, with an example that a test runs. Spec: Records, filter operators; R2,
 * R13. A negation has no SQL of its own: it is true where the negated operator is not true, and so for
 * records without a value.
 */
import { sql } from '../../kernel/db/sql.ts'
import type { FieldType } from '../model/field-types.ts'
import {
  among,
  amongAnyCase,
  anyJson,
  atLeast,
  between,
  containing,
  containingJson,
  endingWith,
  equal,
  type Form,
  ilike,
  key,
  like,
  matching,
  ofJson,
  ordered,
  overlapping,
  startingWith,
  within,
} from './operator-forms.ts'

/** An operator: a comparison, the negation of another operator, or a test for the presence of a value. */
export type Operator =
  | Comparison
  | { negates: string; example: Example }
  | { takes: 'flag'; example: Example }

/** An operator that compares a field, or a property inside it, with values. */
export interface Comparison {
  /** The form of the value: one value, two separated by a comma, or a list. */
  takes: 'one' | 'pair' | 'list'
  /**
   * Whether it compares by order. Properties have no type: a numeric value compares numbers, any other value
   * texts.
   */
  ordered?: boolean
  /** Its forms. The first one that works on the field's type applies. */
  forms: readonly Form[]
  example: Example
}

/**
 * `?field__operator=value` finds the records whose field of this type has `finds`, and none that has `not`.
 */
interface Example {
  type: string
  value: string
  finds: readonly unknown[]
  not: readonly unknown[]
}

/** The operator of a filter that names none. */
export const equality = 'exact'

/** The operator of a parameter that is repeated without an operator: `?id=1&id=2`. R2. */
export const repeatedEquality = 'in'

/** Creates the examples on fields of a type. */
const exampleOn =
  (type: string) =>
  (value: string, finds: readonly unknown[], not: readonly unknown[]): Example => ({
    type,
    value,
    finds,
    not,
  })
const number = exampleOn('number')
const string = exampleOn('string')
const datetime = exampleOn('datetime')
const array = exampleOn('array')
const object = exampleOn('object')

/** The operators by name. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  [equality, { takes: 'one', forms: equal, example: string('Red', ['Red'], ['red', 'Redder', null]) }],
  ['ne', { negates: equality, example: string('Red', ['red', '', null], ['Red']) }],

  [
    'gt',
    {
      takes: 'one',
      ordered: true,
      forms: ordered('greater', (a, b) => sql`${a} > ${b}`),
      example: number('5', [5.01, 9], [5, -9, null]),
    },
  ],
  [
    'gte',
    {
      takes: 'one',
      ordered: true,
      forms: atLeast,
      example: number('5', [5, 9], [4.99, null]),
    },
  ],
  [
    'lt',
    {
      takes: 'one',
      ordered: true,
      forms: ordered('less', (a, b) => sql`${a} < ${b}`),
      example: number('5', [4.99, -9], [5, 9, null]),
    },
  ],
  [
    'lte',
    {
      takes: 'one',
      ordered: true,
      forms: ordered('atMost', (a, b) => sql`${a} <= ${b}`),
      example: number('5', [5, -9], [5.01, null]),
    },
  ],
  [
    'between',
    { takes: 'pair', ordered: true, forms: between, example: number('2,5', [2, 3.5, 5], [1.99, 5.01, null]) },
  ],
  ['nbetween', { negates: 'between', example: number('2,5', [1.99, 5.01, null], [2, 3.5, 5]) }],

  [
    repeatedEquality,
    { takes: 'list', forms: among, example: string('Red,Blue', ['Red', 'Blue'], ['red', 'Green', null]) },
  ],
  ['nin', { negates: 'in', example: string('Red,Blue', ['red', 'Green', null], ['Red', 'Blue']) }],
  ['ins', { takes: 'list', forms: among, example: string('Red,Blue', ['Red'], ['red', null]) }],
  ['nins', { negates: 'ins', example: string('Red,Blue', ['red', null], ['Red']) }],
  [
    'ina',
    {
      takes: 'list',
      forms: amongAnyCase,
      example: string('RED,blüe', ['red', 'Red', 'BLÜE'], ['Redder', null]),
    },
  ],
  ['nina', { negates: 'ina', example: string('RED,blüe', ['Redder', null], ['red', 'BLÜE']) }],

  [
    'contains',
    {
      takes: 'one',
      forms: [like(containing), containingJson],
      example: string('b%', ['ab%c', 'b%'], ['abc', 'aB%c', null]),
    },
  ],
  ['ncontains', { negates: 'contains', example: array('red', [['blue'], [], null], [['red', 'blue']]) }],
  [
    'containss',
    { takes: 'one', forms: [like(containing)], example: string('b_', ['ab_c'], ['abc', 'aB_c', null]) },
  ],
  ['ncontainss', { negates: 'containss', example: string('b', ['aBc', null], ['abc']) }],
  [
    'icontains',
    { takes: 'one', forms: [ilike(containing)], example: string('ÉB', ['aéBc', 'Éb'], ['aeb', null]) },
  ],
  ['nicontains', { negates: 'icontains', example: string('B', ['ac', null], ['abc', 'aBc']) }],

  [
    'startswith',
    {
      takes: 'one',
      forms: [like(startingWith)],
      example: string('a\\', ['a\\b'], ['A\\b', 'ba\\', 'ab', null]),
    },
  ],
  ['nstartswith', { negates: 'startswith', example: string('a', ['Ab', 'ba', null], ['ab']) }],
  [
    'startswiths',
    { takes: 'one', forms: [like(startingWith)], example: string('a', ['ab'], ['Ab', 'ba', null]) },
  ],
  ['nstartswiths', { negates: 'startswiths', example: string('a', ['Ab', null], ['ab']) }],
  [
    'istartswith',
    { takes: 'one', forms: [ilike(startingWith)], example: string('A', ['ab', 'Ab'], ['ba', null]) },
  ],
  ['nistartswith', { negates: 'istartswith', example: string('A', ['ba', null], ['ab', 'Ab']) }],

  [
    'endswith',
    { takes: 'one', forms: [like(endingWith)], example: string('b', ['ab', 'b'], ['aB', 'ba', null]) },
  ],
  ['nendswith', { negates: 'endswith', example: string('b', ['aB', 'ba', null], ['ab']) }],
  ['endswiths', { takes: 'one', forms: [like(endingWith)], example: string('b', ['ab'], ['aB', null]) }],
  ['nendswiths', { negates: 'endswiths', example: string('b', ['aB', null], ['ab']) }],
  [
    'iendswith',
    { takes: 'one', forms: [ilike(endingWith)], example: string('B', ['ab', 'aB'], ['ba', null]) },
  ],
  ['niendswith', { negates: 'iendswith', example: string('B', ['ba', null], ['ab', 'aB']) }],

  [
    'matches',
    {
      takes: 'one',
      forms: matching('matches', sql`~`),
      example: string('^(ab|c)\\d{2}$', ['ab12', 'c34'], ['AB12', 'ab1', 'xab12', null]),
    },
  ],
  [
    'imatches',
    {
      takes: 'one',
      forms: matching('imatches', sql`~*`),
      example: string('\\bred\\b', ['a RED car', 'red'], ['reddish', null]),
    },
  ],

  [
    'within',
    {
      takes: 'one',
      forms: within,
      example: datetime(
        '2026-W07@Europe/Berlin',
        ['2026-02-08T23:00:00Z', '2026-02-15T22:59:59.999999Z'],
        ['2026-02-08T22:59:59Z', '2026-02-15T23:00:00Z', null],
      ),
    },
  ],

  ['null', { takes: 'flag', example: number('true', [null], [0]) }],
  ['nnull', { negates: 'null', example: number('true', [0], [null]) }],

  [
    'contained_by',
    {
      takes: 'one',
      forms: [ofJson('containedBy', anyJson, (a, b) => sql`${a} <@ ${b}`)],
      example: array('["a","b",1]', [['a'], [1, 'b'], []], [['c'], ['1'], null]),
    },
  ],
  [
    'overlaps',
    {
      takes: 'list',
      forms: overlapping,
      example: array(
        'red,5',
        [
          ['red', 'blue'],
          [5, 'x'],
        ],
        [['blue'], ['5'], [], [['red']], null],
      ),
    },
  ],
  [
    'has_key',
    {
      takes: 'one',
      forms: [ofJson('hasKey', key, (a, b) => sql`${a} ? ${b}`)],
      example: object('a', [{ a: null }], [{ A: 1 }, { b: 'a' }, null]),
    },
  ],
  [
    'has_any_keys',
    {
      takes: 'list',
      forms: [ofJson('hasAnyKeys', key, (a, b) => sql`${a} ?| ${b}`)],
      example: object('a,b', [{ a: 1 }, { b: 1, c: 1 }], [{ c: 1 }, {}, null]),
    },
  ],
  [
    'has_all_keys',
    {
      takes: 'list',
      forms: [ofJson('hasAllKeys', key, (a, b) => sql`${a} ?& ${b}`)],
      example: object('a,b', [{ a: 1, b: 2, c: 3 }], [{ a: 1 }, null]),
    },
  ],
])

/** Returns the operators that work on a type. */
export const operatorsOn = (type: FieldType): string[] =>
  [...operators.keys()].filter((name) => {
    const positive = positiveOf(name)
    return positive.takes === 'flag' || positive.forms.some((form) => form.on(type))
  })

/**
 * Returns the operator that an operator negates, or the operator itself. The name must be one of `operators`.
 */
export function positiveOf(name: string): Exclude<Operator, { negates: string }> {
  const operator = operators.get(name) as Operator
  return 'negates' in operator ? positiveOf(operator.negates) : operator
}
