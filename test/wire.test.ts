/** The rules that hold for every endpoint. W1, W2, W4, A6. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import worker from '../src/worker.ts'
import { startApp, type TestApp } from './support/app.ts'
import { createShop, type Shop } from './support/fixtures.ts'

let app: TestApp
let shop: Shop
let token: string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'wire')
  token = shop.owner.token
})

describe('a request without a route', () => {
  it.each(['/nope/', '/api/', '/api/nope/', '/api/auth/', '/sites/wire/nope/'])(
    'returns 404 {detail} for the path %s',
    async (path) => {
      expect(await app.request('GET', path, { token })).toMatchObject({
        status: 404,
        body: { detail: 'Not found.', code: 'not_found' },
      })
    },
  )

  it.each([
    ['PUT', '/healthz', 'GET, HEAD', 'GET (Check that the Worker runs)'],
    ['GET', '/api/auth/jwt/token/', 'POST', 'POST (Sign in with a password)'],
    [
      'DELETE',
      '/api/cloud/organizations/',
      'GET, HEAD, POST',
      'GET (List your organizations), POST (Create an organization)',
    ],
    [
      'POST',
      '/sites/wire/api/apps/shop/datatables/makers/',
      'DELETE, GET, HEAD, PATCH, PUT',
      'GET (Read a datatable), PUT (Update a datatable), PATCH (Change a datatable), ' +
        'DELETE (Delete a datatable)',
    ],
  ])(
    'returns 405 {detail} with Allow for %s %s, and lists the methods of the path',
    async (method, path, allow, takes) => {
      const answer = await app.request(method, path, { token })
      expect([answer.status, answer.headers.get('allow'), answer.body]).toEqual([
        405,
        allow,
        {
          detail: `Method "${method}" not allowed.`,
          hint: `This path takes ${takes}.`,
          code: 'method_not_allowed',
        },
      ])
    },
  )
})

describe('a request with a body', () => {
  const post = (options: Parameters<TestApp['request']>[2]) =>
    app.request('POST', shop.data('makers'), { token, ...options })

  it.each(['{"name":', '{name: 1}', "{'name': 'x'}", '[1,]', 'NaN', '\ufeff{}x', ''])(
    'returns 400 {detail} for %j, because it is not JSON',
    async (body) => {
      expect(await post({ body })).toMatchObject({
        status: 400,
        body: { detail: 'The body is not valid JSON.', code: 'malformed_body' },
      })
      expect((await app.request('POST', '/api/auth/jwt/token/', { body: body || '{' })).status).toBe(400)
    },
  )

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('returns 415 for the content type %j', async (type) => {
    expect(await post({ body: '{"name": "x"}', headers: { 'content-type': type } })).toMatchObject({
      status: 415,
      body: {
        detail: 'The body must be application/json, text/csv or application/x-ndjson.',
        code: 'unsupported_media_type',
      },
    })
  })

  it.each(['iso-8859-1', 'utf-16', '"windows-1252"'])('returns 415 for the charset %s', async (charset) => {
    const headers = { 'content-type': `application/json; a=b; charset=${charset}` }
    expect(await post({ body: '{"name": "x"}', headers })).toMatchObject({
      status: 415,
      body: {
        detail: `The body must be UTF-8, but its Content-Type declares the charset "${charset.replaceAll('"', '')}".`,
        code: 'unsupported_media_type',
      },
    })
  })

  it.each(['utf-8', 'UTF8', '"utf-8"', "'utf-8'", '', 'us-ascii'])(
    'reads a body of the charset %s',
    async (charset) => {
      const headers = { 'content-type': `application/json;charset=${charset}` }
      expect((await post({ body: '{"name": "x"', headers })).status).toBe(400)
    },
  )

  it('returns 413 for a body over 10 MB, with and without a Content-Length', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) })
    expect(await post({ body })).toMatchObject({
      status: 413,
      body: { detail: 'The body is larger than 10485760 bytes.', code: 'body_too_large' },
    })
    let chunks = 0
    const stream = new ReadableStream({
      pull(controller) {
        if (++chunks > 64) controller.close()
        else controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
      },
    })
    const request = new Request(`http://localhost${shop.data('makers')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: stream,
    })
    const response = await worker.fetch(request, app.env, {
      waitUntil: () => undefined,
      passThroughOnException: () => undefined,
      props: {},
    } as never)
    expect(response.status).toBe(413)
    expect(chunks).toBeLessThan(16)
  })
})

describe('every path', () => {
  it('works the same with and without a trailing slash', async () => {
    for (const path of ['/healthz', `${shop.api}/apps`, `${shop.api}/apps/shop/datatables/makers/data`]) {
      const [without, with_] = await Promise.all([
        app.request('GET', path, { token }),
        app.request('GET', `${path}/`, { token }),
      ])
      expect([without.status, without.body]).toEqual([200, with_.body])
    }
  })
})

describe('every response', () => {
  it('has a request id of the service, never the one that was sent', async () => {
    for (const id of ['abc-123', crypto.randomUUID(), 'a b', '<x>', 'x'.repeat(100)]) {
      const { headers } = await app.request('GET', '/healthz', { headers: { 'x-request-id': id } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('x-request-id')).not.toBe(id)
    }
  })

  it('has the time of the database in development, but not in production', async () => {
    const ask = (of: TestApp) => of.request('GET', `${shop.api}/apps/`, { token })
    expect((await ask(app)).headers.get('server-timing')).toMatch(/^db;dur=[\d.]+;desc="1"$/)
    for (const ENVIRONMENT of ['production', '']) {
      const answer = await ask(app.with({ ENVIRONMENT, PASSWORD_COST: '' }))
      expect([answer.status, answer.headers.get('server-timing')]).toEqual([200, null])
    }
  })

  it('writes one JSON line to the log, without any input of the client', async () => {
    const lines: string[] = []
    const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    try {
      await app.request('GET', `${shop.data('makers')}?name=SECRET-QUERY`, {
        token,
        headers: { 'x-request-id': 'logged-1', cookie: 'SECRET-COOKIE' },
      })
      await app.request('POST', '/api/auth/jwt/token/', {
        body: { username: 'SECRET-USER', password: 'SECRET-PASSWORD' },
      })
      await app.request('POST', shop.data('makers'), {
        token,
        body: { name: 'SECRET-ROW\n{"level":"forged"}' },
      })
    } finally {
      spy.mockRestore()
    }
    expect(JSON.parse(lines[0] as string)).toEqual({
      level: 'info',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_request_id: 'logged-1',
      method: 'GET',
      route: '/api/apps/:app/datatables/:table/data',
      status: 200,
      tenant: 'wire',
      caller: shop.owner.id,
      ms: expect.any(Number),
      db_ms: expect.any(Number),
      db_round_trips: expect.any(Number),
    })
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).not.toContain('SECRET')
    expect(lines.join('\n')).not.toContain(token)
  })

  it('writes a line only for failed requests, and for slow ones, with REQUEST_LOG=failed', async () => {
    const lines: string[] = []
    const spy = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    const quiet = app.with({ REQUEST_LOG: 'failed' })
    const broken = quiet.with({ NEON_ENDPOINT: `${app.env.NEON_ENDPOINT}/gone` })
    try {
      expect((await quiet.request('GET', shop.data('makers'), { token })).status).toBe(200)
      expect((await quiet.request('GET', shop.data('makers'))).status).toBe(401)
      expect((await broken.request('GET', '/readyz')).status).toBe(503)
    } finally {
      spy.mockRestore()
    }
    const requests = lines.map((line) => JSON.parse(line)).filter(({ route }) => route)
    expect(requests.filter(({ status, ms }) => status < 500 && ms <= 1_000)).toEqual([])
    expect(requests.filter(({ status }) => status >= 500)).toMatchObject([{ route: '/readyz', status: 503 }])
  })
})

describe('health', () => {
  it('/healthz works without the database', async () => {
    const away = { ...app.env, NEON_ENDPOINT: `${app.env.NEON_ENDPOINT}/gone` }
    const response = await worker.fetch(new Request('http://localhost/healthz'), away, {
      waitUntil: () => undefined,
    } as never)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  })

  it('/readyz checks the database and the version of its schema', async () => {
    expect(await app.request('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', schema_version: expect.any(Number) },
    })
    await app.sql(`delete from schema_migrations where name = (select max(name) from schema_migrations)`)
    expect(await app.request('GET', '/readyz')).toMatchObject({
      status: 503,
      headers: expect.objectContaining({}),
    })
  })
})

describe('while the database is unavailable', () => {
  it.each<[string, () => Record<string, string>]>([
    ['another service answers at its address', () => ({ NEON_ENDPOINT: `${app.env.NEON_ENDPOINT}/gone` })],
    ['it rejects the password', () => ({ DATABASE_URL: app.databaseUrl.replace(/:[^:@]+@/, ':wrong@') })],
    ['it does not exist', () => ({ DATABASE_URL: `${app.databaseUrl}_gone` })],
  ])(
    'requests return 503 {detail} with Retry-After, without details of the driver, if %s',
    async (_, variables) => {
      for (const [method, path, body] of [
        ['GET', shop.data('makers'), undefined],
        ['POST', shop.data('makers'), { name: 'x' }],
        ['POST', `${shop.api}/apps/`, { name: 'x' }],
        ['GET', '/api/users/me/', undefined],
        ['GET', '/readyz', undefined],
      ] as const) {
        const response = await worker.fetch(
          new Request(`http://localhost${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body ? { body: JSON.stringify(body) } : {}),
          }),
          { ...app.env, ...variables() },
          { waitUntil: () => undefined } as never,
        )
        expect([path, response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
          path,
          503,
          '2',
          { detail: 'The service is temporarily unavailable. Try again in a moment.', code: 'unavailable' },
        ])
      }
    },
  )
})

describe('text that Postgres cannot store', () => {
  it.each([
    ['\\u0000', 'Text may not contain the NUL character.'],
    ['\\ud800', 'Text may not contain a lone surrogate.'],
  ])('returns 400 and the field for %s', async (escaped, message) => {
    const answer = await app.request('POST', '/api/cloud/organizations/', {
      token,
      body: `{"name": "a${escaped}b"}`,
    })
    expect([answer.status, answer.body]).toEqual([400, { name: [message] }])
    const created = await app.request('POST', `${shop.api}/apps/`, {
      token,
      body: `{"name": "x", "description": "a${escaped}b"}`,
    })
    expect([created.status, created.body]).toEqual([400, { description: [message] }])
  })

  it('a body that is nested too deeply returns 400 everywhere', async () => {
    const deep = '['.repeat(2_000) + ']'.repeat(2_000)
    const paths = [
      `${shop.api}/apps/shop/datasources/`,
      `${shop.api}/apps/shop/datatables/create_schema/`,
      '/api/auth/jwt/token/',
      shop.data('makers'),
    ]
    for (const path of paths) {
      const body =
        '{"name": "x", "slug": "x", "provider_type": "flat_table", ' +
        `"provider_config": {"a": ${deep}}, "resources": ${deep}}`
      expect([path, (await app.request('POST', path, { token, body })).status]).toEqual([path, 400])
    }
  })

  it('a NUL character in a path returns 404', async () => {
    for (const path of [
      `${shop.api}/apps/%00/`,
      `${shop.api}/apps/shop/datasources/%00/`,
      `${shop.api}/apps/shop/datatables/%00/`,
      '/api/cloud/organizations/%00/',
      shop.data('%00'),
    ]) {
      const { status, body } = await app.request('GET', path, { token })
      expect([path, status, body]).toEqual([path, 404, { detail: 'Not found.', code: 'not_found' }])
    }
  })
})

describe('responses for browsers', () => {
  const policy =
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'"

  it('have the security headers, and those of the API are not cached', async () => {
    for (const [path, status] of [
      [`${shop.api}/apps/`, 200],
      ['/nope/', 404],
      ['/healthz', 200],
      [shop.data('nothing'), 404],
    ] as const) {
      const { headers, ...answer } = await app.request('GET', path, { token })
      expect([path, answer.status]).toEqual([path, status])
      expect(headers.get('content-security-policy')).toBe(policy)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('strict-transport-security')).toContain('max-age=')
      expect(headers.get('cache-control')).toBe(path.includes('/api/') ? 'no-store' : null)
    }
  })

  it('allow the API for listed origins, and for no others', async () => {
    const listed = await startApp({ CORS_ORIGINS: 'https://app.example.com, https://admin.example.com' })
    const preflight = (origin: string) =>
      listed.request('OPTIONS', '/api/users/me/', {
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      })
    const allowed = await preflight('https://app.example.com')
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example.com',
    ])
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    for (const origin of [
      'https://evil.example',
      'https://app.example.com.evil.example',
      'null',
      'http://app.example.com',
    ]) {
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull()
      expect(
        (await listed.request('GET', '/healthz', { headers: { origin } })).headers.get(
          'access-control-allow-origin',
        ),
      ).toBeNull()
    }
    expect(
      (
        await listed.request('GET', '/api/users/me/', { headers: { origin: 'https://app.example.com' } })
      ).headers.get('access-control-allow-origin'),
    ).toBe('https://app.example.com')
  })

  it('with a listed wildcard allow every port of this machine, and no other origin', async () => {
    const local = await startApp({
      CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*',
      PUBLIC_URL: 'http://127.0.0.1:8787',
    })
    const allowed = async (origin: string) =>
      (await local.request('GET', '/api/users/me/', { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      )
    for (const origin of ['http://localhost:5173', 'http://localhost', 'http://127.0.0.1:3000'])
      expect(await allowed(origin)).toBe(origin)
    const others = [
      'https://localhost:5173',
      'http://localhost.evil.example:80',
      'http://evil.example:5173',
      'http://localhost:*',
      'http://localhost:1/x',
      'null',
    ]
    for (const origin of others) expect([origin, await allowed(origin)]).toEqual([origin, null])
  })
})
