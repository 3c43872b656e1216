/** Who may write records, and in which tables: T5, A4, D12. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let owner: User
let key: string

/** An invalid request for each way to write. Callers who may not write must not be told what is invalid. */
const writes: [method: string, path: string, body?: string][] = [
  ['POST', '', '{"nope": 1'],
  ['POST', 'upsert/?unique_fields=nope', '{}'],
  ['PATCH', '', '{}'],
  ['PATCH', '1/?include_deleted=x', '[]'],
  ['DELETE', '?filter={}'],
  ['DELETE', '1/?hard_delete=x'],
]
const all = async (authorization?: string, table = 'products') =>
  Promise.all(
    writes.map(([method, path, body]) =>
      app.request(method, `${shop.data(table)}${path}`, {
        body,
        headers: authorization === undefined ? {} : { authorization },
      }),
    ),
  )
const statuses = async (authorization?: string, table?: string) =>
  (await all(authorization, table)).map(({ status }) => status)

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'guarded')
  owner = shop.owner
  key = (await app.request('POST', `${shop.api}/api-keys/`, { token: owner.token, body: { name: 'ci' } }))
    .body.key
  await app.request('POST', `${shop.api}/apps/shop/datasources/main/datatables/`, {
    token: owner.token,
    body: { name: 'planned', json_schema: { fields: [{ name: 'a', type: 'string' }] } },
  })
})

describe('writing records', () => {
  it('returns 401 without credentials', async () => {
    const answers = await all()
    expect(answers.map(({ status }) => status)).toEqual(writes.map(() => 401))
    expect(answers[1]?.body).toEqual({
      detail: 'Authentication credentials were not provided.',
      code: 'not_authenticated',
    })
  })

  it('returns 403 to strangers, and to members who may only read', async () => {
    const [stranger, reader] = [await app.user('stranger'), await app.user('reader')]
    await app.sql(
      `insert into site_permissions (site_id, user_id, permissions) select id, $1, '{access_site}' from sites where slug = $2`,
      [reader.id, shop.slug],
    )
    expect((await app.request('GET', shop.data('products'), { token: reader.token })).status).toBe(200)
    for (const { token } of [stranger, reader]) {
      expect(await all(`Bearer ${token}`)).toMatchObject(
        writes.map(() => ({
          status: 403,
          body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
        })),
      )
    }
  })

  it('is limited to creating and upserting with an API key', async () => {
    const withKey = (method: string, path: string, body?: unknown) =>
      app.request(method, `${shop.data('products')}${path}`, {
        body,
        headers: { authorization: `Api-Key ${key}` },
      })
    expect((await withKey('POST', '', { id: 1, sku: 'K-1' })).status).toBe(201)
    expect((await withKey('POST', '', [{ sku: 'K-2' }, { sku: 'K-3' }])).status).toBe(201)
    expect((await withKey('POST', 'upsert/?unique_fields=sku', { sku: 'K-3' })).status).toBe(200)
    const refused = [
      await withKey('PUT', '1/', { sku: 'K-1' }),
      await withKey('PATCH', '', [{ id: 1, stock: 1 }]),
      await withKey('PATCH', '1/', { stock: 1 }),
      await withKey('DELETE', '?ids=1'),
      await withKey('DELETE', '1/'),
    ]
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      refused.map(() => [
        401,
        {
          detail: 'Only API keys with scopes are accepted here. Use such a key, or a bearer token.',
          code: 'api_key_not_accepted',
        },
      ]),
    )
    expect(
      await app.sql(`select sku, stock, is_deleted from ${shop.schema}.shop_products order by sku`),
    ).toEqual(['K-1', 'K-2', 'K-3'].map((sku) => ({ sku, stock: '0', is_deleted: false })))
  })

  it('returns 404 for a missing table, and 422 for one that is not materialized', async () => {
    expect(await statuses(`Bearer ${owner.token}`, 'nothing')).toEqual(writes.map(() => 404))
    expect(await all(`Bearer ${owner.token}`, 'planned')).toMatchObject(
      writes.map(() => ({
        status: 422,
        body: {
          error: 'Datatable is not materialized',
          detail:
            '"planned" has no physical table yet. ' +
            'Create it first: POST /api/apps/shop/datatables/planned/materialize/',
          code: 'not_materialized',
        },
      })),
    )
  })

  it('returns 400 for an invalid request, 415 for a body that is not JSON, and 405 for another method', async () => {
    expect(await statuses(`Bearer ${owner.token}`)).toEqual(writes.map(() => 400))
    const body = { detail: 'The body is not valid JSON.', code: 'malformed_body' }
    for (const [method, path] of writes.slice(0, 4)) {
      const target = `${shop.data('products')}${path}`.replace(/=(x|nope)$/, '=false')
      if (path.includes('upsert')) continue
      expect(await app.request(method, target, { token: owner.token, body: '{' })).toMatchObject({
        status: 400,
        body,
      })
      expect(
        (
          await app.request(method, target, {
            token: owner.token,
            body: '{}',
            headers: { 'content-type': 'text/plain' },
          })
        ).status,
      ).toBe(415)
    }
    expect(await app.request('PUT', shop.data('products'), { token: owner.token, body: {} })).toMatchObject({
      status: 405,
    })
    expect(
      (await app.request('PUT', shop.data('products'), { token: owner.token, body: {} })).headers.get(
        'allow',
      ),
    ).toBe('DELETE, GET, HEAD, PATCH, POST')
    expect(
      (await app.request('POST', `${shop.data('products')}1/`, { token: owner.token, body: {} })).headers.get(
        'allow',
      ),
    ).toBe('DELETE, GET, HEAD, PATCH, PUT')
  })
})
