/**
 * The permissions for every operation in a site, with each permission alone, each role of an organization,
 * and each kind of credential. An operation without a row here, or with another policy than its row, fails.
 * T5, A4, H11.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { type DocumentedOperation, operations } from '../support/contract.ts'
import { createShop, grant, type Shop } from '../support/fixtures.ts'

/** Each of these operations has two paths: below the app, and below the datasource. */
const tableOperations = (...ids: string[]) =>
  ids.flatMap((id) => [id, id.replace('Datatable', 'DatasourceTable').replace(/Rows$/, 'DatasourceRows')])

/**
 * The permission in the site that an operation needs. All other operations are about the platform, or open to
 * everybody.
 */
const policies: Readonly<Record<string, readonly string[]>> = {
  access_site: [
    ...['listSecretTypes', 'getSecretType', 'listSecrets', 'listSecretHistory', 'listTags', 'getTag'],
    ...['listApps', 'getApp', 'getAppStats', 'getAppAccess', 'getAppDocument'],
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
      'listSkippedRuns',
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
    ...['createDatasource', 'replaceDatasource', 'updateDatasource', 'deleteDatasource', 'checkDatasource'],
    'listCollections',
    'getDatatableAdvice',
    'createDatatable',
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
      'replaceAppAccess',
      'listMails',
      'replaceDatatableAccess',
      'explainDatatableAccess',
      'eraseRecordVersions',
    ],
    ...['createFunction', 'replaceFunction', 'updateFunction', 'deleteFunction', 'rotateSigningSecret'],
    ...['listFunctionVersions', 'getFunctionVersion', 'restoreFunctionVersion'],
  ],
  delete_site: ['deleteApp', ...tableOperations('deleteDatatable')],
  owner: ['createSocialApp', 'updateSocialApp', 'deleteSocialApp', 'checkSocialApp'],
}

/** The only operations that accept an API key. A4. */
const withCurrentKeys = [
  ...['sendMcpMessage', 'followLists'],
  ...['createRecord', 'upsertRecords', 'executeFunction', 'replayInvocation', 'replayDeadLetters'],
  ...['listEvents', 'listEventSubscribers', 'subscribeToEvent', 'unsubscribeFromEvent'],
]

/** The operations that accept an API key with scopes. X1. */
const withScopedKeys = [
  ...['listApps', 'listDatatables', ...tableOperations('getDatatable', 'getDatatableSchema')],
  ...['listRecords', 'createRecord', 'updateRecords', 'deleteRecords', 'upsertRecords'],
  ...['getRecord', 'updateRecord', 'replaceRecord', 'deleteRecord'],
  ...['listRecordVersions', 'restoreRecordVersion'],
  ...['listEdges', 'createEdges', 'deleteEdges', 'updateEdge', 'runBatch'],
  ...['sendMcpMessage', 'followLists'],
]

/** The operations that accept a session cookie: secrets, their types and tags. A3. */
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

/**
 * Guests may call these, so they get errors about parameters. Writes that no access rule allows are refused
 * later.
 */
const writesOfGuests: ReadonlySet<string> = new Set([
  ...['createRecord', 'updateRecords', 'deleteRecords', 'updateRecord', 'replaceRecord', 'deleteRecord'],
  'upsertRecords',
  ...['createEdges', 'deleteEdges', 'updateEdge', 'runBatch'],
])

/**
 * Calls an operation with an unknown parameter and with names that do not exist. Both are refused after the
 * check of the caller and before any change: 400 and 404 mean that the caller has the permission.
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

describe('each operation', () => {
  it('of a site has a row here that matches the document', () => {
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

  it('without a row here is for everybody or about the platform', () => {
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
      'followLists',
    ])
  })

  it('accepts API keys or sessions only where its row says so', () => {
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

describe('a user', () => {
  it.each(permissions)(
    'with %s alone can call the operations that need it, and no others',
    async (permission) => {
      for (const operation of ofSite) {
        const wanted =
          permission === policyOf(operation) ||
          (permission === 'admin_site' && policyOf(operation) !== 'owner')
            ? 'may'
            : 403
        const { status } = await ask(operation, bearer(holders.get(permission) as User))
        expect([operation.operationId, mayOf(status)]).toEqual([operation.operationId, wanted])
      }
    },
  )
})

describe('the role in an organization', () => {
  it.each<[string, () => User, (policy: string) => boolean]>([
    ['an owner', () => shop.owner, () => true],
    ['a superuser', () => root, () => true],
    ['an admin', () => admin, (policy) => policy !== 'owner'],
    ['a member without permissions', () => member, () => false],
  ])('of %s gives exactly its rights', async (_what, who, may) => {
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
    'such as an API key of an owner, %s, is accepted where the row says so, and gets 401 elsewhere',
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

  it('such as a session of an owner is accepted for secrets, their types and tags, and gets 401 elsewhere; from another page it cannot write', async () => {
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

  it('is needed: without one, every operation returns 401', async () => {
    for (const operation of ofSite)
      expect([operation.operationId, (await ask(operation, {})).status]).toEqual([operation.operationId, 401])
  })
})

describe('a method that a path does not have', () => {
  it('gets 405 with the methods of the path, or 404', async () => {
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
