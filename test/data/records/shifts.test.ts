/**
 * Swapping and shifting unique values in one write: the final state decides. A table of doors × cases, in
 * both providers. A field that may be null needs nothing; one that may not says `unique: "deferred"`.
 */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { addTables } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

const integer = (name: string, constraints: object = {}) => ({ name, type: 'integer', constraints })

/** The tables: how the values of `place` are unique, and whether that can be shifted. */
const tables = [
  { name: 'seats', place: integer('place', { unique: true }) },
  { name: 'pairs', place: integer('place'), uniqueKeys: [['room', 'place']] },
  {
    name: 'partial',
    place: integer('place'),
    indexes: [{ name: 'one', fields: ['place'], unique: true, where: { room__gte: 0 } }],
  },
  { name: 'fixed', place: integer('place', { unique: true, required: true }) },
] as const
const deferred = { name: 'later', place: integer('place', { unique: 'deferred', required: true }) }

const resourceOf = ({ name, place, ...others }: { name: string; place: object }) => ({
  name,
  schema: {
    primaryKey: 'id',
    fields: [
      integer('id'),
      integer('room', { required: true }),
      place,
      { name: 'title', type: 'string' },
      { name: 'updated_at', type: 'datetime' },
      { name: 'is_deleted', type: 'boolean' },
    ],
    history: true,
    ...others,
  },
})

let both: BothProviders

beforeAll(async () => {
  both = await createInBothProviders('shifting', tables.map(resourceOf), ['RECORD_UPDATE'])
  await addTables(both.app, both.shop, [resourceOf(deferred)])
})

type Places = Record<number, number | null>

/** A way to give records new places: the request, and which changes it can make. */
interface Door {
  name: string
  send(data: string, to: Places): [method: string, path: string, body: unknown]
}

const doors: Door[] = [
  {
    name: 'PATCH of an array',
    send: (data, to) => ['PATCH', data, Object.entries(to).map(([id, place]) => ({ id: Number(id), place }))],
  },
  {
    name: 'a batch',
    send: (data, to) => [
      'POST',
      data.replace(/datatables\/.*$/, 'batch/'),
      Object.entries(to).map(([id, place]) => ({
        op: 'update',
        table: /datatables\/([^/]+)/.exec(data)?.[1],
        id: Number(id),
        data: { place },
      })),
    ],
  },
]

const kinds = [
  ...providers.flatMap((provider) =>
    tables
      .filter(({ name }) => name !== 'fixed')
      .map(({ name }) => [`${name} in ${provider}`, provider, name] as const),
  ),
  ['later in flat_table', 'flat_table', 'later'] as const,
]

const fill = async (data: string) => {
  await call('DELETE', `${data}?filter={"id__gte":0}&hard_delete=true`)
  const rows = [1, 2, 3, 4].map((id) => ({ id, room: 1, place: id * 10, title: `t${id}` }))
  expect((await call('POST', data, rows)).status).toBe(201)
}
const placesIn = async (data: string): Promise<Places> => {
  const { body } = await call('GET', `${data}?ordering=id`)
  return Object.fromEntries(body.data.map(({ id, place }: { id: number; place: number }) => [id, place]))
}
const call = (method: string, path: string, body?: unknown) =>
  both.app.request(method, path, { token: both.shop.owner.token, ...(body === undefined ? {} : { body }) })

describe.each(kinds)('%s', (_, provider, table) => {
  let data: string
  beforeEach(async () => {
    data = both.data[provider](table)
    await fill(data)
  })

  describe.each(doors)('$name', ({ send }) => {
    it.each<[string, Places]>([
      ['swaps two values', { 1: 20, 2: 10 }],
      ['shifts values', { 1: 20, 2: 30, 3: 40, 4: 50 }],
      ['turns values round', { 1: 20, 2: 30, 3: 10 }],
      ['takes a value that is given up', { 1: 20, 2: 60 }],
    ])('%s', async (_title, to) => {
      const { status, body } = await call(...send(data, to))
      expect([status, body]).toEqual([200, expect.anything()])
      expect(await placesIn(data)).toEqual({ 1: 10, 2: 20, 3: 30, 4: 40, ...to })
    })

    it('refuses a final state in which a value is there twice, and changes nothing', async () => {
      const { status, body } = await call(...send(data, { 1: 20, 2: 30 }))
      expect([status, body.error]).toEqual([409, 'Duplicate value'])
      expect(await placesIn(data)).toEqual({ 1: 10, 2: 20, 3: 30, 4: 40 })
    })
  })

  it('shifts all that a filter matches by $add', async () => {
    const { status, body } = await call('PATCH', `${data}?filter={"place__gte":20}`, { place: { $add: 10 } })
    expect([status, body.data.length]).toEqual([200, 3])
    expect(body.data.map(({ place }: { place: number }) => place)).toEqual([30, 40, 50])
    expect(await placesIn(data)).toEqual({ 1: 10, 2: 30, 3: 40, 4: 50 })
  })

  it('raises one event, with the records before and after', async () => {
    await both.app.sql(`delete from tenant._deliveries`)
    await call('PATCH', data, [
      { id: 1, place: 20, title: 'x' },
      { id: 2, place: 10 },
    ])
    const rows = await both.app.sql<{ event: string; records: string; previous: string }>(
      `select event, records, previous from tenant._deliveries`,
    )
    const read = (text: string) =>
      JSON.parse(text).map(({ id, place, title }: Record<string, unknown>) => [id, place, title])
    expect(rows.map(({ event, records, previous }) => [event, read(records), read(previous)])).toEqual([
      ['RECORD_UPDATE', [[1, 20, 'x'], [2, 10, 't2']], [[1, 10, 't1'], [2, 20, 't2']]],
    ]) // biome-ignore format: rows
  })

  it('sees one change in the history, with the time of updated_at', async () => {
    const { body } = await call('PATCH', data, [
      { id: 1, place: 20 },
      { id: 2, place: 10 },
    ])
    expect(body.data.map(({ place }: { place: number }) => place)).toEqual([20, 10])
    const history = await call('GET', `${data}1/history/`)
    const versions = history.body.data.slice(0, 2)
    expect(versions.map((one: { record: { place: number } }) => one.record.place)).toEqual([20, 10])
    expect(versions[0].record.updated_at).toBe(body.data[0].updated_at)
  })
})

describe.each(providers)('two records of a write with one value, in %s', (provider) => {
  it.each(doors)('are 409 in $name, which names both', async ({ name, send }) => {
    const data = both.data[provider]('seats')
    await fill(data)
    const one = name === 'a batch' ? 'operations' : 'rows'
    // A record has the first value before the write, and none the second.
    for (const place of [20, 50]) {
      const { status, body } = await call(...send(data, { 1: place, 2: place, 3: 40, 4: 30 }))
      const detail = `${one}[1]: The same place as ${one}[0].`
      const others = { error: 'Duplicate value', field: 'place', held_by: 'request', code: 'duplicate_value' }
      expect([status, body]).toEqual([409, { ...others, detail }])
    }
    expect(await placesIn(data)).toEqual({ 1: 10, 2: 20, 3: 30, 4: 40 })
  })
})

describe.each(providers)('a unique field that may not be null, in %s', (provider) => {
  it.each(doors)('refuses in $name, saying who holds the value and what can be done', async ({ send }) => {
    const data = both.data[provider]('fixed')
    await fill(data)
    const { status, body } = await call(...send(data, { 1: 20, 2: 10 }))
    expect([status, body]).toEqual([
      409,
      {
        error: 'Duplicate value',
        detail: expect.stringMatching(
          /^(rows|operations)\[0\]: Another record of the same request still has this place\. In a batch, /,
        ),
        field: 'place',
        held_by: 'request',
        code: 'duplicate_value',
      },
    ])
  })
})

it.each(providers)('an upsert in %s cannot exchange values, and says who holds them', async (provider) => {
  const data = both.data[provider]('seats')
  await fill(data)
  const records = [1, 2].map((id) => ({ id, room: 1, place: 30 - 10 * id }))
  const refused = {
    error: 'Duplicate value',
    detail: expect.stringMatching(/^Another record of the same request still has this place\. In a batch, /),
    field: 'place',
    held_by: 'request',
    code: 'duplicate_value',
  }
  const upsert = await call('POST', `${data}upsert/?unique_fields=id`, records)
  expect([upsert.status, { ...upsert.body, detail: upsert.body.detail.replace('rows[0]: ', '') }]).toEqual([
    409,
    refused,
  ])
  const partly = await call('POST', `${data}upsert/?unique_fields=id&atomic=false`, records)
  expect(partly.body.failed).toEqual([0, 1].map((index) => ({ index, status: 409, ...refused })))
  expect(await placesIn(data)).toEqual({ 1: 10, 2: 20, 3: 30, 4: 40 })
})

it('permutes any values as a model does', async () => {
  const data = both.data.flat_table('seats')
  const values = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(values, fc.constantFrom(...doors), async (chosen, { send }) => {
      await fill(data)
      const to = Object.fromEntries(chosen.map((value, index) => [index + 1, value * 10]))
      const expected: Places = { 1: 10, 2: 20, 3: 30, 4: 40, ...to }
      const isPossible = new Set(Object.values(expected)).size === 4
      const { status } = await call(...send(data, to))
      expect(status).toBe(isPossible ? 200 : 409)
      expect(await placesIn(data)).toEqual(isPossible ? expected : { 1: 10, 2: 20, 3: 30, 4: 40 })
    }),
    { numRuns: runs(30, 1_000) },
  )
})

describe('a field whose "unique" is "deferred"', () => {
  const create = async (path: string, resource: object) => {
    const body = { resources: [resource] }
    const answer = await call('POST', `${both.shop.api}/apps/${path}`, body)
    return [answer.status, JSON.stringify(answer.body)]
  }

  it('is refused in a datasource of documents, and as what a foreign key references', async () => {
    const loose = resourceOf({ ...deferred, name: 'loose' })
    expect(await create('papers/datatables/create_schema/?datasource=papers', loose)).toEqual([
      400,
      expect.stringContaining('is only possible in a flat table'),
    ])
    const pointing = {
      name: 'pointing',
      schema: {
        primaryKey: 'id',
        fields: [integer('id'), integer('at')],
        foreignKeys: [{ fields: 'at', reference: { resource: 'later', fields: 'place' } }],
      },
    }
    expect(await create('shop/datatables/create_schema/', pointing)).toEqual([
      400,
      expect.stringContaining('is neither its primary key nor unique'),
    ])
  })

  it('can decide neither an upsert nor which records are left out', async () => {
    const data = both.shop.data('later')
    const upsert = await call('POST', `${data}upsert/?unique_fields=place`, { place: 1, room: 1 })
    const ignoring = await call('POST', `${data}?on_conflict=ignore`, [{ place: 1, room: 1 }])
    const refused = (parameter: string, message: string) => ({
      error: 'Validation failed',
      details: { [parameter]: [message] },
      code: 'validation_failed',
    })
    expect([upsert.status, upsert.body, ignoring.status, ignoring.body]).toEqual([
      400,
      refused(
        'unique_fields',
        'No primary key, unique constraint or unconditional unique index covers exactly place.',
      ),
      400,
      refused('on_conflict', 'Not possible in a table with a field whose "unique" is "deferred".'),
    ])
  })
})
