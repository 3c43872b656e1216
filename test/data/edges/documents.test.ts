/** Edges between documents keep the rules of other edges, but without foreign keys. G1, G2; D11. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const id = { name: 'id', type: 'integer' }
const types = {
  graph: {
    enabled: true,
    types: [{ name: 'to', inverse: 'from', constraints: { max_outgoing: 2, max_incoming: 2 } }],
  },
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'documents')
  owner = ownerOf(app, shop, '/apps/papers/datatables/')
  await addDocuments(app, shop, [
    { name: 'notes', schema: { fields: [id, { name: 'is_deleted', type: 'boolean' }], ...types } },
    {
      name: 'moments',
      schema: { fields: [{ name: 'at', type: 'datetime' }], primaryKey: 'at', hierarchy: true },
    },
    { name: 'plain', schema: { fields: [id] } },
  ])
})

const notes = async (count: number): Promise<number[]> =>
  (
    await owner.post(
      'notes/data/',
      Array.from({ length: count }, () => ({})),
    )
  ).body.data.map((one: { id: number }) => one.id)
const link = (...pairs: (readonly [number | undefined, number | undefined])[]) =>
  owner.post(
    'notes/edges/',
    pairs.map(([from_id, to_id]) => ({ from_id, to_id, type: 'to' })),
  )
const dangling = () =>
  app.sql(`select from ${shop.schema}.papers_notes_edges e
            where not exists (select from ${shop.schema}.papers_notes n where (n._data ->> 'id')::bigint = e.from_id)
               or not exists (select from ${shop.schema}.papers_notes n where (n._data ->> 'id')::bigint = e.to_id)`)

describe('edges between documents', () => {
  it('an edge to a record that does not exist returns 400', async () => {
    const [a] = await notes(1)
    expect(await link([a, 999_999])).toMatchObject({
      status: 400,
      body: { details: { to_id: ['rows[0]: "notes" has no record with the id 999999.'] } },
    })
  })

  it('edges are deleted with their nodes', async () => {
    const [a, b, c] = await notes(3)
    expect((await link([a, b], [b, c], [c, a])).status).toBe(201)
    await owner.delete(`notes/data/${a}/`)
    expect((await owner.get(`notes/edges/?from_id=${a},${b},${c}`)).body.total).toBe(1)
    await owner.delete(`notes/data/?ids=${a},${b}&hard_delete=true`)
    expect((await owner.get(`notes/edges/?from_id=${a},${b},${c}`)).body.total).toBe(0)
  })

  it('parallel writers never exceed the limits of edges', async () => {
    const [hub, ...others] = await notes(31)
    const out = await Promise.all(others.map((other) => link([hub, other])))
    expect(out.map(({ status }) => status).toSorted()).toEqual([201, 201, ...Array(28).fill(422)])
    const into = await Promise.all(others.map((other) => link([other, hub])))
    expect(into.map(({ status }) => status).toSorted()).toEqual([201, 201, ...Array(28).fill(422)])
  })

  it('writing edges while nodes are deleted leaves no edge without its nodes', async () => {
    const ids = await notes(30)
    const writers = ids.map((note, position) => link([note, ids[(position + 1) % 30]]))
    const deleters = ids
      .filter((_, position) => position % 2 === 0)
      .map((note) => owner.delete(`notes/data/${note}/?hard_delete=true`))
    const answers = await Promise.all([...writers, ...deleters])
    expect(answers.filter(({ status }) => ![201, 204, 400].includes(status))).toEqual([])
    expect(await dangling()).toEqual([])
  })

  it('a key of any type can be an end of an edge', async () => {
    await owner.post('moments/data/', [{ at: '2026-01-01T00:00:00Z' }, { at: '2026-01-02T00:00:00.5Z' }])
    const made = await owner.post('moments/edges/', [
      { from_id: '2026-01-01T01:00:00+01:00', to_id: '2026-01-02T00:00:00.5Z', type: 'parent' },
    ])
    expect(made.body.results).toMatchObject([
      { from_id: '2026-01-01T00:00:00Z', to_id: '2026-01-02T00:00:00.5Z' },
    ])
    expect((await owner.get('moments/data/2026-01-01T00:00:00Z/?include=ancestors')).body).toEqual({
      data: { at: '2026-01-01T00:00:00Z' },
      parent: [{ at: '2026-01-02T00:00:00.5Z', _depth: 1 }],
    })
    await owner.delete('moments/data/2026-01-02T00:00:00.5Z/')
    expect((await owner.get('moments/edges/')).body.total).toBe(0)
  })
})

describe('the schema of documents', () => {
  const change = (schema: object, query = '') => owner.patch(`plain/${query}`, { json_schema: schema })

  it('a change can turn edges on and off, and rename the key', async () => {
    await owner.post('plain/data/', [{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(await change({ fields: [id], hierarchy: true })).toMatchObject({ status: 200 })
    const parent = (from_id: number, to_id: number) =>
      owner.post('plain/edges/', [{ from_id, to_id, type: 'parent' }])
    expect((await parent(1, 2)).status).toBe(201)
    expect((await parent(1, 3)).status).toBe(422)
    const renamed = { fields: [{ name: 'number', type: 'integer' }], primaryKey: 'number', hierarchy: true }
    expect(
      await change({ ...renamed, fields: [{ ...renamed.fields[0], 'x-rename-from': 'id' }] }),
    ).toMatchObject({ status: 200 })
    expect((await parent(3, 2)).status).toBe(201)
    expect((await parent(3, 1)).status).toBe(422)
    await owner.delete('plain/data/1/')
    expect((await owner.get('plain/edges/')).body).toMatchObject({
      total: 1,
      results: [{ from_id: 3, to_id: 2 }],
    })
    const [last] = (await owner.get('plain/operation-history/')).body.data
    expect(await owner.post('plain/rollback/', { revision_id: last.id })).toMatchObject({ status: 200 })
    await owner.delete('plain/data/3/')
    expect((await owner.get('plain/edges/')).body).toMatchObject({ total: 0 })
    expect(await change({ fields: [id] }, '?allow_data_loss=true')).toMatchObject({ status: 200 })
    expect(await owner.delete('plain/data/2/')).toMatchObject({ status: 204 })
    expect(
      await app.sql(`select tgname from pg_trigger where tgrelid = '${shop.schema}.papers_plain'::regclass`),
    ).toEqual([])
  })

  it('deleting a table also removes its table of edges', async () => {
    expect(await owner.delete('notes/')).toMatchObject({ status: 204 })
    expect(await app.sql(`select to_regclass('${shop.schema}.papers_notes_edges') as is`)).toEqual([
      { is: null },
    ])
  })
})
