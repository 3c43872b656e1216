/** R12: optimistic concurrency. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
let token: string
/** The ETag of the product 1. */
let etag: string

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.request(method, `${shop.data('products')}${path}`, { token, body, headers })
const patch = (body: unknown, ifMatch: string) => call('PATCH', '1/', body, { 'if-match': ifMatch })
const stale = {
  error: 'Precondition failed',
  detail: 'The ETag of the record "1" of "products" does not match If-Match.',
  code: 'changed_meanwhile',
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'tagged')
  token = shop.owner.token
})

beforeEach(async () => {
  await app.sql(`delete from ${shop.schema}.shop_products`)
  etag = (await call('POST', '', { id: 1, sku: 'A-1', stock: 0 })).headers.get('etag') ?? ''
})

describe('the ETag of a record', () => {
  it('is the same on create, GET and HEAD, and changes with each write', async () => {
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect((await call('GET', '1/')).headers.get('etag')).toBe(etag)
    expect((await call('HEAD', '1/')).headers.get('etag')).toBe(etag)
    const tags = [etag]
    for (const body of [{ stock: 1 }, { stock: 1 }, {}, { stock: 0 }])
      tags.push((await call('PATCH', '1/', body)).headers.get('etag') ?? '')
    expect(new Set(tags).size).toBe(5)
    expect((await call('GET', '1/')).headers.get('etag')).toBe(tags[4])
    await app.sql(`vacuum (freeze) ${shop.schema}.shop_products`)
    expect((await call('GET', '1/')).headers.get('etag')).toBe(tags[4])
  })

  it('changes when the deletion of another record clears its reference', async () => {
    await app.request('POST', shop.data('makers'), { token, body: { id: 7, name: 'Gone' } })
    const before = await call('PATCH', '1/', { maker_id: 7 })
    await app.sql(`update ${shop.schema}.shop_products set maker_id = null`)
    const [old, now] = [before, await call('GET', '1/')].map(({ headers }) => headers.get('etag') ?? '')
    expect(now).toMatch(/^"[0-9a-f]{32}"$/)
    expect((await call('GET', '1/', undefined, { 'if-none-match': old ?? '' })).status).toBe(200)
    expect(await patch({ stock: 3 }, old ?? '')).toMatchObject({ status: 412, body: stale })
    expect((await patch({ stock: 3 }, now ?? '')).status).toBe(200)
  })

  it('in If-None-Match, also weak or in a list, returns 304 without a body; * matches any', async () => {
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await call('GET', '1/', undefined, { 'if-none-match': header })
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await call('GET', '1/', undefined, { 'if-none-match': '"x"' })).status).toBe(200)
    expect((await call('GET', '2/', undefined, { 'if-none-match': '*' })).status).toBe(404)
    await call('PATCH', '1/', { stock: 1 })
    expect((await call('GET', '1/', undefined, { 'if-none-match': etag })).status).toBe(200)
  })
})

describe('an ETag with fields', () => {
  it('differs for If-None-Match, but stands for the same state in If-Match', async () => {
    const path = '1/?fields=sku,stock'
    const chosen = (await call('GET', path)).headers.get('etag') ?? ''
    expect(chosen).toMatch(/^"[0-9a-f]{32}"$/)
    expect(chosen).not.toBe(etag)
    expect((await call('GET', path, undefined, { 'if-none-match': chosen })).status).toBe(304)
    expect((await call('GET', path, undefined, { 'if-none-match': etag })).status).toBe(200)
    expect((await patch({ stock: 3 }, chosen)).status).toBe(200)
    expect(await patch({ stock: 4 }, chosen)).toMatchObject({ status: 412, body: stale })
  })

  it('discloses nothing: equal states of other records and tables have other ETags', async () => {
    const body = [2, 3].map((id) => ({ id, sku: `A-${id}`, stock: 0 }))
    await app.request('POST', shop.data('products'), { token, body })
    const rows = await app.sql(`select xmin from ${shop.schema}.shop_products where id > 1`)
    const tag = (await call('GET', '2/?fields=id')).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    // The version is encrypted, and the fields are hashed with a key.
    expect(tag).not.toContain(Number(rows[0]?.xmin).toString(16).padStart(8, '0'))
    const other = await createShop(app, 'tagged-too')
    const path = `${other.data('products')}1/`
    await app.request('POST', other.data('products'), {
      token: other.owner.token,
      body: { id: 1, sku: 'A-1' },
    })
    const same = await app.request('GET', path, { token: other.owner.token })
    expect(same.body.data).toMatchObject({ id: 1, sku: 'A-1' })
    expect(new Set([same.headers.get('etag'), etag, tag]).size).toBe(3)
  })

  it('changes with the schema, but the old one still matches in If-Match', async () => {
    const changed = await createShop(app, 'tagged-later')
    const own = { token: changed.owner.token }
    const path = `${changed.data('makers')}1/`
    await app.request('POST', changed.data('makers'), { ...own, body: { id: 1, name: 'First' } })
    const before = (await app.request('GET', path, own)).headers.get('etag') ?? ''
    const address = changed.data('makers').replace(/data\/$/, '')
    const { json_schema } = (await app.request('GET', address, own)).body
    const fields = [...json_schema.fields, { name: 'motto', type: 'string' }]
    const body = { json_schema: { ...json_schema, fields } }
    expect((await app.request('PATCH', address, { ...own, body })).status).toBe(200)
    const after = await app.request('GET', path, { ...own, headers: { 'if-none-match': before } })
    expect([after.status, after.body.data]).toEqual([200, { id: 1, name: 'First', motto: null }])
    expect(after.headers.get('etag')).not.toBe(before)
    const written = await app.request('PATCH', path, { ...own, body: {}, headers: { 'if-match': before } })
    expect(written.status).toBe(200)
  })
})

describe('an ETag with populate', () => {
  it('is the ETag of the record itself; If-None-Match is ignored, because populated records may have changed', async () => {
    const answer = await call('GET', '1/?populate=maker', undefined, { 'if-none-match': etag })
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, etag])
  })
})

describe('If-None-Match', () => {
  it.each<[method: string, path: string, body?: object]>([
    ['PUT', '1/', { sku: 'A-1' }],
    ['PATCH', '1/', { stock: 9 }],
    ['DELETE', '1/'],
    ['PATCH', '', [{ id: 1, stock: 9 }]],
    ['DELETE', '?ids=1'],
    ['POST', '', { sku: 'N-2' }],
    ['POST', 'upsert/?unique_fields=id', { id: 1, stock: 9 }],
  ])(
    'returns 412 on %s %s, which could overwrite a record that must not exist',
    async (method, path, body) => {
      for (const header of ['*', '"x"'])
        expect(await call(method, path, body, { 'if-none-match': header })).toMatchObject({
          status: 412,
          body: {
            error: 'Precondition failed',
            detail: 'If-None-Match is only supported on reads. Nothing was changed.',
            code: 'if_match_not_supported',
          },
        })
      expect((await call('GET', '1/')).headers.get('etag')).toBe(etag)
    },
  )
})

describe('If-Match', () => {
  it('returns 412 for a write of several or new records, and nothing is written', async () => {
    const refused = {
      status: 412,
      body: {
        error: 'Precondition failed',
        detail: expect.stringContaining('single record'),
        code: 'if_match_not_supported',
      },
    }
    expect(await call('PATCH', '', [{ id: 1, stock: 7 }], { 'if-match': etag })).toMatchObject(refused)
    expect(await call('DELETE', '?ids=1', undefined, { 'if-match': etag })).toMatchObject(refused)
    expect(
      await call('POST', 'upsert/?unique_fields=id', { id: 1, stock: 7 }, { 'if-match': etag }),
    ).toMatchObject(refused)
    expect(await call('POST', '', { sku: 'N-1' }, { 'if-match': etag })).toMatchObject(refused)
    expect((await call('GET', '1/')).headers.get('etag')).toBe(etag)
    expect((await call('PATCH', '', [{ id: 1, stock: 0 }], { 'if-match': '*' })).status).toBe(200)
  })

  it.each(['"x"', '""', 'x', 'W/"x", "y"'])(
    'returns 412 on PATCH and DELETE for %s, and nothing changes',
    async (header) => {
      const [patched, deleted] = [
        await patch({ stock: 9 }, header),
        await call('DELETE', '1/', undefined, { 'if-match': header }),
      ]
      expect([patched.status, patched.body, deleted.status, deleted.body]).toEqual([412, stale, 412, stale])
      expect((await call('GET', '1/')).headers.get('etag')).toBe(etag)
    },
  )

  it('returns 412 for an earlier state', async () => {
    await patch({ stock: 1 }, etag)
    expect(await patch({ stock: 2 }, etag)).toMatchObject({ status: 412, body: stale })
    expect(await call('DELETE', '1/', undefined, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: stale,
    })
    expect(await call('DELETE', '1/?hard_delete=true', undefined, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: stale,
    })
  })

  it('returns 404 for a missing record, with any value', async () => {
    for (const header of ['*', etag]) {
      expect((await call('PATCH', '2/', {}, { 'if-match': header })).status).toBe(404)
      expect((await call('DELETE', '2/', undefined, { 'if-match': header })).status).toBe(404)
    }
  })

  it('accepts the current state: alone, weak, in a list, or as *', async () => {
    for (const spell of [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => `"x", ${tag}`,
      () => '*',
    ]) {
      const answer = await patch({ stock: 5 }, spell(etag))
      expect(answer.status).toBe(200)
      etag = answer.headers.get('etag') ?? ''
    }
    expect((await call('DELETE', '1/', undefined, { 'if-match': etag })).status).toBe(204)
  })

  it('lets one of 20 concurrent writes of the same state succeed, even if all write the same values', async () => {
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => patch({ stock: 0 }, etag)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)])
      etag = answers.find(({ status }) => status === 200)?.headers.get('etag') ?? ''
    }
    const last = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? patch({ stock: 1 }, etag) : call('DELETE', '1/', undefined, { 'if-match': etag }),
      ),
    )
    expect(last.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(last.filter(({ status }) => status !== 412 && status !== 404 && status >= 300)).toEqual([])
  })
})
