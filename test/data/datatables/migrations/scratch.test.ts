import { beforeAll, describe, expect, it } from 'vitest'
import { createShop, type Shop } from '../../../support/fixtures.ts'
import { startApp, type TestApp } from '../../../support/app.ts'

let app: TestApp
let shop: Shop
let token: string
beforeAll(async () => {
  app = await startApp(process.env.LARGE ? { LARGE_TABLE_BYTES: '0' } : { LARGE_TABLE_BYTES: '0' })
  shop = await createShop(app, 'mig')
  token = shop.owner.token
})
const path = () => `${shop.api}/apps/shop/datatables`
describe('x', () => {
  it('y', async () => {
    await app.request('POST', shop.data('makers'), { token, body: [{ name: 'a' }, { name: 'b' }] })
    await app.request('POST', shop.data('products'), { token, body: [{ sku: 'A-1', price: 2.5, maker_id: 1 }, { sku: 'A-2', price: 3 }] })
    const got = await app.request('GET', `${path()}/products/`, { token })
    const schema = got.body.json_schema
    const next = { ...schema, fields: [...schema.fields.filter((f: any) => f.name !== 'stock'), { name: 'amount', 'x-rename-from': 'stock', type: 'number', constraints: { minimum: 0, required: true }, default: 1 }, { name: 'color', type: 'string' , constraints: {unique: true}}] , search_fields: ['sku']}
    const dry = await app.request('PUT', `${path()}/products/?dry_run=true`, { token, body: { json_schema: next } })
    console.log(JSON.stringify(dry, null, 1))
    const done = await app.request('PUT', `${path()}/products/`, { token, body: { json_schema: next } })
    console.log(JSON.stringify(done, null, 1), done.headers.get('server-timing'))
    const history = await app.request('GET', `${path()}/products/operation-history/?page_size=3`, { token })
    console.log(JSON.stringify(history, null, 1))
    console.log(JSON.stringify((await app.request('GET', shop.data('products'), { token })).body))
    const back = await app.request('POST', `${path()}/products/rollback/`, { token, body: {revision_id: history.body.data[0].id} })
    console.log(JSON.stringify(back, null, 1))
    const bad = await app.request('PUT', `${path()}/products/`, { token, body: { json_schema: {...schema, fields: schema.fields.map((f: any) => f.name === 'price' ? {...f, constraints: {minimum: 3}} : f.name === 'maker_id' ? {...f, constraints: {required: true}} : f)} } })
    console.log(JSON.stringify(bad, null, 1))
    throw new Error('show')
  })
})
