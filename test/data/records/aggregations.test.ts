/** Aggregations over HTTP. Spec: Aggregations (same record list endpoint); R11, R15. */
import { beforeAll, describe, expect, it } from 'vitest'
import { aggregates } from '../../../src/data/query/plan/expression/aggregates.ts'
import { newKey } from '../../../src/kernel/access/api-keys/key.ts'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { collection } from '../../support/collection.ts'
import { addRows } from '../../support/fixtures.ts'
import { hostileExpressions } from '../../support/hostile-expressions.ts'
import { timeLimit } from '../../support/time-limit.ts'

let app: TestApp
let site: Site
let token: string

const data = (table: string) => `${site.api}/apps/shop/datatables/${table}/data/`
const get = (parameters: Record<string, string>, table = 'works') =>
  app.request('GET', `${data(table)}?${new URLSearchParams(parameters)}`, { token })
const roundTrips = (answer: { headers: Headers }) =>
  /desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1]

const rows = {
  cities: [
    { id: 1, name: 'Bergen', population: 280000 },
    { id: 2, name: 'Graz', population: 290000 },
  ],
  artists: [
    { id: 1, name: 'Ada', city_id: 1, born: '1950-06-15' },
    { id: 2, name: 'Bo', city_id: 1, mentor: 1 },
    { id: 3, name: 'Cy', city_id: 2, mentor: 1 },
    { id: 4, name: 'Di', city_id: 2, mentor: 2, is_deleted: true },
  ],
  works: [
    {
      id: 1,
      title: 'Red boat',
      price: 10.5,
      year: 2020,
      sold: true,
      artist_id: 1,
      made_at: '2026-03-28T23:30:00Z',
    },
    {
      id: 2,
      title: 'Red barn',
      price: 4,
      year: 2020,
      sold: false,
      artist_id: 1,
      made_at: '2026-03-29T00:30:00Z',
    },
    {
      id: 3,
      title: 'Blue boat',
      price: 2.25,
      year: 2021,
      sold: true,
      artist_id: 2,
      made_at: '2026-03-29T21:59:59Z',
    },
    {
      id: 4,
      title: 'Blue barn',
      price: null,
      year: 2021,
      sold: null,
      artist_id: 3,
      made_at: '2026-03-29T22:00:00Z',
    },
    { id: 5, title: 'Nobody', price: 100, year: null, sold: true, artist_id: null, made_at: null },
    {
      id: 6,
      title: 'Gone',
      price: 1000,
      year: 2020,
      sold: true,
      artist_id: 1,
      made_at: '2026-03-29T12:00:00Z',
      is_deleted: true,
    },
    {
      id: 7,
      title: 'Of one gone',
      price: 7,
      year: 2022,
      sold: false,
      artist_id: 4,
      made_at: '2026-10-25T00:30:00Z',
    },
  ],
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'aggregations')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
  const made = await app.request('POST', `${site.api}/apps/shop/datatables/create_schema/?materialize=true`, {
    token,
    body: collection,
  })
  expect(made.status).toBe(201)
  await addRows(app, { ...site, data }, rows)
})

describe('an invalid aggregation', () => {
  it('returns 403 to callers without access, before the query is checked', async () => {
    const stranger = await app.user('stranger')
    const answer = await app.request('GET', `${data('works')}?_aggregate=nope(`, { token: stranger.token })
    expect(answer).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    })
  })

  it('returns 400 and names each parameter, with the position of the error', async () => {
    const answer = await get({ _aggregate: 'sum(price) over (), pg_sleep(9)', _group_by: 'nope', year: 'x' })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body).toEqual({
      error: 'Validation failed',
      details: {
        _aggregate: [
          'Position 12: Window functions are not supported.',
          expect.stringContaining('Position 21: Unknown function "pg_sleep". Functions: count, sum,'),
        ],
        _group_by: [expect.stringContaining('Position 1: Unknown field or parameter "nope". Fields: id,')],
        year: ['"x" is not a value of "year", which is of type integer.'],
      },
      code: 'validation_failed',
    })
  })

  const divides = 'Division by zero in some records. Use nullif(…, 0) to turn such a divisor into null.'
  const isNone = 'Some records have a value that cannot be cast or computed with here.'
  const isBeyond = 'A number is out of range for some records.'
  it.each<[Record<string, string>, Record<string, string[]>]>([
    [{ _aggregate: 'sum(price / (year - 2020))' }, { _aggregate: [divides] }],
    [{ _aggregate: 'count(*)', _group_by: 'price % (year - year) as rest' }, { _group_by: [divides] }],
    [{ _aggregate: 'sum(title::integer)' }, { _aggregate: [isNone] }],
    [
      { _aggregate: 'max(title::date)', _group_by: 'title::boolean as b' },
      { _aggregate: [isNone], _group_by: [isNone] },
    ],
    [{ _aggregate: 'sum(year * 9223372036854775807)' }, { _aggregate: [isBeyond] }],
    [{ _aggregate: 'max((price * 1e30)::integer)' }, { _aggregate: [isBeyond] }],
  ])(
    'returns 400 and names the parameter if only the values of records show the error: %o',
    async (parameters, details) => {
      expect(await get(parameters)).toMatchObject({
        status: 400,
        body: { error: 'Validation failed', details, code: 'validation_failed' },
      })
    },
  )

  it('returns 422 if it takes longer than the statement timeout of the site', async () => {
    await app.sql(
      `insert into ${site.schema}.shop_shows (id, name) select g, 'show ' || g from generate_series(1, 100000) g`,
    )
    await app.sql('update sites set statement_timeout_ms = 10 where slug = $1', [site.slug])
    const answer = await get(
      { _aggregate: 'string_agg(distinct name)', _group_by: 'id % 7 as rest' },
      'shows',
    )
    await app.sql('update sites set statement_timeout_ms = null where slug = $1', [site.slug])
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.body).toEqual({
      error: 'Query too complex',
      detail:
        'The query exceeded its time limit. Use filters that match fewer records, or request fewer results.',
      code: 'time_limit_exceeded',
    })
  })

  it('returns 422 if the answer would be larger than the Worker can send', async () => {
    await app.sql(
      `insert into ${site.schema}.shop_shows (id, name) select -g, repeat('x', 1000000) from generate_series(1, 18) g`,
    )
    for (const parameters of [
      { _aggregate: 'array_agg(name)' },
      { _aggregate: 'string_agg(name)', _group_by: 'city_id' },
    ] as Record<string, string>[]) {
      // A busy machine may need more than the time of a statement.
      const ask = () => get({ ...parameters, id__lt: '0' }, 'shows')
      let answer = await ask()
      while (answer.body.error === 'Query too complex') answer = await ask()
      expect(answer).toMatchObject({ status: 422 })
      expect(answer.body).toEqual({
        error: 'Answer too large',
        detail: 'The answer is longer than 12582912 bytes of JSON. Request fewer records, or less of each.',
        code: 'answer_too_large',
      })
    }
  })

  it('returns 400 for a short expression that would become a huge one, to callers with made-up keys as well', async () => {
    let huge = 'year'
    for (let depth = 0; depth < 18; depth++) huge = `case ${huge} when 1 then 1 when 2 then 1 end`
    const started = Date.now()
    const answer = await get({ _aggregate: `sum(${huge})` })
    expect([answer.status, answer.body.details._aggregate]).toEqual([
      400,
      [expect.stringContaining('The expressions of a query may have 2000 parts at most.')],
    ])
    const authorization = `Api-Key ${newKey('person').key}`
    const path = `${data('works')}?_annotate=${encodeURIComponent(`${huge} as x`)}`
    expect((await app.request('GET', path, { headers: { authorization } })).status).toBe(401)
    expect(Date.now() - started).toBeLessThan(await timeLimit(5_000))
  })

  it.each([
    "string_agg(lower('1e130000')::number::string, '') as x",
    `max(${Array(131).fill('1e999').join('*')}*price) as x`,
  ])(
    'returns 400 for a computed number whose text would have a hundred thousand digits: %s',
    async (_aggregate) => {
      const { status, body } = await get({ _aggregate })
      expect([status, body.error]).toEqual([400, 'Validation failed'])
    },
  )

  it('returns 400 for hostile expressions, and executes nothing', async () => {
    const before = await app.sql(`select count(*), max(xmin::text) from ${site.schema}.shop_works`)
    const started = Date.now()
    for (const [index, expression] of hostileExpressions
      .filter((_, position) => position % 25 === 0)
      .entries()) {
      const answer = await get(
        index % 2 ? { _aggregate: expression } : { _aggregate: 'count(*)', _group_by: expression },
      )
      expect([expression, answer.status, answer.body.error]).toEqual([expression, 400, 'Validation failed'])
    }
    expect(Date.now() - started).toBeLessThan(await timeLimit(20_000))
    expect(await app.sql(`select count(*), max(xmin::text) from ${site.schema}.shop_works`)).toEqual(before)
  })
})

describe('an aggregation without _group_by', () => {
  it('returns 200 with empty data and the aggregates by name, in one round trip', async () => {
    const answer = await get({
      _aggregate:
        'count(*), count(price), count(distinct year), sum(price), avg(price), min(title), max(price) as dearest',
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      data: [],
      aggregates: {
        count: 6,
        count_price: 5,
        count_distinct_year: 3,
        sum_price: 123.75,
        avg_price: 24.75,
        min_title: 'Blue barn',
        dearest: 100,
      },
    })
    expect(roundTrips(answer)).toBe('1')
    expect(answer.headers.get('x-total-count')).toBeNull()
  })

  it('applies filters, searches and only_deleted before it aggregates', async () => {
    const sum = async (parameters: Record<string, string>) =>
      (await get({ _aggregate: 'sum(price)', ...parameters })).body.aggregates.sum_price
    expect(await sum({ year: '2020' })).toBe(14.5)
    expect(await sum({ 'artist.city.name': 'Bergen' })).toBe(16.75)
    expect(await sum({ filters: '{"or": [{"year": 2021}, {"sold": true}]}' })).toBe(112.75)
    expect(await sum({ search: 'boat' })).toBe(12.75)
    expect(await sum({ only_deleted: 'true' })).toBe(1000)
    expect(await sum({ year: '1066' })).toBeNull()
  })

  it('returns lists in the order of the primary key, with datetimes in the format of records', async () => {
    const { body } = await get({
      _aggregate: "array_agg(title), json_agg(made_at), string_agg(title, ' + ') filter (where sold) as sold",
      year: '2020',
    })
    expect(body.aggregates).toEqual({
      array_agg_title: ['Red boat', 'Red barn'],
      json_agg_made_at: ['2026-03-28T23:30:00Z', '2026-03-29T00:30:00Z'],
      sold: 'Red boat',
    })
  })

  it('computes exact numbers', async () => {
    const { body } = await get({
      _aggregate:
        'sum(price * 3) as a, sum(case when sold then price else 0 end) as b, sum(price) filter (where year in (2020, 2021)) as c, round(sum(price) / nullif(count(*), 0), 2) as d',
    })
    expect(body.aggregates).toEqual({ a: 371.25, b: 112.75, c: 16.75, d: 20.63 })
  })
})

describe('an aggregation with _group_by', () => {
  it('returns the groups and their total, in the order of the keys, with nulls last, in one round trip', async () => {
    const answer = await get({ _aggregate: 'count(*),sum(price)', _group_by: 'year' })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      data: [
        { year: 2020, count: 2, sum_price: 14.5 },
        { year: 2021, count: 2, sum_price: 2.25 },
        { year: 2022, count: 1, sum_price: 7 },
        { year: null, count: 1, sum_price: 100 },
      ],
      total: 4,
      page: 1,
      page_size: 20,
      meta: { offset: 0, limit: 20, count: 4, has_more: false, total_is: 'exact' },
    })
    expect(roundTrips(answer)).toBe('1')
    expect(answer.headers.get('x-total-count')).toBe('4')
  })

  it('keeps the groups that match _having; the order and pages apply to groups', async () => {
    const parameters = {
      _aggregate: 'count(*)',
      _group_by: 'artist_id.name',
      _having: "count__gte=1,artist_id.name__ne='Cy'",
      ordering: '-count,artist_id.name',
    }
    const first = await get({ ...parameters, page_size: '2' })
    expect(first.body).toEqual({
      data: [
        { 'artist_id.name': 'Ada', count: 2 },
        // Works without an artist, and works of a deleted artist.
        { 'artist_id.name': null, count: 2 },
      ],
      total: 3,
      page: 1,
      page_size: 2,
      meta: { offset: 0, limit: 2, count: 3, has_more: true, total_is: 'exact' },
    })
    expect((await get({ ...parameters, page: '2', page_size: '2' })).body.data).toEqual([
      { 'artist_id.name': 'Bo', count: 1 },
    ])
    expect((await get({ ...parameters, page: '9', page_size: '2' })).body).toMatchObject({
      data: [],
      total: 3,
    })
    expect((await get({ ...parameters, _count: 'true' })).body).toMatchObject({ data: [], total: 3 })
    expect((await get({ ...parameters, page: '2000000' })).body).toMatchObject({ data: [], total: 3 })
  })

  it('compares every result by its type in _having', async () => {
    const years = async (_having: string) =>
      (
        await get({ _aggregate: 'count(*),sum(price),max(title),min(made_at)', _group_by: 'year', _having })
      ).body.data.map((group: { year: number }) => group.year)
    expect(await years('count__gt=1')).toEqual([2020, 2021])
    expect(await years('count__lt=1.5')).toEqual([2022, null])
    expect(await years('sum_price__eq=14.50')).toEqual([2020])
    expect(await years("max_title__lte='Of one gone',count__eq=1")).toEqual([2022, null])
    expect(await years('min_made_at__gte=2026-03-29T21:00:00Z')).toEqual([2021, 2022])
    expect(await years('year__ne=2020')).toEqual([2021, 2022, null])
  })

  it('knows the operator eq only in _having: as a filter of records it returns 400', async () => {
    expect(
      (await get({ _aggregate: 'count(*)', _group_by: 'year', _having: 'count__eq=2' })).body.data,
    ).toEqual([
      { year: 2020, count: 2 },
      { year: 2021, count: 2 },
    ])
    const refused = await get({ year__eq: '2020' })
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        details: { year__eq: [expect.stringContaining('Unknown operator "eq".')] },
        code: 'validation_failed',
      },
    ])
  })

  it('groups by hours, days and months with date_trunc', async () => {
    const groups = async (unit: string) =>
      (
        await get({
          _aggregate: 'count(*)',
          _group_by: `date_trunc('${unit}', made_at)`,
          made_at__lt: '2026-03-29T12:00:00Z',
        })
      ).body.data
    expect(await groups('hour')).toEqual([
      { date_trunc: '2026-03-28T23:00:00Z', count: 1 },
      { date_trunc: '2026-03-29T00:00:00Z', count: 1 },
    ])
    expect(await groups('day')).toEqual([
      { date_trunc: '2026-03-28T00:00:00Z', count: 1 },
      { date_trunc: '2026-03-29T00:00:00Z', count: 1 },
    ])
    expect(await groups('month')).toEqual([{ date_trunc: '2026-03-01T00:00:00Z', count: 2 }])
  })

  it('returns the related object next to its key with populate', async () => {
    const { body } = await get({
      _aggregate: 'count(*)',
      _group_by: 'artist_id',
      populate: 'artist.city',
      ordering: '-count',
      page_size: '1',
    })
    expect(body.data).toEqual([
      {
        artist_id: 1,
        count: 2,
        artist: {
          id: 1,
          name: 'Ada',
          born: '1950-06-15',
          city_id: 1,
          mentor: null,
          is_deleted: false,
          city: { id: 1, name: 'Bergen', population: 280000 },
        },
      },
    ])
  })

  it('replaces a column that has the name of the related object, and populates all keys with *', async () => {
    const { body } = await get(
      { _aggregate: 'count(*)', _group_by: 'mentor,city_id as town', populate: '*', ordering: '-mentor' },
      'artists',
    )
    expect(body.data).toEqual([
      {
        mentor: expect.objectContaining({ id: 1, name: 'Ada' }),
        town: 1,
        count: 1,
        city: expect.objectContaining({ name: 'Bergen' }),
      },
      {
        mentor: expect.objectContaining({ id: 1, name: 'Ada' }),
        town: 2,
        count: 1,
        city: expect.objectContaining({ name: 'Graz' }),
      },
      { mentor: null, town: 1, count: 1, city: expect.objectContaining({ name: 'Bergen' }) },
    ])
  })

  it('returns the day in a time zone as a local time, or with a third operand as the instant at which it begins', async () => {
    const of = async (_group_by: string) =>
      (await get({ _aggregate: 'count(*)', _group_by, made_at__null: 'false' })).body.data
    // On 29 March, the clocks in Berlin go forward, and the day has 23 hours.
    expect(await of("date_trunc('day', made_at AT TIME ZONE 'Europe/Berlin')")).toEqual([
      { date_trunc: '2026-03-29T00:00:00', count: 3 },
      { date_trunc: '2026-03-30T00:00:00', count: 1 },
      { date_trunc: '2026-10-25T00:00:00', count: 1 },
    ])
    expect(await of("date_trunc('day', made_at, 'Europe/Berlin')")).toEqual([
      { date_trunc: '2026-03-28T23:00:00Z', count: 3 },
      { date_trunc: '2026-03-29T22:00:00Z', count: 1 },
      { date_trunc: '2026-10-24T22:00:00Z', count: 1 },
    ])
    // A zone after the function converts its result.
    expect(await of("date_trunc('day', made_at) AT TIME ZONE 'UTC'")).toEqual([
      { date_trunc: '2026-03-28T00:00:00', count: 1 },
      { date_trunc: '2026-03-29T00:00:00', count: 3 },
      { date_trunc: '2026-10-25T00:00:00', count: 1 },
    ])
    const inTwo = "(date_trunc('day', made_at) at time zone 'UTC') at time zone 'UTC'"
    expect(Object.keys((await of(inTwo))[0])).toEqual(['date_trunc', 'count'])
    expect(
      (await get({ _aggregate: `${"date_trunc('year', max(made_at))"} at time zone 'UTC'` })).body.aggregates,
    ).toEqual({
      date_trunc: '2026-01-01T00:00:00',
    })
    expect(await of("date_trunc('day', made_at)")).toEqual([
      { date_trunc: '2026-03-28T00:00:00Z', count: 1 },
      { date_trunc: '2026-03-29T00:00:00Z', count: 3 },
      { date_trunc: '2026-10-25T00:00:00Z', count: 1 },
    ])
    expect(
      (await of("date_trunc('month', made_at)")).map((group: { date_trunc: string }) => group.date_trunc),
    ).toEqual(['2026-03-01T00:00:00Z', '2026-10-01T00:00:00Z'])
  })

  it('returns 400 for a field in a time zone without an alias', async () => {
    expect((await get({ _group_by: "made_at at time zone 'UTC'" })).body.details._group_by).toEqual([
      expect.stringContaining('This expression has no name of its own. Write " as <alias>" after it.'),
    ])
  })

  it('returns the distinct values if _aggregate is missing', async () => {
    expect((await get({ _group_by: 'sold,year', year__null: 'false' })).body.data).toEqual([
      { sold: false, year: 2020 },
      { sold: false, year: 2022 },
      { sold: true, year: 2020 },
      { sold: true, year: 2021 },
      { sold: null, year: 2021 },
    ])
  })

  it('accepts any alias, including words of SQL and JavaScript', async () => {
    const answer = await app.request(
      'GET',
      `${data('works')}?_aggregate=count(*) as __proto__,sum(price) as "select"&_group_by=1 as constructor`,
      {
        token,
      },
    )
    expect(JSON.stringify(answer.body.data)).toBe('[{"constructor":1,"__proto__":6,"select":123.75}]')
  })

  it('joins parameters that are given more than once', async () => {
    const { body } = await app.request(
      'GET',
      `${data('works')}?_aggregate=count(*)&_aggregate=max(price)&_group_by=sold&_group_by=year&_having=count__gt=1&_having=`,
      { token },
    )
    expect(body.data).toEqual([])
    expect(body.total).toBe(0)
  })
})

describe('an aggregate function returns the result of its example', () => {
  const types = ['number', 'integer', 'string', 'boolean']

  beforeAll(async () => {
    const fields = [{ name: 'of', type: 'string' }, ...types.map((type) => ({ name: `a_${type}`, type }))]
    await app.request('POST', `${site.api}/apps/shop/datasources/main/datatables/?materialize=true`, {
      token,
      body: {
        name: 'examples',
        json_schema: { fields: [{ name: 'id', type: 'integer' }, ...fields], primaryKey: 'id' },
      },
    })
    const body = [...aggregates].flatMap(([of, { example }]) =>
      example.of.map((value) => ({ of, [`a_${example.type}`]: value })),
    )
    expect(await app.request('POST', data('examples'), { token, body })).toMatchObject({ status: 201 })
  })

  it.each([...aggregates])('%s', async (name, { example }) => {
    const call = (example.call ?? `${name}(§)`).replaceAll('§', `a_${example.type}`)
    const { body } = await get({ of: name, _aggregate: `${call} as made` }, 'examples')
    expect(body.aggregates.made).toEqual(example.makes)
  })
})
