/** The hints in a 404: they name the missing part of the path only to callers who may know it. A6, W1. */
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoutes } from '../../src/app.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

const routes = await loadRoutes()

let app: TestApp
let shop: Shop
let stranger: User

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'lost')
  stranger = await app.user('lost-stranger')
})

const bodyOf = async (method: string, path: string, token?: string) => {
  const { status, body } = await app.request(method, path, token === undefined ? {} : { token })
  return [status, body]
}
const notFound = { detail: 'Not found.', code: 'not_found' }

describe('callers without rights', () => {
  const refusal = { detail: 'You do not have permission to perform this action.', code: 'permission_denied' }

  it.each(['apps/none/', 'apps/shop/datatables/none/', 'apps/shop/functions/none/', 'apps/none/functions/'])(
    'get the same 403 for the missing %s as for an existing path',
    async (path) => {
      expect(await bodyOf('GET', `${shop.api}/${path}`, stranger.token)).toEqual([403, refusal])
      expect(await bodyOf('GET', `${shop.api}/apps/shop/`, stranger.token)).toEqual([403, refusal])
    },
  )

  it('without credentials do not learn which site does not exist', async () => {
    expect(await bodyOf('GET', '/sites/nowhere/api/auth/social-apps/')).toEqual([404, notFound])
  })
})

describe('the hint for callers with rights', () => {
  it.each([
    ['GET', 'apps/none/', 'There is no app "none" in this site.'],
    ['PATCH', 'apps/none/', 'There is no app "none" in this site.'],
    ['POST', 'apps/none/restore/', 'There is no app "none" in this site.'],
    ['GET', 'apps/none/datatables/x/data/', 'There is no app "none" in this site.'],
    ['GET', 'apps/none/functions/', 'There is no app "none" in this site.'],
    ['GET', 'apps/none/functions/x/', 'There is no app "none" in this site.'],
    ['GET', 'apps/none/events/RECORD_CREATE/', 'There is no app "none" in this site.'],
    ['GET', 'apps/shop/functions/x/', 'There is no function "x" in the app "shop".'],
    ['DELETE', 'apps/shop/functions/x/', 'There is no function "x" in the app "shop".'],
    ['GET', 'apps/shop/datasources/x/', 'There is no datasource "x" in the app "shop".'],
    ['GET', 'apps/shop/datatables/x/', 'There is no table "x" in the app "shop".'],
    ['GET', 'apps/shop/datatables/x/data/1/', 'There is no table "x" in the app "shop".'],
    ['GET', 'apps/shop/datatables/x/operation-history/', 'There is no table "x" in the app "shop".'],
    ['POST', 'apps/shop/datatables/x/restore/', 'There is no deleted table "x" in the app "shop".'],
    ['GET', 'apps/shop/datasources/y/datatables/products/', 'There is no datasource "y" in the app "shop".'],
    [
      'GET',
      'apps/shop/datasources/main/datatables/x/',
      'There is no table "x" in the datasource "main" of the app "shop".',
    ],
    ['GET', 'invocations/999999/', 'There is no invocation 999999 in this site.'],
  ])('%s %s: %s', async (method, path, hint) => {
    const body = method === 'PATCH' ? { body: { name: 'x' } } : {}
    const answer = await app.request(method, `${shop.api}/${path}`, { token: shop.owner.token, ...body })
    expect([answer.status, answer.body]).toEqual([404, { ...notFound, hint }])
  })

  it.each([
    ['/sites/nowhere/api/apps/', 'There is no site "nowhere".'],
    ['/api/cloud/sites/nowhere/', 'There is no site "nowhere".'],
    ['/api/cloud/organizations/nobody/', 'There is no organization "nobody".'],
    [
      'http://unknown.example/api/apps/',
      '"unknown.example" is not the host of a site. Put /sites/{site} before /api in the path.',
    ],
  ])('%s: %s', async (path, hint) => {
    expect(await bodyOf('GET', path, shop.owner.token)).toEqual([404, { ...notFound, hint }])
  })

  it.each([
    ['PATCH', 'members/999/', { role: 'admin' }, 'There is no such member in the organization.'],
    ['DELETE', 'members/999/', undefined, 'There is no such member in the organization.'],
    [
      'DELETE',
      'invitations/00000000-0000-4000-8000-000000000000/',
      undefined,
      'There is no such invitation in the organization.',
    ],
  ])(
    '%s organizations/{organization}/%s: names what the organization does not have',
    async (method, path, body, hint) => {
      const organization = '/api/cloud/organizations/lost-org/'
      const answer = await app.request(method, `${organization}${path}`, {
        token: shop.owner.token,
        ...(body ? { body } : {}),
      })
      expect([answer.status, answer.body]).toEqual([404, { ...notFound, hint }])
    },
  )

  it('has the error format of the secret store in the secret store', async () => {
    expect(await bodyOf('GET', '/sites/nowhere/api/secrets/', shop.owner.token)).toEqual([
      404,
      { error: 'Not found', detail: 'There is no site "nowhere".', code: 'not_found' },
    ])
  })

  it('contains a long name truncated, and no name that cannot be stored', async () => {
    const long = 'x'.repeat(200)
    expect(await bodyOf('GET', `${shop.api}/apps/shop/datatables/${long}/`, shop.owner.token)).toEqual([
      404,
      { ...notFound, hint: `There is no table "${'x'.repeat(59)}… in the app "shop".` },
    ])
    expect(await bodyOf('GET', `${shop.api}/apps/shop/datatables/%00/`, shop.owner.token)).toEqual([
      404,
      notFound,
    ])
  })
})

describe('the hint for a path of no operation', () => {
  const reference = '/api/docs/ lists all operations.'

  it.each([
    ['/api/app/shop/', `No operation has "app" after "/api". Known there: `],
    ['/api/apps/shop/tables/products/', `No operation has "tables" after "/api/apps/shop". Known there: `],
    ['/api/', `No operation has this path. Known there: `],
  ])('%s: names the first unknown part, to every caller', async (path, beginning) => {
    const [status, body] = await bodyOf('GET', path)
    expect([status, body]).toEqual([404, { ...notFound, hint: expect.stringContaining(reference) }])
    expect((body as { hint: string }).hint.startsWith(beginning)).toBe(true)
  })

  it('names the part after the end of a known path', async () => {
    expect(await bodyOf('GET', '/api/users/me/x/')).toEqual([
      404,
      {
        ...notFound,
        hint: `No operation has "x" after "/api/users/me". Known there: restore, export, providers, factors, totp, recovery-codes, passkeys, trusted-devices, permissions. ${reference}`,
      },
    ])
  })
})

describe('a path that exists with other methods', () => {
  const segmentsOf = (path: string) => path.split('/').filter(Boolean)
  const methodsAt = (path: string) =>
    routes.filter((route) => route.path === path && route.parts).map(({ method }) => method as string)
  /** The paths that also match the pattern of another operation, except those of records. */
  const special = [...new Set(routes.filter(({ parts }) => parts).map(({ path }) => path))].filter((path) =>
    routes.some(({ path: pattern, parts }) => {
      const [own, other] = [segmentsOf(path), segmentsOf(pattern)]
      return (
        parts &&
        path !== pattern &&
        own.length === other.length &&
        other.every(
          (one, at) =>
            one === own[at] || (one.startsWith(':') && one !== ':record' && !own[at]?.startsWith(':')),
        )
      )
    }),
  )
  const cases = special.flatMap((path) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
      .filter((method) => !methodsAt(path).includes(method))
      .map((method) => [method, path] as const),
  )

  it.each(cases)('is 405, whatever pattern it matches: %s %s', async (method, path) => {
    expect(cases.length).toBeGreaterThan(10)
    const filled = path.replace(':app', 'shop').replace(':table', 'products')
    const prefix = /^\/api\/users/.test(path) ? '' : '/sites/lost'
    const response = await app.request(method, `${prefix}${filled}/`, { token: shop.owner.token })
    expect([
      response.status,
      response.headers
        .get('allow')
        ?.split(', ')
        .filter((one) => one !== 'HEAD'),
    ]).toEqual([405, methodsAt(path).sort()])
  })

  it('is a record if its key has the name of an operation', async () => {
    const resource = {
      name: 'words',
      json_schema: { fields: [{ name: 'word', type: 'string' }], primaryKey: ['word'] },
    }
    const tables = `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`
    const { token } = shop.owner
    expect(await app.request('POST', tables, { token, body: resource })).toMatchObject({ status: 201 })
    expect(await app.request('POST', shop.data('words'), { token, body: { word: 'upsert' } })).toMatchObject({
      status: 201,
    })
    expect((await app.request('GET', `${shop.data('words')}upsert/`, { token })).body).toEqual({
      data: { word: 'upsert' },
    })
  })
})
