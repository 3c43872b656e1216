/** Batches that change the same records in different orders at the same time. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'

// Each change of a unique field is a statement of its own.
const label = { name: 'label', type: 'string', constraints: { unique: true } }
const rooms = {
  name: 'rooms',
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'code', type: 'string', constraints: { unique: true } },
      { name: 'opened', type: 'date', constraints: { unique: true } },
      label,
    ],
  },
}
const seats = {
  name: 'seats',
  schema: {
    primaryKey: ['room', 'place'],
    fields: [{ name: 'room', type: 'integer' }, { name: 'place', type: 'string' }, label],
  },
}

let app: TestApp
let shop: Shop

const send = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: shop.owner.token, body })

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'hotel', { resources: [rooms, seats] })
  await addDocuments(app, shop, [rooms, seats])
})

const update = (table: string, id: number | string, name: string) => ({
  op: 'update',
  table,
  id,
  data: { label: `${name} ${id}` },
})
const upsert = (unique: string, value: string, name: string) => ({
  op: 'upsert',
  table: 'rooms',
  unique_fields: [unique],
  data: { [unique]: value, label: `${name} ${value}` },
})

describe.each(['shop', 'papers'])('in the app %s, batches of', (name) => {
  const path = (table: string) => `${shop.api}/apps/${name}/datatables/${table}/data/`

  it.each<[string, (batch: string) => object[]]>([
    ['updates of one table', (batch) => [1, 2, 3].map((id) => update('rooms', id, batch))],
    [
      'updates of two tables',
      (batch) => [update('seats', '1,b', batch), update('rooms', 1, batch), update('seats', '1,a', batch)],
    ],
    ['upserts', (batch) => [upsert('code', 'R1', batch), upsert('code', 'R2', batch)]],
    [
      'upserts by different fields and updates',
      (batch) => [
        upsert('opened', '2024-02-29', batch),
        update('rooms', 2, batch),
        upsert('code', 'R1', batch),
      ],
    ],
  ])('%s succeed in either order, one after another', async (_title, operations) => {
    const made = [1, 2, 3].map((id) => ({ id, code: `R${id}`, label: `${id}`, opened: `2024-02-${26 + id}` }))
    await send('POST', `${path('rooms')}upsert/?unique_fields=id`, made)
    const places = ['a', 'b'].map((place) => ({ room: 1, place, label: place }))
    await send('POST', `${path('seats')}upsert/?unique_fields=room,place`, places)

    const batches = Array.from({ length: 8 }, (_, n) => `batch ${n}`)
    const answers = await Promise.all(
      batches.map((batch, n) => {
        const inOrder = operations(batch)
        return send('POST', `${shop.api}/apps/${name}/batch/`, n % 2 === 0 ? inOrder : inOrder.toReversed())
      }),
    )
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
      batches.map(() => [200, undefined]),
    )

    const lists = await Promise.all([send('GET', path('rooms')), send('GET', path('seats'))])
    const labels = lists.flatMap(({ body }) => body.data.map((record: { label: string }) => record.label))
    const written = labels.filter((text) => text.startsWith('batch')).map((text) => text.slice(0, 7))
    expect(written).toHaveLength(operations('').length)
    expect(new Set(written).size).toBe(1)
  })
})
