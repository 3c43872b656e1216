/** The versions of records: how they are listed and restored, and who may read them. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, grant, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

const resources = [
  {
    name: 'makers',
    schema: {
      fields: [
        { name: 'id', type: 'integer', constraints: { required: true } },
        { name: 'name', type: 'string', constraints: { required: true } },
      ],
      primaryKey: 'id',
      history: true,
    },
  },
  {
    name: 'parts',
    schema: {
      fields: [
        { name: 'code', type: 'string' },
        { name: 'price', type: 'number', constraints: { minimum: 0 } },
        { name: 'about', type: 'object' },
        { name: 'seen_at', type: 'datetime' },
        { name: 'maker_id', type: 'integer' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'code',
      foreignKeys: [
        {
          fields: 'maker_id',
          reference: { resource: 'makers', fields: 'id' },
          'x-actions': { onDelete: 'CASCADE' },
        },
      ],
      hierarchy: true,
      history: true,
    },
  },
  {
    name: 'notes',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'part_code', type: 'string' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'part_code', reference: { resource: 'parts', fields: 'code' } }],
    },
  },
]

let app: TestApp
let shop: Shop
let papers: (table: string) => string

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'versions', { resources })
  papers = await addDocuments(app, shop, resources)
})

const timestamp = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)

describe.each([
  ['flat_table', (table: string) => shop.data(table)],
  ['jsonb', (table: string) => papers(table)],
] as const)('the history of a %s table', (_provider, data) => {
  const send = async (method: string, path: string, body?: unknown, token = shop.owner.token) => {
    const { status, body: answer } = await app.request(method, path, {
      token,
      ...(body === undefined ? {} : { body }),
    })
    return [status, answer]
  }
  const parts = (path: string) => `${data('parts')}${path}`

  describe('returns', () => {
    it.each([
      ['as_of=yesterday', 'as_of', /^A date and time is required, for example .*; "yesterday" is not\.$/],
      ['as_of=2026-01-01', 'as_of', /^A date and time is required/],
      ['as_of=2026-02-30T00:00:00Z', 'as_of', /^A date and time is required/],
      ['as_of=infinity', 'as_of', /^A date and time is required/],
      ["as_of=2026-01-01T00:00:00Z'--", 'as_of', /^A date and time is required/],
      [
        'as_of=2026-01-01T00:00:00Z&as_of=2026-01-01T00:00:00Z',
        'as_of',
        /^This parameter may be given only once/,
      ],
      [
        'as_of=2026-01-01T00:00:00Z&populate=notes',
        'populate',
        /^"notes" has no history, so it cannot be read/,
      ],
      ['as_of=2026-01-01T00:00:00Z&populate=*', 'populate', /^"notes" has no history, so it cannot be read/],
      [
        'as_of=2026-01-01T00:00:00Z&fields=notes.id',
        'fields',
        /^"notes" has no history, so it cannot be read/,
      ],
      ['as_of=2026-01-01T00:00:00Z&notes.id=1', 'notes.id', /^"notes" has no history, so it cannot be read/],
      ['as_of=2026-01-01T00:00:00Z&include=both', 'as_of', /^Not possible with a traversal/],
    ])('400 for %s', async (query, parameter, message) => {
      const [status, body] = await send('GET', parts(`?${query}`))
      expect([status, body.error, body.details?.[parameter]]).toEqual([
        400,
        'Validation failed',
        [expect.stringMatching(message)],
      ])
    })

    it('400 for any other text as a time, and 400 or 404 for any other version', async () => {
      const texts = fc.sample(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), {
        numRuns: runs(30, 600),
      })
      for (const hostile of texts) {
        const [status, body] = await send('GET', parts(`?${new URLSearchParams({ as_of: hostile })}`))
        expect([status, Object.keys(body.details)]).toEqual([400, ['as_of']])
        const version = encodeURIComponent(hostile.toWellFormed())
        expect([400, 404]).toContain((await send('POST', parts(`none/restore/${version}x/`)))[0])
        expect([400, 404]).toContain((await send('GET', parts(`${version}x/history/`)))[0])
      }
    })

    it('400 for a table without a history', async () => {
      const [status, body] = await send('GET', `${data('notes')}?as_of=2026-01-01T00:00:00Z`)
      const detail =
        '"notes" has no history, so it cannot be read as of a time. Set "history": true in its schema.'
      expect([status, body]).toEqual([
        400,
        { error: 'Validation failed', details: { as_of: [detail] }, code: 'validation_failed' },
      ])
    })

    it('404 for a record without versions, and 422 for a table without a history', async () => {
      const noHistory = {
        error: 'No history',
        detail: '"notes" keeps no versions of its records. Set "history": true in its schema.',
        code: 'no_history',
      }
      expect(await send('GET', `${data('notes')}1/history/`)).toEqual([422, noHistory])
      expect(await send('POST', `${data('notes')}1/restore/1/`)).toEqual([422, noHistory])
      const notFound = {
        error: 'Record not found',
        detail: '"parts" has no record with the id "none".',
        code: 'record_not_found',
      }
      expect(await send('GET', parts('none/history/'))).toEqual([404, notFound])
      for (const version of ['1', '0', '-1', 'x', '99999999999999999999', "1'"])
        expect((await send('POST', parts(`none/restore/${encodeURIComponent(version)}/`)))[0]).toBe(404)
      expect((await send('GET', parts('none/history/?page=0')))[0]).toBe(400)
      expect((await send('GET', parts('none/history/?ordering=_data')))[0]).toBe(400)
      expect((await send('GET', parts('none/history/?operation=drop')))[0]).toBe(400)
    })
  })

  it('lists every version of a record, the newest first', async () => {
    await send('POST', data('makers'), { id: 1, name: 'Ada' })
    await send('POST', data('parts'), {
      code: 'a',
      price: 1.5,
      about: { size: 9007199254740991 },
      maker_id: 1,
    })
    await send('PATCH', parts('a/'), { price: 2, seen_at: '2026-01-01T10:00:00.25Z' })
    await send('POST', `${parts('upsert/')}?unique_fields=code`, [{ code: 'a', price: 3 }, { code: 'b' }])
    await send('DELETE', parts('a/?hard_delete=true'))
    const by = { id: shop.owner.id, username: shop.owner.username }
    const record = (price: number, seen: string | null) => ({
      code: 'a',
      price,
      about: { size: 9007199254740991 },
      seen_at: seen,
      maker_id: 1,
      is_deleted: false,
    })
    const seen = '2026-01-01T10:00:00.25Z'
    const [status, body] = await send('GET', parts('a/history/'))
    expect([status, body]).toEqual([
      200,
      {
        data: [
          { number: 4, operation: 'delete', changed: null, record: null },
          { number: 3, operation: 'update', changed: ['price'], record: record(3, seen) },
          { number: 2, operation: 'update', changed: ['price', 'seen_at'], record: record(2, seen) },
          { number: 1, operation: 'create', changed: null, record: record(1.5, null) },
        ].map((version, index) => ({
          ...version,
          changed_by: by,
          valid_from: timestamp,
          valid_to: index === 0 ? null : timestamp,
        })),
        total: 4,
        page: 1,
        page_size: 20,
      },
    ])
    const times = body.data.map(({ valid_from, valid_to }: Record<string, string>) => [valid_from, valid_to])
    for (const [index, [, to]] of times.entries()) if (index > 0) expect(to).toBe(times[index - 1][0])
    const [, page] = await send(
      'GET',
      parts('a/history/?page_size=1&page=2&ordering=number&operation=update'),
    )
    expect([page.total, page.data.map(({ number }: { number: number }) => number)]).toEqual([2, [3]])
  })

  it('reads a record as of a time, without an ETag', async () => {
    const [, { data: versions }] = await send('GET', parts('a/history/'))
    const prices: unknown[] = []
    for (const { valid_from } of versions) {
      const answer = await app.request('GET', parts(`a/?as_of=${valid_from}`), { token: shop.owner.token })
      prices.push(answer.body.data?.price ?? answer.status)
      expect(answer.headers.get('etag')).toBeNull()
    }
    expect(prices).toEqual([404, 3, 2, 1.5])
  })

  it('restores a deleted record with its key, and an earlier version of a current record', async () => {
    const dry = await send('POST', parts('a/restore/2/?dry_run=true'))
    expect([dry[0], dry[1].dry_run, dry[1].data.price]).toEqual([200, true, 2])
    expect((await send('GET', parts('a/')))[0]).toBe(404)
    const [status, body] = await send('POST', parts('a/restore/2/'))
    expect([status, body.data]).toEqual([
      200,
      {
        code: 'a',
        price: 2,
        about: { size: 9007199254740991 },
        seen_at: '2026-01-01T10:00:00.25Z',
        maker_id: 1,
        is_deleted: false,
      },
    ])
    expect((await send('POST', parts('a/restore/1/')))[1].data).toMatchObject({ price: 1.5, seen_at: null })
    expect(await send('POST', parts('a/restore/4/'))).toEqual([
      422,
      {
        error: 'Nothing to restore',
        detail: 'Version 4 is a deletion and has no record. Restore the version before it.',
        code: 'cannot_be_restored',
      },
    ])
    const [, { data: versions }] = await send('GET', parts('a/history/?ordering=number'))
    expect(versions.map(({ operation }: { operation: string }) => operation)).toEqual([
      'create',
      'update',
      'update',
      'delete',
      'create',
      'update',
    ])
  })

  it('refuses a restoration as it would refuse the change', async () => {
    const stale = await app.request('POST', parts('a/restore/2/'), {
      token: shop.owner.token,
      headers: { 'If-Match': '"none"' },
    })
    expect(stale.status).toBe(412)
    await send('DELETE', `${data('makers')}1/`)
    // The part was deleted with its maker, and needs the maker to be restored.
    const [status, body] = await send('POST', parts('a/restore/2/'))
    expect([status, body.error]).toEqual([400, 'Foreign key violation'])
    const [, { data: versions }] = await send('GET', parts('a/history/?page_size=1'))
    expect(versions[0]).toMatchObject({ operation: 'delete', changed_by: { id: shop.owner.id } })
    await send('POST', data('makers'), { id: 1, name: 'Ada' })
    expect((await send('POST', parts('a/restore/2/')))[0]).toBe(200)
  })

  it('restores a soft-deleted record', async () => {
    await send('POST', data('parts'), { code: 's', price: 7 })
    await send('DELETE', parts('s/'))
    expect((await send('GET', parts('s/')))[0]).toBe(404)
    expect((await send('POST', parts('s/restore/1/')))[1].data).toMatchObject({
      code: 's',
      is_deleted: false,
    })
    expect((await send('GET', parts('s/')))[0]).toBe(200)
  })
})

describe('access to the history', () => {
  it('returns 403 to a reader who restores a version, and to a stranger', async () => {
    const reader = await app.user('history-reader')
    const stranger = await app.user('history-stranger')
    await grant(app, shop, reader, ['access_site'])
    const as = async (method: string, path: string, token: string) =>
      (await app.request(method, `${shop.data('parts')}${path}`, { token })).status
    expect(await as('GET', 'a/history/', reader.token)).toBe(200)
    expect(await as('POST', 'a/restore/1/', reader.token)).toBe(403)
    expect(await as('GET', 'a/history/', stranger.token)).toBe(403)
    expect(await as('GET', '?as_of=2026-01-01T00:00:00Z', stranger.token)).toBe(403)
  })
})
