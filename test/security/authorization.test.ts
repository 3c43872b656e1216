/**
 * Who may what in a site, of every operation: each of the permissions alone, the roles of an organization, and every kind of
 * credential. An operation that has no row here, or another policy than its row says, fails. T5, A4, H11.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../src/access/tokens.ts'
import { configOf } from '../../src/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { type DocumentedOperation, operations } from '../support/contract.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'

const tableOperations = (...verbs: string[]) => verbs.flatMap((verb) => [`${verb}`, `${verb}OfDatasource`])

/** What an operation asks of its caller in the site. Everything else is about the platform, or for anybody. */
const policies: Readonly<Record<string, readonly string[]>> = {
  access_site: [
    ...[
      'getSocialApp',
      'listSecretTypes',
      'getSecretType',
      'listSecrets',
      'listSecretHistory',
      'listTags',
      'getTag',
    ],
    ...['listApps', 'getApp', 'getAppStats', 'getAppAccess', 'getAppOpenApiDocument'],
    ...[
      'listDatasources',
      'getDatasource',
      'getDatasourceStats',
      'listDatasourceTables',
      'listDatasourceDatatables',
    ],
    ...['listDatatables', 'getDatatableStats', 'getDatatableAccess'],
    ...tableOperations('getDatatable', 'getDatatableSchema', 'validateRows', 'listDatatableOperations'),
    ...[
      'listRecords',
      'getRecord',
      'listRecordVersions',
      'listEdges',
      'listFunctions',
      'getFunction',
      'listInvocations',
      'getInvocation',
      'listDeadLetters',
    ],
    ...['listEvents', 'listEventSubscribers', 'subscribeToEvent', 'unsubscribeFromEvent'],
    ...['listQuestions', 'getQuestion', 'listDashboards', 'getDashboard'],
    'sendMcpMessage',
  ],
  change_site: [
    ...['createQuestion', 'replaceQuestion', 'deleteQuestion'],
    ...['createDashboard', 'replaceDashboard', 'deleteDashboard'],
    ...[
      'createRecord',
      'updateRecords',
      'deleteRecords',
      'upsertRecords',
      'updateRecord',
      'replaceRecord',
      'deleteRecord',
      'restoreRecordVersion',
    ],
    ...[
      'createEdges',
      'deleteEdges',
      'updateEdge',
      'runBatch',
      'executeFunction',
      'replayInvocation',
      'replayDeadLetters',
    ],
  ],
  manage_site: [
    ...[
      'createSecretType',
      'replaceSecretType',
      'deleteSecretType',
      'createSecret',
      'replaceSecret',
      'deleteSecret',
    ],
    ...['createTag', 'replaceTag', 'updateTag', 'deleteTag'],
    ...['createApp', 'replaceApp', 'updateApp', 'restoreApp'],
    ...['createDatasource', 'replaceDatasource', 'updateDatasource', 'deleteDatasource', 'createDatatable'],
    ...tableOperations(
      'replaceDatatable',
      'updateDatatable',
      'restoreDatatable',
      'materializeDatatable',
      'rollBackDatatable',
    ),
    ...[
      'createSchema',
      'importReferences',
      'replaceDatatableAccess',
      'explainDatatableAccess',
      'eraseRecordVersions',
    ],
    ...['createFunction', 'replaceFunction', 'updateFunction', 'deleteFunction'],
    ...['listFunctionVersions', 'getFunctionVersion', 'restoreFunctionVersion'],
  ],
  delete_site: ['deleteApp', ...tableOperations('deleteDatatable')],
  owner: ['createSocialApp', 'updateSocialApp', 'deleteSocialApp'],
}

/** Those that take an API key: nothing else does. A4. */
const withCurrentKeys = [
  'sendMcpMessage',
  ...['createRecord', 'upsertRecords', 'executeFunction', 'replayInvocation', 'replayDeadLetters'],
  ...['listEvents', 'listEventSubscribers', 'subscribeToEvent', 'unsubscribeFromEvent'],
]

/** Those that take an API key with scopes. X1. */
const withScopedKeys = [
  ...['listApps', 'listDatatables', ...tableOperations('getDatatable', 'getDatatableSchema')],
  ...['listRecords', 'createRecord', 'updateRecords', 'deleteRecords', 'upsertRecords'],
  ...['getRecord', 'updateRecord', 'replaceRecord', 'deleteRecord'],
  ...['listRecordVersions', 'restoreRecordVersion'],
  ...['listEdges', 'createEdges', 'deleteEdges', 'updateEdge', 'runBatch'],
  'sendMcpMessage',
]

/** Those that take the cookie of a session: secrets, their types and tags. A3. */
const withSessions = /^\/api\/(secrets|secret-types|tags)\//

const everyOne = Object.values(policies).flat()
const ofSite = operations.filter(({ operationId }) => everyOne.includes(operationId))
const policyOf = ({ operationId }: DocumentedOperation) =>
  Object.keys(policies).find((name) => policies[name]?.includes(operationId)) as string

const permissions = [
  'access_site',
  'view_site',
  'change_site',
  'delete_site',
  'manage_site',
  'manage_site_users',
  'admin_site',
] as const

let app: TestApp
let shop: Shop
let root: User
let admin: User
let member: User
const holders = new Map<string, User>()

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'guarded')
  root = await app.user('root', { superuser: true })
  const joined = async (role: string) => {
    const user = await app.user(`guarded-${role}`)
    await app.sql(
      `insert into memberships (organization_id, user_id, role) select id, $1, $2 from organizations where slug = 'guarded-org'`,
      [user.id, role],
    )
    return user
  }
  admin = await joined('admin')
  member = await joined('member')
  for (const permission of permissions) {
    const user = await app.user(`holds-${permission.replaceAll('_', '-')}`)
    await grant(app, shop, user, [permission])
    holders.set(permission, user)
  }
})

/** Guests may call these, so they are told of a wrong parameter. What no access rule allows is refused later. */
const writesOfGuests: ReadonlySet<string> = new Set([
  ...['createRecord', 'updateRecords', 'deleteRecords', 'updateRecord', 'replaceRecord', 'deleteRecord'],
  'upsertRecords',
  ...['createEdges', 'deleteEdges', 'updateEdge', 'runBatch'],
])

/**
 * Asks with a parameter that no operation has, and for names that nothing has. Either is refused after the caller is judged
 * and before anything is done: 400 and 404 say that the caller may.
 */
const ask = (
  { operationId, method, path, requestBody }: DocumentedOperation,
  headers: Record<string, string>,
) =>
  app.request(
    method,
    `/sites/guarded${path.replace(/\{\w+\}/g, (name) => (name === '{event}' ? 'RECORD_CREATE' : '1'))}${
      writesOfGuests.has(operationId) ? '' : '?zzzzzzzz=1'
    }`,
    {
      headers,
      ...(requestBody ? { body: {} } : {}),
    },
  )
const bearer = ({ token }: User) => ({ authorization: `Bearer ${token}` })
const mayOf = (status: number) => (status === 400 || status === 404 ? 'may' : status)

describe('every operation', () => {
  it('of a site has its row, and its row says what the document says', () => {
    const documented = operations.filter(({ description = '' }) =>
      /Needs `\w+` in the site|For owners of the site/.test(description),
    )
    const wrong = documented.filter((operation) => {
      const said = /Needs `(\w+)` in the site/.exec(operation.description ?? '')?.[1] ?? 'owner'
      return policyOf(operation) !== said
    })
    expect(wrong.map(({ operationId }) => operationId)).toEqual([])
    expect(new Set(everyOne).size).toBe(everyOne.length)
    expect(everyOne.filter((name) => !operations.some(({ operationId }) => operationId === name))).toEqual([])
  })

  it('that is for anybody, or about the platform, is one of these', () => {
    const others = operations.filter(
      (operation) => !everyOne.includes(operation.operationId) && operation.path.startsWith('/api/'),
    )
    const elsewhere =
      /^\/api\/(cloud\/(organizations|sites|invitations|status|metrics|dead-jobs|transfers)|users|auth|schema|docs)\//
    expect(others.filter(({ path }) => !elsewhere.test(path)).map(({ operationId }) => operationId)).toEqual([
      'listApiKeys',
      'createApiKey',
      'getApiKey',
      'updateApiKey',
      'deleteApiKey',
      'rotateApiKey',
      'getSecret',
    ])
  })

  it('takes API keys, or sessions, where its row says so, and nowhere else', () => {
    const takes = (scheme: string) =>
      operations.filter(({ security }) => security.some((one) => scheme in one))
    expect(
      takes('api-key')
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual([...new Set([...withCurrentKeys, ...withScopedKeys])].sort())
    expect(
      takes('session')
        .filter(({ path }) => !withSessions.test(path))
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual([
      ...['acceptInvitation', 'beginProviderLink', 'confirmEmail', 'createSessionToken'],
      ...['deleteSession', 'finishProviderLink'],
    ])
  })
})

describe('a holder', () => {
  it.each(permissions)('of %s alone may what asks for it, and nothing else', async (permission) => {
    for (const operation of ofSite) {
      const wanted =
        permission === policyOf(operation) || (permission === 'admin_site' && policyOf(operation) !== 'owner')
          ? 'may'
          : 403
      const { status } = await ask(operation, bearer(holders.get(permission) as User))
      expect([operation.operationId, mayOf(status)]).toEqual([operation.operationId, wanted])
    }
  })
})

describe('a role', () => {
  it.each<[string, () => User, (policy: string) => boolean]>([
    ['an owner', () => shop.owner, () => true],
    ['a superuser', () => root, () => true],
    ['an admin', () => admin, (policy) => policy !== 'owner'],
    ['a member without permissions', () => member, () => false],
  ])('%s may what it may', async (_what, who, may) => {
    for (const operation of ofSite) {
      const { status } = await ask(operation, bearer(who()))
      expect([operation.operationId, mayOf(status)]).toEqual([
        operation.operationId,
        may(policyOf(operation)) ? 'may' : 403,
      ])
    }
  })
})

describe('a credential', () => {
  it.each([
    ['without scopes', null, withCurrentKeys],
    [
      'with all scopes',
      [{ app: '1', tables: ['*'], can: ['read', 'create', 'update', 'delete'] }],
      withScopedKeys,
    ],
  ])(
    'an API key of an owner, %s, is taken where the row says so, and is 401 elsewhere',
    async (_, scopes, taken) => {
      const { body } = await app.request('POST', `${shop.api}/api-keys/`, {
        token: shop.owner.token,
        body: { name: 'all', scopes },
      })
      for (const operation of ofSite) {
        const { status } = await ask(operation, { authorization: `Api-Key ${body.key}` })
        expect([operation.operationId, mayOf(status)]).toEqual([
          operation.operationId,
          taken.includes(operation.operationId) ? 'may' : 401,
        ])
      }
    },
  )

  it('a session of an owner is taken for secrets, their types and tags, and is 401 elsewhere; from another page it writes nothing', async () => {
    const cookie = `sessionid=${await issueSession(configOf(app.env), await app.identity(shop.owner))}`
    for (const operation of ofSite) {
      const taken = withSessions.test(operation.path)
      const own = await ask(operation, { cookie, origin: 'http://localhost' })
      expect([operation.operationId, mayOf(own.status)]).toEqual([operation.operationId, taken ? 'may' : 401])
      const foreign = await ask(operation, { cookie, origin: 'https://evil.example' })
      const ofTaken = operation.method === 'GET' ? 'may' : 403
      const wanted = taken ? ofTaken : 401
      expect([operation.operationId, mayOf(foreign.status)]).toEqual([operation.operationId, wanted])
    }
  })

  it('none is 401', async () => {
    for (const operation of ofSite)
      expect([operation.operationId, (await ask(operation, {})).status]).toEqual([operation.operationId, 401])
  })
})

describe('a method', () => {
  it('that a path does not have is 405 with those that it has, or 404', async () => {
    for (const path of new Set(ofSite.map((operation) => operation.path))) {
      const declared = operations.filter((operation) => operation.path === path).map(({ method }) => method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].filter(
        (one) => !declared.includes(one),
      )) {
        const { status, headers } = await app.request(
          method,
          `/sites/guarded${path.replace(/\{\w+\}/g, 'x')}`,
          { token: root.token },
        )
        expect([method, path, [404, 405].includes(status)]).toEqual([method, path, true])
        if (status === 405) for (const one of declared) expect(headers.get('allow')).toContain(one)
      }
    }
  })
})
