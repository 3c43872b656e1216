/** Small vulnerabilities that existed in earlier versions, each in a test. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let reader: User

const call = (method: string, path: string, body?: unknown, token = shop.owner.token) =>
  app.request(method, `${shop.api}${path}`, {
    token,
    ...(body === undefined ? {} : { body }),
  })

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'small')
  reader = await app.user('reader')
  await grant(app, shop, reader, ['access_site'])
})

describe('a name that objects inherit from their prototype', () => {
  it.each(['constructor', 'tostring', 'valueof'])('can be the slug of an app: %s', async (slug) => {
    expect((await call('POST', '/apps/', { name: slug })).status).toBe(201)
    const secret = {
      secret_type: 'api-key',
      key: `KEY-${slug}`,
      app: slug,
      value: { api_key: 'x' },
    }
    expect((await call('POST', '/secrets/', secret)).status).toBe(201)
    for (let times = 0; times < 2; times++) {
      expect(await call('GET', `/secrets/KEY-${slug}/?app=${slug}`)).toMatchObject({
        status: 200,
        body: { app: slug, value: { api_key: 'x' } },
      })
    }
  })

  it('is not found as an app if no app has it: a read returns 404, as for any unknown app', async () => {
    await call('POST', '/secrets/', {
      secret_type: 'api-key',
      key: 'SITE',
      value: { api_key: 'y' },
    })
    for (const name of ['__proto__', 'hasOwnProperty', 'nowhere']) {
      for (let times = 0; times < 2; times++) {
        expect(await call('GET', `/secrets/SITE/?app=${name}`)).toMatchObject({
          status: 404,
          body: { error: 'App not found', detail: `There is no app "${name}".`, code: 'not_found' },
        })
      }
    }
  })
})

describe('the key of a social app', () => {
  it('is shown to owners, masked to every other account, and hidden from anybody else', async () => {
    const made = await call('POST', '/auth/social-apps/', {
      provider: 'apple',
      name: 'Apple',
      client_id: 'a',
      secret: 's',
      key: 'TEAM.KEY',
    })
    const path = `/auth/social-apps/${made.body.data.id}/`
    expect((await call('GET', path)).body.key).toBe('TEAM.KEY')
    const stranger = await app.user('stranger')
    for (const { token } of [reader, stranger])
      expect((await call('GET', path, undefined, token)).body.key).toBe('***HIDDEN***')
    expect((await call('GET', path, undefined, '')).status).toBe(401)
  })
})

describe('a system secret type', () => {
  it('returns 403 for a change by a user who is not a superuser, and does not change', async () => {
    const before = (await call('GET', '/secret-types/api-key/')).body
    for (const body of [{ description: 'mine' }, { schema: {} }, { name: 'other' }]) {
      expect(await call('PUT', '/secret-types/api-key/', body)).toMatchObject({
        status: 403,
        body: { error: 'Permission denied', code: 'permission_denied' },
      })
    }
    expect((await call('GET', '/secret-types/api-key/')).body).toEqual(before)
    const root = await app.user('root', { superuser: true })
    expect((await call('PUT', '/secret-types/api-key/', { description: 'ours' }, root.token)).status).toBe(
      200,
    )
  })
})

describe('the history of a secret', () => {
  it('follows the secret through a rename, and stays readable with the old key', async () => {
    await call('POST', '/secrets/', {
      secret_type: 'api-key',
      key: 'OLD',
      value: { api_key: '1' },
    })
    expect((await call('PUT', '/secrets/OLD/', { key: 'NEW' })).status).toBe(200)
    await call('POST', '/secrets/', {
      secret_type: 'api-key',
      key: 'OLD',
      value: { api_key: '2' },
    })
    const actions = async (key: string) =>
      (await call('GET', `/secrets/${key}/history/`)).body.results.map(
        ({ action, key: of }: { action: string; key: string }) => `${action} ${of}`,
      )
    expect(await actions('NEW')).toEqual(['~ NEW', '+ OLD'])
    expect(await actions('OLD')).toEqual(['+ OLD', '~ OLD', '+ OLD'])
  })
})

describe('a number beyond the range of Postgres', () => {
  it.each(['9223372036854775808', '1e400', '18446744073709551616'])(
    'gets 400 in an import of references, never 503: %s',
    async (number) => {
      const path = '/apps/shop/datatables/import-reference/'
      for (const body of [
        `{"source_table_id": ${number}}`,
        `[{"source_table_id": ${number}}]`,
        `{"source_app_slug": ${number}, "source_table_name": "x"}`,
      ]) {
        expect([400, 207]).toContain(
          (
            await app.request('POST', `${shop.api}${path}`, {
              token: shop.owner.token,
              body,
            })
          ).status,
        )
      }
    },
  )
})
