/** Random calls of aggregate functions that sort or combine values, each with SQL that does it in another way. */
import fc from 'fast-check'
import type { Term } from './aggregate-model.ts'

/** Makes a result of a call, its SQL and the condition of both. */
export type Make<Result> = (
  said: string,
  sql: string,
  type: Term['type'] | 'list',
  where: Term | null,
) => Result

/**
 * Tells if an expression depends on the records. SQL can neither group by a constant, nor aggregate one for a
 * select inside another.
 */
export const isOfRecords = ({ sql }: Term) => /\b[warc]\./.test(sql)

interface Terms {
  numeric: fc.Arbitrary<Term>
  sortable: fc.Arbitrary<Term>
  text: fc.Arbitrary<Term>
  filter: fc.Arbitrary<Term | null>
}

/** The ways to write a direction, each with SQL that says where nulls are in another way. */
const directions: [said: string, sql: (value: string) => string][] = [
  ['', (value) => `(${value}) is null, ${value}`],
  [' ASC nulls first', (value) => `(${value}) is not null, ${value}`],
  [' desc', (value) => `(${value}) is not null, ${value} desc`],
  [' Desc Nulls Last', (value) => `(${value}) is null, ${value} desc`],
]
const fractions = ['0', '0.25', '0.5', '0.7', '1']

const withFilter = (call: string, where: Term | null, form: 'said' | 'sql') =>
  where ? `${call} filter (where ${where[form]})` : call

/** Returns SQL for all values that are there, in order. */
const sorted = ({ sql }: Term, where: Term | null, direction = '') => {
  const conditions = [`(${sql}) is not null`, ...(where ? [where.sql] : [])].join(' and ')
  return `array_agg(${sql} order by ${sql}${direction}) filter (where ${conditions})`
}

/** Generates a call. `make` adds the condition that it gets to both forms. */
export function sortingCalls<Result>(
  { numeric, sortable, text, filter }: Terms,
  make: Make<Result>,
): fc.Arbitrary<Result> {
  const direction = fc.constantFrom(...directions)
  const order = fc.array(fc.tuple(sortable, direction), { minLength: 1, maxLength: 2 })
  const scalar = (said: string, sql: string, type: Term['type'] | 'list', where: Term | null) =>
    make(withFilter(said, where, 'said'), sql, type, null)
  return fc.oneof(
    fc
      .tuple(fc.constantFrom('array_agg', 'json_agg', 'jsonb_agg'), sortable, order, filter)
      .map(([name, of, terms, where]) => {
        const said = terms.map(([term, [way]]) => `${term.said}${way}`).join(', ')
        const sql = terms.map(([term, [, way]]) => way(term.sql)).join(', ')
        const list = `json_agg(${of.sql} order by ${sql}, w.id)`
        return make(`${name}(${of.said} order by ${said})`, list, 'list', where)
      }),
    fc.tuple(text, order, filter).map(([of, terms, where]) => {
      const said = terms.map(([term, [way]]) => `${term.said}${way}`).join(', ')
      const sql = terms.map(([term, [, way]]) => way(term.sql)).join(', ')
      const list = `string_agg(${of.sql}, '/' order by ${sql}, w.id)`
      return make(`string_agg(${of.said}, '/' ORDER BY ${said})`, list, 'text', where)
    }),
    fc.tuple(text, direction, filter).map(([of, [said, sql], where]) => {
      const values = `unnest(${withFilter(`array_agg(${of.sql})`, where, 'sql')}) v`
      const list = `(select json_agg(v order by ${sql('v')}) from (select distinct v from ${values}) d)`
      return scalar(`array_agg(distinct ${of.said} order by ${of.said}${said})`, list, 'list', where)
    }),
    fc.tuple(sortable, sortable, filter).map(([a, b, where]) => {
      const isThere = `(${a.sql}) is not null and (${b.sql}) is not null`
      const pair = `case when ${isThere} then jsonb_build_array(${a.sql}, ${b.sql}) end`
      return make(`count(distinct ${a.said}, ${b.said})`, `count(distinct ${pair})`, 'integer', where)
    }),
    fc
      .tuple(sortable, fc.constantFrom(...fractions), fc.constantFrom('', ' desc'), filter)
      .map(([of, fraction, way, where]) => {
        const said = `percentile_disc(${fraction}) within group (order by ${of.said}${way})`
        const count = withFilter(`count(${of.sql})`, where, 'sql')
        const place = `greatest(ceil(${fraction} * ${count}), 1)::int`
        return scalar(said, `(${sorted(of, where, way)})[${place}]`, of.type, where)
      }),
    fc.tuple(numeric, fc.constantFrom(...fractions), filter).map(([of, fraction, where]) => {
      const said = withFilter(
        `percentile_cont(${fraction}) within group (order by ${of.said})`,
        where,
        'said',
      )
      const percentile = `percentile_cont(${fraction}) within group (order by (${of.sql})::float8)`
      const sql = withFilter(percentile, where, 'sql')
      return make(`round(${said}, 2)`, `round((${sql})::numeric, 2)`, 'number', null)
    }),
    fc.tuple(sortable.filter(isOfRecords), filter).map(([of, where]) => {
      const values = `(select v, count(*) from unnest(${sorted(of, where)}) v group by v order by 2 desc, 1 limit 1) m`
      return scalar(`mode() within group (order by ${of.said})`, `(select v from ${values})`, of.type, where)
    }),
    fc
      .tuple(sortable, filter)
      .map(([of, where]) => scalar(`any_value(${of.said})`, `(${sorted(of, where)})[1]`, of.type, where)),
    filter.map((where) => {
      const said = withFilter('corr(price, year)', where, 'said')
      const sql = withFilter('corr(w.price, w.year)', where, 'sql')
      return make(`round(${said}, 6)`, `round((${sql})::numeric, 6)`, 'number', null)
    }),
  )
}
