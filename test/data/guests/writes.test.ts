/** What guests write by access rules. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let ada: User

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'desk')
  ada = await app.user('ada')
  await addTables(app, shop, [
    {
      name: 'tickets',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'title', type: 'string', constraints: { required: true } },
          { name: 'notes', type: 'string' },
          { name: 'owner_id', type: 'integer' },
          { name: 'state', type: 'string', default: 'open' },
          { name: 'is_deleted', type: 'boolean' },
        ],
        primaryKey: 'id',
      },
    },
  ])
})

const put = (table: string, rules: readonly object[], query = '') =>
  app.request('PUT', `${shop.api}/apps/shop/datatables/${table}/access/${query}`, {
    token: shop.owner.token,
    body: { rules },
  })

const mine = { owner_id: { $: 'user.id' } }

describe('a guest', () => {
  it('creates', async () => {
    const { status, body } = await put('tickets', [
      { name: 'own', who: 'signed-in', can: ['read', 'create', 'update', 'delete'], where: mine, set: mine,
        fields: { read: ['id', 'title', 'state', 'owner_id'], write: ['title', 'notes', 'state'] } },
    ])
    expect([status, body]).toEqual([200, expect.anything()])
    const made = await app.request('POST', shop.data('tickets'), { token: ada.token, body: { title: 'x', notes: 'n' } })
    expect([made.status, made.body]).toEqual([201, { data: { id: 1, title: 'x', owner_id: ada.id, state: 'open' } }])
    const changed = await app.request('PATCH', `${shop.data('tickets')}1/`, { token: ada.token, body: { title: 'y' } })
    expect([changed.status, changed.body]).toEqual([200, { data: { id: 1, title: 'y', owner_id: ada.id, state: 'open' } }])
    const gone = await app.request('DELETE', `${shop.data('tickets')}1/`, { token: ada.token })
    expect([gone.status, gone.body]).toEqual([204, undefined])
  })
})
