/** The code of an error, at each kind of door: as a header, and as a member of bodies with fixed members. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { addRows, createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop
let token: string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'coded')
  token = shop.owner.token
  await addRows(app, shop, { products: [{ id: 1, sku: 'LAMP-1', price: 90 }] })
})

type Options = Parameters<TestApp['request']>[2]

/** Sends a request as the owner. `path` is below the API of the site, or whole. */
const ask = (method: string, path: string, options: Options = {}) =>
  app.request(method, path.startsWith('/') ? path : `${shop.api}/${path}`, { token, ...options })

const codeOf = ({ headers }: { headers: Headers }) => headers.get('x-error-code')

describe('the code of an error', () => {
  it.each<[what: string, method: string, path: string, options: Options, status: number, body: object]>([
    ['an unknown path', 'GET', 'nope/', {}, 404, { detail: 'Not found.', code: 'not_found' }],
    ['a wrong method', 'POST', '/healthz', {}, 405, { code: 'method_not_allowed' }],
    ['no credentials', 'GET', 'apps/', { token: '' }, 401, { code: 'not_authenticated' }],
    ['a body that is not JSON', 'POST', 'apps/', { body: '{' }, 400, { code: 'malformed_body' }],
    [
      'another media type',
      'POST',
      'apps/',
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      415,
      { code: 'unsupported_media_type' },
    ],
    [
      'a record',
      'POST',
      'apps/shop/datatables/products/data/',
      { body: { sku: 1 } },
      400,
      { error: 'Validation failed', details: expect.any(Object), code: 'validation_failed' },
    ],
    [
      'a secret',
      'GET',
      'secrets/NONE/',
      {},
      404,
      { error: 'Secret not found', detail: expect.any(String), code: 'secret_not_found' },
    ],
    ['the path of a tag', 'GET', 'tags/none/', {}, 404, { error: 'Tag not found', code: 'not_found' }],
    [
      'the fields of a secret',
      'POST',
      'secrets/',
      { body: {} },
      400,
      { error: 'Validation failed', detail: expect.any(Object), code: 'validation_failed' },
    ],
    [
      'an event',
      'GET',
      'apps/shop/events/SUNRISE/',
      {},
      400,
      { success: false, message: expect.any(String), code: 'validation_failed' },
    ],
  ])('is in the header and the body of %s', async (_, method, path, options, status, body) => {
    const answer = await ask(method, path, options)
    expect(answer).toMatchObject({ status, body })
    expect(codeOf(answer)).toBe(answer.body.code)
  })

  it('is only in the header if the members of the body are names of fields, of which one may be "code"', async () => {
    const missing = await ask('POST', 'apps/', { body: {} })
    expect([missing.status, missing.body, codeOf(missing)]).toEqual([
      400,
      { name: ['This field is required.'] },
      'validation_failed',
    ])
    const broken = await ask('POST', 'apps/shop/functions/', {
      body: { name: 'broken', execution_mode: 'app', code: 'export default {' },
    })
    expect([broken.status, broken.body, codeOf(broken)]).toEqual([
      400,
      { code: [expect.any(String)] },
      'validation_failed',
    ])
  })

  it('is only in the header of SCIM, of the Model Context Protocol, and of a page', async () => {
    const { slug } = (await ask('GET', '/api/cloud/organizations/')).body.results[0]
    const scim = await ask('GET', `/api/cloud/organizations/${slug}/scim/v2/Users/`, { token: 'tsc_none' })
    expect([scim.status, Object.keys(scim.body).sort(), codeOf(scim)]).toEqual([
      401,
      ['detail', 'schemas', 'status'],
      'invalid_credentials',
    ])
    const mcp = await ask('POST', 'mcp/', {
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      headers: { 'mcp-protocol-version': 'none' },
    })
    expect([mcp.status, mcp.body.jsonrpc, mcp.body.code, codeOf(mcp)]).toEqual([
      400,
      '2.0',
      undefined,
      'invalid_message',
    ])
    const page = await ask('GET', '/accounts/nowhere/', { token: '' })
    expect([page.status, page.headers.get('content-type'), codeOf(page)]).toEqual([
      404,
      'text/html; charset=UTF-8',
      'not_found',
    ])
  })

  it('is in the body of each record that a bulk write refuses', async () => {
    const { status, body } = await ask('POST', 'apps/shop/datatables/products/data/?atomic=false', {
      body: [{ sku: 'LAMP-1', price: 1 }, { price: 'x' }],
    })
    expect([status, body.failed.map(({ code }: { code: string }) => code)]).toEqual([
      207,
      ['duplicate_value', 'validation_failed'],
    ])
  })

  it('is repeated with a kept answer, also one that was kept before errors had codes', async () => {
    const repeat = () =>
      ask('POST', 'apps/shop/datatables/products/data/', {
        headers: { 'idempotency-key': 'once' },
        body: { sku: 'LAMP-1', price: 1 },
      })
    const first = await repeat()
    expect([first.status, codeOf(first), first.body.code]).toEqual([
      409,
      'duplicate_value',
      'duplicate_value',
    ])
    const again = await repeat()
    expect([again.headers.get('idempotency-replayed'), codeOf(again), again.body]).toEqual([
      'true',
      'duplicate_value',
      first.body,
    ])
    await app.sql(
      `update tenant._kept_answers
          set answer = ((answer::jsonb - 'code') || '{"headers": {}}') #- '{body,code}'`,
    )
    const older = await repeat()
    expect([older.headers.get('idempotency-replayed'), codeOf(older), older.body]).toEqual([
      'true',
      'duplicate_value',
      first.body,
    ])
  })

  it('can be read by pages of the origins in CORS_ORIGINS', async () => {
    const origin = 'https://pages.example'
    const { status, headers } = await app
      .with({ CORS_ORIGINS: origin })
      .request('GET', `${shop.api}/apps/`, { headers: { origin } })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, origin])
    expect(headers.get('access-control-expose-headers')?.split(',')).toContain('X-Error-Code')
  })
})
