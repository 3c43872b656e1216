/** Keys with commas, quotes and other signs, at every door that takes or returns a key. R7, R17. */
import { beforeAll, describe, expect, it } from 'vitest'
import { formatKey } from '../../../src/data/query/plan/keys.ts'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const awkward = [
  'x,y',
  '"',
  '""',
  '"x"',
  '"x","y"',
  'x"y',
  'x"y,z"',
  ',',
  ' x ',
  'x y',
  '%2C',
  '%',
  'a/b',
  '?q=1&r#s',
  "it's, 'so'",
  '[1,2]',
  '{"$": "a.b"}',
  'null',
  'true',
  '007',
  '1e3',
  '-',
  '+',
  '\\',
  'ü,日本',
  '\u{1F600}',
  'line\nbreak',
  '\t',
]

const note = { name: 'note', type: 'string' }
const text = (name: string) => ({ name, type: 'string' })
const resources = [
  {
    name: 'notes',
    schema: { fields: [text('id'), note], primaryKey: 'id', hierarchy: true },
  },
  {
    name: 'coded',
    schema: { fields: [text('code'), note], primaryKey: 'code' },
  },
  {
    name: 'pairs',
    schema: {
      fields: [text('a'), { name: 'b', type: 'integer' }, note],
      primaryKey: ['a', 'b'],
    },
  },
]

let both: BothProviders
beforeAll(async () => {
  both = await createInBothProviders('keys', resources, ['RECORD_UPDATE'])
})

/** Returns the requests of a provider. A table's paths begin with its name. */
const asking = (provider: (typeof providers)[number]) => {
  const call = async (method: string, path: string, body?: unknown) => {
    const [table, ...rest] = path.split('|')
    return await both.app.request(method, both.data[provider](table as string) + rest.join(''), {
      token: both.shop.owner.token,
      ...(body === undefined ? {} : { body }),
    })
  }
  const app = both.data[provider]('notes').replace(/datatables\/.*/, '')
  return { call, app }
}
const url = encodeURIComponent
/** Returns a value as lists of a query string write it, always in quotes. */
const listed = (value: string) => url(`"${value.replaceAll('"', '""')}"`)

describe.each(providers)('a key in a %s datasource', (provider) => {
  describe.each(awkward)('%j', (key) => {
    it('is the same value at every door, quoted only in URLs', async () => {
      const { call, app } = asking(provider)
      expect((await call('POST', 'notes|', { id: key, note: 'new' })).status).toBe(201)
      const record = { id: key, note: 'new' }
      expect((await call('GET', `notes|${url(formatKey([key]))}/`)).body).toEqual({ data: record })
      for (const filter of [
        `id__in=${listed(key)}`,
        `id__in=${listed(key)},other`,
        `id__in=other&id__in=${listed(key)}`,
        `id__between=${listed(key)},${listed(key)}`,
        `filters=${url(JSON.stringify({ id__in: [key] }))}`,
        `id=${url(key)}`,
      ])
        expect([filter, (await call('GET', `notes|?${filter}`)).body.data]).toEqual([filter, [record]])
      expect((await call('GET', `notes|?id__nin=${listed(key)}`)).body.data).toEqual([])
      const having = `_group_by=id&_aggregate=max(id) as top,count(*)&_having=top__eq=${listed(key)},count__gt=0`
      expect((await call('GET', `notes|?${having}`)).body.data).toEqual([{ id: key, top: key, count: 1 }])

      const many = await call('PATCH', 'notes|', [{ id: key, note: 'many' }])
      expect(many).toMatchObject({
        status: 200,
        body: { data: [{ id: key, note: 'many' }] },
      })
      const batch = [{ op: 'update', table: 'notes', id: key, data: { note: 'batch' } }]
      expect(
        await both.app.request('POST', `${app}batch/`, {
          token: both.shop.owner.token,
          body: batch,
        }),
      ).toMatchObject({
        status: 200,
        body: { data: [{ status: 200, data: { id: key, note: 'batch' } }] },
      })
      await both.queue.drain(both.app.env)
      const slug = provider === 'jsonb' ? 'heard-papers' : 'heard-shop'
      const told = (await both.owner.get(`/invocations/?function_slug=${slug}&page_size=100`)).body.results
      expect(
        told.slice(0, 2).map(({ params }: { params: { record_id: unknown } }) => params.record_id),
      ).toEqual([key, key])

      expect((await call('POST', 'notes|', { id: 'other' })).status).toBe(201)
      const edges = both.data[provider]('notes').replace(/data\/$/, 'edges/')
      const edge = [{ from_id: key, to_id: 'other', type: 'parent' }]
      expect(
        (
          await both.app.request('POST', edges, {
            token: both.shop.owner.token,
            body: edge,
          })
        ).status,
      ).toBe(201)
      const found = await both.app.request('GET', `${edges}?from_id=${listed(key)},absent`, {
        token: both.shop.owner.token,
      })
      expect(found.body.results).toMatchObject([{ from_id: key, to_id: 'other' }])

      const deleted = await call('DELETE', `notes|?ids=${listed(key)},other`)
      expect(deleted.body).toEqual({ deleted: 2, ids: [key, 'other'] })
    })

    it('stands in an array of changes under its own name or as id, and goes back as it was answered', async () => {
      const { call } = asking(provider)
      expect((await call('POST', 'coded|', { code: key })).status).toBe(201)
      const changed = await call('PATCH', 'coded|', [{ id: key, note: 'by id' }])
      expect(changed.body).toEqual({ data: [{ code: key, note: 'by id' }] })
      const { body } = await call('DELETE', `coded|?ids=${listed(key)}`)
      expect(body).toEqual({ deleted: 1, ids: [key] })
    })

    it('is an element of the array of a composite key', async () => {
      const { call, app } = asking(provider)
      expect((await call('POST', 'pairs|', { a: key, b: 7 })).status).toBe(201)
      expect((await call('GET', `pairs|${url(formatKey([key, '7']))}/`)).body.data).toMatchObject({
        a: key,
        b: 7,
      })
      const changed = await call('PATCH', 'pairs|', [{ id: [key, 7], note: 'many' }])
      expect(changed.body).toEqual({ data: [{ a: key, b: 7, note: 'many' }] })
      const batch = [{ op: 'update', table: 'pairs', id: [key, 7], data: { note: 'batch' } }]
      expect(
        (
          await both.app.request('POST', `${app}batch/`, {
            token: both.shop.owner.token,
            body: batch,
          })
        ).body,
      ).toEqual({
        data: [
          expect.objectContaining({
            status: 200,
            data: { a: key, b: 7, note: 'batch' },
          }),
        ],
      })
      const { body } = await call('DELETE', `pairs|?ids=${listed(key)},7`)
      expect(body).toEqual({ deleted: 1, ids: [[key, 7]] })
    })
  })

  it('that has several fields is 400 in JSON unless it is an array of its values', async () => {
    const { call } = asking(provider)
    const problem = 'rows[0]: Must be an array of the values of a, b.'
    for (const id of ['x,7', 7, null, ['x'], ['x', 7, 8], { a: 'x' }])
      expect(await call('PATCH', 'pairs|', [{ id, note: 'x' }])).toMatchObject({
        status: 400,
        body: { error: 'Validation failed', details: { id: [problem] }, code: 'validation_failed' },
      })
  })

  it('is a whole number however JSON writes it, in an array of changes and in a batch', async () => {
    const { call, app } = asking(provider)
    expect((await call('POST', 'pairs|', { a: 'whole', b: 700 })).status).toBe(201)
    for (const b of ['700.0', '7e2', '"700"']) {
      const changed = await call('PATCH', 'pairs|', `[{"id":["whole",${b}],"note":${JSON.stringify(b)}}]`)
      expect([changed.status, changed.body.data]).toEqual([200, [{ a: 'whole', b: 700, note: b }]])
      const body = `[{"op":"update","table":"pairs","id":["whole",${b}],"data":{"note":"batch"}}]`
      const batch = await both.app.request('POST', `${app}batch/`, { token: both.shop.owner.token, body })
      expect([batch.status, batch.body.data[0].data]).toEqual([200, { a: 'whole', b: 700, note: 'batch' }])
    }
    const fraction = '[{"op":"delete","table":"pairs","id":["whole",700.5]}]'
    const { status } = await both.app.request('POST', `${app}batch/`, {
      token: both.shop.owner.token,
      body: fraction,
    })
    expect(status).toBe(404)
  })

  it('is 400 in a list whose quotes are misplaced', async () => {
    const { call } = asking(provider)
    for (const parameter of ['id__in', 'id__nin', 'id__between'])
      expect(await call('GET', `notes|?${parameter}=${url('"x" y,z')}`)).toMatchObject({
        status: 400,
        body: {
          error: 'Validation failed',
          details: {
            [parameter]: [
              String.raw`"\"x\" y,z" has a misplaced quote. ` +
                'Quote values with commas or quotes, for example "a,""b""".',
            ],
          },
          code: 'validation_failed',
        },
      })
  })
})
