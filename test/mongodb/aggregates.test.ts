/** Aggregates, groups and computed fields in MongoDB are those of a flat table. Spec: Aggregations; R11, R15. */
import { beforeAll, describe, expect, it } from 'vitest'
import { aggregates } from '../../src/data/query/plan/expression/aggregates.ts'
import { startApp } from '../support/app.ts'
import { createDesk, type Desk, near } from './desk.ts'

let desk: Desk

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'n', type: 'number' },
    { name: 'i', type: 'integer' },
    { name: 's', type: 'string' },
    { name: 'b', type: 'boolean' },
    { name: 'd', type: 'date' },
    { name: 't', type: 'datetime' },
    { name: 'o', type: 'object' },
  ],
  primaryKey: 'id',
}
const rows = [
  {
    id: 1,
    n: 1.5,
    i: 7,
    s: 'Ab',
    b: true,
    d: '2026-03-29',
    t: '2026-03-29T01:30:15.250Z',
    o: { k: 'x', p: 5 },
  },
  {
    id: 2,
    n: -2.5,
    i: -7,
    s: 'bcd',
    b: false,
    d: '2025-12-31',
    t: '2025-12-31T23:30:00Z',
    o: { k: 'y', p: 2.5 },
  },
  { id: 3, s: '$s' },
  { id: 4, n: 1.25, i: 7, s: 'bcd', b: true, d: '2024-02-29', t: '2024-10-27T00:59:59.999Z', o: { k: 'x' } },
  { id: 5, n: 10, i: 0, s: '', b: false, d: '2026-01-01', t: '2026-01-01T00:00:00Z', o: {} },
]

beforeAll(async () => {
  desk = await createDesk(await startApp(), 'desk-aggregates')
  await desk.ask('POST', '/apps/shop/datasources/', {
    name: 'Flat',
    slug: 'flat',
    provider_type: 'flat_table',
  })
  await desk.table('things', schema)
  await desk.ask('POST', '/apps/shop/datasources/flat/datatables/?materialize=true', {
    name: 'plain',
    json_schema: schema,
  })
  for (const table of ['things', 'plain'])
    expect(await desk.ask('POST', desk.data(table), rows)).toMatchObject({ status: 201 })
})

/** Asks both tables, and expects the same answer. */
async function same(parameters: Record<string, string>) {
  const query = new URLSearchParams(parameters)
  const [ours, theirs] = [
    await desk.ask('GET', `${desk.data('things')}?${query}`),
    await desk.ask('GET', `${desk.data('plain')}?${query}`),
  ]
  expect([ours.status, near(ours.body)]).toEqual([200, near(theirs.body)])
  return ours.body
}

describe('an aggregate function', () => {
  it.each([...aggregates])('%s has the result of its example', async (name, { example }) => {
    const table = `t_${name}`
    await desk.table(table, {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'f', type: example.type },
      ],
      primaryKey: 'id',
    })
    const made = await desk.ask(
      'POST',
      desk.data(table),
      example.of.map((f) => ({ f })),
    )
    expect(made.status).toBe(201)
    const call = (example.call ?? `${name}(§)`).replaceAll('§', 'f')
    const ask = async (more: Record<string, string>) => {
      const query = new URLSearchParams({ _aggregate: `${call} as r`, ...more })
      return (await desk.ask('GET', `${desk.data(table)}?${query}`)).body.aggregates.r
    }
    expect(near(await ask({}))).toEqual(near(example.makes))
    expect(await ask({ id: '99' })).toBe(name === 'count' ? 0 : null)
  })

  it.each([
    'count(*)',
    'count(distinct i)',
    'count(distinct s, b)',
    'sum(distinct i)',
    'avg(n) filter (where i > 0)',
    'sum(i * n) + 1',
    'round(avg(n), 1)',
    'count(*) filter (where b)',
    'min(d)',
    'max(t)',
    'percentile_disc(0.5) within group (order by n desc)',
    'percentile_cont(0.3) within group (order by i)',
    'mode() within group (order by s)',
    'array_agg(i order by n desc)',
    'array_agg(distinct i)',
    'array_agg(distinct i order by i desc)',
    'json_agg(t order by id desc)',
    "string_agg(s, '$' order by id desc)",
    'bool_or(i > 5)',
    'stddev(distinct n)',
    'corr(n, i)',
  ])('%s', async (call) => {
    await same({ _aggregate: `${call} as r` })
    await same({ _aggregate: `${call} as r`, _group_by: 'b' })
  })
})

describe('groups', () => {
  it.each<Record<string, string>>([
    { _group_by: 'b' },
    { _group_by: 'b', _aggregate: 'count(*)', ordering: '-count' },
    { _group_by: 'i,b', _aggregate: 'sum(n) as x', page_size: '2', page: '2' },
    { _group_by: 'i', _having: 'i__gt=0' },
    { _group_by: 's', _aggregate: 'count(*)', _having: 'count__ne=1' },
    { _group_by: 'b', _aggregate: 'avg(n)', _having: 'avg_n__gte=1.25,b__eq=true' },
    { _group_by: 'b', _count: 'true' },
    { _group_by: "date_trunc('month', t) as m", _aggregate: 'count(*)' },
    { _group_by: "date_trunc('day', t, 'Europe/Berlin') as m", _aggregate: 'count(*)', ordering: '-m' },
    { _group_by: "date_trunc('day', t AT TIME ZONE 'Europe/Berlin') as m", _aggregate: 'count(*)' },
    { _group_by: 'extract(year from d) as y', _aggregate: 'max(d)' },
    { _group_by: 'o.k', _aggregate: 'sum(o.p::number) as p' },
    { _group_by: "case when i > 0 then 'more' else 'less' end as c", _aggregate: 'count(*)' },
  ])('%j', async (parameters) => {
    await same(parameters)
  })
})

describe('a computed field', () => {
  it.each([
    ...['i + 1', 'i / 2', 'n * 2', 'n / 4', 'mod(i, 4)', '- i', 'abs(i)', 'round(n)', 'round(n * 1.11, 1)'],
    ...['trunc(n)', 'ceil(n)', 'floor(n)', 'sqrt(abs(n))', 'upper(left(s, 1))', 'length(s)'],
    ...["concat(s, '-', i, null, b)", 'right(s, 1)', 'left(s, -1)', 'right(s, -1)', "replace(s, 'b', '$')"],
    ...['greatest(i, 3)', 'least(n, 0)', 'coalesce(i, 0)', 'nullif(i, 7)', "case when i > 5 then 'big' end"],
    ...['i in (1, 7)', 'i not in (1, 7)', 'i in (1, null)', 'i between 1 and 7', 'i not between 1 and null'],
    ...['i = 7', 'b and i > 5', 'b or i > 5', 'not b', 'b is not true', 'i is null', "s = '$s'"],
    ...['extract(second from t)', 'extract(week from d)', 'extract(epoch from t)', 'extract(isodow from d)'],
    ...["date_trunc('week', d)", "date_trunc('quarter', t)", "t AT TIME ZONE 'America/New_York'"],
    ...['i::text', 'b::integer', 'n::integer', 't::date', 'd::text', 'd::timestamp', 'o.p::number', 'o.k'],
    ...["t > '2026-01-01'", "d = '2026-03-29'"],
  ])('%s', async (expression) => {
    await same({ _annotate: `${expression} as r` })
  })

  it('can be filtered by, sorted by, shown alone, and read with one record', async () => {
    const computed = { _annotate: 'i * 2 as x' }
    const { body } = await desk.ask(
      'GET',
      `${desk.data('things')}?_annotate=i * 2 as x&x__gt=0&ordering=-x,-id`,
    )
    expect(body.data.map(({ id, x }: { id: number; x: number }) => [id, x])).toEqual([
      [4, 14],
      [1, 14],
    ])
    expect(body.total).toBe(2)
    await same({ ...computed, x__null: 'true' })
    await same({ ...computed, ordering: 'x', fields: 'id,x' })
    const one = await desk.ask('GET', `${desk.data('things')}1/?_annotate=i * 2 as x`)
    expect(one.body.data.x).toBe(14)
  })

  it('returns 422 if it cannot be computed for some records', async () => {
    const path = desk.data('things')
    const answer = await desk.ask('GET', `${path}?${new URLSearchParams({ _annotate: '1 / i as x' })}`)
    expect([answer.status, answer.body.error]).toEqual([422, 'Cannot be computed'])
    expect(answer.body.detail).toContain('Division by zero')
    const large = new URLSearchParams({ _annotate: '9223372036854775807 + i as x' })
    expect((await desk.ask('GET', `${path}?${large}`)).body.detail).toContain('out of range')
  })
})

describe('_distinct', () => {
  it.each<Record<string, string>>([
    { _distinct: 'b' },
    { _distinct: 'b', ordering: '-id' },
    { _distinct: 'i,b', ordering: 'n', fields: 'id' },
    { _distinct: 'o.k::string' },
    { _distinct: 'b', _count: 'true' },
    { _distinct: 'b', i__gte: '0', page_size: '1' },
  ])('%j', async (parameters) => {
    await same(parameters)
  })
})
