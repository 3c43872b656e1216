/**
 * What the published OpenAPI document promises of every operation, asked of every operation: none is forgotten, as the
 * document is where they come from. The answers themselves are checked by support/contract.ts, as those of all tests are.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../src/access/tokens.ts'
import { app as hono } from '../src/app.ts'
import { configOf } from '../src/env.ts'
import type { TestApp, User } from './support/app.ts'
import { type DocumentedOperation, operations } from './support/contract.ts'
import type { Shop } from './support/fixtures.ts'
import { stateOf } from './support/state.ts'
import { absent, ask, createWorld, declaring, present, type World } from './support/world.ts'

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

/** Who shows none is not refused for that. */
const takesNone = ({ security }: DocumentedOperation) => security.some((scheme) => Object.keys(scheme).length === 0)
const asksForCredentials = ({ security }: DocumentedOperation) => security.length > 0

describe('every operation', () => {
  it('is reached at its path: no other route stands before it', () => {
    for (const operation of operations) {
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(present(world)[name])).replace(/(?<=.)\/$/, '')
      const [matches] = hono.router.match(operation.method, path)
      const routes = matches.map(([[, route]]) => route).filter(({ method }) => method === operation.method)
      expect([operation.operationId, routes[0]?.path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')]).toEqual([
        operation.operationId,
        operation.path.replace(/\/$/, ''),
      ])
    }
  })

  it('has a name of its own', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('that asks for credentials declares 401; that takes a body declares 400, 413 and 415', () => {
    for (const { operationId, security, requestBody, responses } of operations) {
      const wanted = [...(security.length > 0 ? ['401'] : []), ...(requestBody ? ['400', '413', '415'] : [])]
      expect([operationId, ...wanted.filter((status) => !(status in responses))]).toEqual([operationId])
    }
  })
})

describe('401', () => {
  it.each(declaring(401, asksForCredentials))('without credentials, and with such as do not hold: %s', async (_summary, operation) => {
    if (!takesNone(operation)) {
      const missing = await ask(world, operation)
      expect(missing).toMatchObject({ status: 401, body: { detail: 'Authentication credentials were not provided.' } })
      expect(missing.headers.get('www-authenticate')).toBe('Bearer')
    }
    for (const authorization of ['Bearer x.y.z', 'Basic eDp5', 'Api-Key tsk_x', `Bearer ${refresh}`]) {
      expect([authorization, (await ask(world, operation, { headers: { authorization } })).status]).toEqual([authorization, 401])
    }
  })
})

describe('403', () => {
  // What asks only for a permission over others has no owner to be compared with: those are told apart below.
  it.each(declaring(403, (operation) => operation.security.some((scheme) => 'bearer' in scheme) && !takesNone(operation)))(
    'for a stranger, or 404: %s',
    async (_summary, operation) => {
      // Anybody may create an organization, but for a sign-in by a provider, which counts in its own organization alone.
      const who = operation.operationId === 'createOrganization' ? ofProvider : stranger.token
      const refused = await ask(world, operation, { token: who })
      expect(refused).toMatchObject({ status: 403, body: { detail: 'You do not have permission to perform this action.' } })
    },
  )

  it.each(declaring(403, ({ path, security }) => /\{(app|organization|site|username)\}/.test(path) && security.some((scheme) => 'bearer' in scheme)))(
    'or 404 for the owner of another tenant: %s',
    async (_summary, operation) => {
      const refused = await ask(world, operation, { token: other.owner.token })
      expect([403, 404]).toContain(refused.status)
      // In the caller's own tenant, what belongs to another does not exist, or is the caller's own.
      if (!/\{(organization|site|username)\}/.test(operation.path)) {
        const values = { ...present(world), app: 'none' }
        expect((await ask(world, operation, { token: other.owner.token, mount: '/sites/two', values })).status).toBe(404)
      }
    },
  )
})

describe('404', () => {
  const lists = ({ parameters }: DocumentedOperation) => parameters.some(({ name }) => name === 'page')
  // What is asked in the public schema of importing answers 400. T3.
  const mount = ({ operationId }: DocumentedOperation) => (operationId === 'importReferences' ? '/sites/one' : '')

  it.each(declaring(404))('for what does not exist, a page beyond the last one, or no tenant: %s', async (_summary, operation) => {
    const nothing = await ask(world, operation, {
      token: root.token,
      values: absent,
      mount: mount(operation),
      query: lists(operation) ? '?page=9999' : '',
    })
    expect([operation.operationId, nothing.status]).toEqual([operation.operationId, 404])
  })
})

describe('a wrong request', () => {
  const takesBody = ({ requestBody }: DocumentedOperation) => requestBody !== undefined
  const sent = { token: '' }
  beforeAll(() => {
    sent.token = shop.owner.token
  })

  it.each(declaring(415, takesBody))('415 for a body that is not declared as JSON: %s', async (_summary, operation) => {
    const refused = await ask(world, operation, { ...sent, body: 'name=x', headers: { 'content-type': 'text/plain' } })
    expect([refused.status, refused.body]).toEqual([415, { detail: 'The body must be application/json.' }])
  })

  it.each(declaring(400, takesBody))('400 for a body that is no JSON: %s', async (_summary, operation) => {
    const refused = await ask(world, operation, { ...sent, body: '{"a":' })
    expect([refused.status, refused.body]).toEqual([400, { detail: 'The body is not valid JSON.' }])
  })

  it.each(declaring(400, takesBody))('400 for a body with a name twice in one object, and nothing is changed: %s', async (_summary, operation) => {
    const before = await stateOf(app)
    for (const body of ['{"name": 1, "\\u006eame": 2}', '[{"a": [{"name": {}, "b": "}", "name": 1}]}]']) {
      const refused = await ask(world, operation, { token: root.token, body })
      expect([refused.status, refused.body]).toEqual([400, { detail: 'The body has the name "name" twice in one object.' }])
    }
    expect(await stateOf(app)).toEqual(before)
  })

  it.each(declaring(413, takesBody))('413 for a body of more than 10 MB: %s', async (_summary, operation) => {
    expect((await ask(world, operation, { ...sent, body: tooMuch })).status).toBe(413)
  })
  const tooMuch = new Uint8Array(10 * 1024 * 1024 + 1)

  it.each(declaring(400, ({ parameters }) => parameters.some(({ name }) => name === 'page')))(
    '400 for a page that is none: %s',
    async (_summary, operation) => {
      for (const query of ['?page=0', '?page=x', '?page=1.5', '?page_size=-1']) {
        expect([query, (await ask(world, operation, { ...sent, query })).status]).toEqual([query, 400])
      }
    },
  )
})

describe('the query string', () => {
  /** What load balancers and browsers ask for, with parameters of their own. */
  const lenient = ['getLiveness', 'getReadiness', 'getReferencePage']
  const strict = operations.filter(({ operationId }) => !lenient.includes(operationId)).map((operation) => [operation.summary, operation] as const)
  /** Messages by parameter, in whichever dialect the operation has. */
  const messagesOf = ({ details, detail = details, ...body }: { details?: unknown; detail?: unknown }) => detail ?? body
  const inQuery = ({ parameters }: DocumentedOperation) => parameters.filter((parameter) => parameter.in === 'query')

  it.each(strict)('400 for a parameter that is not declared, and nothing is changed: %s', async (_summary, operation) => {
    const before = await stateOf(app)
    const refused = await ask(world, operation, { token: root.token, query: '?zzzzzzzz=1&unique_fields=id' })
    expect([operation.operationId, refused.status, messagesOf(refused.body)]).toEqual([
      operation.operationId,
      400,
      expect.objectContaining({ zzzzzzzz: [expect.stringMatching(/^Unknown parameter\.|^There is no field or parameter "zzzzzzzz"\./)] }),
    ])
    expect(await stateOf(app)).toEqual(before)
  })

  it.each(strict)('400 for a declared parameter with a misspelled name, which is told the right one: %s', async (_summary, operation) => {
    for (const { name } of inQuery(operation)) {
      const { status, body } = await ask(world, operation, { token: root.token, query: `?${name}x=true` })
      expect([name, status, messagesOf(body)]).toEqual([
        name,
        400,
        expect.objectContaining({ [`${name}x`]: [expect.stringContaining(`Did you mean "${name}"?`)] }),
      ])
    }
  })

  it.each(strict.filter(([, operation]) => inQuery(operation).length > 0))(
    '400 for a parameter that is given twice, where it is not a list: %s',
    async (_summary, operation) => {
      for (const { name } of inQuery(operation).filter(({ schema }) => schema.type !== 'array')) {
        const { status, body } = await ask(world, operation, { token: root.token, query: `?${name}=1&${name}=1` })
        expect([name, status, messagesOf(body)]).toEqual([name, 400, expect.objectContaining({ [name]: ['May be given once.'] })])
      }
    },
  )

  it.each(strict.filter(([, operation]) => asksForCredentials(operation) && !takesNone(operation)))(
    '401 before 400, for who shows no credentials: %s',
    async (_summary, operation) => {
      expect((await ask(world, operation, { query: '?zzzzzzzz=1' })).status).toBe(401)
    },
  )

  const asksForPermission = ({ description = '' }: DocumentedOperation) => /Needs `\w+` in the site|For owners of the site/.test(description)
  it.each(strict.filter(([, operation]) => asksForPermission(operation) && !takesNone(operation)))(
    '403 before 400, for who may not use the site: %s',
    async (_summary, operation) => {
      const refused = await ask(world, operation, {
        token: stranger.token,
        query: '?zzzzzzzz=1',
        ...(operation.requestBody ? { body: '{"a":1,"a":2}' } : {}),
      })
      expect([operation.operationId, refused.status]).toEqual([operation.operationId, 403])
    },
  )

  it.each(lenient)('what others add to it is ignored: %s', async (operationId) => {
    const operation = operations.find((one) => one.operationId === operationId) as DocumentedOperation
    expect((await ask(world, operation, { query: '?utm_source=x&utm_source=y&page=0' })).status).toBe(200)
  })

  it('is ignored by nothing else but pages', () => {
    const documented = new Set(operations.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`))
    const others = hono.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')}`)
      .filter((route) => !documented.has(route))
    expect([...new Set(others)].sort()).toEqual([
      'GET /_dev/mailbox',
      'GET /accounts/login',
      'GET /accounts/{provider}/login',
      'GET /accounts/{provider}/login/callback',
      'GET /invitations/{token}',
      'POST /accounts/confirm',
      'POST /accounts/login',
      'POST /accounts/{provider}/login/callback',
      'POST /invitations/{token}',
    ])
  })
})

describe('503', () => {
  it.each(declaring(503))('with Retry-After while the database is away: %s', async (_summary, operation) => {
    const away = app.with({ DATABASE_URL: app.env.DATABASE_URL?.toString().replace(/:\d+\//, ':9/') as string })
    const refused = await ask(world, operation, { ...(asksForCredentials(operation) ? { token: stranger.token } : {}), of: away })
    expect([operation.operationId, refused.status, refused.body]).toEqual([
      operation.operationId,
      503,
      { detail: 'The service is temporarily unavailable. Try again in a moment.' },
    ])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  })
})

describe('429', () => {
  it.each(declaring(429))('for who asks too often: %s', async (_summary, operation) => {
    // What an isolate has leased for other clients is still theirs: this one is new.
    const hasty = await app.user(`hasty-${operation.operationId.toLowerCase()}`)
    const asked = {
      ...(asksForCredentials(operation) ? { token: hasty.token, session: await issueSession(configOf(app.env), await app.identity(hasty)) } : {}),
      headers: { 'cf-connecting-ip': `192.0.2.${operations.indexOf(operation) + 1}` },
      of: app.with({ RATE_LIMIT_SCALE: '0.000001' }),
    }
    await ask(world, operation, asked)
    const refused = await ask(world, operation, asked)
    const seconds = refused.headers.get('retry-after')
    expect([operation.operationId, refused.status, refused.body]).toEqual([
      operation.operationId,
      429,
      { detail: `Request was throttled. Expected available in ${seconds} seconds.` },
    ])
  })
})
