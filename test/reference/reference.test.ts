import { Validator } from '@cfworker/json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { isPagePath } from '../../src/http/path.ts'
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
  it('200 with or without a tenant, without credentials: OpenAPI 3.1 of every endpoint', async () => {
    const { status, body, headers } = await app.request('GET', '/api/schema/')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Tessera', version: '1.0.0' } })
    expect((await app.request('GET', `${shop.api}/schema/`)).body).toEqual(body)
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/api/apps/{app}/datatables/{table}/data/', '/healthz', '/.well-known/jwks.json']),
    )
    expect(body.components.securitySchemes).toMatchObject({
      bearer: { scheme: 'bearer' },
      'api-key': { in: 'header' },
      session: { name: 'sessionid' },
    })
  })

  it('has every route of the application, but for the pages', async () => {
    const { body } = await app.request('GET', '/api/schema/')
    const { app: hono } = await import('../../src/app.ts')
    const routes = hono.routes
      .filter(({ method, path }) => method !== 'ALL' && !isPagePath(path) && !path.startsWith('/_dev/'))
      .map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`)
    const documented = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\/$/, '').replace(/\{(\w+)\}/g, ':$1')}`),
    )
    expect([...new Set(routes)].sort()).toEqual(documented.sort())
  })

  it('says of each operation which credentials it takes', async () => {
    const { body } = await app.request('GET', '/api/schema/')
    const security = (path: string, method: string) => body.paths[path][method].security
    expect(security('/api/auth/jwt/token/', 'post')).toEqual([])
    expect(security('/api/users/me/', 'get')).toEqual([{ bearer: [] }])
    expect(security('/api/auth/session/', 'delete')).toEqual([{ session: [] }])
    expect(security('/api/apps/{app}/datatables/{table}/data/', 'post')).toEqual([{ bearer: [] }, { 'api-key': [] }])
    expect(security('/api/apps/{app}/datatables/{table}/data/', 'get')).toEqual([{ bearer: [] }])
  })
})

describe('/api/docs/', () => {
  it('200 with a page made of files of this host alone', async () => {
    const { status, body, headers } = await app.request('GET', `${shop.api}/docs/`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    expect(body).toContain('data-document="/sites/described/api/schema/"')
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    for (const [, file] of body.matchAll(/(?:src|href)="(\/[^"]+\.\w+)"/g)) {
      const { status: found, headers: type } = await app.request('GET', file)
      expect([file, found, type.get('x-content-type-options')]).toEqual([file, 200, 'nosniff'])
    }
  })
})

describe('/api/apps/{app}/schema/', () => {
  const read = async () => (await app.request('GET', `${shop.api}/apps/shop/schema/`, { token })).body

  it("200 with that app's tables as typed paths, and the hash of each schema", async () => {
    const body = await read()
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/api/apps/shop/datatables/products/data/', '/api/apps/shop/datatables/makers/data/{record}/']),
    )
    expect(JSON.stringify(body.paths)).not.toMatch(/\{app\}|\{table\}|schemas\/(Any|New)Record"/)
    expect(body.servers).toEqual([{ url: '/sites/described' }])
    const [table] = await app.sql<{ schema_hash: string }>(`select schema_hash from ${shop.schema}._datatables where name = 'products'`)
    // Beyond ±(2^53−1) it is a string of digits. R6.
    const integer = { type: ['integer', 'string'], pattern: '^-?[0-9]+$' }
    expect(body.components.schemas['products.Record']).toEqual({
      type: 'object',
      'x-schema-hash': table?.schema_hash,
      properties: {
        id: integer,
        sku: { type: 'string', pattern: '^[A-Z]+-[0-9]+$' },
        price: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        stock: { anyOf: [integer, { type: 'null' }] },
        maker_id: { anyOf: [integer, { type: 'null' }] },
        released_on: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        is_deleted: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      },
      required: ['id', 'sku', 'price', 'stock', 'maker_id', 'released_on', 'is_deleted'],
    })
    expect(body.components.schemas['products.NewRecord']).toMatchObject({ required: ['sku'], additionalProperties: false })
  })

  it('what the API answers is what it says', async () => {
    const { components } = await read()
    const valid = (name: string, value: unknown) =>
      new Validator({ $ref: `#/components/schemas/${name}`, components } as object, '2020-12').validate(value).valid
    const sent = { sku: 'A-1', price: 2.5, released_on: '2026-01-31' }
    expect(valid('products.NewRecord', sent)).toBe(true)
    expect(valid('products.NewRecord', { price: -1 })).toBe(false)
    const created = await app.request('POST', shop.data('products'), { token, body: sent })
    expect(valid('products.Record', created.body.data)).toBe(true)
    expect(valid('makers.Record', created.body.data)).toBe(false)
  })

  it('has the edges of tables that have such, with the types of their ends and names, and none of the others', async () => {
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
    const made = await app.request('POST', edges, { token, body: [{ from_id: a.id, to_id: b.id, type: 'parent' }] })
    const edge = new Validator({ $ref: '#/components/schemas/rooms.Edge', components } as object, '2020-12')
    expect([made.status, edge.validate(made.body.results[0]).valid, edge.validate({ ...made.body.results[0], type: 'boss' }).valid]).toEqual([
      201,
      true,
      false,
    ])
    expect(JSON.stringify(paths)).not.toMatch(/schemas\/(New)?Edge"/)
  })

  it('has the filters of a table as shared parameters with their types, and every parameter with a description', async () => {
    const { components, paths } = await read()
    const list = paths['/api/apps/shop/datatables/products/data/'].get
    expect(list.parameters).toContainEqual({ $ref: '#/components/parameters/products.price__gte' })
    expect(components.parameters['products.price__gte']).toEqual({
      name: 'price__gte',
      in: 'query',
      description: '`price` is this or more.',
      schema: { type: 'number' },
    })
    expect(components.parameters['products.sku__in']).toMatchObject({ explode: false, schema: { type: 'array', items: { type: 'string' } } })
    expect(components.parameters).not.toHaveProperty(['products.price__icontains'])
    const answer = await app.request('GET', `${shop.data('products')}?price__gte=2&sku__in=A-1,A-2&price__null=false`, { token })
    expect(answer.status).toBe(200)
    expect(Object.entries<{ description?: string }>(components.parameters).filter(([, { description }]) => !description)).toEqual([])
  })

  it('has trees and graphs, and what asks for them, only where a table has edges', async () => {
    const { paths } = await read()
    const read200 = (table: string, record = '') => {
      const { parameters, responses } = paths[`/api/apps/shop/datatables/${table}/data/${record}`].get
      const names = parameters.map(({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('.') + 1))
      return [Object.keys(responses[200].content), names.filter((name: string) => ['format', 'include', 'depth', 'filters'].includes(name))]
    }
    const form = (name: string) => `application/json;profile=${name}`
    expect(read200('products')).toEqual([['application/json', form('aggregate'), form('group')], ['filters']])
    expect(read200('products', '{record}/')).toEqual([['application/json'], []])
    expect(read200('rooms')[0]).toEqual(['application/json', form('aggregate'), form('group'), form('tree'), form('graph')])
    expect(read200('rooms', '{record}/')).toEqual([
      ['application/json', form('include'), form('tree'), form('graph')],
      expect.arrayContaining(['format', 'include', 'depth', 'filters']),
    ])
  })
})
