/**
 * Checks that every operation behaves as the OpenAPI document says. The operations come from the document, so
 * that none is missed. support/contract.ts checks the responses, as in all tests.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rowsByArea } from '../dev/route-list/rows.ts'
import { app as hono, loadRoutes } from '../src/app.ts'
import { issueSession } from '../src/kernel/access/tokens.ts'
import { configOf } from '../src/kernel/env.ts'
import type { AppError } from '../src/kernel/errors.ts'
import { methodsOfPatterns } from '../src/kernel/http/path-patterns.ts'
import { checkQuery } from '../src/kernel/http/strict.ts'
import { docsPages } from '../src/operation/docs/routes.tsx'
import list from '../src/routes.json' with { type: 'json' }
import type { TestApp, User } from './support/app.ts'
import {
  type DocumentedOperation,
  decidesAccess,
  guardsOf,
  isStrict,
  oneByGuards,
  operations,
  queryOf,
} from './support/contract.ts'
import type { Shop } from './support/fixtures.ts'
import { stateOf } from './support/state.ts'
import {
  absent,
  ask,
  bodies,
  bySummary,
  createWorld,
  declaring,
  declaringOnce,
  present,
  type World,
} from './support/world.ts'

let world: World
let app: TestApp
let shop: Shop
let other: Shop
let stranger: User
let root: User
let refresh: string
let ofProvider: string

beforeAll(async () => {
  world = await createWorld()
  ;({ app, shop, other, stranger, root, refresh, ofProvider } = world)
})

/** Tells if an operation also accepts requests without credentials. */
const isOptional = ({ security }: DocumentedOperation) =>
  security.some((scheme) => Object.keys(scheme).length === 0)
const routes = await loadRoutes()

/**
 * Everyone may use these operations, except with a sign-in by a provider if the account also belongs to other
 * organizations than that of the provider. S7.
 */
const forOwnSignIns: ReadonlySet<string> = new Set([
  ...['createOrganization', 'changePassword', 'updateCurrentUser', 'deleteCurrentUser'],
  ...['restoreCurrentUser', 'exportCurrentUser', 'listOwnProviders', 'unlinkProvider'],
  ...['createTotp', 'confirmTotp', 'deleteTotp', 'replaceRecoveryCodes'],
  ...['createPasskeyOptions', 'createPasskey', 'deletePasskey', 'beginProviderLink', 'finishProviderLink'],
])
const requiresCredentials = ({ security }: DocumentedOperation) => security.length > 0

describe('the list of routes', () => {
  it('has the routes of every area in their order, as `npm run routes` writes it, and none twice', async () => {
    const rows = await rowsByArea()
    expect(Object.entries(list)).toEqual(Object.entries(rows))
    const all = Object.values(rows).flatMap((of) => of.map((row) => row.replace(' page', '')))
    expect(all.filter((row, index) => all.indexOf(row) !== index)).toEqual([])
  })
})

describe('every operation', () => {
  it('is reached at its path, because no other route precedes it', () => {
    for (const operation of operations) {
      const path = operation.path
        .replace(/\{(\w+)\}/g, (_, name: string) => String(present(world)[name]))
        .replace(/(?<=.)\/$/, '')
      const [matches] = hono.router.match(operation.method, path)
      const routes = matches.map(([[, route]]) => route).filter(({ method }) => method === operation.method)
      expect([operation.operationId, routes[0]?.path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')]).toEqual([
        operation.operationId,
        operation.path.replace(/\/$/, ''),
      ])
    }
  })

  it('has a unique id', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  // So what is tested of one operation with a guard is true of all operations with this guard.
  it('runs the guards of its description, in their order, before what only it does', () => {
    const handlersOf = new Map(routes.map(({ parts, handlers }) => [parts?.[0]?.id, handlers]))
    for (const operation of operations) {
      const guards = guardsOf(operation).map(({ handler }) => handler)
      const handlers = handlersOf.get(operation.operationId) ?? []
      expect([operation.operationId, guards.length > 0, handlers.slice(0, guards.length)]).toEqual([
        operation.operationId,
        true,
        guards,
      ])
    }
  })

  it('decides who may call it before it refuses anything in the query string or the body', () => {
    for (const operation of operations) {
      const guards = guardsOf(operation)
      const refuses = guards.findIndex(({ answers = {} }) => 400 in answers)
      const decides = guards.findLastIndex(decidesAccess)
      expect([operation.operationId, refuses === -1 || decides < refuses]).toEqual([
        operation.operationId,
        true,
      ])
    }
  })

  it('suggests the right name for each misspelled parameter, and rejects unknown and repeated ones', () => {
    for (const operation of operations.filter((each) => guardsOf(each).some(isStrict))) {
      const query = queryOf(operation) ?? z.object({})
      const problemsOf = (text: string) => {
        try {
          return checkQuery(query, new URLSearchParams(text))
        } catch (error) {
          return (error as AppError).body
        }
      }
      const once = ({ name, schema }: DocumentedOperation['parameters'][number]) =>
        schema.type === 'array' ? [] : [[name, ['This parameter may be given only once.']]]
      const declared = operation.parameters.filter((each) => each.in === 'query')
      const unknown = [expect.stringMatching(/^Unknown parameter\./)]
      expect([operation.operationId, problemsOf('zzzzzzzz=1')]).toEqual([
        operation.operationId,
        { zzzzzzzz: unknown },
      ])
      for (const parameter of declared) {
        const { name } = parameter
        expect([operation.operationId, problemsOf(`${name}x=1&${name}=1&${name}=1`)]).toEqual([
          operation.operationId,
          Object.fromEntries([
            [`${name}x`, [expect.stringContaining(`Did you mean "${name}"?`)]],
            ...once(parameter),
          ]),
        ])
      }
    }
  })

  it('declares 401 if it requires credentials, and 400, 413 and 415 if it has a body', () => {
    for (const { operationId, security, requestBody, responses } of operations) {
      const expected = [
        ...(security.length > 0 ? ['401'] : []),
        ...(requestBody ? ['400', '413', '415'] : []),
      ]
      expect([operationId, ...expected.filter((status) => !(status in responses))]).toEqual([operationId])
    }
  })

  it('has a valid body for these tests if it takes one, and no body otherwise', () => {
    const taking = operations.filter(({ requestBody }) => requestBody)
    const names = taking.map(({ operationId }) => operationId)
    expect(Object.keys(bodies(world)).sort()).toEqual(names.sort())
  })

  it('has a value for each parameter of its path, of something present and of something absent', () => {
    const named = operations.flatMap(({ path }) => path.match(/(?<=\{)\w+(?=\})/g) ?? [])
    const names = [...new Set(named)].sort()
    expect([Object.keys(present(world)).sort(), Object.keys(absent).sort()]).toEqual([names, names])
  })

  it('declares no 415 if it has no body', () => {
    const without = operations.filter(({ requestBody }) => !requestBody)
    expect(
      without.filter(({ responses }) => '415' in responses).map(({ operationId }) => operationId),
    ).toEqual([])
  })
})

describe('401', () => {
  it.each(declaringOnce(401, requiresCredentials))(
    'is returned without credentials and with invalid ones: %s',
    async (_summary, operation) => {
      if (!isOptional(operation)) {
        const missing = await ask(world, operation)
        expect(missing).toMatchObject({
          status: 401,
          body: { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
        })
        expect(missing.headers.get('www-authenticate')).toBe('Bearer')
      }
      for (const authorization of ['Bearer x.y.z', 'Basic eDp5', 'Api-Key tsk_x', `Bearer ${refresh}`]) {
        expect([authorization, (await ask(world, operation, { headers: { authorization } })).status]).toEqual(
          [authorization, 401],
        )
      }
    },
  )
})

describe('403', () => {
  // Operations on resources of another tenant are tested separately, below.
  it.each(
    declaringOnce(
      403,
      // A caller who may not see a transfer gets 404. Everybody may join a site that allows sign-ups.
      (operation) =>
        operation.operationId !== 'joinSite' &&
        operation.security.some((scheme) => 'bearer' in scheme) &&
        !isOptional(operation) &&
        !operation.path.includes('{transfer}'),
    ),
  )('is returned to a user without permissions: %s', async (_summary, operation) => {
    const token = forOwnSignIns.has(operation.operationId) ? ofProvider : stranger.token
    const response = await ask(world, operation, { token })
    expect(response).toMatchObject({
      status: 403,
      body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    })
  })

  // test/security/isolation.test.ts tests all operations that are closed to guests.
  it.each(declaringOnce(403, (operation) => operation.path.includes('{app}') && isOptional(operation)))(
    'or 404 is returned to the owner of another tenant: %s',
    async (_summary, operation) => {
      const response = await ask(world, operation, { token: other.owner.token })
      expect([403, 404]).toContain(response.status)
      // In the caller's own tenant, resources of the other tenant do not exist.
      const values = { ...present(world), app: 'none' }
      expect(
        (await ask(world, operation, { token: other.owner.token, mount: '/sites/two', values })).status,
      ).toBe(404)
    },
  )
})

describe('404', () => {
  const lists = ({ parameters }: DocumentedOperation) => parameters.some(({ name }) => name === 'page')
  // Importing references in the public schema returns 400. T3.
  const mount = ({ operationId }: DocumentedOperation) =>
    operationId === 'importReferences' ? '/sites/one' : ''

  it.each(declaringOnce(404))(
    'is returned for a missing resource, a page beyond the last one, or no tenant: %s',
    async (_summary, operation) => {
      const missing = await ask(world, operation, {
        token: root.token,
        values: absent,
        mount: mount(operation),
        query: lists(operation) ? '?page=9999' : '',
      })
      expect([operation.operationId, missing.status]).toEqual([operation.operationId, 404])
    },
  )
})

/** The cases of a table for one operation of each way to read a request. */
const declaringRead = (status: number, wanted: (operation: DocumentedOperation) => boolean) =>
  bySummary(
    oneByGuards(
      declaring(status, wanted).map(([, operation]) => operation),
      'reading',
    ),
  )

/** Fails a group of tests if one of their requests has changed anything in the database. */
function changesNothing(): void {
  let before: Awaited<ReturnType<typeof stateOf>>
  beforeAll(async () => {
    before = await stateOf(app)
  })
  afterAll(async () => {
    expect(await stateOf(app)).toEqual(before)
  })
}

describe('an invalid request', () => {
  changesNothing()

  const takesBody = ({ requestBody }: DocumentedOperation) => requestBody !== undefined
  const typesOf = ({ requestBody }: DocumentedOperation) =>
    Object.keys(requestBody?.content ?? {})
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1')
  const request = { token: '' }
  beforeAll(() => {
    request.token = shop.owner.token
  })

  // Each operation lists its types itself.
  it.each(bySummary(declaring(415, takesBody).map(([, operation]) => operation)))(
    'is rejected with 415 if its body has none of the declared types: %s',
    async (_summary, operation) => {
      const response = await ask(world, operation, {
        ...request,
        body: 'name=x',
        headers: { 'content-type': 'text/plain' },
      })
      expect([response.status, response.body]).toEqual([
        415,
        { detail: `The body must be ${typesOf(operation)}.`, code: 'unsupported_media_type' },
      ])
    },
  )

  it.each(declaringRead(400, takesBody))(
    'is rejected with 400 if its body is not JSON: %s',
    async (_summary, operation) => {
      const response = await ask(world, operation, { ...request, body: '{"a":' })
      expect([response.status, response.body]).toEqual([
        400,
        { detail: 'The body is not valid JSON.', code: 'malformed_body' },
      ])
    },
  )

  it.each(declaringRead(400, takesBody))(
    'is rejected with 400 if a name occurs twice in one object of its body, and nothing changes: %s',
    async (_summary, operation) => {
      for (const body of ['{"name": 1, "\\u006eame": 2}', '[{"a": [{"name": {}, "b": "}", "name": 1}]}]']) {
        const response = await ask(world, operation, { token: root.token, body })
        expect([response.status, response.body]).toEqual([
          400,
          { detail: 'The body has the name "name" twice in one object.', code: 'malformed_body' },
        ])
      }
    },
  )

  it.each(declaringRead(413, takesBody))(
    'is rejected with 413 if its body is larger than 10 MB: %s',
    async (_summary, operation) => {
      expect((await ask(world, operation, { ...request, body: tooMuch() })).status).toBe(413)
    },
  )
  /** In a site a guest may send a record. */
  const isOfSite = ({ path }: DocumentedOperation) => path.startsWith('/api/apps/')
  const takesNobody = (operation: DocumentedOperation) =>
    takesBody(operation) && (isOptional(operation) || !requiresCredentials(operation))
  it.each(bySummary(oneByGuards(operations.filter(takesNobody), 'reading')))(
    'is rejected with 413 if nobody sends a body that is larger than 16 KiB, or than 1 MiB in a site: %s',
    async (_summary, operation) => {
      const max = isOfSite(operation) ? 1024 * 1024 : 16 * 1024
      const response = await ask(world, operation, { body: JSON.stringify('x'.repeat(max)) })
      expect([response.status, response.body]).toEqual([
        413,
        { detail: `The body is larger than ${max} bytes.`, code: 'body_too_large' },
      ])
    },
  )
  const chunk = new Uint8Array(64 * 1024)
  /** Sends more than 10 MB in chunks, which is faster than to copy such a body for each request. */
  function tooMuch(): ReadableStream {
    let sent = 0
    return new ReadableStream({
      pull(body) {
        if (sent > 10 * 1024 * 1024) return body.close()
        body.enqueue(chunk)
        sent += chunk.length
      },
    })
  }

  it.each(declaringRead(400, ({ parameters }) => parameters.some(({ name }) => name === 'page')))(
    'is rejected with 400 if its page is not a positive number: %s',
    async (_summary, operation) => {
      for (const query of ['?page=0', '?page=x', '?page=1.5', '?page_size=-1']) {
        expect([query, (await ask(world, operation, { ...request, query })).status]).toEqual([query, 400])
      }
    },
  )
})

describe('the query string', () => {
  changesNothing()

  /** Operations for load balancers and browsers, which may add any parameters. */
  const lenient = ['getLiveness', 'getReadiness', 'getReferencePage']
  const checked = operations.filter(({ operationId }) => !lenient.includes(operationId))
  /** Directories may add parameters that the service does not have. */
  const isForDirectories = ({ path }: DocumentedOperation) => path.includes('/scim/v2/')
  const strict = checked.filter((operation) => !isForDirectories(operation))
  /** Returns the messages by parameter, in the error format of any operation. */
  const messagesOf = ({ details, detail = details, ...body }: { details?: unknown; detail?: unknown }) =>
    detail ?? body
  const inQuery = ({ parameters }: DocumentedOperation) =>
    parameters.filter((parameter) => parameter.in === 'query')

  it.each(bySummary(strict))(
    'is rejected with 400 for an undeclared parameter, and nothing changes: %s',
    async (_summary, operation) => {
      const response = await ask(world, operation, {
        token: root.token,
        query: '?zzzzzzzz=1&unique_fields=id',
      })
      expect([operation.operationId, response.status, messagesOf(response.body)]).toEqual([
        operation.operationId,
        400,
        expect.objectContaining({
          zzzzzzzz: [expect.stringMatching(/^Unknown parameter\.|^Unknown field or parameter "zzzzzzzz"\./)],
        }),
      ])
    },
  )

  const withQuery = (all: DocumentedOperation[]) =>
    bySummary(
      oneByGuards(
        all.filter((operation) => inQuery(operation).length > 0),
        'reading',
      ),
    )
  it.each(withQuery(strict))(
    'is rejected with 400 and a suggestion for a misspelled parameter: %s',
    async (_summary, operation) => {
      for (const { name } of inQuery(operation)) {
        const { status, body } = await ask(world, operation, { token: root.token, query: `?${name}x=true` })
        expect([name, status, messagesOf(body)]).toEqual([
          name,
          400,
          expect.objectContaining({ [`${name}x`]: [expect.stringContaining(`Did you mean "${name}"?`)] }),
        ])
      }
    },
  )

  it.each(bySummary(checked.filter((operation) => inQuery(operation).length > 0)))(
    'is rejected with 400 for a repeated parameter that is not a list: %s',
    async (_summary, operation) => {
      for (const { name } of inQuery(operation).filter(({ schema }) => schema.type !== 'array')) {
        const { status, body } = await ask(world, operation, {
          token: root.token,
          query: `?${name}=1&${name}=1`,
        })
        expect([name, status, messagesOf(body)]).toEqual([
          name,
          400,
          expect.objectContaining({ [name]: ['This parameter may be given only once.'] }),
        ])
      }
    },
  )

  const byAccess = (all: DocumentedOperation[]) => bySummary(oneByGuards(all, 'access'))
  it.each(byAccess(strict.filter((each) => requiresCredentials(each) && !isOptional(each))))(
    'is not checked without credentials, which returns 401: %s',
    async (_summary, operation) => {
      expect((await ask(world, operation, { query: '?zzzzzzzz=1' })).status).toBe(401)
    },
  )

  const requiresPermission = ({ description = '' }: DocumentedOperation) =>
    /Needs `\w+` in the site|For owners of the site/.test(description)
  it.each(byAccess(strict.filter((each) => requiresPermission(each) && !isOptional(each))))(
    'is not checked for callers without access to the site, who get 403: %s',
    async (_summary, operation) => {
      const response = await ask(world, operation, {
        token: stranger.token,
        query: '?zzzzzzzz=1',
        ...(operation.requestBody ? { body: '{"a":1,"a":2}' } : {}),
      })
      expect([operation.operationId, response.status]).toEqual([operation.operationId, 403])
    },
  )

  it.each(lenient)('may contain additional parameters: %s', async (operationId) => {
    const operation = operations.find((each) => each.operationId === operationId) as DocumentedOperation
    expect((await ask(world, operation, { query: '?utm_source=x&utm_source=y&page=0' })).status).toBe(200)
  })

  it.each(bySummary(operations.filter((each) => isForDirectories(each) && each.method === 'GET')))(
    'may contain parameters that a directory adds: %s',
    async (_summary, operation) => {
      const { status, body } = await ask(world, operation, { token: root.token })
      expect(status).toBe(operation.operationId === 'getScimMe' ? 501 : 200)
      const query = '?aadOptscim062020&utm_source=x&utm_source=y'
      expect(await ask(world, operation, { token: root.token, query })).toMatchObject({ status, body })
    },
  )

  it('is checked by every route except pages', () => {
    const nameOf = ({ method, path }: { method: string; path: string }) =>
      `${method} ${path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')}`
    const patterns = operations.map(({ method, path }) => ({
      method,
      path: path.replace(/\{(\w+)\}/g, ':$1'),
    }))
    // Methods that a path does not have, but a pattern that it matches, are 405.
    const documented = new Set([...operations, ...methodsOfPatterns(patterns)].map(nameOf))
    const others = hono.routes
      .filter(({ method }) => method !== 'ALL')
      .map(nameOf)
      .filter((route) => !documented.has(route))
    const ofDocs = docsPages.map(({ method, path }) => `${method} ${path}`)
    expect([...new Set(others)].filter((route) => !ofDocs.includes(route)).sort()).toEqual([
      'GET ',
      'GET /_dev/mailbox',
      'GET /accounts/cli',
      'GET /accounts/colors/{color}',
      'GET /accounts/email/verify',
      'GET /accounts/email/verify/confirm',
      'GET /accounts/emails/stop',
      'GET /accounts/link',
      'GET /accounts/login',
      'GET /accounts/logo/{hash}',
      'GET /accounts/me',
      'GET /accounts/passkeys',
      'GET /accounts/password/reset',
      'GET /accounts/password/reset/confirm',
      'GET /accounts/saml/{provider}/metadata',
      'GET /accounts/saml/{provider}/request',
      'GET /accounts/second-factor',
      'GET /accounts/sign-up',
      'GET /accounts/sign-up/confirm',
      'GET /accounts/sign-up/passkey',
      'GET /accounts/{provider}/login',
      'GET /accounts/{provider}/login/callback',
      'GET /api/docs/apps/{app}',
      'GET /api/docs/apps/{app}/{operation}',
      'GET /api/docs/{operation}',
      'GET /console',
      'GET /console/*',
      'GET /console/_/licenses',
      'GET /console/_/{file}',
      'GET /invitations/{token}',
      'GET /metrics',
      'POST /accounts/cli',
      'POST /accounts/confirm',
      'POST /accounts/email/verify',
      'POST /accounts/email/verify/confirm',
      'POST /accounts/emails/stop',
      'POST /accounts/factor',
      'POST /accounts/link',
      'POST /accounts/login',
      'POST /accounts/logout',
      'POST /accounts/me/address',
      'POST /accounts/me/delete',
      'POST /accounts/me/export',
      'POST /accounts/me/join',
      'POST /accounts/me/keep',
      'POST /accounts/me/password',
      'POST /accounts/me/permissions/accept',
      'POST /accounts/me/permissions/decline',
      'POST /accounts/me/person',
      'POST /accounts/me/providers/unlink',
      'POST /accounts/me/sign-ins/end',
      'POST /accounts/me/sign-ins/end-others',
      'POST /accounts/me/trusted-devices/end',
      'POST /accounts/passkeys/remove',
      'POST /accounts/password/reset',
      'POST /accounts/password/reset/confirm',
      'POST /accounts/saml/{provider}/acs',
      'POST /accounts/second-factor/app',
      'POST /accounts/second-factor/app/confirm',
      'POST /accounts/second-factor/app/remove',
      'POST /accounts/second-factor/recovery-codes',
      'POST /accounts/sign-up',
      'POST /accounts/sign-up/confirm',
      'POST /accounts/{provider}/login/callback',
      'POST /invitations/{token}',
    ])
  })
})

describe('503', () => {
  // A code that no page has made is refused before a request to the database.
  const reaching = declaringOnce(503, ({ operationId }) => operationId !== 'createCommandLineToken')
  it.each(reaching)(
    'is returned with Retry-After while the database is unavailable: %s',
    async (_summary, operation) => {
      const withoutDatabase = app.with({
        DATABASE_URL: app.env.DATABASE_URL?.toString().replace(/:\d+\//, ':9/') as string,
      })
      const response = await ask(world, operation, {
        ...(requiresCredentials(operation) ? { token: stranger.token } : {}),
        of: withoutDatabase,
      })
      expect([operation.operationId, response.status, response.body]).toEqual([
        operation.operationId,
        503,
        { detail: 'The service is temporarily unavailable. Try again in a moment.', code: 'unavailable' },
      ])
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    },
  )
})

describe('429', () => {
  let strict: TestApp
  beforeAll(() => {
    strict = app.with({ RATE_LIMIT_SCALE: '0.000001' })
  })

  it.each(declaringOnce(429))(
    'is returned to a client with too many requests: %s',
    async (_summary, operation) => {
      // A new client, because an isolate may still have leases for others.
      const hasty = await app.user(`hasty-${operation.operationId.toLowerCase()}`)
      const request = {
        ...(requiresCredentials(operation)
          ? { token: hasty.token, session: await issueSession(configOf(app.env), await app.identity(hasty)) }
          : {}),
        headers: { 'cf-connecting-ip': `192.0.2.${operations.indexOf(operation) + 1}` },
        of: strict,
      }
      await ask(world, operation, request)
      const response = await ask(world, operation, request)
      const seconds = response.headers.get('retry-after')
      expect([operation.operationId, response.status, response.body]).toEqual([
        operation.operationId,
        429,
        { detail: `Request was throttled. Expected available in ${seconds} seconds.`, code: 'rate_limited' },
      ])
    },
  )
})

describe('409', () => {
  const takesKey = ({ parameters }: DocumentedOperation) =>
    parameters.some(({ name }) => name === 'Idempotency-Key')

  it.each(bySummary(operations.filter(takesKey)))(
    'is returned for an Idempotency-Key that belongs to another request: %s',
    async (_summary, operation) => {
      const text = JSON.stringify(bodies(world)[operation.operationId] ?? {})
      const request = {
        token: shop.owner.token,
        headers: { 'idempotency-key': crypto.randomUUID() },
      }
      const withBody = {
        ...operation,
        requestBody: operation.requestBody ?? { required: false, content: {} },
      }
      const first = await ask(world, withBody, { ...request, body: text })
      const second = await ask(world, withBody, { ...request, body: `${text} ` })
      expect([operation.operationId, first.status < 500, second.status, second.body]).toEqual([
        operation.operationId,
        true,
        409,
        {
          error: 'Idempotency key reused',
          detail:
            'This Idempotency-Key was used for a request with another query string, format or body. ' +
            'Use a new key for each new request.',
          code: 'idempotency_key_reused',
        },
      ])
    },
  )
})
