/**
 * Many writers at once, with 30 exclusions in both providers: what Postgres holds is what the schemas say, by
 * an evaluator of the test's own. Writers wait for each other: a deadlock is left only where a record changes
 * while a writer of some of its values waits for its lock, and is then repeated. D19.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, addTables, createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

const writers = 20
const rounds = runs(2, 12)

/** How values of the small numbers of this test are written in fields of each type. */
const written = {
  datetime: (n: number) => `2026-01-01T${String(n).padStart(2, '0')}:00:00Z`,
  date: (n: number) => `2026-01-${String(n + 1).padStart(2, '0')}`,
  integer: (n: number) => n,
  number: (n: number) => n / 4,
}
type RangeType = keyof typeof written

interface Excluding {
  type: RangeType
  equal: readonly ('word' | 'count' | 'flag')[]
  bounds: '[)' | '[]'
  /** Whether a second range has to overlap, too. */
  hasLevels: boolean
  where: boolean
  isNamed: boolean
  softDeletes: boolean
}

const excluding = fc.record<Excluding>({
  type: fc.constantFrom<RangeType>('datetime', 'date', 'integer', 'number'),
  equal: fc.subarray(['word', 'count', 'flag'] as const),
  bounds: fc.constantFrom('[)' as const, '[]' as const),
  hasLevels: fc.boolean(),
  where: fc.boolean(),
  isNamed: fc.boolean(),
  softDeletes: fc.boolean(),
})

/** A record, with the small numbers in place of the ends of its range. */
interface Item {
  id: number
  word?: string | null
  count?: number | null
  flag?: boolean | null
  from?: number | null
  to?: number | null
  low?: number | null
  high?: number | null
  kind?: string
  is_deleted?: boolean
}

const end = fc.option(fc.integer({ min: 0, max: 12 }), { freq: 6 })
const values = fc.record<Omit<Item, 'id'>>(
  {
    word: fc.option(fc.constantFrom('a', "b'; drop table x", 'c, "1") conflicts with existing key (')),
    count: fc.option(fc.constantFrom(1, 2)),
    flag: fc.option(fc.boolean()),
    from: end,
    to: end,
    low: end,
    high: end,
    kind: fc.constantFrom('in', 'out'),
  },
  { requiredKeys: ['word', 'count', 'flag', 'from', 'to'] },
)
const change = fc.record<Omit<Item, 'id'>>(
  { word: fc.constantFrom('a', 'b'), count: fc.constantFrom(1, 2), flag: fc.boolean(), from: end, to: end, kind: fc.constant('in') },
  { requiredKeys: [] },
) // biome-ignore format: rows

const schemaOf = ({ type, equal, bounds, hasLevels, where, isNamed, softDeletes }: Excluding) => ({
  primaryKey: 'id',
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'word', type: 'string' },
    { name: 'count', type: 'number' },
    { name: 'flag', type: 'boolean' },
    { name: 'from', type },
    { name: 'to', type },
    { name: 'low', type: 'integer' },
    { name: 'high', type: 'integer' },
    { name: 'kind', type: 'string', default: 'in' },
    ...(softDeletes ? [{ name: 'is_deleted', type: 'boolean' }] : []),
  ],
  ranges: isNamed ? { period: ['from', 'to'] } : {},
  exclusions: [
    {
      name: 'apart',
      elements: [
        ...equal.map((field) => ({ field, op: '=' })),
        { range: isNamed ? 'period' : ['from', 'to'], op: 'overlaps' },
        ...(hasLevels ? [{ range: ['low', 'high'], op: 'overlaps' }] : []),
      ],
      bounds,
      ...(where ? { where: { kind: 'in' } } : {}),
    },
  ],
})

const withExclusions = (length: number) => ({
  primaryKey: 'id',
  fields: ['id', 'from', 'to', 'count'].map((name) => ({ name, type: 'integer' })),
  exclusions: Array.from({ length }, (_, n) => ({
    name: `apart${n}`,
    elements: [{ field: 'count' }, { range: ['from', 'to'] }],
  })),
})

/** The evaluator: tells whether two ranges have a point in common. */
function overlap(a: readonly [Item['from'], Item['to']], b: typeof a, bounds: Excluding['bounds']): boolean {
  const [[al, ah], [bl, bh]] = [a, b].map(([low, high]) => [low ?? -Infinity, high ?? Infinity]) as [
    [number, number],
    [number, number],
  ]
  if (bounds === '[]') return al <= bh && bl <= ah
  return al < ah && bl < bh && al < bh && bl < ah
}

function excludes(one: Item, other: Item, { equal, bounds, hasLevels, where }: Excluding): boolean {
  const counts = (item: Item) => item.is_deleted !== true && (!where || item.kind === 'in')
  return (
    counts(one) &&
    counts(other) &&
    equal.every((name) => one[name] !== null && one[name] === other[name]) &&
    overlap([one.from, one.to], [other.from, other.to], bounds) &&
    (!hasLevels || overlap([one.low, one.high], [other.low, other.high], bounds))
  )
}

/** What a writer does: a request, for records with small ids. */
type Act = { kind: string; ids: number[]; values: Omit<Item, 'id'>[]; change: Omit<Item, 'id'> }
const act = fc.record<Act>({
  kind: fc.constantFrom('create', 'many', 'patch', 'patch many', 'filter', 'upsert', 'batch', 'delete', 'restore', 'parts'),
  ids: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 3, maxLength: 3 }),
  values: fc.array(values, { minLength: 3, maxLength: 3 }),
  change,
}) // biome-ignore format: rows

const settings = fc.sample(excluding, { numRuns: 30, seed: 7 })
let app: TestApp
let shop: Shop
let papers: (table: string) => string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'excluding-writers')
  const resources = [
    ...settings.map((one, place) => ({ name: `t${place}`, schema: schemaOf(one) })),
    { name: 'many', schema: withExclusions(20) },
    { name: 'few', schema: withExclusions(2) },
  ]
  await addTables(app, shop, resources)
  papers = await addDocuments(app, shop, resources)
}, 120_000)

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: shop.owner.token, ...(body === undefined ? {} : { body }) })

const deadlocks = async () =>
  (
    await app.sql<{ n: number }>(
      'select deadlocks::integer as n from pg_stat_database where datname = current_database()',
    )
  )[0]?.n

/** Sends what a writer does. */
function send(data: string, table: string, type: RangeType, { kind, ids, values: all, change: one }: Act) {
  const sent = (value: Omit<Item, 'id'>) => ({
    ...value,
    ...('from' in value ? { from: typeof value.from === 'number' ? written[type](value.from) : null } : {}),
    ...('to' in value ? { to: typeof value.to === 'number' ? written[type](value.to) : null } : {}),
  })
  const withIds = (list: readonly Omit<Item, 'id'>[]) =>
    list.map((value, at) => ({ id: ids[at], ...sent(value) }))
  const [first = 1] = ids
  const requests: Record<string, () => ReturnType<typeof call>> = {
    create: () => call('POST', data, sent(all[0] ?? {})),
    many: () => call('POST', data, all.map(sent)),
    parts: () => call('POST', `${data}?atomic=false`, all.map(sent)),
    patch: () => call('PATCH', `${data}${first}/`, sent(one)),
    'patch many': () => call('PATCH', data, withIds(all)),
    filter: () => call('PATCH', `${data}?filter={"id__in":[${ids}]}`, sent(one)),
    upsert: () => call('POST', `${data}upsert/?unique_fields=id`, withIds(all)),
    batch: () =>
      call('POST', data.replace(/datatables\/.*$/, 'batch/'), [
        { op: 'create', table, data: sent(all[0] ?? {}) },
        { op: 'update', table, id: first, data: sent(one) },
        { op: 'create', table, data: sent(all[1] ?? {}) },
      ]),
    delete: () => call('DELETE', `${data}${first}/`),
    restore: () => call('PATCH', `${data}${first}/?include_deleted=true`, { is_deleted: false }),
  }
  return requests[kind]?.() as ReturnType<typeof call>
}

describe.each(['flat_table', 'jsonb'])('in %s', (provider) => {
  it.each(settings.map((one, place) => ({ place, ...one })))('exclusion $place holds', async (setting) => {
    const { place, type, softDeletes } = setting
    const table = `t${place}`
    const data = provider === 'jsonb' ? papers(table) : shop.data(table)
    let stored = 0
    for (let round = 0; round < rounds; round++) {
      const acts = fc.sample(act, { numRuns: writers, seed: 1000 * place + round })
      const possible = acts.filter(({ kind }) => softDeletes || kind !== 'restore')
      const answers = await Promise.all(possible.map((one) => send(data, table, type, one)))
      for (const [at, { status, body }] of answers.entries()) {
        expect([200, 201, 204, 207, 400, 404, 409], JSON.stringify([possible[at], body])).toContain(status)
        if (status === 409)
          expect(['record_excluded', 'duplicate_value'], JSON.stringify(body)).toContain(body.code)
      }
      const { body } = await call(
        'GET',
        `${data}?page_size=1000${softDeletes ? '&include_deleted=true' : ''}`,
      )
      const numberOf = (value: unknown) =>
        value === null
          ? null
          : Array.from({ length: 13 }, (_, n) => n).find((n) => written[type](n) === value)
      const items: Item[] = body.data.map((one: Item) => ({
        ...one,
        from: numberOf(one.from),
        to: numberOf(one.to),
      }))
      const wrong = items.flatMap((one, index) =>
        items
          .slice(index + 1)
          .filter((other) => excludes(one, other, setting))
          .map((other) => [one, other]),
      )
      expect(wrong).toEqual([])
      stored += items.length
      for (const { from, to } of items) expect((from ?? -Infinity) <= (to ?? Infinity)).toBe(true)
      // Whatever the evaluator finds free, Postgres takes; whatever it finds taken, Postgres refuses.
      for (const value of fc.sample(values, { numRuns: 5, seed: 77 * place + round })) {
        const item = { kind: 'in', id: 0, ...value }
        const answer = await send(`${data}`, table, type, {
          kind: 'create',
          ids: [],
          values: [value],
          change: {},
        })
        const expected = () => {
          if ((value.from ?? -Infinity) > (value.to ?? Infinity)) return 400
          if (setting.hasLevels && (value.low ?? -Infinity) > (value.high ?? Infinity)) return 400
          return items.some((one) => excludes(one, { low: null, high: null, ...item }, setting)) ? 409 : 201
        }
        expect(answer.status, JSON.stringify([value, answer.body])).toBe(expected())
        if (answer.status === 201) items.push({ ...item, id: answer.body.data.id })
      }
    }
    // The test proves nothing if nothing was written.
    expect(stored).toBeGreaterThan(0)
  })

  it('a batch whose changes have too many exclusions is refused: 413; a smaller one is written', async () => {
    const path = `${shop.api}/apps/${provider === 'jsonb' ? 'papers' : 'shop'}/batch/`
    const changes = (count: number, table = 'many') =>
      Array.from({ length: count }, (_, id) => ({ op: 'update', table, id: id + 1, data: { to: id } }))
    const made = await call(
      'POST',
      path,
      changes(60).map(({ id }) => ({ op: 'create', table: 'many', data: { id, from: id - 1, to: id } })),
    )
    expect([made.status, made.body]).toEqual([200, made.body])
    const { status, body } = await call('POST', path, changes(1000))
    expect([status, body]).toEqual([
      413,
      {
        code: 'too_many_items',
        detail:
          'The operations change records of tables with too many exclusions at once. ' +
          'Send fewer operations at a time, or change the records by one request with an array.',
      },
    ])
    const changed = await call('POST', path, changes(60))
    expect([changed.status, changed.body]).toEqual([200, changed.body])
    const none = await call('POST', path, changes(1000, 'few'))
    expect([none.status, none.body]).toEqual([404, none.body])
  })

  it('writers hardly ever meet in a deadlock', async () => {
    expect(await deadlocks()).toBeLessThan(2 + rounds)
  })
})
