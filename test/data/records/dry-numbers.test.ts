/** Dry runs use up no numbers: in every kind of write that creates records, in both providers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'

const fields = [
  { name: 'id', type: 'integer' },
  { name: 'name', type: 'string', constraints: { unique: true } },
]
const resources = [
  { name: 'owners', schema: { fields } },
  {
    name: 'boats',
    schema: {
      fields: [...fields, { name: 'owner', type: 'integer' }],
      foreignKeys: [{ fields: 'owner', reference: { resource: 'owners', fields: 'id' } }],
    },
  },
]

let app: TestApp
let shop: Shop
let papers: (table: string) => string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'dry', { resources })
  papers = await addDocuments(app, shop, resources)
})

describe.each([
  ['rows', 'shop', (table: string) => shop.data(table)],
  ['documents', 'papers', (table: string) => papers(table)],
])('a dry run of %s', (_, slug, data) => {
  const send = (path: string, body: unknown) => app.request('POST', path, { token: shop.owner.token, body })
  const batch = (query: string, operations: unknown[]) =>
    send(`${shop.api}/apps/${slug}/batch/${query}`, operations)
  /** Returns the numbers of the records in an answer, sorted. */
  const ids = (body: unknown): number[] =>
    [...JSON.stringify(body).matchAll(/"(?:id|owner)":(\d+)/g)].map(([, id]) => Number(id))
  const nextId = async (): Promise<number> => (ids((await send(data('owners'), {})).body)[0] as number) + 1

  const doors: [
    title: string,
    send: (query: string) => Promise<{ status: number; body: unknown }>,
    count: number,
  ][] = [
    ['one record', (query) => send(`${data('owners')}?${query}`, {}), 1],
    ['an array', (query) => send(`${data('owners')}?${query}`, [{}, {}, {}]), 3],
    [
      'records with and without a value',
      (query) => send(`${data('owners')}?${query}`, [{ name: null }, {}]),
      2,
    ],
    ['a part', (query) => send(`${data('owners')}?atomic=false&${query}`, [{}, { id: 'x' }, {}]), 2],
    [
      'free values only',
      (query) => send(`${data('owners')}?on_conflict=ignore&${query}`, [{}, { name: 'taken' }]),
      1,
    ],
    [
      'an upsert',
      (query) => send(`${data('owners')}upsert/?unique_fields=name&${query}`, [{ name: `u ${query}` }]),
      1,
    ],
    ['related records', (query) => send(`${data('boats')}?${query}`, { owner: {}, name: null }), 2],
    [
      'a batch',
      (query) =>
        batch(`?${query}`, [
          { op: 'create', table: 'owners', data: {}, as: 'o' },
          { op: 'create', table: 'boats', data: { owner: { $: 'o.id' } } },
          { op: 'create', table: 'owners', data: { name: null } },
        ]),
      3,
    ],
  ]

  beforeAll(async () => {
    expect((await send(data('owners'), { name: 'taken' })).status).toBe(201)
  })

  it.each(doors)(
    'that creates %s answers as the write, and uses up no number',
    async (_title, door, count) => {
      const next = await nextId()
      const first = await door('dry_run=true')
      const again = await door('dry_run=true')
      const real = await door('')
      expect([first.status, again.status]).toEqual([real.status === 207 ? 207 : 200, first.status])
      const numbers = ids(real.body)
      expect(numbers.length).toBeGreaterThanOrEqual(count)
      const own = numbers.filter((id) => _title === 'related records' || id >= next)
      expect(own).toContain(next)
      expect(Math.max(...own)).toBeLessThan(next + numbers.length)
      // The numbers of a dry run are stable, and differ as those of the write do.
      expect(ids(again.body)).toEqual(ids(first.body))
      expect(new Set(ids(first.body)).size).toBe(new Set(numbers).size)
    },
  )

  it('has numbers above those of its own records, which move the sequence only in a write', async () => {
    const next = await nextId()
    const body = [{ id: next + 5_000_000 }, {}]
    const [sent = 0, given = 0] = ids((await send(`${data('owners')}?dry_run=true`, body)).body)
    expect([sent, given > sent]).toEqual([next + 5_000_000, true])
    const operations = [
      { op: 'create', table: 'owners', data: { id: next + 7 } },
      { op: 'update', table: 'owners', id: next + 7, data: { name: 'seven' } },
      { op: 'create', table: 'owners', data: {} },
    ]
    expect((await batch('?dry_run=true', operations)).status).toBe(200)
    expect(ids((await send(data('owners'), {})).body)).toEqual([next])
  })

  it('of a batch that fails uses up none while it looks for the operation that fails', async () => {
    const next = await nextId()
    const operations = [
      { op: 'create', table: 'owners', data: {} },
      { op: 'create', table: 'owners', data: { name: 'taken' } },
    ]
    expect((await batch('?dry_run=true', operations)).status).toBe(409)
    expect(ids((await send(data('owners'), {})).body)).toEqual([next])
  })

  it('beside writes meets none of their numbers, and takes none of them', async () => {
    const writes = Array.from({ length: 20 }, (__, index) =>
      send(`${data('owners')}${index % 2 ? '?dry_run=true' : ''}`, [{}, {}, {}]),
    )
    const answers = await Promise.all(writes)
    expect(answers.map(({ status }) => status)).toEqual(writes.map((__, index) => (index % 2 ? 200 : 201)))
    const written = answers.filter(({ status }) => status === 201).flatMap(({ body }) => ids(body))
    expect(new Set(written).size).toBe(30)
    expect(Math.max(...written) - Math.min(...written)).toBe(29)
  })
})
