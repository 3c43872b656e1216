/** Small holes that were open once, each by name. */
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

describe('a name that objects have from their prototype', () => {
  it.each(['constructor', 'tostring', 'valueof'])(
    'is the slug of an app like any other: %s',
    async (slug) => {
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
    },
  )

  it('is no app that there is not: the secret of the site answers, as for any unknown one', async () => {
    await call('POST', '/secrets/', {
      secret_type: 'api-key',
      key: 'SITE',
      value: { api_key: 'y' },
    })
    for (const name of ['__proto__', 'hasOwnProperty', 'nowhere']) {
      for (let times = 0; times < 2; times++) {
        expect(await call('GET', `/secrets/SITE/?app=${name}`)).toMatchObject({
          status: 200,
          body: { app: null, value: { api_key: 'y' } },
        })
      }
    }
  })
})

describe('the key of a social app', () => {
  it('is shown to owners; to others who may read the site as a mask, and to strangers not at all', async () => {
    const made = await call('POST', '/auth/social-apps/', {
      provider: 'apple',
      name: 'Apple',
      client_id: 'a',
      secret: 's',
      key: 'TEAM.KEY',
    })
    const path = `/auth/social-apps/${made.body.data.id}/`
    expect((await call('GET', path)).body.key).toBe('TEAM.KEY')
    expect((await call('GET', path, undefined, reader.token)).body.key).toBe('***HIDDEN***')
    const stranger = await app.user('stranger')
    expect(await call('GET', path, undefined, stranger.token)).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.' },
    })
  })
})

describe('a system secret type', () => {
  it('403 for whoever is no superuser, and nothing changes', async () => {
    const before = (await call('GET', '/secret-types/api-key/')).body
    for (const body of [{ description: 'mine' }, { schema: {} }, { name: 'other' }]) {
      expect(await call('PUT', '/secret-types/api-key/', body)).toMatchObject({
        status: 403,
        body: { error: 'Permission denied' },
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
  it('follows it through a rename, and stays behind for the old key', async () => {
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

describe('numbers beyond what Postgres counts', () => {
  it.each(['9223372036854775808', '1e400', '18446744073709551616'])(
    '400 in an import of references, never 503: %s',
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
