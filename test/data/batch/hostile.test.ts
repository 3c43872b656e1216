/**
 * Hostile batches and hostile nested records: they are refused or executed, and never affect another site.
 */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection } from '../../support/collection.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { hostile } from '../../support/hostile-texts.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'

let app: TestApp
let shop: Shop
let neighbour: Shop

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'hostile-batches', collection)
  await addDocuments(app, shop, collection.resources)
  neighbour = await createShop(app, 'batch-neighbour', collection)
  const { owner, data } = neighbour
  const body = { id: 7, title: 'canary work', artist: { name: 'canary', city: { name: 'canary' } } }
  expect((await app.request('POST', data('works'), { token: owner.token, body })).status).toBe(201)
})

const tables = collection.resources.map(({ name }) => name)
const fieldsOf = new Map(collection.resources.map(({ name, schema }) => [name, schema.fields]))
const table = fc.constantFrom(...tables)
const field = fc.constantFrom(
  ...new Set([...fieldsOf.values()].flatMap((all) => all.map(({ name }) => name))),
)
/** Generates mostly values of the first generator, and sometimes hostile ones. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<unknown> = hostile) =>
  fc.oneof({ weight: 40, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: other })
/** Names are well-formed text, because the validator of answers cannot read others. */
const oddName = hostile.map((text) => text.toWellFormed())
const as = fc.constantFrom('a', 'b', 'c')
const reference = fc
  .tuple(mostly(as), mostly(field, oddName))
  .map(([name, from]): unknown => ({ $: `${name}.${from}` }))
const value = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.boolean(),
  fc.double(),
  fc.constantFrom<unknown>(null, '2026-01-31', '12:00:00', '2026-01-31T12:00:00Z', [], {}, { a: 1 }, [1]),
  hostile,
  reference,
  hostile.map((text): unknown => ({ $: text })),
  fc
    .tuple(fc.constantFrom('$add', '$multiply', '$'), fc.oneof(fc.integer(), hostile))
    .map(([name, by]) => ({ [name]: by })),
  fc.dictionary(oddName, hostile, { maxKeys: 2 }),
)
/** Generates values that each type can store. */
const valid: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: fc.oneof(hostile, fc.constantFrom('a', 'b')),
  integer: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 4_000 }) },
    { weight: 1, arbitrary: reference },
  ),
  number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
  boolean: fc.boolean(),
  date: fc.constant('2026-01-31'),
  time: fc.constant('12:00:00'),
  datetime: fc.constant('2026-01-31T12:00:00Z'),
  uuid: fc.uuid(),
  object: fc.dictionary(oddName, fc.jsonValue(), { maxKeys: 2 }),
  array: fc.array(fc.jsonValue(), { maxLength: 2 }),
}
/**
 * Generates mostly values that a field can store, and mostly null for references, which may name no record.
 */
const usualOf = ({ name, type }: { name: string; type: string }): fc.Arbitrary<unknown> => {
  const stored = valid[type] ?? value
  const isKey = name.endsWith('_id') || name === 'mentor'
  return isKey
    ? fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: stored })
    : stored
}
/** Generates the values of a record of a table. */
const dataOf = (name: string): fc.Arbitrary<Record<string, unknown>> => {
  const members = (fieldsOf.get(name) ?? []).map((one): [string, fc.Arbitrary<unknown>] => [
    one.name,
    fc.oneof({ weight: 40, arbitrary: usualOf(one) }, { weight: 1, arbitrary: value }),
  ])
  const usual = fc.record(Object.fromEntries(members), { requiredKeys: name === 'cities' ? ['name'] : [] })
  return fc.oneof(
    { weight: 30, arbitrary: usual },
    {
      weight: 1,
      arbitrary: fc.dictionary(mostly(field, oddName) as fc.Arbitrary<string>, value, { maxKeys: 4 }),
    },
  )
}
const data = table.chain(dataOf)
const key = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom('1', '1,2'), reference, hostile)
const flag = mostly(fc.boolean())
const operationsOn = (name: string) =>
  [
    { op: 'create', data: dataOf(name), as },
    { op: 'update', id: key, data: dataOf(name), as, if_match: hostile, include_deleted: flag },
    { op: 'upsert', unique_fields: fc.constant(['id']), data: dataOf(name), as, include_deleted: flag },
    { op: 'delete', id: key, if_match: hostile, hard_delete: flag },
    { op: 'create_edge', data },
    { op: 'delete_edge', id: key },
  ].map(({ op, ...members }, index) => {
    const names = Object.keys(members)
    const arbitrary = fc.record(
      {
        op: mostly(fc.constant(op), fc.oneof(hostile, fc.integer())),
        table: mostly(fc.constant(name)),
        ...Object.fromEntries(
          names.map((one) => [
            one,
            mostly((members as unknown as Record<string, fc.Arbitrary<unknown>>)[one] ?? flag),
          ]),
        ),
      },
      { requiredKeys: ['op', 'table', ...names.filter((one) => /^(id|data|unique)/.test(one))] as never[] },
    )
    return { weight: index === 0 ? 6 : 1, arbitrary }
  })
const operation = table.chain((name) => fc.oneof(...operationsOn(name)))
const batch = mostly(fc.array(mostly(operation), { minLength: 1, maxLength: 4 }), fc.jsonValue())

/** The tables of related records, by table and relationship. */
const relationships: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cities: { artists: 'artists', shows: 'shows' },
  artists: { city: 'cities', mentor: 'artists', artists: 'artists', works_by_artist: 'works' },
  works: { artist: 'artists', restorer: 'artists', hangings: 'hangings', shows: 'shows' },
  shows: { city: 'cities', hangings: 'hangings', works: 'works' },
  hangings: { show: 'shows', work: 'works' },
}
const names = fc.oneof(oddName, fc.constantFrom('artist_id', '__proto__', 'constructor', 'works', 'id'))
const nested = fc.letrec<Record<string, Record<string, unknown>>>((tie) =>
  Object.fromEntries(
    tables.map((name) => {
      const inside = Object.entries(relationships[name] ?? {}).map(
        ([member, other]): [string, fc.Arbitrary<unknown>] => {
          const one: fc.Arbitrary<unknown> = tie(other)
          const many: fc.Arbitrary<unknown> = fc.array(one, { maxLength: 2 })
          return [member, mostly(/s$|_by_/.test(member) ? many : one, fc.oneof(value, many, one))]
        },
      )
      const related = fc.record(Object.fromEntries(inside), { requiredKeys: [] })
      const odd = fc.dictionary(names, fc.oneof(value, tie(name)), { maxKeys: 1 })
      const deep = fc
        .tuple(dataOf(name), related, mostly(fc.constant({}), odd))
        .map(([own, more, other]): Record<string, unknown> => ({ ...own, ...more, ...(other as object) }))
      return [name, fc.oneof({ depthSize: 'small' }, dataOf(name), deep)]
    }),
  ),
)
const bodies = table.chain((name) => {
  const one = nested[name] as fc.Arbitrary<unknown>
  return fc.tuple(
    fc.constant(name),
    fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 3 }) as fc.Arbitrary<unknown>),
  )
})

const paths = (name: string) =>
  [
    [`apps/shop/${name}`, {}],
    [`apps/papers/${name}`, { 'idempotency-key': crypto.randomUUID() }],
  ] as const

/** Sends bodies, half of them as dry runs. Returns the number of answers of each status. */
async function send(all: readonly (readonly [path: string, body: unknown])[]): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  for (const [index, [name, body]] of all.entries()) {
    const [path, headers] = paths(name)[index % 2] as ReturnType<typeof paths>[number]
    const query = index % 4 < 2 ? '?dry_run=true' : ''
    const text = JSON.stringify(body)
    const answer = await app.request('POST', `${shop.api}/${path}${query}`, {
      token: shop.owner.token,
      headers,
      body: text,
    })
    const shown = `seed ${seed}: ${path} ${text.slice(0, 2_000)} ${answer.text.slice(0, 500)}`
    expect(answer.status, shown).toBeLessThan(500)
    expect(answer.text, shown).not.toMatch(/canary|plpgsql|syntax error/)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  }
  return statuses
}

/** Expects only statuses that the OpenAPI document declares, and enough writes that succeed. */
const expectAnswered = (statuses: Map<number, number>, written: number) => {
  const others = [...statuses.keys()].filter(
    (status) => ![200, 201, 400, 404, 409, 412, 422, 403].includes(status),
  )
  expect(others).toEqual([])
  expect(statuses.get(400)).toBeGreaterThan(0)
  expect((statuses.get(written) ?? 0) + (statuses.get(200) ?? 0)).toBeGreaterThan(5)
}

it('hostile batches never get a 5xx, and change nothing in another site', async () => {
  const all = fc.sample(batch, { numRuns: runs(80, 3_000), seed })
  expectAnswered(await send(all.map((body) => ['batch/', body])), 200)
  const { body } = await app.request('GET', `${neighbour.data('works')}?populate=artist.city`, {
    token: neighbour.owner.token,
  })
  expect(body.data).toMatchObject([{ id: 7, title: 'canary work', artist: { city: { name: 'canary' } } }])
})

it('hostile nested records never get a 5xx', async () => {
  const all = fc.sample(bodies, { numRuns: runs(80, 3_000), seed })
  expectAnswered(await send(all.map(([name, body]) => [`datatables/${name}/data/`, body])), 201)
})
