/** A text that is too long for an index returns 400, and the error names its field. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { addDocuments, createShop, type Shop } from '../support/fixtures.ts'

let app: TestApp
let shop: Shop

/** Returns text that does not compress. */
const random = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000))).join('')

const texts = {
  name: 'texts',
  schema: {
    fields: [
      { name: 'id', type: 'string' },
      { name: 'sku', type: 'string', constraints: { unique: true } },
      { name: 'a', type: 'string' },
      { name: 'b', type: 'string' },
      { name: 'free', type: 'string' },
      { name: 'coded', type: 'string', constraints: { pattern: '^a{0,250}b{0,250}c{0,250}d{0,250}$' } },
    ],
    primaryKey: 'id',
    indexes: [{ name: 'by_both', fields: ['a', 'b'] }],
    search_fields: ['free'],
    graph: { enabled: true, types: [{ name: 'to' }] },
  },
}
const message = 'The value is too long for an index, which takes about 2600 bytes.'
const places: Record<'flat_table' | 'jsonb', (table: string) => string> = {
  flat_table: () => '',
  jsonb: () => '',
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'long', { resources: [texts] })
  places.flat_table = shop.data
  places.jsonb = await addDocuments(app, shop, [texts])
})

const send = (method: string, path: string, body: unknown) =>
  app.request(method, path, { token: shop.owner.token, body })

describe.each(['flat_table', 'jsonb'] as const)('a text too long for an index, %s', (kind) => {
  const at = (rest = '') => `${places[kind]('texts')}${rest}`
  const rejected = async (method: string, path: string, body: unknown) => {
    const answer = await send(method, path, body)
    return [answer.status, answer.body]
  }
  const wrong = (details: Record<string, string[]>) => [
    400,
    { error: 'Validation failed', details, code: 'validation_failed' },
  ]

  it.each([1000, 4000])(
    'a unique text of %i characters returns 400 with its field, and with the row of a bulk creation',
    async (length) => {
      expect(await rejected('POST', at(), { sku: random(length), free: random(5000) })).toEqual(
        wrong({ sku: [message] }),
      )
      expect(await rejected('POST', at(), [{ sku: 'x' }, { sku: random(length) }])).toEqual(
        wrong({ sku: [`rows[1]: ${message}`] }),
      )
    },
  )

  it('the error of a primary key or of an index with several fields names all fields that are too long', async () => {
    expect(await rejected('POST', at(), { id: random(1000) })).toEqual(wrong({ id: [message] }))
    expect(await rejected('POST', at(), { a: random(600), b: random(600) })).toEqual(
      wrong({ a: [message], b: [message] }),
    )
    expect(await rejected('POST', at(), { a: 'short', b: random(1000) })).toEqual(wrong({ b: [message] }))
  })

  it('updates and upserts also return 400', async () => {
    await send('POST', at(), { id: 'known', sku: 'known' })
    expect(await rejected('PATCH', at('known/'), { sku: random(1000) })).toEqual(wrong({ sku: [message] }))
    expect(
      await rejected('POST', at('upsert/?unique_fields=id'), { id: 'known', sku: random(1000) }),
    ).toEqual(wrong({ sku: [message] }))
  })

  it.each([110_000, 125_000])(
    'a text of %i words, too long for the search, returns 400 and names the field',
    async (length) => {
      const words = Array.from({ length }, (_, index) => `w${index}`).join(' ')
      expect(await rejected('POST', at(), { free: words })).toEqual(
        wrong({ free: ['The text is too long to be searched: the limit is about a megabyte.'] }),
      )
    },
  )

  it('a searched text of more than a million characters returns 400 before its words are counted', async () => {
    const long = 'two words '.repeat(500_000)
    const tooLong = 'A text that is searched has at most 1000000 characters.'
    expect(await rejected('POST', at(), { free: long })).toEqual(wrong({ free: [tooLong] }))
    expect(await rejected('POST', at(), [{ free: 'x' }, { free: long }])).toEqual(
      wrong({ free: [`rows[1]: ${tooLong}`] }),
    )
    expect((await send('POST', at(), { free: long.slice(0, 1_000_000) })).status).toBe(201)
  })

  it('a value without an index can have any length', async () => {
    expect((await send('POST', at(), { free: random(5000) })).status).toBe(201)
  })

  it('a text that violates a pattern which only Postgres checks returns 400 and names the record', async () => {
    const coded = `${'a'.repeat(60_000)}`
    expect(await rejected('POST', at(), { coded })).toEqual(
      wrong({ coded: ['The value violates the rule "pattern".'] }),
    )
    expect(await rejected('POST', at(), [{ coded: 'ab' }, { coded }])).toEqual(
      wrong({ coded: ['rows[1]: The value violates the rule "pattern".'] }),
    )
  })

  it('an edge whose ends are too long for the index returns 400 and names the end', async () => {
    const [from, to] = [random(700), random(500)]
    expect((await send('POST', at(), [{ id: from }, { id: to }])).status).toBe(201)
    const edges = at().replace('/data/', '/edges/')
    expect(await rejected('POST', edges, [{ from_id: from, to_id: to, type: 'to' }])).toEqual(
      wrong({ from_id: [`rows[0]: ${message}`] }),
    )
  })
})
