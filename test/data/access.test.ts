/**
 * The permission that each endpoint of apps, datasources and datatables requires. T5. See also
 * test/contract.test.ts.
 */
import { beforeAll, expect, it } from 'vitest'
import { permissions } from '../../src/kernel/permissions.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'

const table = { name: 'x', json_schema: { fields: [{ name: 'id', type: 'integer' }] } }
const datasource = { name: 'X', slug: 'x', provider_type: 'flat_table' }
const reference = { source_app_slug: 'shop', source_table_name: 'makers' }

/** The slug of an app takes the place of `APP`. */
const endpoints: [permission: string, method: string, path: string, body?: unknown][] = [
  ['access_site', 'GET', 'APP/'],
  ['manage_site', 'PUT', 'APP/', { name: 'x' }],
  ['manage_site', 'PATCH', 'APP/', { name: 'x' }],
  ['delete_site', 'DELETE', 'APP/'],
  ['manage_site', 'PUT', 'APP/access/', { rules: [] }],
  ['access_site', 'GET', 'APP/stats/'],
  ['manage_site', 'POST', 'APP/restore/'],
  ['access_site', 'GET', 'APP/datasources/'],
  ['manage_site', 'POST', 'APP/datasources/', datasource],
  ['access_site', 'GET', 'APP/datasources/main/'],
  ['manage_site', 'PUT', 'APP/datasources/main/', datasource],
  ['manage_site', 'PATCH', 'APP/datasources/main/', { name: 'x' }],
  ['manage_site', 'DELETE', 'APP/datasources/main/'],
  ['access_site', 'GET', 'APP/datasources/main/tables/'],
  ['access_site', 'GET', 'APP/datasources/main/stats/'],
  ['access_site', 'GET', 'APP/datasources/main/datatables/'],
  ['manage_site', 'POST', 'APP/datasources/main/datatables/', table],
  ['access_site', 'GET', 'APP/datatables/'],
  ['access_site', 'GET', 'APP/datatables/stats/'],
  [
    'manage_site',
    'POST',
    'APP/datatables/create_schema/',
    { resources: [{ name: 'x', schema: table.json_schema }] },
  ],
  ['manage_site', 'POST', 'APP/datatables/import-reference/', reference],
  ['manage_site', 'POST', 'APP/datatables/import-reference/', [reference]],
  ...['APP/datatables/makers/', 'APP/datasources/main/datatables/makers/'].flatMap(
    (path): [string, string, string, unknown?][] => [
      ['access_site', 'GET', path],
      ['delete_site', 'DELETE', path],
      ['manage_site', 'POST', `${path}materialize/`],
      ['access_site', 'GET', `${path}schema/`],
      ['access_site', 'POST', `${path}validate_data/`, { data: [] }],
    ],
  ),
]

let app: TestApp
let shop: Shop
let user: User

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'access')
  user = await app.user('visitor')
})

it.each(endpoints)(
  'the permission %s is required and sufficient for %s %s',
  async (permission, method, path, body) => {
    const request = (slug: string) =>
      app.request(method, `${shop.api}/apps/${path.replace('APP', slug)}`, {
        token: user.token,
        ...(body === undefined ? {} : { body }),
      })
    const others = permissions.filter((other) => other !== permission && other !== 'admin_site')
    await grant(app, shop, user, others)
    expect(await request('shop')).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    })
    for (const granted of [permission, 'admin_site']) {
      await grant(app, shop, user, [granted])
      expect(await request('nothing')).toMatchObject({
        status: 404,
        body: { detail: 'Not found.', code: 'not_found' },
      })
    }
  },
)

it('rejected requests change nothing', async () => {
  const { body } = await app.request('GET', `${shop.api}/apps/shop/`, { token: shop.owner.token })
  expect(body).toMatchObject({ name: 'shop', modified_by: null, table_count: 2, datasource_count: 1 })
})
