/**
 * A service with one object of each kind, and a request for each operation of the document, for tests of
 * every operation.
 */
import { newKey } from '../../src/kernel/access/api-keys/key.ts'
import { issueSession, issueTokens } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from './app.ts'
import { type DocumentedOperation, oneBySource, operations } from './contract.ts'
import { createShop, type Shop } from './fixtures.ts'

export interface World {
  app: TestApp
  /** The site `one`, which the values of paths refer to. */
  shop: Shop
  other: Shop
  /** Has no rights in any site. */
  stranger: User
  root: User
  refresh: string
  strangerSession: string
  /** A token of a sign-in by a provider. */
  ofProvider: string
  invitation: { uuid: string; invitee: number }
  /** An import in the organization of site `one` that waits for its archive. */
  transfer: string
  /** The directory of the organization of site `one`. */
  scim: { key: string; keyId: number; group: string }
}

const password = 'Correct-horse-1'
const noEdge = '00000000-0000-4000-8000-000000000000'

export async function createWorld(): Promise<World> {
  // Passkeys belong to the host of PUBLIC_URL.
  const app = (await startApp()).with({ PUBLIC_URL: 'http://localhost' })
  const shop = await createShop(app, 'one')
  const other = await createShop(app, 'two')
  const stranger = await app.user('stranger', { password })
  const root = await app.user('root', { superuser: true })
  const refresh = (await issueTokens(configOf(app.env), await app.identity(stranger))).refresh
  const strangerSession = await issueSession(configOf(app.env), await app.identity(stranger))
  const linked = await app.user('linked')
  // A membership in another organization, because a sign-in by a provider is valid in its own organization
  // only.
  await app.sql(
    `insert into memberships (organization_id, user_id, role) select organization_id, $1, 'member' from sites where slug = 'two'`,
    [linked.id],
  )
  const [{ id: organizationId } = { id: '' }] = await app.sql<{ id: string }>(
    `with a as (insert into social_accounts (site_id, social_app_id, issuer, subject, user_id) select id, 1, 'i', 's', $1 from sites where slug = 'one' returning site_id)
     select organization_id as id from sites join a on a.site_id = sites.id`,
    [linked.id],
  )
  const ofProvider = (
    await issueTokens(configOf(app.env), {
      ...(await app.identity(linked)),
      organizationId: Number(organizationId),
    })
  ).access
  await app.request('POST', `/api/cloud/sites/one/domains/`, {
    token: shop.owner.token,
    body: { domain: 'one.example' },
  })
  const kept: [path: string, body: unknown][] = [
    ['secret-types', { name: 'one' }],
    ['tags', { name: 'one' }],
    ['auth/social-apps', { provider: 'github', name: 'GitHub', client_id: 'a', secret: 'b' }],
    ['secrets', { secret_type: 'one', key: 'ONE', value: { a: 1 } }],
    ['apps/shop/functions', { name: 'one', execution_mode: 'system', system_function: 'noop' }],
    ['apps/shop/functions/one/execute', {}],
    ['questions', { name: 'one', app: 'shop', table: 'makers', measure: 'count' }],
    ['dashboards', { name: 'one' }],
  ]
  for (const [path, body] of kept)
    await app.request('POST', `/sites/one/api/${path}/`, { token: shop.owner.token, body })
  const invitation: World['invitation'] = (
    await app.request('POST', '/api/cloud/organizations/one-org/invitations/', {
      token: shop.owner.token,
      body: { invitee_identifier: 'one@example.net' },
    })
  ).body
  const scimKey = await app.request('POST', '/api/cloud/organizations/one-org/scim-keys/', {
    token: shop.owner.token,
    body: { name: 'Directory' },
  })
  const group = await app.request('POST', '/api/cloud/organizations/one-org/scim/v2/Groups', {
    token: scimKey.body.key,
    body: { displayName: 'Makers' },
  })
  const scim = { key: scimKey.body.key, keyId: scimKey.body.id, group: group.body.id }
  await app.request('POST', shop.data('makers'), { token: shop.owner.token, body: { id: 1, name: 'Ostra' } })
  const begun = await app.request('POST', '/api/cloud/organizations/one-org/imports/', {
    token: shop.owner.token,
    body: { slug: 'waiting' },
  })
  const transfer: string = begun.body.id
  return {
    app,
    shop,
    other,
    stranger,
    root,
    refresh,
    strangerSession,
    ofProvider,
    invitation,
    scim,
    transfer,
  }
}

/** Returns the path parameters of site one. */
export const present = ({ shop, invitation, scim, transfer }: World): Record<string, string | number> => ({
  app: 'shop',
  datasource: 'main',
  table: 'makers',
  record: 1,
  version: 1,
  edge: noEdge,
  organization: 'one-org',
  site: 'one',
  domain: 'one.example',
  user: shop.owner.id,
  username: shop.owner.username,
  transfer,
  part: 0,
  invitation: invitation.uuid,
  invitee: invitation.invitee,
  token: invitation.uuid,
  key: 1,
  secret: 'ONE',
  type: 'one',
  tag: 'one',
  function: 'one',
  invocation: 1,
  event: 'RECORD_CREATE',
  question: 1,
  dashboard: 1,
  social_app: 1,
  link: 1,
  passkey: 1,
  device: 1,
  sign_in: noEdge,
  provider: 'github',
  account: shop.owner.id,
  group: scim.group,
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  resource_type: 'User',
})

export const absent: Record<string, string | number> = {
  app: 'none',
  datasource: 'none',
  table: 'none',
  record: 999,
  version: 999,
  edge: noEdge,
  organization: 'none',
  site: 'none',
  domain: 'none.example',
  user: 999_999,
  username: 'none',
  key: 999_999,
  secret: 'NONE',
  type: 'none',
  tag: 'none',
  function: 'none',
  invocation: 999_999,
  event: 'RECORD_CREATE',
  question: 999_999,
  dashboard: 999_999,
  social_app: 999_999,
  link: 999_999,
  passkey: 999_999,
  device: 999_999,
  sign_in: noEdge,
  provider: 'none',
  account: 999_999,
  group: 999_999,
  schema: 'none',
  resource_type: 'none',
  transfer: crypto.randomUUID(),
  part: 999_999,
  invitation: crypto.randomUUID(),
  invitee: 999_999,
  token: crypto.randomUUID(),
}

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
const newCredential = { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'oA' } }
const signedCredential = {
  ...credential,
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
}

/** Returns a valid body for each operation that needs one. */
export const bodies = ({ stranger, refresh }: World): Record<string, unknown> => ({
  createToken: { username: 'stranger', password },
  createSession: { username: 'stranger', password },
  refreshToken: { refresh },
  verifyToken: { token: stranger.token },
  blacklistToken: { refresh },
  updateCurrentUser: { first_name: 'Ada' },
  changePassword: { current_password: password, password: 'Another-horse-2' },
  requestPasswordReset: { email: 'stranger@example.org' },
  resetPassword: { token: 'unknown', password },
  signUp: { email: 'made@example.net', password },
  confirmSignUp: { token: 'unknown', password },
  createSignUpOptions: { email: 'made@example.net' },
  signUpWithPasskey: { email: 'made@example.net', name: 'Phone', credential: newCredential },
  confirmPasskeySignUp: { token: 'unknown', credential: signedCredential },
  requestEmailVerification: { email: 'stranger@example.org' },
  confirmEmail: { token: 'unknown' },
  confirmTotp: { code: '123456' },
  answerChallenge: { challenge: noEdge, code: '123456' },
  answerSessionChallenge: { challenge: noEdge, code: '123456' },
  createPasskey: { name: 'Phone', credential: newCredential },
  createSignInOptions: {},
  createPasskeyToken: { credential: signedCredential },
  createCommandLineToken: { code: 'unknown', verifier: 'v'.repeat(43) },
  createPasskeySession: { credential: signedCredential },
  createUser: { username: 'made', email: 'made@example.org', password },
  updateUser: { first_name: 'Ada' },
  createApiKey: { name: 'ci' },
  updateApiKey: { name: 'tests' },
  rotateApiKey: { overlap_seconds: 60 },
  createOrganization: { name: 'Made' },
  updateOrganization: { name: 'Renamed' },
  updateMember: { role: 'admin' },
  createInvitation: { invitee_identifier: 'made@example.net' },
  acceptInvitation: { password, first_name: 'A', last_name: 'B' },
  createSite: { name: 'Made' },
  copySite: { slug: 'copied' },
  exportSite: {},
  importSite: { slug: 'imported' },
  uploadTransferPart: { content: 'AAAA' },
  updateSite: { name: 'Changed' },
  replaceSiteLimits: { requests: { soft: 1_000_000, hard: 2_000_000 } },
  createDomain: { domain: 'made.example' },
  replaceSitePermissions: { permissions: ['access_site'] },
  replaceSiteRoles: [{ name: 'clerk' }],
  blockSitePerson: { blocked: true },
  createApp: { name: 'Made' },
  replaceApp: { name: 'Changed' },
  updateApp: { name: 'Changed' },
  createDatasource: { name: 'Made', slug: 'made', provider_type: 'flat_table' },
  replaceDatasource: { name: 'Changed', slug: 'main', provider_type: 'flat_table' },
  updateDatasource: { name: 'Changed' },
  createDatatable: { name: 'made', json_schema: { fields: [{ name: 'a', type: 'string' }] } },
  replaceDatatable: { description: 'made' },
  replaceDatasourceTable: { description: 'made' },
  updateDatatable: { description: 'made' },
  updateDatasourceTable: { description: 'made' },
  replaceAppAccess: { rules: [] },
  replaceDatatableAccess: { rules: [] },
  explainDatatableAccess: { as: { anyone: true }, action: 'read' },
  rollBackDatatable: { revision_id: 1 },
  rollBackDatasourceTable: { revision_id: 1 },
  createSchema: { resources: [{ name: 'made', schema: { fields: [{ name: 'a', type: 'string' }] } }] },
  importReferences: { source_app_slug: 'shop', source_table_name: 'makers', reference_name: 'made' },
  restoreDatatable: {},
  restoreDatasourceTable: {},
  validateRows: { data: [] },
  validateDatasourceRows: { data: [] },
  createSecretType: { name: 'made' },
  replaceSecretType: { description: 'changed' },
  createSecret: { secret_type: 'api-key', key: 'MADE', value: { api_key: 'x' } },
  replaceSecret: { value: { api_key: 'y' } },
  createSocialApp: { provider: 'google', name: 'Google', client_id: 'a', secret: 'b' },
  createProviderToken: { code: 'x' },
  beginProviderLink: {},
  finishProviderLink: { code: 'x', state: 'x' },
  confirmSignIn: { confirmation: noEdge, code: '12345678' },
  updateSocialApp: { name: 'Changed' },
  createTag: { name: 'made' },
  replaceTag: { name: 'one' },
  updateTag: { description: 'changed' },
  createFunction: { name: 'made', code: 'export default () => 1' },
  replaceFunction: { name: 'one', execution_mode: 'system', system_function: 'noop' },
  updateFunction: { description: 'changed' },
  rotateSigningSecret: { overlap_seconds: 60 },
  executeFunction: { params: {} },
  replayDeadLetters: { dry_run: true },
  replayDeadJobs: { dry_run: true },
  subscribeToEvent: { function_id: 1 },
  unsubscribeFromEvent: { function_id: 1 },
  createRecord: { name: 'Made' },
  updateRecords: [{ id: 1, name: 'Changed' }],
  upsertRecords: { name: 'Made' },
  updateRecord: { name: 'Changed' },
  replaceRecord: { name: 'Replaced' },
  createEdges: [{ from_id: 1, to_id: 2, type: 'parent' }],
  updateEdge: { from_id: 1, to_id: 1, type: 'parent' },
  deleteEdges: { edge_ids: [noEdge] },
  // It is refused. Otherwise the stream of the list would not end.
  followLists: { lists: { none: '/api/apps/none/datatables/none/data/' } },
  runBatch: [{ op: 'create', table: 'makers', data: { name: 'Made' } }],
  createScimKey: { name: 'Directory' },
  createScimUser: { userName: 'directed@example.net' },
  replaceScimUser: { userName: 'replaced@example.net' },
  updateScimUser: { Operations: [{ op: 'replace', path: 'displayName', value: 'Changed' }] },
  createScimGroup: { displayName: 'Made' },
  replaceScimGroup: { displayName: 'Changed' },
  updateScimGroup: { Operations: [{ op: 'replace', path: 'displayName', value: 'Changed' }] },
  createQuestion: { name: 'made', app: 'shop', table: 'makers', measure: 'count' },
  replaceQuestion: { name: 'changed', app: 'shop', table: 'makers', measure: 'max', field: 'name' },
  createDashboard: { name: 'made' },
  replaceDashboard: { name: 'changed' },
  sendMcpMessage: { jsonrpc: '2.0', id: 1, method: 'ping' },
})

export interface Asked {
  values?: Record<string, string | number>
  token?: string
  /** The cookie, if an operation accepts only sessions. */
  session?: string
  query?: string
  headers?: Record<string, string>
  body?: unknown
  /** The part of the path that names the tenant. */
  mount?: string
  of?: TestApp
}

/** The keys of directories that replace tokens: that of the world for users who may create one. */
const directoryKeys = new Map<string, string>()
function directoryKeyOf({ shop, root, scim }: World, token: string): string {
  if (token === shop.owner.token || token === root.token) return scim.key
  const key = directoryKeys.get(token) ?? newKey('directory').key
  directoryKeys.set(token, key)
  return key
}

/** Converts a response with a SCIM error to the error format of most areas. */
function inCommonForm(answer: Awaited<ReturnType<TestApp['request']>>): typeof answer {
  const { status, detail } = answer.body ?? {}
  if (typeof status !== 'string' || typeof detail !== 'string') return answer
  const messages = [...detail.matchAll(/(?<=^| )([\w.]+): (.*?)(?= [\w.]+: |$)/g)].map(([, name, text]) => [
    name,
    [text],
  ])
  return {
    ...answer,
    body:
      messages.length > 0
        ? Object.fromEntries(messages)
        : { detail, code: answer.headers.get('x-error-code') },
  }
}

export async function ask(
  world: World,
  { method, path, operationId, requestBody, security }: DocumentedOperation,
  asked: Asked = {},
) {
  const {
    values = present(world),
    query = '',
    mount = '/sites/one',
    token,
    session = world.strangerSession,
    headers = {},
    of = world.app,
  } = asked
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  const body = 'body' in asked ? asked.body : bodies(world)[operationId]
  if (requestBody && body === undefined) throw new Error(`the test has no body for ${operationId}`)
  const inSession =
    token !== undefined &&
    security.some((scheme) => 'session' in scheme) &&
    !security.some((scheme) => 'bearer' in scheme)
  const isScim = path.includes('/scim/v2/')
  const sent = token && isScim ? directoryKeyOf(world, token) : token
  const answer = await of.request(method, `${path.startsWith('/api/') ? mount : ''}${named}${query}`, {
    ...(requestBody ? { body } : {}),
    ...(sent && !inSession ? { token: sent } : {}),
    headers: {
      ...(inSession ? { cookie: `sessionid=${session}`, origin: 'http://localhost' } : {}),
      ...headers,
    },
  })
  return isScim ? inCommonForm(answer) : answer
}

/** Returns the cases of a table of tests: each operation with its summary as the title. */
export const bySummary = (all: readonly DocumentedOperation[]) =>
  all.map((operation) => [operation.summary, operation] as const)

export const declaring = (status: number, wanted: (operation: DocumentedOperation) => boolean = () => true) =>
  bySummary(operations.filter((operation) => String(status) in operation.responses && wanted(operation)))

/** Like `declaring`, with one of the operations that have the answer from the same guards. */
export const declaringOnce = (status: number, wanted?: (operation: DocumentedOperation) => boolean) =>
  bySummary(
    oneBySource(
      declaring(status, wanted).map(([, operation]) => operation),
      status,
    ),
  )
