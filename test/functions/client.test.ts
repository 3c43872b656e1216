/** What the code of functions can do with the API of its site: as the service and as its caller. */
import { exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoutes } from '../../src/app.ts'
import { configOf } from '../../src/kernel/env.ts'
import { openRun } from '../../src/runtime/functions/runners/credential.ts'
import type { Attempt } from '../../src/runtime/functions/runners/runner.ts'
import { siteIdOf, type TestApp, type User } from '../support/app.ts'
import { changed } from '../support/changed.ts'
import { createEventful, type Eventful, eventfulShop } from '../support/events.ts'
import { grant } from '../support/fixtures.ts'

let one: Eventful
let app: TestApp

const functions = '/apps/shop/functions/'
const makers = '/api/apps/shop/datatables/makers/data/'
/** The answer to a function that requests anything but records and edges of its app. */
const refused = [
  403,
  {
    detail: 'A function can read and write records and edges of its own app, and nothing else.',
    code: 'forbidden_to_functions',
  },
]
const unauthenticated = { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' }
const forbidden = { detail: 'You do not have permission to perform this action.', code: 'permission_denied' }
const ended = { detail: 'The credentials are invalid or have expired.', code: 'invalid_credentials' }

beforeAll(async () => {
  one = await createEventful('acts')
  app = one.app
  await one.owner.post('/apps/', { name: 'other' })
  await one.owner.post(makers.slice('/api'.length), { id: 1, name: 'Anker' })
})

let made = 0
/** Creates a function. Returns its slug. */
async function make(code: string, more: object = {}): Promise<string> {
  const slug = `f${++made}`
  const answer = await one.owner.post(functions, { name: slug, code, ...more })
  expect(answer.status).toBe(201)
  return slug
}

const execute = async (slug: string, params: object, user: User = one.shop.owner, by = app) => {
  const path = `${one.shop.api}${functions}${slug}/execute/`
  return (await by.request('POST', path, { token: user.token, body: { params } })).body
}

/**
 * The code of a function that sends the requests `params.all`. Returns the status and the body of each
 * answer.
 */
const asking = `
  const asked = async (client, { method = 'GET', path, headers, body }) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await client.fetch(path, { method, headers: { ...type, ...headers }, ...sent })
    const text = await answer.text()
    return [answer.status, text === '' ? null : JSON.parse(text)]
  }
  export default async ({ all }, { client }) => {
    const answers = []
    for (const one of all) answers.push(await asked(client, one))
    return answers
  }`

interface Asked {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends requests from a new function. Returns the answers. */
const ask = async (all: readonly Asked[], more: object = {}, user?: User): Promise<unknown> => {
  const slug = await make(asking, more)
  const answer = await execute(slug, { all }, user)
  return answer.data ?? answer
}

/** Creates a user with permissions in the site. */
async function userWith(name: string, permissions: readonly string[]): Promise<User> {
  const user = await app.user(name)
  await grant(app, one.shop, user, permissions)
  return user
}

describe('a function with a client', () => {
  it.each<[string, object, object]>([
    ['unknown rights', { code: 'export default () => 1', as: 'owner' }, { as: [expect.any(String)] }],
    [
      'the rights of its caller in another mode',
      { execution_mode: 'system', system_function: 'noop', as: 'caller' },
      { as: ['Only functions in "app" mode can have the rights of the caller.'] },
    ],
  ])('returns 400 for %s', async (_what, more, detail) => {
    const rejected = await one.owner.post(functions, { name: 'x', ...more })
    expect([rejected.status, rejected.body]).toEqual([400, detail])
  })

  it('can get other rights by PATCH, and keeps them if PATCH omits them', async () => {
    const slug = await make('export default () => 1', { as: 'caller' })
    expect((await one.owner.patch(`${functions}${slug}/`, { timeout_seconds: 5 })).body.as).toBe('caller')
    expect((await one.owner.patch(`${functions}${slug}/`, { as: 'service' })).body.as).toBe('service')
  })

  it('finds the client in its context, next to the facts, but not among the enumerable members', async () => {
    const slug = await make(
      `export default (_, context) => [Object.keys(context), Object.keys(context.client), JSON.stringify({ ...context })]`,
    )
    const [keys, methods, text] = (await execute(slug, {})).data
    expect(keys).toEqual(['invocation_id', 'attempt', 'trigger_type', 'event', 'function', 'app', 'user'])
    expect(methods).toEqual(['get', 'post', 'put', 'patch', 'delete', 'fetch'])
    expect(text).not.toContain('client')
  })
})

describe('a function cannot', () => {
  const elsewhere: [what: string, asked: Asked][] = [
    ['its app', { path: '/api/apps/shop/' }],
    ['another app', { path: '/api/apps/other/datatables/x/data/' }],
    ['another app, by dots', { path: '/api/apps/shop/../other/datatables/x/data/' }],
    ['another app, by encoded dots', { path: '/api/apps/shop/%2e%2e/other/datatables/x/data/' }],
    ['another app, by an encoded slash', { path: '/api/apps/shop%2f..%2fother/datatables/x/data/' }],
    ['its app under another spelling', { path: '/api/apps/%73hop/datatables/makers/data/' }],
    ['another site', { path: '/sites/neighbour/api/apps/shop/datatables/makers/data/' }],
    ['another host', { path: 'http://neighbour.tessera.test/api/apps/shop/datatables/makers/data/' }],
    ['another host, by two slashes', { path: `//neighbour.tessera.test${makers}` }],
    ['another port', { path: `http://site:8080${makers}` }],
    ['secrets', { path: '/api/secrets/PRINTER/' }],
    ['people', { path: '/api/users/' }],
    ['its own account', { path: '/api/users/me/' }],
    ['API keys', { method: 'POST', path: '/api/api-keys/', body: { name: 'x' } }],
    ['organizations', { path: '/api/cloud/organizations/' }],
    ['events', { method: 'POST', path: '/api/cloud/events/RECORD_CREATE/subscribe/', body: {} }],
    ['invocations', { path: '/api/invocations/' }],
    ['the audit', { path: '/api/audit/' }],
    ['tokens', { method: 'POST', path: '/api/auth/jwt/token/', body: {} }],
    ['the pages', { path: '/accounts/login/' }],
    ['the reference', { path: '/api/schema/' }],
  ]

  it('reach anything but its own app, as the service or as the owner of the site', async () => {
    await eventfulShop(app, 'neighbour', one.queue)
    const all = elsewhere.map(([, asked]) => asked)
    const expected = elsewhere.map(([what]) => [what, refused])
    for (const as of ['service', 'caller']) {
      const answers = (await ask(all, { as })) as unknown[]
      expect(answers.map((answer, at) => [elsewhere[at]?.[0], answer])).toEqual(expected)
    }
  })

  /** The operations on records and edges of an app. Functions may call no others. */
  const open = [
    'DELETE /api/apps/:app/datatables/:table/data',
    'DELETE /api/apps/:app/datatables/:table/data/:record',
    'DELETE /api/apps/:app/datatables/:table/edges',
    'GET /api/apps/:app/datatables/:table/data',
    'GET /api/apps/:app/datatables/:table/data/:record',
    'GET /api/apps/:app/datatables/:table/data/:record/history',
    'GET /api/apps/:app/datatables/:table/edges',
    'PATCH /api/apps/:app/datatables/:table/data',
    'PATCH /api/apps/:app/datatables/:table/data/:record',
    'PATCH /api/apps/:app/datatables/:table/edges/:edge',
    'POST /api/apps/:app/batch',
    'POST /api/apps/:app/datatables/:table/data',
    'POST /api/apps/:app/datatables/:table/data/:record/restore/:version',
    'POST /api/apps/:app/datatables/:table/data/upsert',
    'POST /api/apps/:app/datatables/:table/edges',
    'PUT /api/apps/:app/datatables/:table/data/:record',
  ]

  it('call operations of its app that do not concern records and edges', async () => {
    const ofApp = (await loadRoutes()).filter(({ path }) => path.startsWith('/api/apps/:app/'))
    const named = { ':app': 'shop', ':table': 'makers', ':datasource': 'default', ':function': 'f1' }
    const all = ofApp.map(({ method, path }): Asked => {
      const own = path.replace(/:\w+/g, (name) => named[name as keyof typeof named] ?? '999')
      return { method, path: `${own}/`, ...(method === 'GET' ? {} : { body: {} }) }
    })
    for (const as of ['service', 'caller']) {
      // A run may send 50 requests.
      const halves = [all.slice(0, 40), all.slice(40)].map((half) => ask(half, { as }))
      const answers = (await Promise.all(halves)).flat() as [number, { detail?: string }][]
      const passed = ofApp.filter(
        (_, at) => answers[at]?.[1]?.detail !== (refused[1] as { detail: string }).detail,
      )
      expect([...new Set(passed.map(({ method, path }) => `${method} ${path}`))].sort()).toEqual(open)
    }
  })

  it('become another caller with its own headers', async () => {
    const { token } = one.shop.owner
    const reader = await userWith('header-reader', ['access_site', 'change_site'])
    await app.sql('update site_permissions set permissions = $2 where user_id = $1', [
      reader.id,
      ['change_site'],
    ])
    const headers: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { cookie: `sessionid=${token}` },
      { host: 'neighbour.tessera.test' },
      { 'x-run': 'v1.AAAAAAAAAAAAAAAA.AAAA' },
      { 'x-forwarded-host': 'neighbour.tessera.test' },
      { 'cf-connecting-ip': '192.0.2.1' },
      { 'x-view-as': String(one.shop.owner.id) },
    ]
    const all = headers.map((one) => ({ path: makers, headers: one }))
    expect(await ask(all, { as: 'caller' }, reader)).toEqual(all.map(() => [403, forbidden]))
  })

  it('use its client after its run or in another run', async () => {
    const slug = await make(`
      export default async (params, { client }) => {
        const kept = globalThis.kept ??= client
        if (kept === client) return (await client.get('${makers}')).total
        return kept.get('${makers}')
      }`)
    expect((await execute(slug, {})).data).toBe(1)
    expect((await execute(slug, {})).invocation).toMatchObject({
      status: 'FAILURE',
      error: expect.stringContaining('Cannot perform I/O on behalf of a different request'),
    })
  })

  it('trigger itself without end: a chain of causes has at most five runs', async () => {
    const slug = await make(`export default ({ record_id }, { client }) =>
      client.post('${makers}', { id: record_id + 1, name: 'chain ' + record_id })`)
    const { id } = (await one.owner.get(`${functions}${slug}/`)).body
    await one.subscribe('RECORD_CREATE', id)
    await one.owner.post(makers.slice('/api'.length), { id: 100, name: 'first' })
    await one.queue.drain(app.env)
    await one.unsubscribe('RECORD_CREATE', id)
    const runs = await one.runs(slug)
    expect(runs.map(({ status, error }) => [status, error])).toEqual([
      ...Array.from({ length: 5 }, () => ['SUCCESS', null]),
      [
        'FAILURE',
        'The chain of causes is deeper than 5: records that functions write cause runs that write records. ' +
          'This one was not started.',
      ],
    ])
    const replayed = await one.owner.post(`/invocations/${runs.at(-1).id}/replay/`)
    expect(replayed.status).toBe(202)
    await one.queue.drain(app.env)
    expect((await one.runs(slug)).at(-1)).toMatchObject({ status: 'FAILURE' })
    await app.sql(`delete from ${one.shop.schema}.shop_makers where id >= 100`)
  })

  it('send requests without end: the rate limit counts them, but not the requests of others', async () => {
    const limited = app.with({ RATE_LIMIT_SIGNED_IN: '15', RATE_LIMIT_SCALE: '1' })
    // Eight at once, for which the gate has places. A request that waits there is woken by another one, which
    // the runner of this suite switches off; test/dev/burst.test.ts does that in a Worker as it is deployed.
    const slug = await make(`export default async (params, { client }) => {
      const statuses = []
      const ask = async () => statuses.push((await client.fetch('${makers}')).status)
      for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 8 }, ask))
      return statuses
    }`)
    const statuses: number[] = (await execute(slug, {}, one.shop.owner, limited)).data
    const count = (status: number) => statuses.filter((one) => one === status).length
    expect(count(200) + count(429)).toBe(40)
    // At most two windows of the rate limit have begun.
    expect(count(429)).toBeGreaterThanOrEqual(10)
    expect((await execute(slug, {}, one.shop.owner, limited)).invocation.status).toBe('SUCCESS')
  })

  it('send more than 50 requests in a run', async () => {
    const slug = await make(`export default async (params, { client }) => {
      const statuses = []
      for (let n = 0; n < 50; n++) statuses.push((await client.fetch('/api/x/')).status)
      const last = await client.fetch('/api/x/')
      return [[...new Set(statuses)], last.status, await last.json()]
    }`)
    expect((await execute(slug, {})).data).toEqual([
      [403],
      429,
      { detail: 'A run of a function can make at most 50 requests.', code: 'rate_limited' },
    ])
  })
})

describe('a function with the rights of the service', () => {
  it('reads and writes records of its app, each in one round trip', async () => {
    const slug = await make(`export default async (params, { client }) => {
      const made = await client.post('${makers}', { id: 7, name: 'Bosch' })
      const changed = await client.patch('${makers}7/', { name: 'Calder' })
      const read = await client.fetch('${makers}?name=Calder')
      const removed = await client.delete('${makers}7/')
      return [made, changed, await read.json(), read.headers.get('server-timing'), removed]
    }`)
    const { data } = await execute(slug, {})
    expect(data).toEqual([
      { data: { id: 7, name: 'Bosch' } },
      { data: { id: 7, name: 'Calder' } },
      expect.objectContaining({ data: [{ id: 7, name: 'Calder' }] }),
      expect.stringContaining('desc="1"'),
      null,
    ])
  })

  it.each([
    ['client', 'context.client.post(path, row)'],
    ['client.fetch', 'context.client.fetch(path, sent)'],
    ['db', 'context.db.shop.makers.create(row)'],
  ])(
    'waits for requests of %s that it does not await, and shows their errors as lines',
    async (what, call) => {
      const slug = await make(`export default (row, context) => {
      const path = '${makers}'
      const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(row) }
      ${call}
      return 1
    }`)
      const row = { id: 100 + made, name: `Gropius ${what}` }
      const { data, invocation } = await execute(slug, row)
      expect([data, invocation.status, invocation.logs]).toEqual([1, 'SUCCESS', []])
      const stored = await one.owner.get(`${makers.slice('/api'.length)}${row.id}/`)
      expect(stored.body).toEqual({ data: row })
      const again = (await execute(slug, row)).invocation
      const messages = again.logs.map(({ message }: { message: string }) => message)
      const error = /^A rejection was not handled: \w+Error: POST .* (was answered with|answered) 409/
      expect([again.status, messages]).toEqual([
        'SUCCESS',
        what === 'client.fetch' ? [] : [expect.stringMatching(error)],
      ])
    },
  )

  it('gets an error with the status and the body if a request fails', async () => {
    const code = `export default (_, { client }) => client.get('${makers}999/')
      .catch(({ name, status, body, message }) => [name, status, body, message])`
    const { data } = await execute(await make(code), {})
    expect(data).toEqual([
      'ClientError',
      404,
      { error: 'Record not found', detail: expect.any(String), code: 'record_not_found' },
      expect.stringMatching(
        /^GET \/api\/apps\/shop\/datatables\/makers\/data\/999\/ was answered with 404: /,
      ),
    ])
  })

  it('can use the tables of its app in `db`, each call in one round trip', async () => {
    const slug = await make(`export default async (params, { db }) => {
      const { makers } = db.shop
      const made = await makers.create({ id: 9, name: 'Ekman' })
      const [first] = (await makers.list({ where: { name__startswith: 'Ek' }, fields: ['name'] })).data
      const many = await db.shop.$batch((tables) => tables.makers.update(9, { name: 'Fermi' }))
      const read = await makers.get(9)
      await makers.delete(9)
      const gone = await makers.get(9).catch(({ name, status }) => [name, status])
      return { made, first, many, read, gone, isPromise: 'then' in db, waits: await db === db }
    }`)
    expect((await execute(slug, {})).data).toEqual({
      made: { id: 9, name: 'Ekman' },
      first: { name: 'Ekman' },
      many: { id: 9, name: 'Fermi' },
      read: { id: 9, name: 'Fermi' },
      gone: ['NotFoundError', 404],
      isPromise: false,
      waits: true,
    })
  })

  it('gets 403 for other apps in `db`', async () => {
    const slug = await make(`export default (_, { db }) =>
      Promise.all(['other', '..', 'shop/../other', '__proto__'].map((app) =>
        db[app].tools.list().catch(({ status, body }) => [status, body])))`)
    expect((await execute(slug, {})).data).toEqual(Array(4).fill(refused))
  })

  it('fires events that have no user as their cause', async () => {
    await one.listener('hears', ['RECORD_CREATE'], { code: 'export default (_, { user }) => user' })
    await execute(
      await make(`export default (_, { client }) => client.post('${makers}', { id: 8, name: 'h' })`),
      {},
    )
    await one.queue.drain(app.env)
    expect(await one.runs('hears')).toMatchObject([{ status: 'SUCCESS', result: null }])
    await one.owner.delete(`${functions}hears/`)
    await one.owner.delete(`${makers.slice('/api'.length)}8/`)
  })

  it('also runs before an account is created', async () => {
    const id = await one.listener('admits', ['PRE_USER_CREATE'], {
      code: `export default async ({ last_name }, { client }) => {
        if ((await client.get('${makers}?name=' + last_name)).total === 0) throw new Error('unknown maker')
      }`,
    })
    const create = (name: string, last_name: string) =>
      app.request('POST', `${one.shop.api}/users/`, {
        token: one.shop.owner.token,
        body: { username: name, email: `${name}@example.org`, password: 'Quiet-river-42', last_name },
      })
    const rejected = await create('nobody', 'Zuse')
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { non_field_errors: ['The function "admits" failed: Error: unknown maker'] },
    ])
    expect(await create('somebody', 'Anker')).toMatchObject({ status: 201 })
    await one.unsubscribe('PRE_USER_CREATE', id)
  })
})

describe('a function with the rights of its caller', () => {
  const write = { method: 'POST', path: makers, body: { id: 50, name: 'written' } }

  it('may do what the caller currently may, for a request and for an event', async () => {
    const reader = await userWith('reader', ['access_site', 'change_site'])
    expect(await ask([{ path: `${makers}1/` }], { as: 'caller' }, reader)).toEqual([
      [200, { data: { id: 1, name: 'Anker' } }],
    ])
    const code = `${asking.replace('export default', 'const all =')}
      export default (params, context) => all({ all: [{ path: '${makers}1/' }] }, context)`
    await one.listener('follows', ['RECORD_CREATE'], { code, as: 'caller' })
    const create = (id: number) =>
      app.request('POST', one.shop.data('makers'), { token: reader.token, body: { id, name: `m${id}` } })
    expect((await create(60)).status).toBe(201)
    await one.queue.drain(app.env)
    expect((await create(61)).status).toBe(201)
    await grant(app, one.shop, reader, ['change_site'])
    await one.queue.drain(app.env)
    await grant(app, one.shop, reader, ['access_site', 'change_site'])
    expect((await create(62)).status).toBe(201)
    await app.sql('update users set is_active = false where id = $1', [reader.id])
    await one.queue.drain(app.env)
    expect((await one.runs('follows')).map(({ result }) => result)).toEqual([
      [[200, { data: { id: 1, name: 'Anker' } }]],
      [[403, forbidden]],
      [[401, ended]],
    ])
    await one.owner.delete(`${functions}follows/`)
    await app.sql(`delete from ${one.shop.schema}.shop_makers where id >= 60`)
  })

  it('is a guest if its caller is one: access rules decide what it reads', async () => {
    const rules = [
      { name: 'window', who: 'anyone', can: ['read'], where: { id: 1 } },
      { name: 'own', who: 'signed-in', can: ['read'], where: { name: 'seen' } },
    ]
    const access = '/apps/shop/datatables/makers/access/'
    expect((await one.owner.put(access, { rules })).status).toBe(200)
    await one.owner.post(makers.slice('/api'.length), [
      { id: 70, name: 'seen' },
      { id: 71, name: 'hidden' },
    ])
    const guest = await userWith('guest-caller', ['change_site'])
    const all = [{ path: `${makers}?ordering=name` }, { path: `${makers}71/` }]
    const [list, hidden] = (await ask(all, { as: 'caller' }, guest)) as [number, { data?: unknown }][]
    expect([list?.[0], list?.[1].data]).toEqual([
      200,
      [
        { id: 1, name: 'Anker' },
        { id: 70, name: 'seen' },
      ],
    ])
    expect(hidden?.[0]).toBe(404)
    expect(((await ask(all, {}, guest)) as [number][])[1]?.[0]).toBe(200)
  })

  it('is anonymous if no user is the cause', async () => {
    const code = `${asking.replace('export default', 'const all =')}
      export default (params, context) =>
        all({ all: [{ path: '${makers}?ordering=name' }, ${JSON.stringify(write)}] }, context)`
    await one.listener('orphan', ['RECORD_CREATE'], { code, as: 'caller' })
    await execute(
      await make(`export default (_, { client }) => client.post('${makers}', { id: 80, name: 'o' })`),
      {},
    )
    await one.queue.drain(app.env)
    const [run] = await one.runs('orphan')
    expect(run.result).toEqual([
      [200, expect.objectContaining({ data: [{ id: 1, name: 'Anker' }] })],
      [401, unauthenticated],
    ])
    await one.owner.delete(`${functions}orphan/`)
  })
})

describe('the secrets of a function', () => {
  const code = 'export default (_, { secrets }) => secrets.get("STRIPE")'
  const manager = async (name: string, permissions: readonly string[]) => {
    const user = await userWith(name, permissions)
    return (method: string, path: string, body: object) =>
      app.request(method, `${one.shop.api}${functions}${path}`, { token: user.token, body })
  }

  beforeAll(async () => {
    for (const level of ['public', 'sensitive'])
      await one.owner.post('/secret-types/', { name: level, sensitivity_level: level })
    const keep = (key: string, type: string, value: object, more: object = {}) =>
      one.owner.post('/secrets/', { secret_type: type, key, value, ...more })
    await keep('STRIPE', 'sensitive', { token: 'sk-site' })
    await keep('STRIPE', 'sensitive', { token: 'sk-app-"1"', n: 7 }, { app: 'shop' })
    await keep('SMTP', 'sensitive', { password: 'site-only' })
    await keep('REGION', 'public', { name: 'europe' })
  })

  it('are only possible in app mode', async () => {
    const system = { name: 'x', execution_mode: 'system', system_function: 'noop', secrets: ['STRIPE'] }
    const rejected = await one.owner.post(functions, system)
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { secrets: ['Only functions in "app" mode can have secrets.'] },
    ])
  })

  it('return 403 to managers who may not read secrets and who declare one, or change a function that has some', async () => {
    const refusal = [
      403,
      {
        detail: 'Only callers who may read secrets can change a function that declares secrets.',
        code: 'permission_denied',
      },
    ]
    const slug = await make(code, { secrets: ['STRIPE'] })
    const plain = await make('export default () => 1')
    const unread = await manager('unread', ['manage_site'])
    const path = `${slug}/`
    const answers = [
      await unread('POST', '', { name: 'own', code, secrets: ['STRIPE'] }),
      await unread('PATCH', path, { code: 'export default (_, { secrets }) => secrets.get("SMTP")' }),
      await unread('PATCH', path, { is_active: false }),
      await unread('PUT', path, { name: 'x', code, secrets: ['SMTP'] }),
      await unread('PATCH', `${plain}/`, { secrets: ['STRIPE'] }),
    ]
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => refusal))
    expect((await one.owner.get(`${functions}${slug}/`)).body).toMatchObject({ code, secrets: ['STRIPE'] })
    expect((await unread('PATCH', `${plain}/`, { is_active: false })).status).toBe(200)
    expect((await unread('PATCH', path, { secrets: [] })).status).toBe(200)
    const reader = await manager('may-read', ['manage_site', 'access_site'])
    expect((await reader('PATCH', path, { secrets: ['STRIPE'] })).body.secrets).toEqual(['STRIPE'])
    expect((await reader('PATCH', 'none/', { secrets: ['STRIPE'] })).status).toBe(404)
  })

  it("are the ones that it declares: the app's, otherwise the site's", async () => {
    const slug = await make(
      `export default (_, { secrets }) => ['STRIPE', 'SMTP', 'NONE', 'REGION'].map((key) => {
        try { return secrets.get(key) } catch (error) { return error.message }
      })`,
      { secrets: ['STRIPE', 'SMTP', 'NONE', 'STRIPE'] },
    )
    expect((await execute(slug, {})).data).toEqual([
      { token: 'sk-app-"1"', n: 7 },
      { password: 'site-only' },
      'Neither the app nor the site has the secret "NONE".',
      'The function does not declare the secret "REGION".',
    ])
  })

  it('are hidden in its output and its error, and each read is recorded', async () => {
    const slug = await make(
      `export default (_, { secrets }) => {
        const { token } = secrets.get('STRIPE')
        console.log(token, { token }, encodeURIComponent(token), secrets.get('REGION').name)
        throw new Error('no answer for ' + token)
      }`,
      { secrets: ['STRIPE', 'REGION'] },
    )
    const { invocation } = await execute(slug, {})
    expect([invocation.error, invocation.logs[0].message]).toEqual([
      'Error: no answer for ***HIDDEN***',
      '***HIDDEN*** {"token":"***HIDDEN***"} ***HIDDEN*** europe',
    ])
    const reads = await app.sql(
      `select key, user_id::integer, username from tenant._secret_reads where request_id = $1`,
      [`run ${invocation.id}`],
    )
    expect(reads).toEqual([{ key: 'STRIPE', user_id: one.shop.owner.id, username: `function shop/${slug}` }])
  })

  it('cause a FAILURE if they cannot be decrypted', async () => {
    const slug = await make(code, { secrets: ['SMTP'] })
    const table = `tenant._secrets`
    await app.sql(`update ${table} set version = version + 1 where key = 'SMTP'`)
    expect((await execute(slug, {})).invocation.error).toBe('The secrets of the function cannot be read.')
    await app.sql(`update ${table} set version = version - 1 where key = 'SMTP'`)
  })
})

describe('the credential of a run', () => {
  const gate = (credential: string) =>
    (exports as unknown as { FunctionGate(options: object): Fetcher }).FunctionGate({ props: { credential } })

  /** Returns the credential of a stored run: that of the invocation `id`. */
  async function credentialOf(id: number, attempt = 1): Promise<string> {
    const run = {
      siteId: siteIdOf(one.shop),
      site: one.shop.slug,
      app: 'shop',
      functionId: 1,
      invocationId: id,
      attempt,
      isStored: true,
      depth: 1,
      as: 'service' as const,
      caller: null,
    }
    return openRun({ env: app.env, config: configOf(app.env), timeoutMs: 1_000 } as Attempt, run)
  }

  const statusOf = async (credential: string): Promise<[number, unknown]> => {
    const answer = await gate(credential).fetch(`http://site${makers}1/`)
    return [answer.status, await answer.json()]
  }

  it('is invalid if it is changed, after its run, in another attempt, and at the API itself', async () => {
    const [row] = await app.sql<{ id: string }>(
      `insert into tenant._invocations
         (site_id, delivery_id, event_id, function_id, function_name, function_slug, trigger_type, status, attempts, params, due_at)
       values ($1, 0, 0, 1, 'x', 'x', 'api', 'STARTED', 1, '{}', now()) returning id`,
      [siteIdOf(one.shop)],
    )
    const id = Number(row?.id)
    const credential = await credentialOf(id)
    expect(await statusOf(credential)).toEqual([200, { data: { id: 1, name: 'Anker' } }])

    const wrong = ['', 'v1.AAAAAAAAAAAAAAAA.AAAA', changed(credential), await credentialOf(id, 2)]
    for (const one of wrong) expect([one, await statusOf(one)]).toEqual([one, [401, ended]])
    const presented: Record<string, string>[] = [
      { authorization: `Bearer ${credential}` },
      { authorization: `Api-Key ${credential}` },
      { 'x-run': credential },
    ]
    for (const headers of presented)
      expect((await app.request('GET', one.shop.data('products'), { headers })).status).toBe(401)

    await app.sql(`update tenant._invocations set status = 'SUCCESS' where id = $1`, [id])
    expect(await statusOf(credential)).toEqual([401, ended])
  })
})
