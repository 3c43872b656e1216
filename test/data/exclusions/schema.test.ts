/** Ranges and exclusions in the schema of a table, and what changes of them do. D19, D8, D13. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'excluding-schemas')
  owner = ownerOf(app, shop, '')
  await addDocuments(app, shop, [{ name: 'others', schema: { fields: [{ name: 'id', type: 'integer' }] } }])
})

const fields = [
  { name: 'id', type: 'integer' },
  { name: 'room', type: 'string' },
  { name: 'floor', type: 'integer' },
  { name: 'from', type: 'datetime' },
  { name: 'to', type: 'datetime' },
  { name: 'day', type: 'date' },
  { name: 'open', type: 'boolean' },
  { name: 'more', type: 'object' },
]
const byRoom = {
  name: 'by_room',
  elements: [
    { field: 'room', op: '=' },
    { range: ['from', 'to'], op: 'overlaps' },
  ],
}
const schema = (parts: object) => ({ fields, primaryKey: 'id', ...parts })

describe('a schema is refused', () => {
  it.each([
    [
      'for a pair of unlike fields',
      { ranges: { a: ['from', 'day'], b: ['room', 'room'], c: ['from', 'nope'], open: ['from', 'to'] } },
      [
        'ranges.a: "from" is of type datetime, but "day" of date',
        'ranges.b: "room" is listed twice',
        'ranges.b: "room" is of type string; ranges are of datetime, date, number, integer',
        'ranges.b: "room" is of type string; ranges are of datetime, date, number, integer',
        'ranges.c: there is no field "nope"',
        'ranges.open: there is a field of this name',
      ],
    ],
    [
      'for the form of its parts',
      { ranges: { a: ['from'] }, exclusions: [{ name: 'B', elements: [{ field: 'room', op: '<' }] }] },
      [
        'ranges.a: Must be an array of two fields: the beginning and the end.',
        'exclusions[0].name: an exclusion name begins with a lower-case letter and has up to 48 lower-case ' +
          'letters, digits and underscores',
        'exclusions[0].elements[0]: Must be {"field": <field>, "op": "="}, or {"range": <range>, "op": ' +
          '"overlaps"} with the name of a range, or with an array of two fields.',
      ],
    ],
    [
      'for unknown names, names that are listed twice, and fields that cannot be compared',
      {
        ranges: { when: ['from', 'to'] },
        exclusions: [
          { name: 'a', elements: [{ field: 'more' }, { field: 'nope' }, { range: 'never' }] },
          { name: 'a', elements: [{ range: 'when' }, { range: ['from', 'to'] }] },
          { name: 'b', elements: [{ field: 'room' }] },
        ],
      },
      [
        'exclusions[0].elements[0]: "more" is of type object, which cannot be compared',
        'exclusions[0].elements[1]: there is no field "nope"',
        'exclusions[0].elements[2]: there is no range "never" in "ranges"',
        'exclusions[1]: there are two exclusions named "a"',
        'exclusions[1].elements: "from,to" is listed twice',
        'exclusions[2]: an exclusion has a range; without one it is a unique key: see uniqueKeys',
      ],
    ],
    [
      'for other bounds of the same range',
      { exclusions: [byRoom, { ...byRoom, name: 'other', bounds: '[]' }] },
      ['exclusions[1].bounds: another exclusion has the range from,to with "[)"'],
    ],
    [
      'for a filter with what is not of the record',
      { exclusions: [{ ...byRoom, where: { nope: 1, 'maker.name': 'x' } }] },
      [
        'exclusions[0].where: Unknown field or parameter "nope". Fields: id, room, floor, from, to, day, open, more.',
        'exclusions[0].where: Unknown relationship "maker" of "made". Relationships: none.',
      ],
    ],
  ])('%s', async (_, parts, problems) => {
    const { status, body } = await owner.post('/apps/shop/datasources/main/datatables/', {
      name: 'made',
      json_schema: schema(parts),
    })
    expect([status, body]).toEqual([400, { json_schema: problems }])
  })

  it('where the database does not have btree_gist, with what to do', async () => {
    await app.sql('drop extension btree_gist')
    const made = (parts: object) =>
      owner.post('/apps/shop/datasources/main/datatables/?materialize=true', {
        name: 'lacking',
        json_schema: schema(parts),
      })
    const { status, body } = await made({ exclusions: [byRoom] })
    expect([status, body]).toEqual([
      422,
      {
        error: 'Exclusions are not available',
        detail:
          'This database does not have the extension btree_gist, which exclusions with fields need. ' +
          'Remove these fields from the exclusions, or ask the operator to install the extension.',
        code: 'not_supported',
      },
    ])
    await app.sql('create extension btree_gist schema tessera')
    expect((await made({ exclusions: [byRoom] })).status).toBe(201)
  })
})

describe.each([
  ['flat_table', 'shop', 'main'],
  ['jsonb', 'papers', 'papers'],
])('in %s', (_, slug, datasource) => {
  const table = `/apps/${slug}/datatables/changed/`
  const change = (parts: object, query = '') => owner.put(`${table}${query}`, { json_schema: schema(parts) })
  const put = async (parts: object) => {
    const { status, body } = await change(parts)
    expect(status, JSON.stringify(body)).toBe(200)
  }
  const at = (id: number, from: number, to: number | null, room = 'A') => ({
    id,
    room,
    from: `2026-01-0${from}T00:00:00Z`,
    to: to === null ? null : `2026-01-0${to}T00:00:00Z`,
  })
  const post = (...records: object[]) => owner.post(`${table}data/`, records)
  const clear = () => owner.delete(`${table}data/?all=true`)

  beforeAll(async () => {
    const made = await owner.post(`/apps/${slug}/datasources/${datasource}/datatables/?materialize=true`, {
      name: 'changed',
      json_schema: schema({}),
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
  })

  it('a new exclusion names the records that exclude each other', async () => {
    expect((await post(at(1, 1, 3), at(2, 4, 5), at(3, 2, null), at(4, 1, 9, 'B'))).status).toBe(201)
    const { status, body } = await change({ exclusions: [byRoom] })
    expect([status, body]).toEqual([
      422,
      {
        error: 'Existing records break the schema',
        detail: 'These records exclude each other by "by_room".',
        violations: [
          {
            fields: ['room', 'from', 'to'],
            rule: 'by_room',
            detail: 'These records exclude each other by "by_room".',
            records: expect.arrayContaining([{ id: 1 }, { id: 3 }]),
          },
        ],
        code: 'records_break_schema',
      },
    ])
    expect((await clear()).status).toBe(200)
  })

  it('records whose range is out of order are named', async () => {
    expect((await post(at(1, 3, 1), at(2, 4, 5))).status).toBe(201)
    const { status, body } = await change({ ranges: { when: ['from', 'to'] } })
    expect(status).toBe(422)
    expect(body.violations).toEqual([
      {
        fields: ['from', 'to'],
        rule: 'range',
        detail: 'In these records, "from" must not be after "to".',
        records: [{ id: 1 }],
      },
    ])
    await clear()
  })

  it('a new exclusion names those of both kinds, one of which is out of order', async () => {
    expect((await post(at(1, 3, 1), at(2, 4, 6), at(3, 5, 7))).status).toBe(201)
    const { status, body } = await change({ exclusions: [byRoom] })
    const found = body.violations.map(({ rule, records }: Record<string, unknown>) => [rule, records])
    expect([status, found]).toEqual([
      422,
      [
        ['range', [{ id: 1 }]],
        ['by_room', expect.arrayContaining([{ id: 2 }, { id: 3 }])],
      ],
    ])
    await clear()
  })

  it('is planned, added, changed, renamed and dropped', async () => {
    const plan = async (parts: object) => {
      const { body } = await change(parts, '?dry_run=true')
      return body.changes.map(({ description }: { description: string }) => description)
    }
    expect(await plan({ exclusions: [byRoom] })).toEqual([
      'Add the order of from and to',
      'Add the exclusion by_room',
    ])
    await put({ exclusions: [byRoom] })
    expect((await post(at(1, 1, 3))).status).toBe(201)
    expect((await post(at(2, 2, 4))).status).toBe(409)
    expect(await plan({ exclusions: [{ ...byRoom, message: 'Taken.' }] })).toEqual([])
    expect(await plan({ exclusions: [{ ...byRoom, name: 'rooms' }] })).toEqual([
      'Rename keys, checks and indexes',
    ])
    await put({ exclusions: [{ ...byRoom, name: 'rooms', message: 'Taken.' }] })
    const { body } = await post(at(2, 2, 4))
    expect(body).toMatchObject({ exclusion: 'rooms', detail: 'rows[0]: Taken.' })
    const widened = { exclusions: [{ ...byRoom, bounds: '[]', where: { open: true } }] }
    expect(await plan(widened)).toEqual(['Drop the exclusion rooms', 'Add the exclusion by_room'])
    await put(widened)
    expect((await post(at(2, 2, 4))).status).toBe(201)
    expect((await post({ ...at(3, 6, 7), open: true })).status).toBe(201)
    expect((await post({ ...at(4, 7, 8), open: true })).status).toBe(409)
    await put({})
    expect((await post({ ...at(4, 7, 8), open: true })).status).toBe(201)
    await clear()
  })

  it('follows its fields: a renamed one keeps it, a dropped one is refused while it is used', async () => {
    await put({ exclusions: [byRoom] })
    expect((await post(at(1, 1, 3))).status).toBe(201)
    const others = fields.filter(({ name }) => name !== 'room')
    const dropped = await owner.put(`${table}?allow_data_loss=true`, {
      json_schema: { fields: others, primaryKey: 'id', exclusions: [byRoom] },
    })
    expect([dropped.status, dropped.body]).toEqual([
      400,
      { json_schema: ['exclusions[0].elements[0]: there is no field "room"'] },
    ])
    const renamed = await owner.put(table, {
      json_schema: {
        fields: [
          ...others,
          { name: 'place', type: 'string', 'x-rename-from': 'room' },
          { name: 'is_deleted', type: 'boolean', default: false },
        ],
        primaryKey: 'id',
        exclusions: [{ ...byRoom, elements: [{ field: 'place' }, byRoom.elements[1]] }],
      },
    })
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200)
    const { room: _, ...record } = at(2, 2, 4)
    expect((await post({ ...record, place: 'A' })).status).toBe(409)
    expect((await owner.delete(`${table}data/1/`)).status).toBe(204)
    expect((await post({ ...record, place: 'A' })).status).toBe(201)
  })

  it('stays through the trash and a restored table', async () => {
    expect((await owner.delete(table)).status).toBe(204)
    const restored = await owner.post(`${table}restore/`, { name: 'back' })
    expect(restored.status, JSON.stringify(restored.body)).toBe(200)
    const data = `/apps/${slug}/datatables/back/data/`
    const row = { id: 9, place: 'A', from: '2026-01-03T00:00:00Z', to: '2026-01-04T00:00:00Z' }
    const { status, body } = await owner.post(data, row)
    expect([status, body.exclusion]).toEqual([409, 'by_room'])
  })
})
