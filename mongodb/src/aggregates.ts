/**
 * The aggregate functions: one row each. What a group collects of its documents is one or more accumulators,
 * from which the result is computed. As in SQL, all but the lists leave out what is null.
 */

import { bind, isNull } from './functions.ts'
import type { Expression } from './json-expressions.ts'
import { type AggregateForm, renderExpression } from './render-expression.ts'

/** The accumulators of an aggregate, and its result. */
interface Collected {
  accumulators: Record<string, Expression>
  result: Expression
}

/** The aggregated values of a document, and whether it counts. */
interface Taken {
  form: AggregateForm
  values: readonly Expression[]
  isTaken: Expression
}

type Collect = (name: string, taken: Taken) => Collected

const when = (condition: Expression, value: Expression, other: Expression = null): Expression => ({
  $cond: [condition, value, other],
})
const decimal = (value: Expression): Expression => ({ $toDecimal: value })
const present = (list: Expression): Expression => ({
  $filter: { input: list, as: 'one', cond: { $ne: ['$$one', null] } },
})
const size = (list: Expression): Expression => ({ $size: list })

/** Collects the values as a list: the different ones, or all. */
const listed = (name: string, { form, values: [value], isTaken }: Taken): Collected => ({
  accumulators: { [name]: { [form.distinct ? '$addToSet' : '$push']: when(isTaken, value ?? null) } },
  result: present(`$${name}`),
})

const count: Collect = (name, taken) => {
  const { form, values, isTaken } = taken
  if (!form.distinct) {
    return { accumulators: { [name]: { $sum: when(isTaken, 1, 0) } }, result: { $toLong: `$${name}` } }
  }
  const { accumulators, result } = listed(name, { ...taken, values: values.length > 1 ? [values] : values })
  return { accumulators, result: { $toLong: size(result) } }
}

/** Collects sums of terms of the values, and computes the result from these and the number of values. */
const fromSums =
  (
    termsOf: (...values: Expression[]) => readonly Expression[],
    compute: (n: Expression, ...sums: Expression[]) => Expression,
    least = 1,
  ): Collect =>
  (name, taken) => {
    const { form, values, isTaken } = taken
    const within = (n: Expression, sums: readonly Expression[]) =>
      bind([decimal(n), ...sums], ([count, ...all]) =>
        when({ $lt: [count, least] }, null, compute(count, ...all)),
      )
    if (form.distinct) {
      const { accumulators, result } = listed(name, taken)
      const terms = termsOf(decimal('$$one')).map((term) => ({
        $sum: { $map: { input: result, as: 'one', in: term } },
      }))
      return { accumulators, result: within(size(result), terms) }
    }
    const terms = termsOf(...values.map(decimal))
    const names = terms.map((_, place) => `${name}_${place}`)
    return {
      accumulators: {
        [name]: { $sum: when(isTaken, 1, 0) },
        ...Object.fromEntries(terms.map((term, place) => [names[place], { $sum: when(isTaken, term) }])),
      },
      result: within(
        `$${name}`,
        names.map((one) => `$${one}`),
      ),
    }
  }

const squared = (value: Expression): Expression => ({ $multiply: [value, value] })
/** The sum of the squares of the differences from the mean; never below zero. */
const spread = (n: Expression, sum: Expression, squares: Expression): Expression => ({
  $max: [decimal(0), { $subtract: [squares, { $divide: [squared(sum), n] }] }],
})
const variance = (isSample: boolean, finish: (value: Expression) => Expression): Collect =>
  fromSums(
    (x) => [x, squared(x)],
    (n, sum, squares) =>
      finish({ $divide: [spread(n, sum, squares), isSample ? { $subtract: [n, decimal(1)] } : n] }),
    isSample ? 2 : 1,
  )
const same = (value: Expression): Expression => value
const root = (value: Expression): Expression => ({ $sqrt: value })

const correlation: Collect = fromSums(
  (x, y) => [x, y, { $multiply: [x, y] }, squared(x), squared(y)],
  (n, x, y, xy, xx, yy) =>
    bind(
      [
        { $subtract: [xy, { $divide: [{ $multiply: [x, y] }, n] }] },
        { $multiply: [root(spread(n, x, xx)), root(spread(n, y, yy))] },
      ],
      ([both, each]) => when({ $eq: [each, 0] }, null, { $divide: [both, each] }),
    ),
)

/** The least or the greatest value. */
const extreme =
  (operator: '$min' | '$max'): Collect =>
  (name, { values: [value], isTaken }) => ({
    accumulators: { [name]: { [operator]: when(isTaken, value ?? null) } },
    result: { $ifNull: [`$${name}`, null] },
  })

const direction = ({ order: [first] }: AggregateForm): 1 | -1 => (first?.descending ? -1 : 1)

/** Collects the values in their order, and computes the result from these, of which there is at least one. */
const ordered =
  (compute: (sorted: Expression, n: Expression, fraction: number) => Expression): Collect =>
  (name, taken) => {
    const { accumulators, result } = listed(name, taken)
    const [fraction] = taken.form.options
    const items = { $map: { input: result, as: 'one', in: { v: '$$one' } } }
    const sorted = { $sortArray: { input: items, sortBy: { v: direction(taken.form) } } }
    return {
      accumulators,
      result: bind([{ $map: { input: sorted, as: 'one', in: '$$one.v' } }], ([list]) =>
        when({ $eq: [size(list), 0] }, null, compute(list, size(list), Number(fraction ?? 0))),
      ),
    }
  }

const at = (list: Expression, place: Expression): Expression => ({ $arrayElemAt: [list, { $toInt: place }] })

const discrete = ordered((list, n, fraction) =>
  at(list, {
    $max: [0, { $subtract: [{ $ceil: { $multiply: [decimal(n), decimal(String(fraction))] } }, 1] }],
  }),
)

const continuous = ordered((list, n, fraction) =>
  bind([{ $multiply: [{ $subtract: [decimal(n), decimal(1)] }, decimal(String(fraction))] }], ([place]) =>
    bind(
      [
        decimal(at(list, { $floor: place })),
        decimal(at(list, { $ceil: place })),
        { $mod: [place, decimal(1)] },
      ],
      ([low, high, part]) => ({ $add: [low, { $multiply: [{ $subtract: [high, low] }, part] }] }),
    ),
  ),
)

/** The most frequent value; of several, the first one. */
const mode = ordered((list) => ({
  $getField: {
    field: 'best',
    input: {
      $reduce: {
        input: list,
        initialValue: { best: null, most: 0, last: null, run: 0 },
        in: {
          $let: {
            vars: { run: when({ $eq: ['$$this', '$$value.last'] }, { $add: ['$$value.run', 1] }, 1) },
            in: {
              best: when({ $gt: ['$$run', '$$value.most'] }, '$$this', '$$value.best'),
              most: { $max: ['$$run', '$$value.most'] },
              last: '$$this',
              run: '$$run',
            },
          },
        },
      },
    },
  },
}))

/**
 * Collects the values with those that sort them. Null is last, or first where the order says so. `null` among
 * the values is listed, too.
 */
const list: Collect = (name, { form, values: [value = null], isTaken }) => {
  const keys = form.distinct ? [value] : form.order.map(({ of }) => renderExpression(of))
  const item = {
    v: value,
    ...Object.fromEntries(
      keys.flatMap((key, place) => [
        [`k${place}`, key],
        [`n${place}`, isNull(key)],
      ]),
    ),
  }
  const sortBy = Object.fromEntries(
    keys.flatMap((_, place) => {
      const { descending = false, nullsFirst = false } = form.order[place] ?? {}
      return [
        [`n${place}`, nullsFirst ? -1 : 1],
        [`k${place}`, descending ? -1 : 1],
      ]
    }),
  )
  const all = present(`$${name}`)
  return {
    accumulators: { [name]: { [form.distinct ? '$addToSet' : '$push']: when(isTaken, item) } },
    result: bind([{ $sortArray: { input: all, sortBy } }], ([sorted]) =>
      when({ $eq: [size(sorted), 0] }, null, { $map: { input: sorted, as: 'one', in: '$$one.v' } }),
    ),
  }
}

const joined: Collect = (name, taken) => {
  const { accumulators, result } = list(name, taken)
  const [separator = ''] = taken.form.options
  const isFirst = { $eq: ['$$value', null] }
  return {
    accumulators,
    result: {
      $reduce: {
        input: { $ifNull: [result, []] },
        initialValue: null,
        in: when(isFirst, '$$this', { $concat: ['$$value', { $literal: separator }, '$$this'] }),
      },
    },
  }
}

const deviation = variance(true, root)
const ofSample = variance(true, same)

const collectors: Readonly<Record<string, Collect>> = {
  count,
  sum: fromSums(
    (x) => [x],
    (_, sum) => sum,
  ),
  avg: fromSums(
    (x) => [x],
    (n, sum) => ({ $divide: [sum, n] }),
  ),
  min: extreme('$min'),
  max: extreme('$max'),
  stddev: deviation,
  stddev_samp: deviation,
  variance: ofSample,
  var_samp: ofSample,
  stddev_pop: variance(false, root),
  var_pop: variance(false, same),
  bool_and: extreme('$min'),
  bool_or: extreme('$max'),
  corr: correlation,
  percentile_cont: continuous,
  percentile_disc: discrete,
  mode,
  any_value: extreme('$min'),
  array_agg: list,
  json_agg: list,
  jsonb_agg: list,
  string_agg: joined,
}

/** The functions that list null, too. */
const listing = new Set(['array_agg', 'json_agg', 'jsonb_agg'])

/** Returns what a group collects for an aggregate, under names that begin with `name`. */
export function collect(name: string, form: AggregateForm): Collected {
  const values = form.of.map((one) => renderExpression(one))
  const conditions = [
    ...(form.filter ? [{ $eq: [renderExpression(form.filter), true] }] : []),
    ...(listing.has(form.name) ? [] : values.map((value) => ({ $ne: [value, null] }))),
  ]
  const isTaken = conditions.length === 0 ? true : { $and: conditions }
  return (collectors[form.name] as Collect)(name, { form, values, isTaken })
}
