/** Lists of more than a megabyte are sent while they are read. Their text is that of short ones. R1. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop
const places: Record<'flat_table' | 'jsonb', (table: string) => string> = {
  flat_table: () => '',
  jsonb: () => '',
}

const [kinds, texts] = [
  {
    name: 'kinds',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
      ],
      primaryKey: 'id',
    },
  },
  {
    name: 'texts',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'count', type: 'integer' },
        { name: 'made_at', type: 'datetime' },
        { name: 'text', type: 'string' },
        { name: 'about', type: 'object' },
        { name: 'kind_id', type: 'integer' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'kind_id', reference: { resource: 'kinds', fields: 'id' } }],
    },
  },
]
const rows = 1_000
const signs = 'é€😀 "quoted" \\ \\n \n\t\u0001 {"a": [1, null]}, \n {'

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'longlists', { resources: [kinds, texts] })
  places.flat_table = shop.data
  places.jsonb = await addDocuments(app, shop, [kinds, texts])
  const body = Array.from({ length: rows }, (_, index) => ({
    id: index + 1,
    count: index % 3 === 0 ? '9007199254740993' : index,
    made_at: index % 4 === 0 ? null : `2024-01-01T00:00:00.${String(index).padStart(6, '0')}Z`,
    text: index % 5 === 0 ? null : `${index} ${signs.repeat(60)}`,
    about: { [signs]: [index, signs] },
    kind_id: 1 + (index % 3),
  }))
  for (const place of Object.values(places)) {
    const kind = [1, 2, 3].map((id) => ({ id, name: `Kind ${id} ${signs}` }))
    await send('POST', place('kinds'), kind)
    for (let first = 0; first < rows; first += 250)
      expect((await send('POST', place('texts'), body.slice(first, first + 250))).status).toBe(201)
  }
})

const send = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: shop.owner.token, ...(body === undefined ? {} : { body }) })

const inner = (text: string) => text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'))

/** Returns the records of the first pages, each of less than a megabyte, as the text of one page. */
async function inPages(path: string, query: string, pages: number, between = ', \n '): Promise<string> {
  const all: string[] = []
  for (let page = 0; page < pages; page++) {
    const { text } = await send('GET', `${path}?${query}&limit=100&offset=${100 * page}`)
    expect(text.length).toBeLessThan(700_000)
    all.push(inner(text))
  }
  return all.join(between)
}

describe.each(['flat_table', 'jsonb'] as const)('a list of more than a megabyte, %s', (kind) => {
  const path = () => places[kind]('texts')

  it.each([
    ['', ', \n '],
    ['populate=kind_id', ', '],
    ['fields=id,made_at,count,text', ', \n '],
    ['_sort=-count', ', \n '],
    ['_annotate=length(text) as n', ', \n '],
  ])('has the text of its records on short pages: %s', async (query, between) => {
    const { text, headers, body } = await send('GET', `${path()}?${query}&limit=1000&_total=exact`)
    expect(text.length).toBeGreaterThan(2_000_000)
    expect(inner(text) === (await inPages(path(), query, 10, between))).toBe(true)
    expect([headers.get('content-type'), headers.get('x-total-count')]).toEqual(['application/json', '1000'])
    expect(headers.get('server-timing')).toMatch(/desc="1"/)
    const meta = { offset: 0, limit: 1000, count: 1000, has_more: false, total_is: 'exact' }
    expect({ ...body, data: body.data.length }).toEqual({
      data: 1000,
      total: 1000,
      page: 1,
      page_size: 1000,
      meta,
    })
  })

  it('ends where its page does, and says that others follow', async () => {
    const { text, body } = await send('GET', `${path()}?limit=900&_total=none`)
    expect(inner(text) === (await inPages(path(), '', 9))).toBe(true)
    expect([body.total, body.meta.has_more, body.meta.total_is]).toEqual([null, true, 'none'])
  })

  it('has cursors, which lead to the records after it', async () => {
    const { text, body } = await send('GET', `${path()}?limit=900&after=`)
    expect(inner(text) === (await inPages(path(), '', 9))).toBe(true)
    const rest = await send('GET', `${path()}?limit=900&after=${body.meta.next}`)
    expect(rest.body.data.map(({ id }: { id: number }) => id)).toEqual(
      Array.from({ length: 100 }, (_, n) => 901 + n),
    )
  })

  it('is an array without its envelope', async () => {
    const { text } = await send('GET', `${path()}?limit=1000&_envelope=false`)
    expect(text === `[${await inPages(path(), '', 10)}]`).toBe(true)
  })

  it('has no body for HEAD, and the same headers', async () => {
    const { status, text, headers } = await send('HEAD', `${path()}?limit=1000&_total=exact`)
    expect([status, text, headers.get('x-total-count'), headers.get('content-type')]).toEqual([
      200,
      '',
      '1000',
      'application/json',
    ])
  })

  it('is 422 if it is too large, before anything is sent', async () => {
    const more = encodeURIComponent('concat(text, text, text, text) as more')
    const { status, body } = await send('GET', `${path()}?limit=1000&_annotate=${more}`)
    expect([status, body.code]).toEqual([422, 'answer_too_large'])
  })

  it('comes in parts, which are read only when the client reads', async () => {
    const response = await app.open('GET', `${path()}?limit=1000`, { token: shop.owner.token })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toBe('{"data":')
    expect((await reader.read()).value?.length).toBeLessThan(200_000)
    await reader.cancel()
  })
})
