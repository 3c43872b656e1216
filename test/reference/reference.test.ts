/** The OpenAPI documents of the API and of an app, and the pages that show them. W3. */
import { Validator } from '@cfworker/json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { issueSession } from '../../src/kernel/access/tokens.ts'
import { configOf } from '../../src/kernel/env.ts'
import { methodsOfPatterns } from '../../src/kernel/http/path-patterns.ts'
import { isPagePath } from '../../src/kernel/http/routed-path.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { addTables, createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let token: string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'described')
  token = shop.owner.token
})

describe('/api/schema/', () => {
  it('returns 200 with an OpenAPI 3.1 document, with and without a tenant, without credentials', async () => {
    const { status, body, headers } = await app.request('GET', '/api/schema/')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Tessera', version: '1.0.0' } })
    expect((await app.request('GET', `${shop.api}/schema/`)).body).toEqual(body)
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/apps/{app}/datatables/{table}/data/',
        '/healthz',
        '/.well-known/jwks.json',
      ]),
    )
    expect(body.components.securitySchemes).toMatchObject({
      bearer: { scheme: 'bearer' },
      'api-key': { in: 'header' },
      session: { name: 'sessionid' },
    })
  })

  it('documents every route of the application except pages', async () => {
    const { body } = await app.request('GET', '/api/schema/')
    const { app: hono, loadRoutes } = await import('../../src/app.ts')
    const routes = await loadRoutes()
    const { docsPages } = await import('../../src/operation/docs/routes.tsx')
    const isPage = (path: string) =>
      isPagePath(path) ||
      ['/', '/metrics'].includes(path) ||
      /^\/(_dev|console)(\/|$)/.test(path) ||
      docsPages.some((one) => one.path === path)
    const isAnswered405 = new Set(methodsOfPatterns(routes).map(({ method, path }) => `${method} ${path}`))
    const mounted = hono.routes
      .filter(({ method, path }) => method !== 'ALL' && !isPage(path))
      .filter(({ method, path }) => !isAnswered405.has(`${method} ${path}`))
      .map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`)
    const documented = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\/$/, '').replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    )
    expect([...new Set(mounted)].sort()).toEqual(documented.sort())
  })

  it('says which credentials each operation accepts', async () => {
    const { body } = await app.request('GET', '/api/schema/')
    const security = (path: string, method: string) => body.paths[path][method].security
    expect(security('/api/auth/jwt/token/', 'post')).toEqual([])
    expect(security('/api/users/me/', 'get')).toEqual([{ bearer: [] }])
    expect(security('/api/auth/session/', 'delete')).toEqual([{ session: [] }])
    expect(security('/api/apps/{app}/datatables/{table}/data/', 'post')).toEqual([
      { bearer: [] },
      {},
      { 'api-key': [] },
    ])
    expect(security('/api/apps/{app}/access/', 'get')).toEqual([{ bearer: [] }])
  })
})

describe('/api/docs/', () => {
  const cookie = async (user = shop.owner) =>
    `sessionid=${await issueSession(configOf(app.env), await app.identity(user))}`
  const open = async (path: string, headers: Record<string, string> = {}) =>
    app.request('GET', `${shop.api}/docs/${path}`, { headers })

  it.each(['', 'listRecords/'])(
    'returns 200 for the page %j, which loads files only from this host and has no inline scripts and styles',
    async (path) => {
      const { status, body, headers } = await open(path)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
      expect(body).not.toMatch(/(src|href)="(https?:)?\/\//)
      expect(body).not.toMatch(/<style|style="|<script(?! src=")| on\w+="/)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
          "frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
      )
      for (const [, file] of body.matchAll(/(?:src|href)="(\/[^"/]+\.\w+)"/g)) {
        const { status: found, headers: type } = await app.request('GET', file)
        expect([file, found, type.get('x-content-type-options')]).toEqual([file, 200, 'nosniff'])
      }
    },
  )

  it('has a page for every operation, and the first page links to it', async () => {
    const { body: document } = await app.request('GET', '/api/schema/')
    const { body: overview } = await open('')
    const ids = Object.values<object>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId as string),
    )
    for (const id of ids) {
      expect(overview).toContain(`href="/sites/described/api/docs/${id}/"`)
      expect([id, (await open(`${id}/`)).status]).toEqual([id, 200])
    }
    expect((await open('nothing/')).status).toBe(404)
  })

  it('has chapters in the order of the documentation', async () => {
    const { body } = await open('')
    const titles = [...body.matchAll(/<h2>(.*?)<\/h2><p>Guide: <a href="(.*?)">/g)].map(([, title]) => title)
    expect(titles).toEqual([
      'Conventions',
      'Sign-in',
      'Organizations and sites',
      'Invitations',
      'Directories',
      'Secrets',
      'Apps and tables',
      'Queries',
      'Questions and dashboards',
      'Graphs',
      'Functions and events',
      'Tenants',
    ])
  })

  it('asks for a session for the reference of an app, and returns 403 without access and 404 for an unknown app', async () => {
    const signedOut = await open('apps/shop/')
    expect(signedOut.status).toBe(401)
    expect(signedOut.body).toContain('next=%2Fsites%2Fdescribed%2Fapi%2Fdocs%2Fapps%2Fshop%2F')
    const stranger = await cookie(await app.user('reference-stranger'))
    expect((await open('apps/shop/', { cookie: stranger })).status).toBe(403)
    expect((await open('apps/none/', { cookie: stranger })).status).toBe(403)
    expect((await open('apps/none/', { cookie: await cookie() })).status).toBe(404)
  })

  it('shows in the reference of an app its tables and the filters of their fields', async () => {
    const headers = { cookie: await cookie() }
    expect((await open('', headers)).body).toContain('href="/sites/described/api/docs/apps/shop/"')
    const { status, body } = await open('apps/shop/', headers)
    expect([status, body.includes('/api/apps/shop/datatables/products/data/')]).toEqual([200, true])
    const list = await open('apps/shop/listRecords_products/', headers)
    expect(list.status).toBe(200)
    expect(list.body).toContain('<option value="price__lt"')
    expect(list.body).toContain('data-path="/sites/described/api/apps/shop/datatables/products/data/"')
    expect(list.body).toContain('Signed in as described-owner.')
  })

  it('shows the pages of a signed-out reader if the session has ended', async () => {
    const ended = await cookie(await app.user('reference-ended'))
    await app.sql(`update users set generation = generation + 1 where username = 'reference-ended'`)
    const { status, body } = await open('', { cookie: ended })
    expect([status, body.includes('Sign in</a> to try operations here')]).toEqual([200, true])
    expect((await open('', { cookie: 'sessionid=nonsense' })).status).toBe(200)
  })

  it('never turns texts of an app into HTML', async () => {
    await addTables(app, shop, [
      {
        name: 'crafted',
        schema: {
          fields: [{ name: 'id', type: 'integer', description: '<img src=x onerror=alert(1)>' }],
          primaryKey: 'id',
          description: '</p><script>alert(1)</script>',
        },
      },
    ])
    const headers = { cookie: await cookie() }
    for (const path of ['apps/shop/', 'apps/shop/createRecord_crafted/']) {
      const { status, body } = await open(path, headers)
      expect([path, status]).toEqual([path, 200])
      expect(body).not.toMatch(/<img src=x|<script>/)
      expect(body).toContain('&lt;')
    }
  })
})

describe('/api/apps/{app}/schema/', () => {
  const read = async () => (await app.request('GET', `${shop.api}/apps/shop/schema/`, { token })).body

  const readTables = (tables: string, headers = {}) =>
    app.request('GET', `${shop.api}/apps/shop/schema/?tables=${tables}`, { token, headers })

  it('returns 400 for a table that the app does not have', async () => {
    for (const unknown of ['boats', 'products,boats', 'products,']) {
      const { status, body } = await readTables(unknown)
      const name = unknown.split(',').at(-1)
      expect([status, body]).toEqual([400, { tables: [`The app has no table "${name}".`] }])
    }
  })

  it('is about the tables of `tables` alone', async () => {
    const all = await read()
    const { body } = await readTables('makers')
    const own = '/api/apps/shop/datatables/makers/'
    const others = Object.keys(body.paths).filter((path) => !path.startsWith(own))
    expect(others).toEqual(['/api/apps/shop/batch/'])
    expect(body.paths[`${own}data/`]).toEqual(all.paths[`${own}data/`])
    expect(Object.keys(body.components.parameters).filter((name) => name.startsWith('products.'))).toEqual([])
    expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify(all).length)
    // New products can contain a new maker.
    const { schemas } = (await readTables('products')).body.components
    expect(schemas).toHaveProperty(['makers.NewRecord'])
    expect(schemas).not.toHaveProperty(['makers.Record'])
  })

  it('has an ETag, which changes with the schema of a table', async () => {
    const path = `${shop.api}/apps/shop/schema/`
    const tagOf = async (query = '') =>
      (await app.request('GET', `${path}${query}`, { token })).headers.get('etag') ?? ''
    const before = await tagOf()
    expect(before).toMatch(/^"[0-9a-f]{64}"$/)
    expect([await tagOf(), await tagOf('?tables=makers')]).toEqual([
      before,
      expect.not.stringContaining(before),
    ])
    const again = () => app.request('GET', path, { token, headers: { 'if-none-match': before } })
    const same = await again()
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', before])
    await addTables(app, shop, [{ name: 'tagged', schema: { fields: [{ name: 'id', type: 'integer' }] } }])
    const changed = await again()
    expect([changed.status, changed.headers.get('etag') === before]).toEqual([200, false])
  })

  it('has the tables of the app as typed paths, with the hash of each schema', async () => {
    const body = await read()
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/apps/shop/datatables/products/data/',
        '/api/apps/shop/datatables/makers/data/{record}/',
      ]),
    )
    expect(JSON.stringify(body.paths)).not.toMatch(/\{app\}|\{table\}|schemas\/(Any|New)Record"/)
    expect(body.servers).toEqual([{ url: '/sites/described' }])
    const [table] = await app.sql<{ schema_hash: string }>(
      `select schema_hash from tenant._datatables where name = 'products'`,
    )
    // An integer beyond ±(2^53−1) is a string of digits. R6.
    const integer = { type: ['integer', 'string'], pattern: '^-?[0-9]+$' }
    expect(body.components.schemas['products.Record']).toEqual({
      type: 'object',
      'x-schema-hash': table?.schema_hash,
      'x-primary-key': ['id'],
      'x-relationships': { maker: { to: 'one', table: 'makers', nullable: true } },
      'x-history': false,
      properties: {
        id: { ...integer, 'x-type': 'integer' },
        sku: { type: 'string', pattern: '^[A-Z]+-[0-9]+$', 'x-type': 'string' },
        price: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }], 'x-type': 'number' },
        stock: { anyOf: [integer, { type: 'null' }], 'x-type': 'integer' },
        maker_id: { anyOf: [integer, { type: 'null' }], 'x-type': 'integer' },
        released_on: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], 'x-type': 'date' },
        is_deleted: { anyOf: [{ type: 'boolean' }, { type: 'null' }], 'x-type': 'boolean' },
      },
      required: ['id', 'sku', 'price', 'stock', 'maker_id', 'released_on', 'is_deleted'],
    })
    expect(body.components.schemas['products.NewRecord']).toMatchObject({
      required: ['sku'],
      additionalProperties: false,
    })
  })

  it('has schemas that match the answers of the API', async () => {
    const { components } = await read()
    const valid = (name: string, value: unknown) =>
      new Validator({ $ref: `#/components/schemas/${name}`, components } as object, '2020-12').validate(value)
        .valid
    const sent = { sku: 'A-1', price: 2.5, released_on: '2026-01-31' }
    expect(valid('products.NewRecord', sent)).toBe(true)
    expect(valid('products.NewRecord', { price: -1 })).toBe(false)
    const created = await app.request('POST', shop.data('products'), { token, body: sent })
    expect(valid('products.Record', created.body.data)).toBe(true)
    expect(valid('makers.Record', created.body.data)).toBe(false)
  })

  it('has the related records that a new record can contain', async () => {
    const { components } = await read()
    const one = { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/makers.NewRecord' }] }
    const many = { type: 'array', items: { $ref: '#/components/schemas/makers.NewRecord.products' } }
    expect(components.schemas['products.NewRecord'].properties.maker).toEqual(one)
    expect(components.schemas['makers.NewRecord'].properties.products).toMatchObject(many)
    const problems = (name: string, value: unknown) =>
      new Validator({ $ref: `#/components/schemas/${name}`, components } as object, '2020-12').validate(value)
        .errors.length
    const inside = { name: 'Inside', products: [{ sku: 'I-1' }, { sku: 'I-2', price: 1 }] }
    expect(problems('makers.NewRecord', inside)).toBe(0)
    expect(problems('products.NewRecord', { sku: 'I-3', maker: { name: 'Other' } })).toBe(0)
    expect(problems('makers.NewRecord', { ...inside, products: [{ price: 1 }] })).toBeGreaterThan(0)
    expect(problems('makers.NewRecord.products', { sku: 'I-1', maker_id: 1 })).toBeGreaterThan(0)
    expect(problems('products.RecordReplacement', { sku: 'I-3', maker: {} })).toBeGreaterThan(0)
    expect((await app.request('POST', shop.data('makers'), { token, body: inside })).status).toBe(201)
  })

  it('has typed edges only for tables with edges', async () => {
    const fields = [{ name: 'id', type: 'uuid' }]
    await addTables(app, shop, [{ name: 'rooms', schema: { fields, hierarchy: true } }])
    const { components, paths } = await read()
    expect(Object.keys(paths).filter((path) => path.includes('/edges/'))).toEqual([
      '/api/apps/shop/datatables/rooms/edges/',
      '/api/apps/shop/datatables/rooms/edges/{edge}/',
    ])
    expect(components.schemas['rooms.NewEdge']).toEqual({
      type: 'object',
      properties: {
        from_id: { type: 'string', format: 'uuid' },
        to_id: { type: 'string', format: 'uuid' },
        type: { type: 'string', enum: ['parent'] },
        metadata: { type: 'object' },
      },
      required: ['from_id', 'to_id', 'type'],
    })
    const [a, b] = (await app.request('POST', shop.data('rooms'), { token, body: [{}, {}] })).body.data
    const edges = `${shop.api}/apps/shop/datatables/rooms/edges/`
    const made = await app.request('POST', edges, {
      token,
      body: [{ from_id: a.id, to_id: b.id, type: 'parent' }],
    })
    const edge = new Validator({ $ref: '#/components/schemas/rooms.Edge', components } as object, '2020-12')
    expect([
      made.status,
      edge.validate(made.body.results[0]).valid,
      edge.validate({ ...made.body.results[0], type: 'boss' }).valid,
    ]).toEqual([201, true, false])
    expect(JSON.stringify(paths)).not.toMatch(/schemas\/(New)?Edge"/)
  })

  it('has typed filters as shared parameters, and a description of every parameter', async () => {
    const { components, paths } = await read()
    const list = paths['/api/apps/shop/datatables/products/data/'].get
    expect(list.parameters).toContainEqual({ $ref: '#/components/parameters/filter.number.price__gte' })
    expect(components.parameters['filter.number.price__gte']).toEqual({
      name: 'price__gte',
      in: 'query',
      schema: { $ref: '#/components/schemas/number.gte' },
    })
    expect(components.schemas['number.gte']).toEqual({
      type: 'number',
      description: 'The field is greater than or equal to this value.',
    })
    expect(components.parameters['filter.string.sku__in']).toMatchObject({ explode: false })
    expect(components.schemas['string.in']).toMatchObject({ type: 'array', items: { type: 'string' } })
    expect(components.parameters).not.toHaveProperty(['filter.number.price__icontains'])
    const answer = await app.request(
      'GET',
      `${shop.data('products')}?price__gte=2&sku__in=A-1,A-2&price__null=false`,
      { token },
    )
    expect(answer.status).toBe(200)
    expect(
      Object.entries<{ description?: string; schema: { $ref?: string } }>(components.parameters).filter(
        ([, { description, schema }]) =>
          !(description ?? components.schemas[schema.$ref?.split('/').at(-1) ?? '']?.description),
      ),
    ).toEqual([])
  })

  it('has versions and as_of only for tables with a history', async () => {
    const fields = [{ name: 'id', type: 'uuid' }]
    await addTables(app, shop, [{ name: 'dated', schema: { fields, history: true } }])
    const { components, paths } = await read()
    const data = '/api/apps/shop/datatables/dated/data/{record}/'
    expect(Object.keys(paths).filter((path) => path.startsWith(data) && path !== data)).toEqual([
      `${data}history/`,
      `${data}restore/{version}/`,
    ])
    expect(Object.keys(paths).filter((path) => path.includes('/products/data/{record}/'))).toHaveLength(1)
    const version = components.schemas['dated.RecordVersion']
    expect(JSON.stringify(version.properties.record)).toContain('#/components/schemas/dated.Record"')
    const hasAsOf = (table: string) =>
      paths[`/api/apps/shop/datatables/${table}/data/`].get.parameters.some(({ $ref }: { $ref: string }) =>
        $ref.endsWith('.as_of'),
      )
    expect(['dated', 'products'].map(hasAsOf)).toEqual([true, false])
  })

  it('has trees, graphs and their parameters only for tables with edges', async () => {
    const { paths } = await read()
    const read200 = (table: string, record = '') => {
      const { parameters, responses } = paths[`/api/apps/shop/datatables/${table}/data/${record}`].get
      const names = parameters.map(({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('.') + 1))
      return [
        Object.keys(responses[200].content),
        names.filter((name: string) => ['format', 'include', 'depth', 'filters'].includes(name)),
      ]
    }
    const form = (name: string) => `application/json;profile=${name}`
    expect(read200('products')).toEqual([['application/json', form('aggregate'), form('group')], ['filters']])
    expect(read200('products', '{record}/')).toEqual([['application/json'], []])
    expect(read200('rooms')[0]).toEqual([
      'application/json',
      form('aggregate'),
      form('group'),
      form('tree'),
      form('graph'),
    ])
    expect(read200('rooms', '{record}/')).toEqual([
      ['application/json', form('include'), form('tree'), form('graph')],
      expect.arrayContaining(['format', 'include', 'depth', 'filters']),
    ])
  })
})
