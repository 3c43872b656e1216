/**
 * The wall between tenants, seen from outside: calls every operation with a site or an id of one tenant, as
 * every kind of caller without rights there. Each response is an error without data of the tenant, and
 * nothing changes. T1, T5, S7.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession, issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { type DocumentedOperation, operations } from '../support/contract.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { stateOf } from '../support/state.ts'

const canary = 'CANARY-4711'

let app: TestApp
/** The tenant under attack. All its names are unique to it. */
let vault: Site
let neighbour: Shop
let clerk: User
let values: Record<string, string | number>
/** The headers of the callers. */
const askers = new Map<string, Record<string, string>>()

const bearer = ({ token }: Pick<User, 'token'>) => ({ authorization: `Bearer ${token}` })

beforeAll(async () => {
  app = await startApp()
  vault = await createSite(app, 'vault')
  neighbour = await createShop(app, 'neighbour')
  clerk = await app.user('vault-clerk')
  const make = async (path: string, body: unknown, method = 'POST') => {
    const { status, body: made } = await app.request(
      method,
      path.startsWith('/') ? path : `${vault.api}/${path}`,
      { token: vault.owner.token, body },
    )
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(made)}`)
    return made
  }
  const join = (user: User, organization: string, role: string) =>
    app.sql(
      'insert into memberships (organization_id, user_id, role) select id, $1, $2 from organizations where slug = $3',
      [user.id, role, organization],
    )
  await join(clerk, 'vault-org', 'member')
  await make('apps/', { name: 'Ledgers', description: canary })
  await make('apps/ledgers/datatables/create_schema/?materialize=true', {
    resources: [
      {
        name: 'gems',
        schema: {
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'label', type: 'string', description: canary },
          ],
          primaryKey: 'id',
          hierarchy: true,
        },
      },
    ],
  })
  await make('apps/ledgers/datatables/gems/data/', [
    { id: 41, label: canary },
    { id: 42, label: canary },
  ])
  const edges = await make('apps/ledgers/datatables/gems/edges/', [
    { from_id: 41, to_id: 42, type: 'parent', metadata: { note: canary } },
  ])
  await make('secret-types/', { name: 'vault-type', description: canary })
  await make('tags/', { name: 'vault-tag', description: canary })
  await make('secrets/', { secret_type: 'vault-type', key: 'VAULT_KEY', value: { a: canary } })
  const socialApp = await make('auth/social-apps/', {
    provider: 'github',
    name: 'GitHub',
    client_id: 'a',
    secret: canary,
  })
  await make('apps/ledgers/functions/', { name: 'vault-function', code: `export default () => '${canary}'` })
  const run = await make('apps/ledgers/functions/vault-function/execute/', { params: { note: canary } })
  const key = await make('api-keys/', { name: canary })
  await make('/api/cloud/sites/vault/domains/', { domain: 'vault.example.com' })
  await make(`/api/cloud/sites/vault/permissions/${clerk.id}/`, { permissions: ['view_site'] }, 'PUT')
  const invitation = await make('/api/cloud/organizations/vault-org/invitations/', {
    invitee_identifier: 'canary-4711@example.net',
  })
  const transfer = await make('/api/cloud/organizations/vault-org/imports/', { slug: 'imported' })
  const directoryKey = async (site: string, token: string) =>
    (
      await app.request('POST', `/api/cloud/organizations/${site}-org/scim-keys/`, {
        token,
        body: { name: 'key' },
      })
    ).body.key
  const theirGroup = await app.request('POST', '/api/cloud/organizations/vault-org/scim/v2/Groups', {
    token: await directoryKey('vault', vault.owner.token),
    body: { displayName: canary },
  })
  values = {
    app: 'ledgers',
    datasource: 'main',
    table: 'gems',
    record: 41,
    edge: edges.results[0].id,
    organization: 'vault-org',
    site: 'vault',
    domain: 'vault.example.com',
    user: clerk.id,
    username: clerk.username,
    invitation: invitation.uuid,
    invitee: invitation.invitee,
    token: invitation.uuid,
    transfer: transfer.id,
    part: 0,
    key: key.id,
    secret: 'VAULT_KEY',
    type: 'vault-type',
    tag: 'vault-tag',
    function: 'vault-function',
    invocation: run.invocation.id,
    event: 'RECORD_CREATE',
    social_app: socialApp.data.id,
    provider: 'github',
    account: clerk.id,
    group: theirGroup.body.id,
    schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
    resource_type: 'User',
  }

  // An owner of the vault, but signed in by the provider of the neighbour.
  const vouched = await app.user('vouched')
  await join(vouched, 'vault-org', 'owner')
  const [linked] = await app.sql<{ id: string }>(
    `with a as (insert into social_accounts (site_id, social_app_id, issuer, subject, user_id) select id, 1, 'i', 's', $1 from sites where slug = 'neighbour' returning site_id)
     select organization_id as id from sites join a on a.site_id = sites.id`,
    [vouched.id],
  )
  const config = configOf(app.env)
  const word = { ...(await app.identity(vouched)), organizationId: Number(linked?.id) }
  const gone = await app.user('gone')
  await join(gone, 'vault-org', 'owner')
  const wasHere = bearer(gone)
  await app.sql('delete from memberships where user_id = $1', [gone.id])
  const itsKey = await app.request('POST', `${neighbour.api}/api-keys/`, {
    token: neighbour.owner.token,
    body: { name: 'key' },
  })
  const itsScopedKey = await app.request('POST', `${neighbour.api}/api-keys/`, {
    token: neighbour.owner.token,
    body: {
      name: 'scoped',
      scopes: [{ app: 'ledgers', tables: ['*'], can: ['read', 'create', 'update', 'delete'] }],
    },
  })
  const itsAdmin = await app.user('neighbour-admin')
  await join(itsAdmin, 'neighbour-org', 'admin')
  // An admin of another site of the same organization.
  await make('/api/cloud/organizations/vault-org/sites/', { name: 'Sibling', slug: 'sibling' })
  const sibling = await app.user('sibling-admin')
  await make(`/api/cloud/sites/sibling/permissions/${sibling.id}/`, { permissions: ['admin_site'] }, 'PUT')
  askers.set('nobody', {})
  askers.set('a stranger', bearer(await app.user('stranger')))
  askers.set('the owner of another tenant', bearer(neighbour.owner))
  askers.set('an admin of another tenant', bearer(itsAdmin))
  askers.set('an API key of another tenant', { authorization: `Api-Key ${itsKey.body.key}` })
  askers.set('an API key of another tenant with scopes', {
    authorization: `Api-Key ${itsScopedKey.body.key}`,
  })
  askers.set('the directory of another tenant', {
    authorization: `Bearer ${await directoryKey('neighbour', neighbour.owner.token)}`,
  })
  askers.set('the session of the owner of another tenant', {
    cookie: `sessionid=${await issueSession(config, await app.identity(neighbour.owner))}`,
    origin: 'http://localhost',
  })
  askers.set(
    "the tenant's owner by the word of another tenant's provider",
    bearer({ token: (await issueTokens(config, word)).access }),
  )
  askers.set('the same as a session', {
    cookie: `sessionid=${await issueSession(config, word)}`,
    origin: 'http://localhost',
  })
  askers.set('whoever owned it once', wasHere)
  askers.set('an admin of another site of its organization', bearer(sibling))
})

const password = 'Correct-horse-1'
/** Valid bodies, so that the caller is the only reason for an error. */
const bodies: Readonly<Record<string, unknown>> = {
  updateUser: { first_name: 'Mallory' },
  updateOrganization: { name: 'Taken' },
  updateMember: { role: 'owner' },
  createInvitation: { invitee_identifier: 'mallory@example.net' },
  createScimKey: { name: 'taken' },
  createScimUser: { userName: 'mallory@example.net' },
  replaceScimUser: { userName: 'mallory@example.net' },
  updateScimUser: { Operations: [{ op: 'replace', path: 'active', value: false }] },
  createScimGroup: { displayName: 'taken' },
  replaceScimGroup: { displayName: 'taken' },
  updateScimGroup: { Operations: [{ op: 'replace', path: 'displayName', value: 'taken' }] },
  createSite: { name: 'Taken' },
  copySite: { slug: 'taken' },
  exportSite: {},
  importSite: { slug: 'taken' },
  uploadTransferPart: { content: 'AAAA' },
  updateSite: { name: 'Taken' },
  replaceSiteLimits: {},
  replayDeadLetters: {},
  createDomain: { domain: 'taken.example.com' },
  replaceSitePermissions: { permissions: ['admin_site'] },
  replaceSiteRoles: [{ name: 'taken' }],
  blockSitePerson: { blocked: true },
  createApiKey: { name: 'taken' },
  updateApiKey: { name: 'taken' },
  rotateApiKey: { overlap_seconds: 0 },
  replaceApp: { name: 'Taken' },
  updateApp: { name: 'Taken' },
  createDatasource: { name: 'Taken', slug: 'taken', provider_type: 'flat_table' },
  replaceDatasource: { name: 'Taken', slug: 'main', provider_type: 'flat_table' },
  updateDatasource: { name: 'Taken' },
  createDatatable: { name: 'taken', json_schema: { fields: [{ name: 'a', type: 'string' }] } },
  replaceDatatable: { description: 'taken' },
  replaceAppAccess: { rules: [{ name: 'taken', who: 'anyone', can: ['read'], tables: '*' }] },
  replaceDatatableAccess: { rules: [{ name: 'taken', who: 'anyone', can: ['read'] }] },
  explainDatatableAccess: { as: { anyone: true }, action: 'read' },
  replaceDatasourceTable: { description: 'taken' },
  updateDatatable: { description: 'taken' },
  updateDatasourceTable: { description: 'taken' },
  rollBackDatatable: { revision_id: 1 },
  rollBackDatasourceTable: { revision_id: 1 },
  createSchema: { resources: [{ name: 'taken', schema: { fields: [{ name: 'a', type: 'string' }] } }] },
  importReferences: { source_app_slug: 'ledgers', source_table_name: 'gems', reference_name: 'taken' },
  validateRows: { data: [{ id: 41 }] },
  validateDatasourceRows: { data: [{ id: 41 }] },
  replaceSecretType: { description: 'taken' },
  replaceSecret: { value: { a: 'taken' } },
  updateSocialApp: { name: 'Taken' },
  replaceTag: { name: 'taken' },
  updateTag: { description: 'taken' },
  createFunction: { name: 'taken', code: 'export default () => 1' },
  replaceFunction: { name: 'vault-function', execution_mode: 'system', system_function: 'noop' },
  updateFunction: { description: 'taken' },
  rotateSigningSecret: { overlap_seconds: 0 },
  executeFunction: { params: {} },
  subscribeToEvent: { function_id: 1 },
  unsubscribeFromEvent: { function_id: 1 },
  createRecord: { id: 43, label: 'taken' },
  updateRecords: [{ id: 41, label: 'taken' }],
  upsertRecords: { id: 41, label: 'taken' },
  updateRecord: { label: 'taken' },
  replaceRecord: { label: 'taken' },
  createEdges: [{ from_id: 42, to_id: 41, type: 'parent' }],
  updateEdge: { from_id: 42, to_id: 41, type: 'parent' },
  sendMcpMessage: { jsonrpc: '2.0', id: 1, method: 'ping' },
  followLists: { lists: { gems: '/api/apps/ledgers/datatables/gems/data/' } },
  runBatch: [{ op: 'update', table: 'gems', id: 41, data: { label: 'taken' } }],
}

/** Query strings that an operation needs to have an effect. */
const queries: Readonly<Record<string, string>> = {
  deleteRecords: '?ids=41',
  upsertRecords: '?unique_fields=id',
  deleteDatatable: '?purge=true',
  listSecrets: '?keys=VAULT_KEY',
  listRecords: '?populate=*',
}

function ask(
  { method, path, operationId, requestBody }: DocumentedOperation,
  mount: string,
  named: Record<string, string | number>,
  headers: Record<string, string>,
) {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => String(named[name]))
  return app.request(method, `${mount}${address}${queries[operationId] ?? ''}`, {
    headers,
    ...(requestBody ? { body: bodies[operationId] ?? { edge_ids: [values.edge] } } : {}),
  })
}

/**
 * Tells if an operation needs a permission in a site, or names an id. Operations without credentials are open
 * to everybody.
 */
const ofSite = ({ description = '' }: DocumentedOperation) =>
  /Needs `\w+` in the site|For owners of the site/.test(description)
const byId = ({ path }: DocumentedOperation) => /\{(organization|site|username|key|transfer)\}/.test(path)
const guarded = operations.filter(
  (operation) =>
    (ofSite(operation) || byId(operation)) &&
    operation.security.length > 0 &&
    operation.security.every((scheme) => Object.keys(scheme).length > 0),
)
// Declines one's own permissions in a site. A caller without permissions there has nothing to decline, so it
// succeeds.
const harmless = ['declineSitePermissions']

const said = ({ status, body }: { status: number; body: unknown }) => JSON.stringify([status, body])
let asked = 0

describe('a tenant', () => {
  it.each([
    'nobody',
    'a stranger',
    'the owner of another tenant',
    'an admin of another tenant',
    'an API key of another tenant',
    'the directory of another tenant',
    'the session of the owner of another tenant',
    "the tenant's owner by the word of another tenant's provider",
    'the same as a session',
    'whoever owned it once',
    'an admin of another site of its organization',
  ])('is closed to %s, at every operation, and nothing of it changes', async (who) => {
    const headers = askers.get(who) as Record<string, string>
    const before = await stateOf(app)
    for (const operation of guarded) {
      // Platform paths are the same with and without a site.
      for (const mount of !ofSite(operation) ? ['', '/sites/vault', '/sites/neighbour'] : ['/sites/vault']) {
        const answer = await ask(operation, mount, values, headers)
        asked++
        const wanted = harmless.includes(operation.operationId) ? [204, 401, 403, 404] : [401, 403, 404]
        expect([
          operation.operationId,
          mount,
          wanted.includes(answer.status) ? 'refused' : said(answer),
        ]).toEqual([operation.operationId, mount, 'refused'])
        expect([operation.operationId, said(answer)]).toEqual([
          operation.operationId,
          expect.not.stringContaining('4711'),
        ])
      }
    }
    expect(await stateOf(app)).toEqual(before)
  })

  it('is not reachable with its names and ids in the caller’s own site, where they look like unknown ones', async () => {
    const before = await stateOf(app, vault)
    expect(Object.keys(before).length).toBeGreaterThan(20)
    const headers = bearer(neighbour.owner)
    const nothing: Record<string, string | number> = {
      ...values,
      app: 'absent',
      table: 'none',
      record: 999,
      edge: '00000000-0000-4000-8000-000000000000',
      secret: 'ABSENT_KEY',
      type: 'absent-type',
      tag: 'absent-tag',
      function: 'absent-function',
      invocation: 998,
      social_app: 999,
      key: 999,
    }
    for (const operation of guarded.filter(
      (one) =>
        !/\{(organization|site|username)\}/.test(one.path) && /\{(?!event|provider)\w+\}/.test(one.path),
    )) {
      const own = {
        ...values,
        ...('app' in values && /\{(table|function|datasource)\}/.test(operation.path) ? { app: 'shop' } : {}),
      }
      for (const named of [values, own]) {
        // With the caller's own app in the path, only the table, the function and the record are names of the
        // other tenant.
        const foreign = await ask(operation, '/sites/neighbour', named, headers)
        const nobodys = { ...nothing, ...(named === own && own.app === 'shop' ? { app: 'shop' } : {}) }
        const absent = await ask(operation, '/sites/neighbour', nobodys, headers)
        asked += 2
        if (
          named === own &&
          /\{datasource\}\/(collections\/|stats\/|tables\/|datatables\/)?$/.test(operation.path)
        )
          continue
        expect([operation.operationId, foreign.status >= 400]).toEqual([operation.operationId, true])
        expect([operation.operationId, masked(said(foreign), named)]).toEqual([
          operation.operationId,
          masked(said(absent), nobodys),
        ])
        expect(said(foreign)).not.toContain('CANARY')
      }
    }
    expect(await stateOf(app, vault)).toEqual(before)
  })

  /** Masks the names that the client itself has sent, because a response may contain them. */
  const masked = (text: string, named: Record<string, string | number>) =>
    [
      'app',
      'table',
      'function',
      'secret',
      'type',
      'tag',
      'record',
      'edge',
      'invocation',
      'social_app',
      'key',
    ].reduce(
      (masking, name) =>
        masking.replaceAll(new RegExp(`(?<![\\w-])${named[name]}(?![\\w-])`, 'g'), `{${name}}`),
      text,
    )

  it('takes as long to refuse existing names as unknown ones', { retry: 2 }, async () => {
    const headers = bearer(neighbour.owner)
    const pairs: [foreign: string, absent: string][] = [
      ['apps/ledgers/', 'apps/absents/'],
      ['secrets/VAULT_KEY/', 'secrets/OTHER_KEY/'],
      ['apps/shop/datatables/gems/data/41/', 'apps/shop/datatables/none/data/41/'],
    ]
    const roundTrips = new Set<string | null>()
    const timed = async (path: string) => {
      const began = performance.now()
      const answer = await app.request('GET', `${neighbour.api}/${path}`, { headers })
      roundTrips.add(/desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1] ?? null)
      return performance.now() - began
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] as number
    for (const [foreign, absent] of pairs) {
      const times: [number[], number[]] = [[], []]
      // They alternate, so that other load on the machine affects both.
      await Promise.all([timed(foreign), timed(absent)])
      roundTrips.clear()
      for (let round = 0; round < runs(10, 60); round++) {
        times[0].push(await timed(foreign))
        times[1].push(await timed(absent))
        asked += 2
      }
      const [one, other] = [median(times[0]), median(times[1])]
      expect([foreign, roundTrips.size]).toEqual([foreign, 1])
      // 5 ms, or the variation on a shared machine.
      const difference = Math.abs(one - other)
      expect([foreign, difference < Math.max(scaled(5), Math.min(one, other) / runs(1, 3))]).toEqual([
        foreign,
        true,
      ])
    }
  })

  it('is closed by host too: only at its own host or prefix, and never by a header', async () => {
    const headers = bearer(neighbour.owner)
    for (const name of [
      'x-forwarded-host',
      'x-original-host',
      'x-host',
      'forwarded',
      'x-rewrite-url',
      'x-original-url',
      'x-tenant',
      'x-site',
      'x-http-method-override',
    ]) {
      for (const value of [
        'vault',
        'vault.tessera.test',
        'host=vault.tessera.test',
        '/sites/vault/api/apps/',
        'DELETE',
      ]) {
        const answer = await app.request('GET', `${neighbour.api}/apps/`, {
          headers: { ...headers, [name]: value },
        })
        asked++
        expect([name, answer.status, answer.body.results.map(({ slug }: { slug: string }) => slug)]).toEqual([
          name,
          200,
          ['shop'],
        ])
      }
    }
  })

  it('gets more than two thousand requests in these tests', () => expect(asked).toBeGreaterThan(2_000))
})

it('a valid password gives access to no other account or site', async () => {
  const user = await app.user('own-door', { password })
  const { body } = await app.request('POST', `${vault.api}/auth/jwt/token/`, {
    body: { username: user.username, password },
  })
  expect((await app.request('GET', `${vault.api}/apps/`, { token: body.access })).status).toBe(403)
})
