/** Changes of the schema of a table in MongoDB. Spec: Datatable; D8. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp } from '../support/app.ts'
import { createDesk, type Desk, hold, run } from './desk.ts'

let desk: Desk
const site = 'desk-changes'
const table = '/apps/shop/datasources/docs/datatables/things/'

const integer = (name: string, more: object = {}) => ({ name, type: 'integer', ...more })
const string = (name: string, more: object = {}) => ({ name, type: 'string', ...more })
const first = {
  fields: [integer('id'), string('name', { constraints: { maxLength: 20 } }), integer('n'), string('code')],
  primaryKey: 'id',
  indexes: [{ name: 'by_n', fields: ['n'] }],
}
const fields = (...all: object[]) => ({ ...first, fields: [integer('id'), ...all], indexes: [] })

const change = (json_schema: object, query = '') => desk.ask('PATCH', `${table}${query}`, { json_schema })
const data = (more = '') => `${desk.data('things')}${more}`
const indexNames = async () =>
  (await run(site, { listIndexes: 'shop_things' })).cursor.firstBatch.map(({ name }) => name)
const stored = async () =>
  (await run(site, { find: 'shop_things', sort: { _id: 1 }, limit: 1 })).cursor.firstBatch[0]
const note = async () =>
  (await run(site, { find: 'tessera_tables', filter: { _id: 'shop_things' } })).cursor.firstBatch[0]
const mark = ($set: object) =>
  run(site, { update: 'tessera_tables', updates: [{ q: { _id: 'shop_things' }, u: { $set } }] })

beforeAll(async () => {
  desk = await createDesk(await startApp(), site)
  await desk.table('things', first)
  const rows = [1, 2, 3].map((id) => ({ id, name: `thing ${id}`, n: id, code: id < 3 ? 'same' : null }))
  expect((await desk.ask('POST', data(), rows)).status).toBe(201)
})

describe('a change of the schema', () => {
  it.each<[string, object]>([
    ['another type', fields(string('name'), string('n'), string('code'))],
    ['another name', fields(string('title', { 'x-rename-from': 'name' }), integer('n'), string('code'))],
    [
      'a stricter rule',
      fields(string('name', { constraints: { maxLength: 5 } }), integer('n'), string('code')),
    ],
    [
      'a new field with a default',
      fields(string('name'), integer('n'), string('code'), integer('x', { default: 1 })),
    ],
    ['another key', { ...first, primaryKey: 'n' }],
    ['another index under a name', { ...first, indexes: [{ name: 'by_n', fields: ['code'] }] }],
    ['the collection of others', { ...first, 'x-collection': 'people' }],
  ])('returns 422 for %s', async (_, schema) => {
    const { status, body } = await change(schema)
    expect([status, body.error]).toEqual([422, 'Not possible in MongoDB'])
    expect(body.detail).toContain('create another table, and copy the records')
  })

  it('returns 422 if records do not fit it, and changes nothing', async () => {
    const required = fields(string('name'), integer('n'), string('code', { constraints: { required: true } }))
    expect((await change(required)).body).toEqual({
      error: 'Records break the schema',
      detail: 'Some records have no value of code.',
      code: 'records_break_schema',
    })
    const unique = fields(string('name'), integer('n'), string('code', { constraints: { unique: true } }))
    expect((await change(unique)).body.detail).toBe(
      'Some records have the same values in the unique index shop_things$code$key.',
    )
    expect(await indexNames()).toEqual(['_id_', 'shop_things$by_n$idx'])
    expect((await desk.ask('POST', data(), { id: 4, code: null })).status).toBe(201)
    expect((await desk.ask('DELETE', data('4/'))).status).toBe(204)
  })

  it('is planned, and needs consent if it loses values', async () => {
    const without = fields(string('name'), integer('n', { constraints: { required: true } }))
    const planned = await change(without, '?dry_run=true')
    expect(planned.body.changes.map(({ description }: { description: string }) => description)).toEqual([
      'Drop the field code with its values',
      'Require a value of n',
      'Drop the index shop_things$by_n$idx',
    ])
    expect((await change(without)).body.code).toBe('data_loss')
    expect(await stored()).toMatchObject({ code: 'same' })
  })

  it('drops fields with their values and indexes, and requires values from then on', async () => {
    const without = fields(string('name'), integer('n', { constraints: { required: true } }))
    const { status, body } = await change(without, '?allow_data_loss=true')
    expect([status, body.field_names]).toEqual([200, ['id', 'name', 'n']])
    expect(await stored()).not.toHaveProperty('code')
    expect(await indexNames()).toEqual(['_id_'])
    expect((await desk.ask('POST', data(), { id: 5 })).body.details).toEqual({
      n: ['This field is required.'],
    })
    const past = { _id: { $numberLong: '6' }, name: 'x', n: null }
    await run(site, { insert: 'shop_things', documents: [past] })
    expect((await desk.ask('GET', data('6/'))).status).toBe(404)
    const { body: history } = await desk.ask('GET', `${table}operation-history/`)
    expect(history.data.map(({ description }: { description: string }) => description)).toContain(
      'Drop the field code with its values',
    )
  })

  it('adds fields that have no value, whatever the documents had there, and unique keys', async () => {
    const u = { $set: { colour: 'left over' } }
    await run(site, { update: 'shop_things', updates: [{ q: {}, u, multi: true }] })
    const many = Array.from({ length: 1_200 }, (_, n) => ({
      ...{ _id: { $numberLong: `${1_000 + n}` }, n: { $numberLong: '1' }, name: null },
      ...{ colour: 'left over', _v: { $numberLong: '1' } },
    }))
    await run(site, { insert: 'shop_things', documents: many })
    const added = fields(string('name'), integer('n'), string('colour', { constraints: { unique: true } }))
    expect((await change(added)).status).toBe(200)
    const { body } = await desk.ask('GET', data('?colour__null=false&_count=true'))
    expect(body.total).toBe(0)
    expect((await desk.ask('GET', data('1/'))).body.data).toEqual({
      id: 1,
      name: 'thing 1',
      n: 1,
      colour: null,
    })
    expect((await desk.ask('PATCH', data('1/'), { colour: 'red', n: null })).status).toBe(200)
    expect((await desk.ask('PATCH', data('2/'), { colour: 'red' })).status).toBe(409)
  })

  it('that was interrupted after its transaction is ended by the same request', async () => {
    await run(site, { dropIndexes: 'shop_things', index: 'shop_things$colour$key' })
    const added = fields(string('name'), integer('n'), string('colour', { constraints: { unique: true } }))
    expect((await change(added)).status).toBe(200)
    expect(await indexNames()).toEqual(['_id_', 'shop_things$colour$key'])
  })

  it('waits for no other: it returns 409, and takes nothing away that the other has added', async () => {
    await run(site, {
      update: 'shop_things',
      updates: [{ q: { _id: { $numberLong: '1' } }, u: { $set: { late: 'left over' } } }],
    })
    const added = fields(string('name'), integer('n'), string('colour'), string('late'))
    // The first cannot take the value out while another client holds the document.
    const other = hold(site)
    const u = { $set: { _named: 1 } }
    await other({ update: 'shop_things', updates: [{ q: { _id: { $numberLong: '1' } }, u }] })
    const first = change(added)
    await vi.waitUntil(async () => (await note())?.change !== undefined, 5_000)
    const inProgress = {
      error: 'Schema change in progress',
      detail: 'Another change of this table is in progress, or has just ended. Retry later.',
      code: 'schema_change_in_progress',
    }
    const second = await change(added)
    await other()
    expect([second.status, second.body]).toEqual([409, inProgress])
    expect((await first).status).toBe(200)
    expect((await desk.ask('PATCH', data('1/'), { late: 'new' })).status).toBe(200)
    expect(await note()).not.toHaveProperty('change')
    expect((await change(added)).status).toBe(200)
    expect((await desk.ask('GET', data('1/'))).body.data.late).toBe('new')
    // A question of a change that was planned before the last one ended comes late.
    await mark({ ended: 9e15, until: { $date: '2999-01-01T00:00:00Z' } })
    expect(await change(added)).toMatchObject({ status: 409, body: inProgress })
    await mark({ change: 'lost', until: { $date: '2026-01-01T00:00:00Z' } })
    expect((await change(added)).status).toBe(200)
  })

  it('cannot be rolled back', async () => {
    const { body: history } = await desk.ask('GET', `${table}operation-history/`)
    const revision_id = history.data[0].id
    const { status, body } = await desk.ask('POST', `${table}rollback/`, { revision_id })
    expect([status, body.detail]).toEqual([
      422,
      'A change of a table in MongoDB cannot be rolled back. Change the schema back instead.',
    ])
  })
})

it('writers that go on while the schema changes lose nothing, and none gets an error of the service', async () => {
  let over = false
  const answers = new Map<number, number>()
  const writers = Promise.all(
    [1, 2, 3].map(async (writer) => {
      for (let n = 0; !over; n++) {
        const { status } = await desk.ask('PATCH', data(`${writer}/`), { n, name: `${n}` })
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }
    }),
  )
  for (let round = 0; round < 3; round++) {
    const required = { constraints: { required: round % 2 === 0 } }
    const schema = fields(string('name'), integer('n', required), string('colour'), string(`x${round}`))
    expect((await change(schema, '?allow_data_loss=true')).status).toBe(200)
  }
  over = true
  await writers
  expect([...answers.keys()]).toEqual([200])
})
