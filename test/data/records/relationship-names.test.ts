/**
 * The name of a relationship keeps its meaning when foreign keys are added. Spec: Records, populate; R5, R14.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const field = (name: string, more: object = {}) => ({ name, type: 'integer', ...more })
const schema = (keys: readonly [column: string, resource: string][], more: readonly object[] = []) => ({
  fields: [
    field('id'),
    ...keys.map(([column]) => more.find((one) => 'name' in one && one.name === column) ?? field(column)),
  ],
  primaryKey: 'id',
  foreignKeys: keys.map(([column, resource]) => ({ fields: column, reference: { resource, fields: 'id' } })),
})
const create = async (name: string, keys: readonly [string, string][], materialize = true) => {
  const made = await owner.post(`shop/datasources/main/datatables/?materialize=${materialize}`, {
    name,
    json_schema: schema(keys),
  })
  expect(made.status).toBe(201)
}
const change = async (name: string, keys: readonly [string, string][], more: readonly object[] = []) => {
  const changed = await owner.patch(`shop/datatables/${name}/?allow_data_loss=true`, {
    json_schema: schema(keys, more),
  })
  expect([changed.status, changed.body.json_schema?.foreignKeys?.length]).toEqual([200, keys.length])
}
const populated = async (table: string, populate: string) => {
  const { body } = await owner.get(`shop/datatables/${table}/data/1/?populate=${populate}`)
  const { id: _, ...related } = body.data as Record<string, { id: number }[]>
  return Object.fromEntries(
    Object.entries(related).map(([name, records]) => [name, records.map(({ id }) => id)]),
  )
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'naming', { resources: [{ name: 'people', schema: schema([]) }] })
  owner = ownerOf(app, shop)
  await owner.post('shop/datatables/people/data/', [{ id: 1 }, { id: 2 }])
})

describe('the short name of a relationship', () => {
  it('stays with the first foreign key of a table when a second one is added before it, is renamed or is dropped', async () => {
    await create('letters', [['sender_id', 'people']])
    await owner.post('shop/datatables/letters/data/', [{ id: 10, sender_id: 1 }])
    expect(await populated('people', 'letters')).toEqual({ letters: [10] })

    await change('letters', [['receiver_id', 'people'], ['sender_id', 'people']]) // biome-ignore format: one line
    await owner.post('shop/datatables/letters/data/', [{ id: 11, receiver_id: 1 }])
    expect(await populated('people', 'letters')).toEqual({ letters: [10] })
    expect(await populated('people', 'letters_by_sender,letters_by_receiver')).toEqual({
      letters_by_sender: [10],
      letters_by_receiver: [11],
    })
    expect(await populated('people', '*')).toEqual({
      ...{ letters: [10], letters_by_receiver: [11] },
      ...{ people_by_letters_receiver: [], people_by_letters_sender: [] },
    })
    const filter = 'letters.id=10&letters_by_sender.sender_id=1'
    expect((await owner.get(`shop/datatables/people/data/?${filter}`)).body.total).toBe(1)

    await change('letters', [['receiver_id', 'people'], ['author_id', 'people']], [field('author_id', { 'x-rename-from': 'sender_id' })]) // biome-ignore format: one line
    expect(await populated('people', 'letters')).toEqual({ letters: [10] })
    await change('letters', [['receiver_id', 'people']])
    expect(await populated('people', 'letters')).toEqual({ letters: [11] })
  })

  it('stays with the first junction table when an older table becomes one, or when others are materialized', async () => {
    await create('tags', [])
    await owner.post('shop/datatables/tags/data/', [{ id: 20 }, { id: 21 }])
    await create('notes', [])
    const joining: [string, string][] = [['person_id', 'people'], ['tag_id', 'tags']] // biome-ignore format: one line
    await create('labels', joining, false)
    await create('tagged', joining)
    await owner.post('shop/datatables/tagged/data/', [{ person_id: 1, tag_id: 20 }])
    expect(await populated('people', 'tags')).toEqual({ tags: [20] })

    await change('notes', joining)
    await owner.post('shop/datatables/notes/data/', [{ person_id: 1, tag_id: 21 }])
    expect((await owner.post('shop/datatables/labels/materialize/')).status).toBe(200)
    expect(await populated('people', 'tags')).toEqual({ tags: [20] })
    expect(await populated('people', 'tags_by_notes,tags_by_labels')).toEqual({
      tags_by_notes: [21],
      tags_by_labels: [],
    })
  })

  it('returns to a junction table that is restored', async () => {
    await owner.delete('shop/datatables/tagged/')
    expect(await populated('people', 'tags')).toEqual({ tags: [21] })
    await owner.post('shop/datatables/tagged/restore/')
    expect(await populated('people', 'tags,tags_by_notes')).toEqual({ tags: [20], tags_by_notes: [21] })
  })

  it('stays when the table behind a junction table gets its own foreign key', async () => {
    await change('tags', [['person_id', 'people']])
    expect(await populated('people', 'tags,tags_by_person')).toEqual({ tags: [20], tags_by_person: [] })
  })

  it('means the first of two foreign keys that are created together', async () => {
    await create('calls', [['from_id', 'people'], ['at_id', 'people']]) // biome-ignore format: one line
    await owner.post('shop/datatables/calls/data/', [{ id: 30, from_id: 1 }, { id: 31, at_id: 1 }]) // biome-ignore format: one line
    expect(await populated('people', 'calls')).toEqual({ calls: [30] })
    const all = await populated('people', '*')
    expect([all.calls, all.calls_by_from, all.calls_by_at]).toEqual([undefined, [30], [31]])
  })

  it('does not appear in the audit', async () => {
    const changes = await app.sql<{ changed: string[] }>(
      "select distinct changed from audit_entries where kind = 'datatable' and action = 'change' order by 1",
    )
    expect(changes).toEqual([{ changed: ['is_materialized'] }, { changed: ['json_schema'] }])
  })
})
