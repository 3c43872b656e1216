/** Functions, their executions and their invocations. E2, E3. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, grant, ownerOf, type Shop } from '../support/fixtures.ts'
import { type HeldQueue, heldQueue } from '../support/queue.ts'
import { timeLimit } from '../support/time-limit.ts'

let app: TestApp
let shop: Shop
let queue: HeldQueue
let owner: ReturnType<typeof ownerOf>

const functions = '/apps/shop/functions/'
const moment = expect.stringMatching(/Z$/)
const valid = 'export default () => 1'

beforeAll(async () => {
  queue = heldQueue()
  const started = await startApp()
  app = { ...started, env: started.env }
  app.env.EVENTS = queue.binding
  shop = await createShop(app, 'run')
  owner = ownerOf(app, shop, '')
})

const make = (name: string, code: string, more = {}) => owner.post(functions, { name, code, ...more })
const run = (slug: string, body: unknown = {}) => owner.post(`${functions}${slug}/execute/`, body)

describe('a function', () => {
  const whole = {
    id: expect.any(Number),
    name: 'Add up',
    slug: 'add-up',
    description: '',
    app_name: 'shop',
    app_slug: 'shop',
    execution_mode: 'app',
    code: 'export default ({ a, b }) => a + b',
    allowed_hosts: [],
    webhook_url: '',
    headers: {},
    system_function: '',
    timeout_seconds: 300,
    is_active: true,
    filter_conditions: '',
    as: 'service',
    schedule: '',
    schedule_zone: 'UTC',
    ordering: 'none',
    secrets: [],
    variables: {},
    created_at: moment,
    updated_at: moment,
  }

  it('returns 403 without manage_site', async () => {
    const member = await app.user('member')
    await grant(app, shop, member, ['change_site'])
    const rejected = await app.request('POST', `${shop.api}${functions}`, {
      token: member.token,
      body: { name: 'x', code: 'x' },
    })
    expect(rejected.status).toBe(403)
  })

  it.each<[string, unknown, unknown]>([
    ['no name', { code: 'x' }, { name: ['This field is required.'] }],
    [
      'a name without a slug',
      { name: '…', code: 'x' },
      { name: ['This name cannot be converted to a slug. Also send a "slug".'] },
    ],
    ['no code', { name: 'x' }, { code: ['Functions in "app" mode require code; others must not have any.'] }],
    [
      'code in system mode',
      { name: 'x', execution_mode: 'system', system_function: 'noop', code: 'x' },
      { code: [expect.any(String)] },
    ],
    [
      'no system function',
      { name: 'x', execution_mode: 'system' },
      { system_function: [expect.stringContaining('require a system function')] },
    ],
    [
      'an unknown system function',
      { name: 'x', execution_mode: 'system', system_function: 'rm' },
      { system_function: [expect.any(String)] },
    ],
    [
      'hosts in system mode',
      { name: 'x', execution_mode: 'system', system_function: 'noop', allowed_hosts: ['a.example'] },
      { allowed_hosts: [expect.any(String)] },
    ],
    [
      'a host that is an address',
      { name: 'x', code: 'x', allowed_hosts: ['127.0.0.1'] },
      { 'allowed_hosts.0': ['A host is a domain name, for example api.example.com.'] },
    ],
    [
      'a time limit above the maximum',
      { name: 'x', code: 'x', timeout_seconds: 601 },
      { timeout_seconds: [expect.stringContaining('600')] },
    ],
    [
      'an invalid slug',
      { name: 'x', code: 'x', slug: 'a b' },
      { slug: [expect.stringContaining('A slug has')] },
    ],
    [
      'variables in system mode',
      { name: 'x', execution_mode: 'system', system_function: 'noop', variables: { A: '1' } },
      { variables: ['Only functions in "app" mode can have variables.'] },
    ],
    [
      'a variable that is not a text',
      { name: 'x', code: 'x', variables: { A: 1 } },
      { 'variables.A': [expect.stringContaining('string')] },
    ],
    [
      'names that no variable can have',
      { name: 'x', code: 'x', variables: JSON.parse('{"1A": "", "": "", "A-B": "", "Ä": "", "A": ""}') },
      Object.fromEntries(
        ['1A', '', 'A-B', 'Ä'].map((name) => [
          `variables.${name}`,
          ['A name consists of up to 64 letters, digits and _, and does not begin with a digit.'],
        ]),
      ),
    ],
    [
      'a variable that is called __proto__',
      { name: 'x', code: 'x', variables: JSON.parse('{"__proto__": "x", "A": ""}') },
      JSON.parse('{"variables.__proto__": ["This name is not allowed."]}'),
    ],
    [
      'a variable that is too long',
      { name: 'x', code: 'x', variables: { A: 'a'.repeat(2001) } },
      { 'variables.A': [expect.stringContaining('2000')] },
    ],
    [
      'more variables than a function can have',
      {
        name: 'x',
        code: 'x',
        variables: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`A${n}`, ''])),
      },
      { variables: ['There can be at most 50 variables.'] },
    ],
    [
      'an unknown field',
      { name: 'x', code: 'x', timeout_second: 5 },
      { timeout_second: ['Unknown field. Did you mean "timeout_seconds"?'] },
    ],
  ])('returns 400 for %s', async (_what, body, detail) => {
    const rejected = await owner.post(functions, body)
    expect([rejected.status, rejected.body]).toEqual([400, detail])
  })

  it('returns 404 for an unknown app', async () => {
    expect((await owner.post('/apps/none/functions/', { name: 'x', code: valid })).status).toBe(404)
    expect((await owner.get('/apps/none/functions/')).status).toBe(404)
  })

  it('returns 201 with all fields, and 400 for a name whose slug is taken in the app', async () => {
    const created = await make('Add up', whole.code)
    expect([created.status, created.body]).toEqual([201, whole])
    const rejected = await make('add UP', valid)
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { name: ['A function with the slug "add-up" already exists in this app.'] },
    ])
    expect((await owner.get(`${functions}add-up/`)).body).toEqual(whole)
    expect((await owner.get(functions)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [whole],
    })
  })

  it('accepts a slug, and returns 400 and names the slug if it is taken', async () => {
    const body = { name: '東京', slug: 'tokyo', code: 'export default () => 1' }
    expect(await owner.post(functions, body)).toMatchObject({
      status: 201,
      body: { name: '東京', slug: 'tokyo' },
    })
    const again = await owner.post(functions, body)
    expect([again.status, again.body]).toEqual([
      400,
      { slug: ['A function with the slug "tokyo" already exists in this app.'] },
    ])
  })

  it('shows code, URL and headers only with manage_site, in lists and single answers', async () => {
    const one = await app.request('POST', '/api/cloud/organizations/run-org/sites/', {
      token: shop.owner.token,
      body: { name: 'Seen', slug: 'seen' },
    })
    const seen: Shop = { ...shop, slug: 'seen', api: '/sites/seen/api', schema: one.body.schema_name }
    const keeper = ownerOf(app, seen, '')
    await keeper.post('/apps/', { name: 'shop' })
    const headers = { authorization: 'CANARY' }
    const proxy = {
      name: 'Call',
      execution_mode: 'proxy',
      webhook_url: 'https://hooks.example.com/CANARY',
      headers,
    }
    const { signing_secret: _, ...called } = (await keeper.post(functions, proxy)).body
    const code = '// CANARY\nexport default () => 1'
    const added = (await keeper.post(functions, { name: 'Add', code, variables: { A: 'CANARY' } })).body
    const withoutSecrets = [added, called].map(
      ({ code: _code, webhook_url: _url, headers: _headers, variables: _variables, ...rest }) => rest,
    )
    const all = [added, { ...called, headers: { authorization: '***HIDDEN***' } }]

    const views: [permissions: string[], shown: unknown[]][] = [
      [['access_site'], withoutSecrets],
      [['access_site', 'change_site'], withoutSecrets],
      [['access_site', 'manage_site'], all],
      [['admin_site'], all],
    ]
    for (const [permissions, shown] of views) {
      const user = await app.user(`has-${permissions.at(-1)}`)
      await grant(app, seen, user, permissions)
      const read = async (path: string) =>
        (await app.request('GET', `${seen.api}${functions}${path}`, { token: user.token })).body
      expect([permissions, (await read('')).results, await read('add/'), await read('call/')]).toEqual([
        permissions,
        shown,
        ...shown,
      ])
    }
    expect((await keeper.get(functions)).body.results).toEqual(all)
    const admin = await app.user('seen-admin', { superuser: true })
    expect((await app.request('GET', `${seen.api}${functions}add/`, { token: admin.token })).body).toEqual(
      added,
    )
  })

  it('changes sent fields by PATCH and all fields by PUT, but never the slug or the mode', async () => {
    await make('Changing', 'export default () => 1')
    const patched = await owner.patch(`${functions}changing/`, {
      name: 'Changed',
      timeout_seconds: 5,
      allowed_hosts: ['A.example', 'a.example'],
    })
    expect([patched.status, patched.body]).toEqual([
      200,
      {
        ...whole,
        name: 'Changed',
        slug: 'changing',
        code: 'export default () => 1',
        timeout_seconds: 5,
        allowed_hosts: ['a.example'],
      },
    ])
    const put = await owner.put(`${functions}changing/`, { name: 'Changed', code: 'export default () => 2' })
    expect(put.body).toEqual({ ...whole, name: 'Changed', slug: 'changing', code: 'export default () => 2' })
    const moved = await owner.patch(`${functions}changing/`, {
      execution_mode: 'system',
      system_function: 'noop',
      code: '',
    })
    expect([moved.status, moved.body]).toEqual([
      400,
      { execution_mode: ['The mode of a function cannot be changed. Create another function.'] },
    ])
    expect((await owner.patch(`${functions}none/`, { name: 'x' })).status).toBe(404)
  })

  const broken: [what: string, code: string, problem: string][] = [
    [
      'ends too early',
      'export default () => {',
      'The code does not compile: Unexpected end of input (line 1, column 23).',
    ],
    [
      'has an error in its third line',
      'export default () => {\n  const a = 1\n  const a = 2\n}',
      "The code does not compile: Identifier 'a' has already been declared (line 3, column 9).",
    ],
    [
      'has an error in its first column',
      '<div/>',
      "The code does not compile: Unexpected token '<' (line 1, column 1).",
    ],
    [
      'is TypeScript',
      'export default (a: number) => a',
      "The code does not compile: Unexpected token ':' (line 1, column 18).",
    ],
    [
      'has an invalid pattern',
      'export default () => /(/',
      'The code does not compile: Invalid regular expression: /(/: Unterminated group (line 1, column 22).',
    ],
    ['is nested too deeply', '['.repeat(200_000), 'The code does not compile: it is nested too deeply.'],
    [
      'is not a module',
      'module.exports = () => 1',
      'The code has no default export: `export default async function (params, context) { … }`.',
    ],
    [
      'imports a name that does not exist',
      'import { nothing } from "node:fs"; export default () => nothing',
      "The code cannot be loaded: The requested module 'node:fs' does not provide an export named 'nothing'",
    ],
    [
      'imports a module that does not exist',
      'import a from "left-pad"; export default a',
      'The code cannot be loaded: No such module "left-pad".',
    ],
  ]

  it.each(broken)(
    'returns 400 on POST, PUT and PATCH for code that %s, and saves nothing',
    async (_what, code, problem) => {
      await make('Intact', valid)
      const expected = [400, { code: [problem] }]
      const bodies = [
        await make('Broken', code),
        await owner.put(`${functions}intact/`, { name: 'Intact', code }),
        await owner.patch(`${functions}intact/`, { code }),
      ]
      expect(bodies.map(({ status, body }) => [status, body])).toEqual([expected, expected, expected])
      expect((await owner.get(`${functions}intact/`)).body.code).toBe(valid)
      expect((await owner.get(`${functions}broken/`)).status).toBe(404)
    },
  )

  it('does not run when it is saved, even if its code loops, throws or waits while it is loaded', async () => {
    for (const [name, first] of Object.entries({
      loops: 'while (true) {}',
      throws: 'throw new Error("early")',
      waits: 'await new Promise(() => {})',
    })) {
      const began = Date.now()
      const created = await make(`Loading ${name}`, `${first}\n${valid}`)
      expect([name, created.status]).toEqual([name, 201])
      expect(Date.now() - began).toBeLessThan(await timeLimit(5_000))
    }
  })

  it('discloses nothing about the code to callers without manage_site', async () => {
    const stranger = await app.user('stranger')
    const rejected = await app.request('POST', `${shop.api}${functions}`, {
      token: stranger.token,
      body: { name: 'x', code: 'export default (' },
    })
    expect([rejected.status, rejected.body]).toEqual([
      403,
      { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    ])
  })

  describe('keeps versions', () => {
    const versions = `${functions}versioned/versions/`
    const by = () => ({ id: shop.owner.id, username: shop.owner.username })
    const version = (number: number) => ({
      number,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      created_at: moment,
      changed_by: by(),
    })
    const two = 'export default () => 2'

    it('that only callers with manage_site can read and restore', async () => {
      await make('Versioned', valid, { timeout_seconds: 5, secrets: [] })
      const reader = await app.user('version-reader')
      await grant(app, shop, reader, ['change_site', 'access_site'])
      const ask = (method: string, path: string) =>
        app.request(method, `${shop.api}${versions}${path}`, { token: reader.token })
      const answers = [await ask('GET', ''), await ask('GET', '1/'), await ask('POST', '1/restore/')]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    })

    it('and returns 404 with a hint about what is missing: the app, the function or the version', async () => {
      const missing = [
        [await owner.get('/apps/none/functions/versioned/versions/'), 'There is no app "none" in this site.'],
        [await owner.get(`${functions}none/versions/1/`), 'There is no function "none" in the app "shop".'],
        [await owner.get(`${versions}9/`), 'There is no version 9 of the function "versioned".'],
        [
          await owner.post(`${versions}9/restore/`, undefined),
          'There is no version 9 of the function "versioned".',
        ],
      ] as const
      for (const [{ status, body }, hint] of missing)
        expect([status, body]).toEqual([404, { detail: 'Not found.', hint, code: 'not_found' }])
      expect((await owner.get(`${versions}x/`)).status).toBe(404)
    })

    it('for each change of code or settings, the newest first, and not for other writes', async () => {
      const change = (body: unknown) => owner.patch(`${functions}versioned/`, body)
      await change({ code: two })
      await change({ code: two })
      await change({ timeout_seconds: 7, as: 'caller' })
      const { body } = await owner.get(versions)
      expect(body).toEqual({
        count: 3,
        next: null,
        previous: null,
        results: [version(3), version(2), version(1)],
      })
      expect((await owner.get(`${versions}2/`)).body).toEqual({
        ...version(2),
        code: two,
        settings: {
          name: 'Versioned',
          description: '',
          allowed_hosts: [],
          webhook_url: '',
          system_function: '',
          timeout_seconds: 5,
          is_active: true,
          filter_conditions: '',
          as: 'service',
          schedule: '',
          schedule_zone: 'UTC',
          ordering: 'none',
          secrets: [],
          variables: {},
        },
      })
    })

    it('that can be restored with code and settings, which creates a new version and an audit entry', async () => {
      const restored = await owner.post(`${versions}1/restore/`, undefined)
      expect([restored.status, restored.body]).toEqual([
        200,
        { ...whole, name: 'Versioned', slug: 'versioned', code: valid, timeout_seconds: 5 },
      ])
      const { results } = (await owner.get(versions)).body
      expect(results.map(({ number }: { number: number }) => number)).toEqual([4, 3, 2, 1])
      expect(results[0].hash).toBe(results[3].hash)
      expect((await run('versioned')).body.data).toBe(1)
      const [entry] = await app.sql<{ action: string; object: string }>(
        `select action, object from audit_entries where kind = 'function' and object = 'versioned' order by id desc limit 1`,
      )
      expect(entry).toMatchObject({ object: 'versioned' })
      // Restoring the current version creates no new version.
      await owner.post(`${versions}4/restore/`, undefined)
      expect((await owner.get(versions)).body.count).toBe(4)
    })

    it('without headers: a restoration keeps the current ones', async () => {
      const proxy = {
        name: 'Versioned call',
        execution_mode: 'proxy',
        webhook_url: 'https://hooks.example.com/a',
        headers: { authorization: 'CANARY' },
      }
      await owner.post(functions, proxy)
      await owner.patch(`${functions}versioned-call/`, { headers: { accept: 'x' } })
      await owner.patch(`${functions}versioned-call/`, { webhook_url: 'https://hooks.example.com/b' })
      expect((await owner.get(`${functions}versioned-call/versions/`)).body.count).toBe(2)
      expect(
        (await owner.post(`${functions}versioned-call/versions/1/restore/`, undefined)).body,
      ).toMatchObject({
        webhook_url: 'https://hooks.example.com/a',
        headers: { accept: '***HIDDEN***' },
      })
    })

    it('of which the newest 50 remain, also after concurrent changes', async () => {
      await make('Often', valid)
      for (let round = 0; round < 6; round++)
        await Promise.all(
          Array.from({ length: 9 }, (_, n) =>
            owner.patch(`${functions}often/`, { description: `${round}-${n}` }),
          ),
        )
      const { body } = await owner.get(`${functions}often/versions/?page_size=100`)
      const numbers = body.results.map(({ number }: { number: number }) => number)
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => 55 - n))
    })

    it('and lets only callers who may read secrets restore a version that declares some', async () => {
      await make('Charging', valid, { secrets: ['VERSION_KEY'] })
      await owner.patch(`${functions}charging/`, { secrets: [] })
      const manager = await app.user('version-manager')
      await grant(app, shop, manager, ['manage_site'])
      const path = `${shop.api}${functions}charging/versions/1/restore/`
      const refused = await app.request('POST', path, { token: manager.token })
      expect([refused.status, refused.body]).toEqual([
        403,
        {
          detail: 'Only callers who may read secrets can change a function that declares secrets.',
          code: 'permission_denied',
        },
      ])
      expect((await owner.get(`${functions}charging/`)).body.secrets).toEqual([])
      expect((await owner.post(`${functions}charging/versions/1/restore/`, undefined)).body.secrets).toEqual([
        'VERSION_KEY',
      ])
    })
  })

  describe('has variables', () => {
    const code = 'export default (_, { variables }) => variables'
    const variables = { CURRENCY: 'EUR', _Note: 'ü "\\\n </script>', constructor: '' }

    it('that its code cannot change and that only callers with manage_site see', async () => {
      const { slug } = (await make('Varied', code, { variables })).body
      expect((await owner.get(`${functions}${slug}/`)).body.variables).toEqual(variables)
      const result = (await run(slug)).body.data
      expect(result).toEqual(variables)
      expect(Object.hasOwn(result, 'constructor')).toBe(true)
      const writes = '{ variables.CURRENCY = "USD" }'
      await make('Writes', `export default (_, { variables }) => ${writes}`, { variables })
      expect((await run('writes')).body.invocation.error).toMatch(/^TypeError: .*read only/)
      const reader = await app.user('variables-reader')
      await grant(app, shop, reader, ['change_site', 'access_site'])
      const shown = await app.request('GET', `${shop.api}${functions}${slug}/`, { token: reader.token })
      expect([shown.status, 'variables' in shown.body, shown.text.includes('EUR')]).toEqual([
        200,
        false,
        false,
      ])
    })

    it('that the next run gets after a change, and that a restored version brings back', async () => {
      const path = `${functions}varied/`
      const name = { name: 'Renamed' }
      expect((await owner.patch(path, name)).body.variables).toEqual(variables)
      expect((await owner.patch(path, { variables: { CURRENCY: 'USD' } })).body.variables).toEqual({
        CURRENCY: 'USD',
      })
      expect((await run('varied')).body.data).toEqual({ CURRENCY: 'USD' })
      expect((await owner.post(`${path}versions/1/restore/`, undefined)).body.variables).toEqual(variables)
      expect((await owner.put(path, { name: 'x', code })).body.variables).toEqual({})
      expect((await run('varied')).body.data).toEqual({})
    })

    it('without characters that Postgres cannot store', async () => {
      for (const text of ['\0', '\ud800']) {
        const rejected = await make('Odd', code, { variables: { A: text } })
        expect(rejected.status).toBe(400)
      }
    })
  })

  it('returns 204 for DELETE, and 404 for the second one', async () => {
    await make('Gone', 'export default () => 1')
    expect((await owner.delete(`${functions}gone/`)).status).toBe(204)
    expect((await owner.delete(`${functions}gone/`)).status).toBe(404)
  })
})

describe('POST …/execute/', () => {
  it('returns 404 for an unknown function, and 400 for an inactive one', async () => {
    expect((await run('none')).status).toBe(404)
    await make('Asleep', 'export default () => 1', { is_active: false })
    const rejected = await run('asleep')
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { detail: 'The function is not active.', code: 'function_inactive' },
    ])
  })

  it('returns 200 with the return value, and the invocation with the printed lines', async () => {
    await make(
      'Whole',
      `export default async function (params, context) {
        console.log('got', params); console.error(new Error('odd').message)
        return { params, context }
      }`,
    )
    const answer = await run('whole', { params: { a: [1, 'ü'] } })
    const context = {
      invocation_id: answer.body.invocation.id,
      attempt: 1,
      trigger_type: 'api',
      event: null,
      function: { id: answer.body.invocation.function, name: 'Whole', slug: 'whole' },
      app: 'shop',
      user: { id: shop.owner.id, username: 'run-owner', email: 'run-owner@example.org' },
    }
    const result = { params: { a: [1, 'ü'] }, context }
    const invocation = {
      id: expect.any(Number),
      function: expect.any(Number),
      function_name: 'Whole',
      function_slug: 'whole',
      trigger_type: 'api',
      event: null,
      status: 'SUCCESS',
      attempts: 1,
      params: { a: [1, 'ü'] },
      result,
      error: null,
      logs: [
        { at: moment, level: 'info', message: 'got {"a":[1,"ü"]}' },
        { at: moment, level: 'error', message: 'odd' },
      ],
      started_at: moment,
      finished_at: moment,
      duration_ms: expect.any(Number),
      publish: null,
      created_at: moment,
    }
    expect([answer.status, answer.body]).toEqual([200, { data: result, invocation }])
    expect((await owner.get(`/invocations/${answer.body.invocation.id}/`)).body).toEqual(
      answer.body.invocation,
    )
    expect(await app.sql(`select * from tenant._deliveries`)).toEqual([])
  })

  it('accepts an API key', async () => {
    const { body } = await app.request('POST', `${shop.api}/api-keys/`, {
      token: shop.owner.token,
      body: { name: 'ci' },
    })
    const answer = await app.request('POST', `${shop.api}${functions}whole/execute/`, {
      headers: { authorization: `Api-Key ${body.key}` },
      body: {},
    })
    expect([answer.status, answer.body.data.context.user.username]).toEqual([200, 'run-owner'])
  })

  const failing: [what: string, code: string, error: unknown, more?: object][] = [
    ['throws', 'export default () => { throw new TypeError("no good") }', 'TypeError: no good'],
    [
      'throws a value that is not an error',
      'export default () => { throw { code: 7 } }',
      'Thrown: {"code":7}',
    ],
    [
      'never returns',
      'export default () => new Promise(() => undefined)',
      'The function waits for a promise that never settles.',
    ],
    [
      'exceeds its time limit',
      'export default () => new Promise((done) => setTimeout(done, 60_000))',
      'The function took longer than 1 seconds.',
      { timeout_seconds: 1 },
    ],
    [
      'throws an error with causes',
      'export default () => { throw new Error("no order", { cause: new TypeError("no stock", { cause: { id: 7 } }) }) }',
      'Error: no order\nCaused by: TypeError: no stock\nCaused by: {"id":7}',
    ],
    [
      'throws an error that causes itself',
      'export default () => { const e = new Error("round"); e.cause = e; throw e }',
      `Error: round${'\nCaused by: Error: round'.repeat(5)}`,
    ],
    [
      'returns a Response of a failure',
      'export default () => new Response("no stock", { status: 409 })',
      'Error: The function returned a Response of status 409: no stock',
    ],
    [
      'returns a nested Response',
      'export default () => ({ answer: new Response("1") })',
      'The result is not JSON: "answer" is a Response.',
    ],
    ['returns a Map', 'export default () => new Map([[1, 2]])', 'The result is not JSON: it is a Map.'],
    [
      'returns a nested Promise',
      'export default () => [Promise.resolve(1)]',
      'The result is not JSON: "0" is a Promise.',
    ],
    ['returns a function', 'export default () => () => 1', 'The result is not JSON: it is a function.'],
    [
      'returns a nested BigInt',
      'export default () => ({ n: 1n })',
      'The result is not JSON: "n" is a bigint.',
    ],
    ['returns NaN', 'export default () => [NaN]', 'The result is not JSON: "0" is NaN.'],
    [
      'returns a circular object',
      'export default () => { const a = {}; a.a = a; return a }',
      expect.stringMatching(/^The result is not JSON: Converting circular/),
    ],
    [
      'returns text that cannot be stored',
      'export default () => "\\0"',
      'The result cannot be stored: Text may not contain the NUL character.',
    ],
    [
      'returns two megabytes',
      'export default () => "x".repeat(2_000_000)',
      'The result is more than 1048576 bytes.',
    ],
    [
      'replaces JSON.stringify and Response',
      'export default () => { JSON.stringify = () => "x"; Response = null; return 1 }',
      expect.stringMatching(/./),
    ],
    [
      'prints a megabyte',
      'export default () => { for (let i = 0; i < 1024; i++) console.log("x".repeat(1024)) }',
      'The function printed more than 262144 bytes.',
    ],
    ['fails while it is loaded', 'throw new Error("early"); export default () => 1', 'Error: early'],
    ['exports no function', 'export default 1', 'The code has no default export that is a function.'],
    ['ends its process', 'export default () => { process.exit(1) }', expect.stringMatching(/./)],
    [
      'uses the network',
      'export default () => fetch("https://example.com/")',
      'The function may not use the network, because it lists no hosts. Name them in allowed_hosts.',
    ],
    [
      'opens a connection',
      'import { connect } from "cloudflare:sockets"; export default async () => { await connect("127.0.0.1:5432").opened }',
      'The function may not use the network, because it lists no hosts. Name them in allowed_hosts.',
    ],
    [
      'uses the cache',
      'export default () => caches.open("x").then((c) => c.match("http://a/"))',
      expect.stringContaining('No Cache was configured'),
    ],
  ]

  it.each([
    ['JSON', 'Response.json({ a: 1 }, { status: 201 })', { a: 1 }],
    ['text', 'new Response("done")', 'done'],
    ['nothing', 'new Response()', null],
  ])('takes the content of a returned Response with %s as the result', async (what, code, result) => {
    const { body } = await make(`Answering ${what}`, `export default () => ${code}`)
    expect((await run(body.slug)).body).toMatchObject({ data: result, invocation: { status: 'SUCCESS' } })
  })

  it.each([
    ['a date', 'new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['an empty array', '[]', []],
    ['an object without a prototype', 'Object.create(null)', {}],
    ['an object with a class', 'new (class Point { x = 1 })()', { x: 1 }],
    ['a boxed text', 'new String("a")', 'a'],
  ])('returns %s as JSON', async (what, code, result) => {
    const { body } = await make(`Giving ${what}`, `export default () => ${code}`)
    expect((await run(body.slug)).body.data).toEqual(result)
  })

  it.each([
    ['a rejection', 'Promise.reject(new Error("lost"))', 'A rejection was not handled: Error: lost'],
    [
      'a rejection after the last line',
      '(async () => { await 1; throw "lost" })()',
      'A rejection was not handled: lost',
    ],
    [
      'an error of setTimeout',
      'setTimeout(() => { throw new Error("late") }, 1); await scheduler.wait(50)',
      'An error was not caught in a timer: Error: late',
    ],
    [
      'an error of setInterval',
      'const id = setInterval(() => { clearInterval(id); throw new Error("late") }, 1); await scheduler.wait(50)',
      'An error was not caught in a timer: Error: late',
    ],
    [
      'an error of setImmediate',
      'setImmediate(() => { throw new Error("late") }); await scheduler.wait(50)',
      'An error was not caught in a timer: Error: late',
    ],
    [
      'an error of queueMicrotask',
      'queueMicrotask(() => { throw new Error("late") })',
      'An error was not caught: Error: late',
    ],
  ])('adds a line for %s that nothing handles', async (what, code, message) => {
    const { body } = await make(`Losing ${what}`, `export default async () => { ${code}; return 1 }`)
    const { data, invocation } = (await run(body.slug)).body
    expect([data, invocation.status, invocation.logs]).toEqual([
      1,
      'SUCCESS',
      [{ at: moment, level: 'error', message: expect.stringMatching(new RegExp(`^${message}(\\n|$)`)) }],
    ])
  })

  it('adds no line for a rejection that is handled later', async () => {
    await make(
      'Handling',
      'export default async () => { const p = Promise.reject(1); await 1; p.catch(() => 0); return 1 }',
    )
    expect((await run('handling')).body.invocation.logs).toEqual([])
  })

  it('adds the lines of concurrent executions to the one whose code has failed', async () => {
    await make(
      'Losing some',
      'export default async ({ n }) => { setTimeout(() => { if (n === 2) throw n }, 5); await scheduler.wait(50) }',
    )
    const answers = await Promise.all([1, 2, 3].map((n) => run('losing-some', { params: { n } })))
    expect(answers.map(({ body }) => body.invocation.logs.length)).toEqual([0, 1, 0])
  })

  it.each(failing)(
    'records a FAILURE with its reason for a function that %s',
    async (what, code, error, more = {}) => {
      const { body } = await make(`f ${what}`, code, more)
      const answer = await run(body.slug)
      expect([
        answer.status,
        answer.body.data,
        answer.body.invocation.status,
        answer.body.invocation.error,
      ]).toEqual([200, null, 'FAILURE', error])
      expect((await run('add-up', { params: { a: 1, b: 2 } })).body.data).toBe(3)
    },
  )

  it('records a FAILURE for stored code that no longer compiles', async () => {
    await make('Aged', valid)
    await app.sql(`update tenant._functions set code = 'export default () => {' where slug = 'aged'`)
    expect((await run('aged')).body.invocation).toMatchObject({
      status: 'FAILURE',
      error: 'The code cannot be loaded: SyntaxError: Unexpected end of input\n  at function.js:1:22',
    })
  })

  it('gives a function no variables, bindings or files of the service', async () => {
    await make(
      'Bare',
      `import { env, exports } from 'cloudflare:workers'
       import { readdirSync } from 'node:fs'
       export default () => [Object.keys(env), Object.keys(process.env), Object.keys(exports), readdirSync('/bundle')]`,
    )
    expect((await run('bare')).body.data).toEqual([
      [],
      [],
      ['default'],
      expect.arrayContaining(['function.js', 'entry.js']),
    ])
  })

  it('shares no memory and no parameters between two sites with the same code', async () => {
    const other = await createShop(app, 'run-too')
    const code =
      'let kept = []; export default (params, { user }) => { kept.push(params.n); globalThis.seen = kept; return [kept, user.username] }'
    await make('Keeping', code)
    await ownerOf(app, other, '').post(functions, { name: 'Keeping', code })
    const first = await run('keeping', { params: { n: 1 } })
    const second = await ownerOf(app, other, '').post(`${functions}keeping/execute/`, { params: { n: 2 } })
    expect([first.body.data, second.body.data]).toEqual([
      [[1], 'run-owner'],
      [[2], 'run-too-owner'],
    ])
    expect(
      (
        await app.request('POST', `${other.api}${functions}keeping/execute/`, {
          token: shop.owner.token,
          body: {},
        })
      ).status,
    ).toBe(403)
    const seen = (await ownerOf(app, other, '').get('/invocations/')).body
    expect([seen.count, seen.results[0].params]).toEqual([1, { n: 2 }])
  })

  it('separates the printed lines of concurrent executions', async () => {
    await make(
      'Slow',
      'export default async ({ n }) => { console.log(n); await new Promise((r) => setTimeout(r, 20)); console.log(n) }',
    )
    const answers = await Promise.all([1, 2, 3].map((n) => run('slow', { params: { n } })))
    expect(
      answers.map(({ body }) => body.invocation.logs.map(({ message }: { message: string }) => message)),
    ).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ])
  })

  it.each([
    ['log', 'SUCCESS', ['{"a":1}'], null],
    ['noop', 'SUCCESS', [], null],
    ['fail', 'FAILURE', [], 'The system function "fail" always fails.'],
  ])('runs the system function %s', async (name, status, lines, error) => {
    const made = await owner.post(functions, { name, execution_mode: 'system', system_function: name })
    expect(made.body).toMatchObject({ execution_mode: 'system', system_function: name, code: '' })
    const { invocation } = (await run(name, { params: { a: 1 } })).body
    expect([
      invocation.status,
      invocation.logs.map(({ message }: { message: string }) => message),
      invocation.error,
    ]).toEqual([status, lines, error])
  })

  it('with async returns 202 and PENDING, and runs once even if its message arrives many times', async () => {
    const answer = await run('add-up', { params: { a: 2, b: 3 }, async: true })
    expect([answer.status, answer.body]).toMatchObject([
      202,
      { queued: true, invocation: { status: 'PENDING', attempts: 0, result: null } },
    ])
    const path = `/invocations/${answer.body.invocation.id}/`
    expect(queue.waiting).toHaveLength(1)
    queue.waiting.push(...queue.waiting)
    await queue.drain(app.env, { copies: 2 })
    expect((await owner.get(path)).body).toMatchObject({
      status: 'SUCCESS',
      attempts: 1,
      result: 5,
      trigger_type: 'api',
    })
    expect(await app.sql('select * from tenant._deliveries')).toEqual([])
  })

  it('with async does not retry a failure', async () => {
    const { body } = await run('fail', { async: true })
    await queue.drain(app.env)
    expect((await owner.get(`/invocations/${body.invocation.id}/`)).body).toMatchObject({
      status: 'FAILURE',
      attempts: 1,
    })
  })
})

describe('GET /api/invocations/', () => {
  it('lists the newest first, with pages and with filters by function, status and trigger', async () => {
    const all = (await owner.get('/invocations/?page_size=100')).body
    const ids = all.results.map(({ id }: { id: number }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    const failed = (
      await owner.get('/invocations/?function_slug=fail&status=FAILURE&trigger_type=api&page_size=1')
    ).body
    expect(failed).toMatchObject({
      count: 2,
      previous: null,
      next: expect.stringContaining('page=2'),
      results: [{ function_slug: 'fail', status: 'FAILURE' }],
    })
    expect((await owner.get('/invocations/?trigger_type=event')).body.count).toBe(0)
  })

  it('returns 400 for an invalid status, and 404 for an unknown invocation', async () => {
    expect((await owner.get('/invocations/?status=DONE')).status).toBe(400)
    expect((await owner.get('/invocations/999999/')).status).toBe(404)
    expect((await owner.get('/invocations/x/')).status).toBe(404)
  })
})

describe('POST /api/invocations/{id}/replay/', () => {
  it('returns 400 unless the invocation has failed, and 404 for an unknown one', async () => {
    const { body } = await run('noop')
    const rejected = await owner.post(`/invocations/${body.invocation.id}/replay/`)
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { detail: 'Only a failed invocation can be replayed.', code: 'wrong_state' },
    ])
    expect((await owner.post('/invocations/999999/replay/')).status).toBe(404)
  })

  it('returns 202, and runs the current code of the function', async () => {
    await make('Mended', 'export default () => { throw new Error("broken") }')
    const { body } = await run('mended', { params: { a: 1 } })
    await owner.patch(`${functions}mended/`, { code: 'export default ({ a }) => a' })
    const replayed = await owner.post(`/invocations/${body.invocation.id}/replay/`)
    expect([replayed.status, replayed.body]).toMatchObject([
      202,
      { queued: true, invocation: { id: body.invocation.id, status: 'PENDING', attempts: 0, error: null } },
    ])
    await queue.drain(app.env)
    expect((await owner.get(`/invocations/${body.invocation.id}/`)).body).toMatchObject({
      status: 'SUCCESS',
      result: 1,
      attempts: 1,
    })
  })
})
