/** What a question may take is bounded, and what comes too late says so. Spec: Limits; D6, R22, T9. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../support/app.ts'
import { createDesk, type Desk, hold, run } from './desk.ts'

let desk: Desk
const site = 'desk-bounds'

const integer = (name: string) => ({ name, type: 'integer' })
const string = (name: string) => ({ name, type: 'string' })
const toBoxes = (onDelete: string) => ({
  fields: ['box_id'],
  reference: { resource: 'boxes', fields: ['id'] },
  'x-actions': { onDelete },
})

beforeAll(async () => {
  desk = await createDesk(await startApp(), site)
  await desk.table('boxes', {
    fields: [integer('id'), string('name'), { name: 'n', type: 'integer' }, { name: 'all', type: 'array' }],
    primaryKey: 'id',
  })
  await desk.table('papers', {
    fields: [integer('id'), integer('box_id'), string('name'), string('text')],
    primaryKey: 'id',
    foreignKeys: [toBoxes('SET NULL')],
  })
  expect(
    (
      await desk.ask(
        'POST',
        desk.data('boxes'),
        [1, 2].map((id) => ({ id, n: id })),
      )
    ).status,
  ).toBe(201)
  const text = 'x'.repeat(200_000)
  for (let first = 0; first < 100; first += 25) {
    const rows = Array.from({ length: 25 }, (_, n) => ({
      id: first + n,
      box_id: 1,
      name: `${first + n}`,
      text,
    }))
    expect((await desk.ask('POST', `${desk.data('papers')}?return=minimal`, rows)).status).toBe(201)
  }
})

describe('an answer', () => {
  const tooLarge = { status: 422, body: { code: 'answer_too_large', error: 'Answer too large' } }

  it('returns 422 if its related records are too large', async () => {
    expect(await desk.ask('GET', `${desk.data('boxes')}?populate=papers`)).toMatchObject(tooLarge)
    expect(await desk.ask('GET', `${desk.data('boxes')}1/?populate=papers`)).toMatchObject(tooLarge)
  })

  it('returns 422 if its records are too large', async () => {
    expect(await desk.ask('GET', `${desk.data('papers')}?page_size=100`)).toMatchObject(tooLarge)
    const lists = `${desk.data('papers')}?_group_by=box_id&_aggregate=array_agg(text) as t`
    expect(await desk.ask('GET', lists)).toMatchObject(tooLarge)
  })

  it('reads of related records only what it shows', async () => {
    const { status, body } = await desk.ask('GET', `${desk.data('boxes')}?fields=id,papers.name&ordering=id`)
    expect([status, body.data.map((box: { papers: unknown[] }) => box.papers.length)]).toEqual([
      200,
      [100, 0],
    ])
    expect(body.data[0].papers[0]).toEqual({ name: '0' })
  })

  it('has all records as lines, however large they are together', async () => {
    const { text } = await desk.ask('GET', desk.data('papers'), undefined, { accept: 'application/x-ndjson' })
    expect(text.trim().split('\n')).toHaveLength(100)
  })
})

describe('a write', () => {
  it('returns 400 for a record that is larger than a document of MongoDB', async () => {
    const text = 'x'.repeat(9_000_000)
    expect((await desk.ask('PATCH', `${desk.data('boxes')}2/`, { all: [text] })).status).toBe(200)
    const { status, body } = await desk.ask('PATCH', `${desk.data('boxes')}?filter={"id":2}`, { name: text })
    expect([status, body]).toEqual([
      400,
      {
        error: 'Validation failed',
        details: { non_field_errors: ['A record is larger than the 16 MB of a document of MongoDB.'] },
        code: 'validation_failed',
      },
    ])
    expect((await desk.ask('PATCH', `${desk.data('boxes')}2/`, { all: null })).status).toBe(200)
  })

  it('by a filter changes and deletes many large records, of which it reads only the keys', async () => {
    const where = `${desk.data('papers')}?filter={"id__gte":0}&expect=100&return=minimal`
    expect((await desk.ask('PATCH', where, { box_id: 2 })).status).toBe(200)
    expect((await desk.ask('GET', `${desk.data('papers')}?box_id=2&_count=true`)).body.total).toBe(100)
    const gone = await desk.ask('DELETE', `${desk.data('papers')}?filter={"id__gte":10}&expect=90`)
    expect([gone.status, gone.body.deleted]).toEqual([200, 90])
    expect((await desk.ask('GET', `${desk.data('papers')}?_count=true`)).body.total).toBe(10)
  })

  it('that loses its race to another one returns 409, and changes nothing', async () => {
    const other = hold(site)
    await other({ update: 'shop_boxes', updates: [{ q: { _id: 1 }, u: { $set: { name: 'other' } } }] })
    const { status, body, headers } = await desk.ask('PATCH', `${desk.data('boxes')}1/`, { n: { $add: 1 } })
    await other()
    expect([status, body, headers.get('retry-after')]).toEqual([
      409,
      {
        error: 'Lost a race',
        detail:
          'Another request has changed the same records at the same time. Nothing was changed. Try again.',
        code: 'changed_meanwhile',
      },
      '1',
    ])
    expect((await desk.ask('GET', `${desk.data('boxes')}1/`)).body.data).toMatchObject({
      n: 1,
      name: 'other',
    })
  })
})

describe('a write that was planned before a foreign key was made', () => {
  /** Makes a table that references boxes, and a record of it, while a write waits for the box. */
  async function raced(table: string, onDelete: string, write: () => ReturnType<Desk['ask']>) {
    const other = hold(site)
    await other({ update: 'shop_boxes', updates: [{ q: { _id: 1 }, u: { $inc: { _named: 1 } } }] })
    const written = write()
    await desk.table(table, {
      fields: [integer('id'), integer('box_id')],
      primaryKey: 'id',
      foreignKeys: [toBoxes(onDelete)],
    })
    const id = { $numberLong: '1' }
    await run(site, { insert: `shop_${table}`, documents: [{ _id: id, box_id: id, _v: id }] })
    await other()
    return written
  }
  const remove = () => desk.ask('DELETE', `${desk.data('boxes')}1/`)

  it('deletes no record that the key holds', async () => {
    const { status, body } = await raced('lids', 'RESTRICT', remove)
    expect([status, body.code]).toEqual([403, 'still_referenced'])
    expect((await desk.ask('GET', `${desk.data('boxes')}1/`)).status).toBe(200)
    expect((await desk.ask('DELETE', `${desk.data('lids')}1/`)).status).toBe(204)
  })

  it('deletes with it what the key says', async () => {
    expect((await raced('labels', 'CASCADE', remove)).status).toBe(204)
    expect((await desk.ask('GET', `${desk.data('labels')}1/`)).status).toBe(404)
  })
})

describe('documents of others', () => {
  const tables = '/apps/shop/datasources/docs/datatables/'
  const adopt = (collection: string, query = '') =>
    desk.ask('POST', `${tables}${query}`, { name: 'theirs', collection, sample: 100 })

  const noName =
    'Must be the name of a collection: up to 200 characters, without $ and empty parts between dots.'

  it.each<[string, number, object]>([
    ['a$b', 400, { collection: [noName] }],
    ['a..b', 400, { collection: [noName] }],
    ['.a', 400, { collection: [noName] }],
    ['tessera_notes', 422, { detail: expect.stringContaining('has no collection "tessera_notes"') }],
    ['system.profile', 422, { detail: expect.stringContaining('has no collection "system.profile"') }],
    ['shop_papers', 422, { detail: 'The collection "shop_papers" belongs to another table.' }],
  ])('are not read for a proposal of the collection %s', async (collection, status, body) => {
    expect(await adopt(collection)).toMatchObject({ status, body })
  })

  it('are read for a proposal up to a number of bytes', async () => {
    const text = 'x'.repeat(12_000_000)
    for (const n of [1, 2, 3, 4])
      await run(site, { insert: 'large', documents: [{ _id: `${n}`, [`m${n}`]: text }] })
    const { status, body } = await adopt('large')
    expect([status, body.json_schema.fields.length]).toEqual([201, 3])
    expect((await desk.ask('DELETE', `${tables}theirs/?purge=true`)).status).toBe(204)
  })
})
