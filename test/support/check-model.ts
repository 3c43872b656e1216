/**
 * Random conditions and values over the fields of a record, each with its text in the grammar of expressions
 * and an evaluation of its own: three-valued logic, integers, and numbers that are exact in binary.
 */
import fc from 'fast-check'

export type Cell = number | string | boolean | null
export type Cells = Readonly<Record<string, Cell>>

/** An expression by its text, and its value for a record. */
export interface Modelled<Value extends Cell> {
  text: string
  of(record: Cells): Value | null
}

type Numeric = Modelled<number>
type Truth = Modelled<boolean>

/** The fields that expressions name, as a schema has them. */
export const modelFields = [
  { name: 'a', type: 'integer' },
  { name: 'b', type: 'integer' },
  { name: 'n', type: 'number' },
  { name: 's', type: 'string' },
  { name: 'f', type: 'boolean' },
  { name: 'd', type: 'date' },
  { name: 'e', type: 'date' },
]

const texts = ['', 'x', 'Xy', "it's", '{"a":1}']
const dates = ['2026-01-31', '2026-02-01', '0001-01-01', '9999-12-31']
const orNull = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { freq: 4 })

/** The values of a record, without its key. */
export const someCells: fc.Arbitrary<Cells> = fc.record({
  a: orNull(fc.integer({ min: -4, max: 4 })),
  b: orNull(fc.integer({ min: -4, max: 4 })),
  n: orNull(fc.integer({ min: -20, max: 20 }).map((quarters) => quarters / 4)),
  s: orNull(fc.constantFrom(...texts)),
  f: orNull(fc.boolean()),
  d: orNull(fc.constantFrom(...dates)),
  e: orNull(fc.constantFrom(...dates)),
})

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const field = <Value extends Cell>(name: string): Modelled<Value> => ({
  text: name,
  of: (record) => record[name] as Value | null,
})

/** Applies a function to operands, none of which is null; otherwise the result is null. */
const strict =
  <Of extends Cell, Value extends Cell>(operands: readonly Modelled<Of>[], run: (...of: Of[]) => Value) =>
  (record: Cells): Value | null => {
    const values = operands.map((one) => one.of(record))
    return values.some((value) => value === null) ? null : run(...(values as Of[]))
  }

const calls: [text: (x: string, y: string) => string, run: (x: number, y: number) => number][] = [
  [(x, y) => `(${x} + ${y})`, (x, y) => x + y],
  [(x, y) => `(${x} - ${y})`, (x, y) => x - y],
  [(x, y) => `(${x} * ${y})`, (x, y) => x * y],
]
const comparisons: [operator: string, run: (order: number) => boolean][] = [
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['=', (order) => order === 0],
  ['<>', (order) => order !== 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
]
const orderOf = (x: number | string, y: number | string): number => (x < y ? -1 : Number(x > y))

const someNumbers: fc.Arbitrary<Numeric> = fc.letrec<{ one: Numeric }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('a', 'b', 'n').map((name) => field<number>(name)),
    fc
      .integer({ min: -3, max: 3 })
      .map((constant): Numeric => ({ text: `(${constant})`, of: () => constant })),
    fc.constant<Numeric>({ text: 'length(s)', of: strict([field<string>('s')], (s) => [...s].length) }),
    fc
      .tuple(fc.constantFrom(...calls), tie('one'), tie('one'))
      .map(([[text, run], x, y]): Numeric => ({ text: text(x.text, y.text), of: strict([x, y], run) })),
    tie('one').map((x): Numeric => ({ text: `abs(${x.text})`, of: strict([x], Math.abs) })),
    fc.tuple(tie('one'), tie('one')).map(
      ([x, y]): Numeric => ({
        text: `coalesce(${x.text}, ${y.text})`,
        of: (record) => x.of(record) ?? y.of(record),
      }),
    ),
    fc.tuple(tie('one'), tie('one')).map(
      ([x, y]): Numeric => ({
        text: `greatest(${x.text}, ${y.text})`,
        of(record) {
          const values = [x.of(record), y.of(record)].filter((value) => value !== null)
          return values.length === 0 ? null : Math.max(...values)
        },
      }),
    ),
  ),
})).one

const compared = <Of extends number | string>(one: fc.Arbitrary<Modelled<Of>>): fc.Arbitrary<Truth> =>
  fc.tuple(fc.constantFrom(...comparisons), one, one).map(
    ([[operator, run], x, y]): Truth => ({
      text: `(${x.text} ${operator} ${y.text})`,
      of: strict<Of, boolean>([x, y], (...[p, q]) => run(orderOf(p as Of, q as Of))),
    }),
  )

const someDates = fc.oneof(fc.constantFrom('d', 'e').map((name) => field<string>(name)))
const someTexts: fc.Arbitrary<Truth> = fc
  .array(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 })
  .map(
    (list): Truth => ({
      text: `s in (${list.map(quoted).join()})`,
      of: strict([field<string>('s')], (s) => list.includes(s)),
    }),
  )

/** Conditions on a record. */
export const someTruths: fc.Arbitrary<Truth> = fc.letrec<{ one: Truth }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    compared(someNumbers),
    compared(someDates),
    someTexts,
    fc.constant(field<boolean>('f')),
    fc
      .constantFrom(...modelFields)
      .map(({ name }): Truth => ({ text: `(${name} is not null)`, of: (record) => record[name] !== null })),
    tie('one').map((x): Truth => ({ text: `(not ${x.text})`, of: strict([x], (truth) => !truth) })),
    fc.tuple(tie('one'), tie('one')).map(
      ([x, y]): Truth => ({
        text: `(${x.text} or ${y.text})`,
        of(record) {
          const values = [x.of(record), y.of(record)]
          if (values.includes(true)) return true
          return values.includes(null) ? null : false
        },
      }),
    ),
    fc.tuple(tie('one'), tie('one')).map(
      ([x, y]): Truth => ({
        text: `(${x.text} and ${y.text})`,
        of(record) {
          const values = [x.of(record), y.of(record)]
          if (values.includes(false)) return false
          return values.includes(null) ? null : true
        },
      }),
    ),
  ),
})).one

/** Values that are computed from a record. */
export const someFormulas: fc.Arbitrary<Numeric> = someNumbers
