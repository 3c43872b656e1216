/** The clauses and operands of aggregate functions, with records of both kinds of datasources. R19. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { createInBothProviders, providers } from '../../support/both-providers.ts'
import type { Shop } from '../../support/fixtures.ts'

const field = (name: string, type: string) => ({ name, type })
const resources = [
  {
    name: 'teams',
    schema: {
      primaryKey: 'id',
      fields: [field('id', 'integer'), field('name', 'string')],
    },
  },
  {
    name: 'runs',
    schema: {
      primaryKey: 'id',
      fields: [
        ...[field('id', 'integer'), field('team_id', 'integer'), field('name', 'string')],
        ...[
          field('points', 'integer'),
          field('time', 'number'),
          field('on', 'date'),
          field('at', 'datetime'),
        ],
        ...[
          field('good', 'boolean'),
          field('code', 'uuid'),
          field('about', 'object'),
          field('clock', 'time'),
        ],
      ],
      foreignKeys: [{ fields: 'team_id', reference: { resource: 'teams', fields: 'id' } }],
    },
  },
]
const codes = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
const day = (number: number) => ({
  on: `2026-01-0${number}`,
  at: `2026-01-0${number}T10:00:00Z`,
})
const runs = [
  {
    id: 1,
    team_id: 1,
    name: 'c',
    points: 3,
    time: 2.5,
    ...day(3),
    good: true,
    code: codes[1],
  },
  {
    id: 2,
    team_id: 1,
    name: 'a',
    points: 1,
    time: 1,
    ...day(1),
    good: false,
    code: codes[0],
  },
  {
    id: 3,
    team_id: 1,
    name: 'b',
    points: null,
    time: null,
    ...day(2),
    good: null,
    code: null,
  },
  {
    id: 4,
    team_id: 2,
    name: 'a',
    points: 3,
    time: 0.5,
    ...day(3),
    good: true,
    code: codes[0],
  },
  {
    id: 5,
    team_id: 2,
    name: null,
    points: '9007199254740993',
    time: null,
    good: true,
    code: codes[0],
  },
].map((run) => ({
  ...{
    clock: run.id < 3 ? '10:00' : '09:00',
    about: run.id === 5 ? null : { a: { b: run.id % 2 }, 'x y': 'z' },
  },
  ...run,
}))

/** Aggregates of the runs, each with its result. */
const examples: [call: string, result: unknown][] = [
  ['array_agg(name order by name)', ['a', 'a', 'b', 'c', null]],
  ['array_agg(name order by name desc)', [null, 'c', 'b', 'a', 'a']],
  ['array_agg(name order by name desc nulls last)', ['c', 'b', 'a', 'a', null]],
  ['array_agg(name order by name asc nulls first)', [null, 'a', 'a', 'b', 'c']],
  ['array_agg("id" order by points desc nulls last, time)', [5, 4, 1, 2, 3]],
  ['json_agg("id" order by points)', [2, 1, 4, 5, 3]],
  ['jsonb_agg("id" order by team_id desc, name)', [4, 5, 2, 3, 1]],
  ['array_agg("id" order by time * -1, good) filter (where team_id = 1)', [1, 2, 3]],
  ['array_agg("id" order by about.a.b::integer, name, time)', [4, 2, 3, 1, 5]],
  ['string_agg(name, \'-\' order by "on", points)', 'a-b-c-a'],
  ["string_agg(name, '-' ORDER BY at DESC)", 'c-a-b-a'],
  ['array_agg(at order by at) filter (where id < 3)', ['2026-01-01T10:00:00Z', '2026-01-03T10:00:00Z']],
  ['array_agg(distinct name order by name desc)', [null, 'c', 'b', 'a']],
  ['array_agg(distinct name order by name nulls first)', [null, 'a', 'b', 'c']],
  ['array_agg(distinct points order by points desc nulls last)', ['9007199254740993', 3, 1, null]],
  ["string_agg(distinct name, '/' order by name desc)", 'c/b/a'],
  ["string_agg(distinct coalesce(name, 'x'), '/' order by coalesce(name, 'x'))", 'a/b/c/x'],
  [
    "array_agg(distinct about->'a'->>'b'::integer order by about->'a'->>'b'::integer desc nulls last)",
    [1, 0, null],
  ],
  ['array_agg(distinct 1 order by 1)', [1]],
  ['array_agg(distinct 9007199254740993)', ['9007199254740993']],
  ['array_agg(distinct coalesce(now(), now()) order by coalesce(now(), now())) is null', false],
  ['array_agg(distinct 1) filter (where id > 9)', null],
  ["string_agg(distinct 'x', ',' order by 'x')", 'x'],
  ['array_agg(name order by 1)', ['c', 'a', 'b', 'a', null]],
  ['array_agg(name order by name) filter (where id > 9)', null],

  ['count(distinct team_id, name)', 4],
  ['count(distinct points, good, code)', 4],
  ['count(distinct good, about)', 3],
  ['count(distinct about->\'a\', about."x y")', 2],
  ['count(distinct good, code) filter (where team_id = 2)', 1],
  ["count(distinct 1, 'a', true)", 1],
  ['count(distinct points, null)', 0],

  ['corr("id", 10 - "id" * 2)', -1],
  ['round(corr(points, time) filter (where id < 5), 3)', 0.277],
  ['corr(time, 1)', null],
  ['corr(distinct time, time)', 1],
  ['corr(time, time) filter (where id > 4)', null],

  ['percentile_cont(0.5) within group (order by time)', 1],
  ['percentile_cont(0.25) within group (order by time)', 0.75],
  ['percentile_cont(0.25) within group (order by time desc)', 1.75],
  ['percentile_cont(1) WITHIN GROUP (ORDER BY time) FILTER (WHERE team_id = 1)', 2.5],
  ['percentile_cont(0.5) within group (order by points) filter (where id > 9)', null],
  ['percentile_cont(1e-999) within group (order by time)', 0.5],
  ['percentile_disc(0.5) within group (order by time)', 1],
  ['percentile_disc(0.5) within group (order by name)', 'a'],
  ['percentile_disc(1) within group (order by points)', '9007199254740993'],
  ['percentile_disc(0) within group (order by points desc)', '9007199254740993'],
  ['percentile_disc(0.5) within group (order by "on")', '2026-01-02'],
  ['percentile_disc(1) within group (order by at)', '2026-01-03T10:00:00Z'],
  ['percentile_disc(0) within group (order by clock)', '09:00:00'],
  ['percentile_disc(0) within group (order by good)', false],
  ['percentile_disc(1) within group (order by code)', codes[1]],
  ["percentile_disc(0.5) within group (order by about->'a'->>'b'::integer)", 0],

  ['mode() within group (order by name)', 'a'],
  ['mode() within group (order by points)', 3],
  ['mode() within group (order by good)', true],
  ['mode() within group (order by code)', codes[0]],
  ['mode() within group (order by team_id desc)', 1],
  ['mode() within group (order by at)', '2026-01-03T10:00:00Z'],
  ["mode() within group (order by about->'a')", { b: 0 }],
  ['mode() within group (order by name) filter (where name is null)', null],
  ['mode() within group (order by 1)', 1],

  ['any_value(name)', 'a'],
  ['any_value(points) filter (where id = 5)', '9007199254740993'],
  ['any_value(good) filter (where id <> 2)', true],
  ['any_value(code) filter (where id = 1)', codes[1]],
  ['any_value(about) filter (where id in (2, 5))', { a: { b: 0 }, 'x y': 'z' }],
  ["any_value(about->>'x y')", 'z'],
  ['any_value(at) filter (where id = 2)', '2026-01-01T10:00:00Z'],
  ['any_value(name) filter (where name is null)', null],
  ['any_value(distinct team_id) filter (where team_id = 2)', 2],
  ['any_value(2.5)', 2.5],
]

let app: TestApp
let shop: Shop
let data: Record<string, (table: string) => string>

beforeAll(async () => {
  ;({ app, shop, data } = await createInBothProviders('aggregate-calls', resources, []))
})

describe.each(providers)('a call of an aggregate function in a %s datasource', (provider) => {
  const ask = (table: string, parameters: Record<string, string>) =>
    app.request('GET', `${data[provider]?.(table)}?${new URLSearchParams(parameters)}`, {
      token: shop.owner.token,
    })

  beforeAll(async () => {
    const post = (table: string, body: unknown) =>
      app.request('POST', data[provider]?.(table) ?? '', {
        token: shop.owner.token,
        body: body as object,
      })
    const teams = await post('teams', [{ id: 1, name: 'x' }, { id: 2, name: 'y' }, { id: 3 }])
    expect([teams.status, (await post('runs', runs)).status]).toEqual([201, 201])
  })

  it.each([
    'corr(time * 1e300, time * 1e300)',
    'corr(time * 1e400, time)',
    'percentile_cont(0.5) within group (order by time * 1e400)',
    'percentile_cont(0.9) within group (order by case when time > 1 then 1.7e308 else -1.7e308 end)',
  ])('returns 400 if Postgres cannot compute it for the records: %s', async (call) => {
    const { status, body } = await ask('runs', {
      _aggregate: `${call} as it`,
    })
    expect([status, body]).toEqual([
      400,
      {
        error: 'Validation failed',
        details: {
          _aggregate: ['A number is out of range for some records.'],
        },
        code: 'validation_failed',
      },
    ])
  })

  it.each(examples)('computes %s', async (call, result) => {
    const { status, body } = await ask('runs', {
      _aggregate: `${call} as it`,
    })
    expect([status, body.aggregates ?? body.details]).toEqual([200, { it: result }])
  })

  it('computes it for each group, to sort by it and for _having, with the names of its values', async () => {
    const { status, body } = await ask('runs', {
      _group_by: 'team_id',
      _aggregate:
        'mode() within group (order by name),percentile_cont(0.5) within group (order by time),' +
        'count(distinct good, code),corr(points, time),any_value(good),array_agg(id order by id desc)',
      ordering: '-percentile_cont_time',
      _having: 'any_value_good__ne=false,percentile_cont_time__gt=0',
    })
    expect([status, body.data ?? body.details]).toEqual([
      200,
      [
        {
          ...{
            team_id: 2,
            mode_name: 'a',
            percentile_cont_time: 0.5,
            count_distinct_good_code: 1,
          },
          ...{
            corr_points_time: null,
            any_value_good: true,
            array_agg_id: [5, 4],
          },
        },
      ],
    ])
  })

  it('computes it of related records, and lists can be filtered and sorted by it', async () => {
    const { status, body } = await ask('teams', {
      _annotate:
        'array_agg(runs.id order by runs.time desc nulls last, runs.name) as ids,' +
        "string_agg(runs.name, '' order by runs.name desc) as names," +
        'percentile_disc(1) within group (order by runs.time) as slowest,' +
        'mode() within group (order by runs.good) filter (where runs.points > 1) as good,' +
        'count(distinct runs.good, runs.code) as n,any_value(runs.about) as about,' +
        'corr(runs.points, runs.time) as c',
      fields: 'id,ids,names,slowest,good,n,about,c',
      slowest__gt: '0',
      ordering: '-slowest',
    })
    expect([status, body.data ?? body.details]).toEqual([
      200,
      [
        {
          ...{
            id: 1,
            ids: [1, 2, 3],
            names: 'cba',
            slowest: 2.5,
            good: true,
            n: 2,
          },
          ...{ about: { a: { b: 0 }, 'x y': 'z' }, c: 1 },
        },
        {
          ...{
            id: 2,
            ids: [4, 5],
            names: 'a',
            slowest: 0.5,
            good: true,
            n: 1,
          },
          ...{ about: { a: { b: 0 }, 'x y': 'z' }, c: null },
        },
      ],
    ])
  })

  it('refuses an order by the fields of other records than the list', async () => {
    const { status, body } = await ask('teams', {
      _annotate: 'array_agg(runs.id order by name) as ids',
    })
    expect([status, body.details]).toEqual([
      400,
      {
        _annotate: [
          'Position 28: An annotation aggregates fields of related records: write array_agg(relationship.field).',
        ],
      },
    ])
  })
})
