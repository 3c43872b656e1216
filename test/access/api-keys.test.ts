/** API keys: managing them, and the operations that accept them. A4. */
import { beforeAll, describe, expect, it } from 'vitest'
import { keyHash, newKey } from '../../src/kernel/access/api-keys/key.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let other: Shop
let owner: User

const call = (method: string, path: string, user: User, body?: unknown) =>
  app.request(method, `${shop.api}/api-keys${path}`, { token: user.token, ...(body ? { body } : {}) })
const withKey = (key: string, method: string, path: string, body?: unknown) =>
  app.request(method, path, { headers: { authorization: `Api-Key ${key}` }, ...(body ? { body } : {}) })
const createKey = async (more = {}) =>
  (await call('POST', '/', owner, { name: 'ci', ...more })).body as { id: number; key: string }

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'keyed')
  other = await createShop(app, 'elsewhere')
  owner = shop.owner
})

describe('/api/api-keys/', () => {
  it('returns 401 without a token, 404 outside a site, and 403 without access to the site', async () => {
    const stranger = await app.user('stranger')
    expect((await app.request('GET', `${shop.api}/api-keys/`)).status).toBe(401)
    expect((await app.request('GET', '/api/api-keys/', { token: owner.token })).status).toBe(404)
    expect((await call('POST', '/', stranger, { name: 'x' })).status).toBe(403)
  })

  it('returns 400 with messages by field for an invalid key', async () => {
    expect(await call('POST', '/', owner, { expires_at: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { name: ['This field is required.'], expires_at: ['Must be in the future.'] },
    })
    expect(await call('POST', '/', owner, { name: 'x', expires_at: 'tomorrow' })).toMatchObject({
      status: 400,
      body: { expires_at: [expect.stringContaining('a date and time')] },
    })
  })

  it('POST returns 201 and shows the key once; only its hash is stored', async () => {
    const created = await call('POST', '/', owner, { name: 'deploy', expires_at: '2999-01-01T00:00:00Z' })
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'deploy',
        prefix: expect.stringMatching(/^tsk_[0-9A-Za-z]{8}$/),
        key: expect.stringMatching(/^tsk_[0-9A-Za-z]{57}$/),
        created_at: expect.stringMatching(/Z$/),
        expires_at: '2999-01-01T00:00:00Z',
      },
    ])
    expect(created.body.key.startsWith(created.body.prefix)).toBe(true)
    const listed = await call('GET', '/', owner)
    const { key, ...rest } = created.body
    const shown = { ...rest, scopes: null, allowed_addresses: null, last_used_at: null }
    expect(listed.body).toEqual({ count: 1, next: null, previous: null, results: [shown] })
    expect(JSON.stringify(await app.sql('select * from api_keys'))).not.toContain(key)
  })

  it('shows and deletes a key only for its user and in its site', async () => {
    const { id } = await createKey()
    const admin = await app.user('second', { superuser: true })
    expect((await call('GET', '/', admin)).body.count).toBe(0)
    expect((await call('DELETE', `/${id}/`, admin)).status).toBe(404)
    expect((await app.request('DELETE', `${other.api}/api-keys/${id}/`, { token: owner.token })).status).toBe(
      403,
    )
    expect((await call('DELETE', `/${id}/`, owner)).status).toBe(204)
    expect((await call('DELETE', `/${id}/`, owner)).status).toBe(404)
  })
})

describe('Authorization: Api-Key …', () => {
  it('a key creates records, single and bulk, in one round trip, with the rights of its user', async () => {
    const { key } = await createKey()
    expect(await withKey(key, 'POST', shop.data('makers'), { name: 'Ostra' })).toMatchObject({
      status: 201,
      body: { data: { name: 'Ostra' } },
    })
    const bulk = await withKey(key, 'POST', shop.data('makers'), [{ name: 'A' }, { name: 'B' }])
    expect([bulk.status, bulk.headers.get('server-timing')]).toEqual([
      201,
      expect.stringContaining('desc="1"'),
    ])
    await app.sql('update memberships set role = $1 where user_id = $2', ['member', owner.id])
    expect((await withKey(key, 'POST', shop.data('makers'), { name: 'C' })).status).toBe(403)
    await app.sql('update memberships set role = $1 where user_id = $2', ['owner', owner.id])
    await app.sql('update users set is_active = false where id = $1', [owner.id])
    expect((await withKey(key, 'POST', shop.data('makers'), { name: 'C' })).status).toBe(401)
    // Deactivation ends the keys and the tokens of a user. Activating the account again restores neither.
    await app.sql('update users set is_active = true where id = $1', [owner.id])
    expect((await withKey(key, 'POST', shop.data('makers'), { name: 'C' })).status).toBe(401)
    owner = await app.signedIn(owner)
  })

  it('a key upserts records, single and bulk, with the rights of its user', async () => {
    const { key } = await createKey()
    const upsert = (body: unknown) =>
      withKey(key, 'POST', `${shop.data('makers')}upsert/?unique_fields=name`, body)
    expect(await upsert({ name: 'Upserted' })).toMatchObject({
      status: 201,
      body: { created: true, data: { name: 'Upserted' } },
    })
    expect(await upsert([{ name: 'Upserted' }, { name: 'Another' }])).toMatchObject({
      status: 201,
      body: { created_count: 1, updated_count: 1 },
    })
    await app.sql('update memberships set role = $1 where user_id = $2', ['member', owner.id])
    expect((await upsert({ name: 'Refused' })).status).toBe(403)
    await app.sql('update memberships set role = $1 where user_id = $2', ['owner', owner.id])
  })

  it('a key gets 401 at every other operation', async () => {
    const { key } = await createKey()
    const needScopes: [string, string, unknown?][] = [
      ['GET', shop.data('makers')],
      ['PATCH', shop.data('makers'), []],
      ['PATCH', `${shop.data('makers')}1/`, {}],
      ['PUT', `${shop.data('makers')}1/`, {}],
      ['DELETE', `${shop.data('makers')}1/`],
      ['GET', `${shop.data('makers')}1/`],
      ['GET', `${shop.api}/apps/`],
    ]
    const refused: [string, string, unknown?][] = [
      ['POST', `${shop.api}/apps/`, { name: 'x' }],
      ['POST', `${shop.api}/apps/shop/datatables/makers/materialize/`],
      ['GET', `${shop.api}/api-keys/`],
      ['GET', '/api/users/me/'],
      ['GET', '/api/cloud/organizations/'],
    ]
    const needed = 'Only API keys with scopes are accepted here. Use such a key, or a bearer token.'
    const never = 'API keys are not accepted here. Use a bearer token.'
    for (const [requests, detail] of [[needScopes, needed] as const, [refused, never] as const])
      for (const [method, path, body] of requests) {
        const answer = await withKey(key, method, path, body)
        expect([path, answer.status, answer.body.detail]).toEqual([path, 401, detail])
      }
  })

  it('a key gets 401 in another site, even if its user may write there', async () => {
    const { key } = await createKey()
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'owner' from sites where slug = 'elsewhere'`,
      [owner.id],
    )
    expect((await withKey(key, 'POST', other.data('makers'), { name: 'x' })).status).toBe(401)
    expect(await app.sql(`select from ${other.schema}.shop_makers`)).toEqual([])
  })

  it('a key that is expired, deleted, mistyped or made up gets 401', async () => {
    const expired = await createKey()
    await app.sql(`update api_keys set expires_at = now() where id = $1`, [expired.id])
    const deleted = await createKey()
    await call('DELETE', `/${deleted.id}/`, owner)
    const { key } = await createKey()
    const mistyped = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`
    for (const wrong of [
      expired.key,
      deleted.key,
      mistyped,
      newKey('person').key,
      'tsk_',
      key.toLowerCase(),
    ]) {
      expect([wrong, (await withKey(wrong, 'POST', shop.data('makers'), { name: 'x' })).status]).toEqual([
        wrong,
        401,
      ])
    }
    expect((await withKey(key, 'POST', shop.data('makers'), { name: 'last' })).status).toBe(201)
  })
})

describe('the format of an API key', () => {
  it('the checksum detects a mistyped key without the database', () => {
    const { key, hash } = newKey('person')
    expect(keyHash('person', key)).toBe(hash)
    for (let index = 4; index < key.length; index++) {
      const character = key[index] === 'x' ? 'y' : 'x'
      expect(keyHash('person', key.slice(0, index) + character + key.slice(index + 1))).toBeUndefined()
    }
  })
})
