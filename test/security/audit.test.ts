/** The audit log: it contains each change once, with the actor, the time and the address, and no secrets. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let root: User
let member: User

const organization = '/api/cloud/organizations/audited-org'
const canary = 'CANARY-0815'

const call = (method: string, path: string, body?: unknown, token = shop.owner.token) =>
  app.request(method, path, {
    token,
    headers: { 'x-request-id': 'the-request' },
    ...(body === undefined ? {} : { body }),
  })
const auditOf = async (path: string, query = '', token = shop.owner.token) =>
  (await app.request('GET', `${path}/audit/${query}`, { token })).body

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'audited')
  root = await app.user('root', { superuser: true })
  member = await app.user('member')
  await app.sql(
    `insert into memberships (organization_id, user_id, role) select id, $1, 'member' from organizations where slug = 'audited-org'`,
    [member.id],
  )
})

describe('the audit log of an organization', () => {
  it('returns 403 to members, 404 for an unknown organization, 400 for an invalid filter', async () => {
    expect((await call('GET', `${organization}/audit/`, undefined, member.token)).status).toBe(403)
    expect((await call('GET', '/api/cloud/organizations/nowhere/audit/')).status).toBe(404)
    expect((await call('GET', `${organization}/audit/?kind=record`)).status).toBe(400)
    expect((await call('GET', '/api/cloud/sites/audited/audit/', undefined, member.token)).status).toBe(403)
  })

  const site = '/api/cloud/sites/audited'
  const api = () => shop.api
  const changes: [what: string, change: () => Promise<{ status: number }>, entry: object][] = [
    [
      'a role',
      () => call('PATCH', `${organization}/members/${member.id}/`, { role: 'admin' }),
      {
        kind: 'membership',
        action: 'change',
        object: 'member',
        changed: ['role'],
        values: { role: { from: 'member', to: 'admin' } },
      },
    ],
    [
      'a permission',
      () => call('PUT', `${site}/permissions/${member.id}/`, { permissions: ['access_site'] }),
      {
        kind: 'permission',
        action: 'create',
        object: 'member',
        values: { permissions: { to: ['access_site'] }, roles: { to: [] } },
      },
    ],
    [
      'an organization',
      () => call('PATCH', `${organization}/`, { name: 'Renamed' }),
      { kind: 'organization', action: 'change', changed: ['name'] },
    ],
    [
      'a site',
      () => call('PATCH', `${site}/`, { environment: 'staging' }),
      { kind: 'site', action: 'change', changed: ['environment'] },
    ],
    [
      'a domain',
      () => call('POST', `${site}/domains/`, { domain: 'audited.example.com' }),
      { kind: 'domain', action: 'create', object: 'audited.example.com' },
    ],
    [
      'an invitation',
      () => call('POST', `${organization}/invitations/`, { invitee_identifier: 'new@example.net' }),
      { kind: 'invitation', action: 'create', object: 'new@example.net' },
    ],
    [
      'an account',
      () =>
        call('POST', `${api()}/users/`, {
          username: 'made',
          email: 'made@example.org',
          password: 'Correct-horse-1',
        }),
      { kind: 'user', action: 'create', object: 'made', actor: { username: 'audited-owner' } },
    ],
    [
      'the password of an account',
      () => call('PATCH', '/api/users/made/', { password: `Xx1-${canary}` }),
      { kind: 'user', action: 'change', object: 'made', changed: ['password'] },
    ],
    [
      'the end of an account',
      () => call('DELETE', '/api/users/made/'),
      { kind: 'user', action: 'delete', object: 'made' },
    ],
    [
      'an API key',
      () => call('POST', `${api()}/api-keys/`, { name: 'ci' }),
      { kind: 'api_key', action: 'create' },
    ],
    [
      'a social app',
      () =>
        call('POST', `${api()}/auth/social-apps/`, {
          provider: 'github',
          name: 'GitHub',
          client_id: 'a',
          secret: canary,
        }),
      { kind: 'social_app', action: 'create', object: 'github' },
    ],
    [
      'a secret',
      () =>
        call('POST', `${api()}/secrets/`, {
          secret_type: 'api-key',
          key: 'TOKEN',
          value: { api_key: canary },
        }),
      { kind: 'secret', action: 'create', object: 'TOKEN' },
    ],
    [
      'the value of a secret',
      () => call('PUT', `${api()}/secrets/TOKEN/`, { value: { api_key: `${canary}-2` } }),
      { kind: 'secret', action: 'change', changed: ['value'], values: {} },
    ],
    [
      'a schema',
      () => call('PATCH', `${api()}/apps/shop/datatables/makers/`, { description: canary }),
      { kind: 'datatable', action: 'change', object: 'makers', changed: ['description'] },
    ],
    [
      'a function',
      () =>
        call('POST', `${api()}/apps/shop/functions/`, {
          name: 'f',
          code: `export default () => '${canary}'`,
        }),
      { kind: 'function', action: 'create', object: 'f' },
    ],
  ]

  it.each(changes)(
    'contains %s, with the actor, the address and the request',
    async (_what, change, entry) => {
      const before = (await auditOf(organization)).count
      expect((await change()).status).toBeLessThan(300)
      const { results, count } = await auditOf(organization)
      expect(count).toBeGreaterThan(before)
      expect(results.slice(0, count - before)).toContainEqual({
        id: expect.any(Number),
        at: expect.stringMatching(/Z$/),
        site: expect.toSatisfy((slug) => slug === null || slug === 'audited'),
        actor: { id: shop.owner.id, username: 'audited-owner' },
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        client_request_id: 'the-request',
        address: '198.51.100.7',
        object_id: expect.any(String),
        object: expect.anything(),
        changed: expect.any(Array),
        values: expect.any(Object),
        ...entry,
        ...('actor' in entry ? { actor: { id: shop.owner.id, username: 'audited-owner' } } : {}),
      })
    },
  )

  it('contains no password, no secret value and no code', async () => {
    const rows = JSON.stringify(await app.sql('select * from audit_entries'))
    expect(rows).not.toContain(canary)
    expect(rows).not.toContain('$scrypt$')
    expect(rows).not.toMatch(/tsk_\w{20}/)
  })

  it('contains no changes of records, and no sign-ins', async () => {
    const { count } = await auditOf(organization)
    await app.request('POST', shop.data('makers'), { token: shop.owner.token, body: { name: 'x' } })
    await app.sql('update users set last_login = now() where id = $1', [member.id])
    expect((await auditOf(organization)).count).toBe(count)
  })

  it('contains no entry for a change that was refused', async () => {
    const { count } = await auditOf(organization)
    expect(
      (await call('PATCH', `${organization}/members/${shop.owner.id}/`, { role: 'member' })).status,
    ).toBe(400)
    expect((await auditOf(organization)).count).toBe(count)
  })

  it('can be filtered by kind, action, object, actor and time, and has pages', async () => {
    const kinds = (await auditOf(organization, '?kind=secret')).results.map(
      ({ kind, action }: { kind: string; action: string }) => `${kind} ${action}`,
    )
    expect(kinds).toEqual(['secret change', 'secret create'])
    expect((await auditOf(organization, '?object=TOKEN&action=create')).count).toBe(1)
    expect((await auditOf(organization, '?actor=nobody')).count).toBe(0)
    expect((await auditOf(organization, '?until=2020-01-01T00:00:00Z')).count).toBe(0)
    const page = await auditOf(organization, '?page_size=2&page=2')
    expect([page.results.length, page.previous]).toEqual([2, expect.stringContaining('page=1')])
  })

  it('of a site contains that site only, and that of an organization no other organization', async () => {
    const other = await createShop(app, 'elsewhere')
    expect(
      (await auditOf('/api/cloud/sites/audited', '?page_size=100')).results.every(
        ({ site }: { site: string }) => site === 'audited',
      ),
    ).toBe(true)
    const theirs = await auditOf('/api/cloud/organizations/elsewhere-org', '', other.owner.token)
    expect(JSON.stringify(theirs)).not.toContain('TOKEN')
    expect((await auditOf(organization, '', root.token)).count).toBeGreaterThan(0)
  })
})

describe('the audit log in the database', () => {
  it.each([
    "update audit_entries set actor = 'nobody'",
    'delete from audit_entries',
    'truncate audit_entries',
  ])('is append-only: %s', async (text) => {
    await expect(app.sql(text)).rejects.toThrow(/append-only/)
  })

  it('loses entries that are older than AUDIT_DAYS, only by the schedule', async () => {
    const [{ before } = { before: 0 }] = await app.sql<{ before: number }>(
      'select count(*)::int as before from audit_entries',
    )
    expect((await app.sql<{ n: number }>('select public.forget_audit(400) as n'))[0]).toEqual({ n: 0 })
    expect((await app.sql<{ n: number }>('select public.forget_audit(0) as n'))[0]).toEqual({ n: before })
  })
})
