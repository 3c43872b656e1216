/**
 * Forbidden fields beside allowed ones: sends every body with fields that exist in a table, but not in the
 * schema of the body. No user may get more rights, and no object may get another owner. C14; T5, W5.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let other: Shop
let user: User

const password = 'Correct-horse-1'
const injected = () => ({
  id: 4711,
  uuid: '00000000-0000-4000-8000-000000004711',
  user_id: other.owner.id,
  organization_id: 4711,
  site_id: 4711,
  app_id: 4711,
  created_by: 4711,
  modified_by: 4711,
  created_at: '1999-01-01T00:00:00Z',
  created: '1999-01-01T00:00:00Z',
  date_joined: '1999-01-01T00:00:00Z',
  is_superuser: true,
  is_staff: true,
  role: 'owner',
  permissions: ['admin_site'],
  groups: ['owners'],
  generation: 99,
  password_hash: 'x',
  password_is_own: true,
  email_verified_at: '1999-01-01T00:00:00Z',
  accepted_at: '1999-01-01T00:00:00Z',
  verified_at: '1999-01-01T00:00:00Z',
  token: 'x',
  hash: 'x',
  key_hash: 'x',
  schema_name: 'public',
  catalog_version: 0,
  statement_timeout_ms: 600000,
  physical_name: 'users',
  is_materialized: true,
  ciphertext: 'x',
  constructor: { prototype: { is_superuser: true } },
})

/** Returns the operations with a body, each with a path and a valid body. */
const writes = (): [operationId: string, method: string, path: string, body: Record<string, unknown>][] => {
  const { api } = shop
  const organization = '/api/cloud/organizations/assigned-org'
  const schema = { fields: [{ name: 'a', type: 'string' }] }
  return [
    ['createUser', 'POST', `${api}/users/`, { username: 'made', email: 'made@example.org', password }],
    ['updateUser', 'PATCH', '/api/users/made/', { first_name: 'Ada' }],
    ['createApiKey', 'POST', `${api}/api-keys/`, { name: 'ci' }],
    ['createOrganization', 'POST', '/api/cloud/organizations/', { name: 'Made' }],
    ['updateOrganization', 'PATCH', `${organization}/`, { name: 'Renamed' }],
    ['createInvitation', 'POST', `${organization}/invitations/`, { invitee_identifier: 'new@example.net' }],
    ['createSite', 'POST', `${organization}/sites/`, { name: 'Made', slug: 'made-site' }],
    ['updateSite', 'PATCH', '/api/cloud/sites/assigned/', { name: 'Changed' }],
    ['copySite', 'POST', '/api/cloud/sites/assigned/copy/', { slug: 'made-copy' }],
    ['exportSite', 'POST', '/api/cloud/sites/assigned/exports/', { rows: false }],
    ['importSite', 'POST', `${organization}/imports/`, { slug: 'made-import' }],
    ['createDomain', 'POST', '/api/cloud/sites/assigned/domains/', { domain: 'made.example.com' }],
    ['createApp', 'POST', `${api}/apps/`, { name: 'Made' }],
    ['updateApp', 'PATCH', `${api}/apps/made/`, { description: 'x' }],
    [
      'createDatasource',
      'POST',
      `${api}/apps/shop/datasources/`,
      { name: 'Made', slug: 'made', provider_type: 'flat_table' },
    ],
    ['updateDatasource', 'PATCH', `${api}/apps/shop/datasources/made/`, { name: 'Changed' }],
    [
      'createDatatable',
      'POST',
      `${api}/apps/shop/datasources/main/datatables/`,
      { name: 'made', json_schema: schema },
    ],
    ['updateDatatable', 'PATCH', `${api}/apps/shop/datatables/made/`, { description: 'x' }],
    ['createSecretType', 'POST', `${api}/secret-types/`, { name: 'made' }],
    ['replaceSecretType', 'PUT', `${api}/secret-types/made/`, { description: 'x' }],
    ['createTag', 'POST', `${api}/tags/`, { name: 'made' }],
    ['updateTag', 'PATCH', `${api}/tags/made/`, { description: 'x' }],
    ['createSecret', 'POST', `${api}/secrets/`, { secret_type: 'made', key: 'MADE', value: { a: 1 } }],
    ['replaceSecret', 'PUT', `${api}/secrets/MADE/`, { value: { a: 2 } }],
    [
      'createSocialApp',
      'POST',
      `${api}/auth/social-apps/`,
      { provider: 'github', name: 'GitHub', client_id: 'a', secret: 'b' },
    ],
    [
      'createFunction',
      'POST',
      `${api}/apps/shop/functions/`,
      { name: 'made', code: 'export default () => 1' },
    ],
    ['updateFunction', 'PATCH', `${api}/apps/shop/functions/made/`, { description: 'x' }],
    ['executeFunction', 'POST', `${api}/apps/shop/functions/made/execute/`, { params: {} }],
    ['createRecord', 'POST', shop.data('makers'), { name: 'Made' }],
    ['updateRecord', 'PATCH', `${shop.data('makers')}1/`, { name: 'Changed' }],
    ['replaceRecord', 'PUT', `${shop.data('makers')}1/`, { name: 'Replaced' }],
    ['upsertRecords', 'POST', `${shop.data('makers')}upsert/?unique_fields=id`, { id: 1, name: 'Upserted' }],
  ]
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'assigned')
  other = await createShop(app, 'other')
  user = shop.owner
  await app.request('POST', shop.data('makers'), { token: user.token, body: { id: 1, name: 'Ostra' } })
})

/** Returns a summary of the rights of all users, and of the owners of all objects. */
const standing = () =>
  app.sql(
    `select (select count(*)::int from users where is_superuser or generation > 2 or email_verified_at < '2000-01-01' or password_hash = 'x' or id::text = '4711') as people,
            (select count(*)::int from memberships m where m.organization_id = (select id from organizations where slug = 'other-org') and m.user_id <> $1) as others,
            (select count(*)::int from site_permissions) as permissions,
            (select count(*)::int from organizations where id::text = '4711') + (select count(*)::int from sites where organization_id = 4711 or statement_timeout_ms is not null or id::text = '4711') + (select count(*)::int from api_keys where id::text = '4711' or user_id <> $2 or site_id = 4711 or hash = 'x')
               + (select count(*)::int from invitations where accepted_at is not null or uuid::text like '%4711')
               + (select count(*)::int from site_domains where verified_at is not null or token = 'x') as taken,
            (select count(*)::int from tenant._apps where id::text = '4711' or created_at < '2000-01-01') + (select count(*)::int from tenant._datatables where id::text = '4711' or created_at < '2000-01-01')
               + (select count(*)::int from tenant._secrets where id::text = '4711' or ciphertext = 'x') + (select count(*)::int from tenant._functions where id::text = '4711') as forged`,
    [other.owner.id, user.id],
  )

describe('forbidden fields in a body', () => {
  it('change nothing, one at a time, in every write', async () => {
    const before = await standing()
    expect(before).toEqual([{ people: 0, others: 0, permissions: 0, taken: 0, forged: 0 }])
    let sent = 0
    for (const [operationId, method, path, body] of writes()) {
      expect(operations.some((operation) => operation.operationId === operationId)).toBe(true)
      for (const [name, value] of Object.entries(injected())) {
        // A new record may have an id of its own.
        if (/Record/.test(operationId) && name === 'id') continue
        const { status } = await app.request(method, path, {
          token: user.token,
          body: { ...body, [name]: value },
        })
        if (status >= 500) throw new Error(`${operationId} ${name} ${status}`)
        sent++
      }
      const answer = await app.request(method, path, {
        token: user.token,
        body: `{"__proto__": {"is_superuser": true}, ${JSON.stringify(body).slice(1)}`,
      })
      expect([operationId, answer.status < 500]).toEqual([operationId, true])
      // Creates the object that the next rows need, if the write was refused.
      if (method === 'POST') await app.request(method, path, { token: user.token, body })
      expect([operationId, await standing()]).toEqual([operationId, before])
    }
    expect(sent).toBeGreaterThan(800)
    expect(({} as Record<string, unknown>).is_superuser).toBeUndefined()
  })
})
