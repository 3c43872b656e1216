/** Every operator finds the values of its example in Postgres. */
import { beforeAll, describe, expect, it } from 'vitest'
import { operators } from '../../../src/data/query/operators.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

const fieldOf = (type: string) => `a_${type}`
/** A word with each form of its last letter, and another word. */
const sigmas = ['ΟΔΟΣ', 'οδος', 'οδοσ', 'οδοx'].map((value, at) => ({
  operator: 'sigma',
  found: at < 3,
  value,
  type: 'string',
}))
const ofOperators = [...operators].flatMap(([name, { example }]) =>
  [
    ...example.finds.map((value) => ({ found: true, value })),
    ...example.not.map((value) => ({ found: false, value })),
  ].map(({ found, value }) => ({
    operator: name,
    found,
    value,
    type: example.type,
  })),
)
const rows = [...ofOperators, ...sigmas]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'operators')
  const { token } = shop.owner
  const types = [...new Set(rows.map(({ type }) => type))]
  const schema = {
    fields: [
      { name: 'operator', type: 'string' },
      { name: 'found', type: 'boolean' },
      ...types.map((type) => ({ name: fieldOf(type), type })),
      { name: 'properties', type: 'object' },
    ],
  }
  const made = await app.request(
    'POST',
    `${shop.api}/apps/shop/datasources/main/datatables/?materialize=true`,
    {
      token,
      body: { name: 'examples', json_schema: schema },
    },
  )
  expect(made.status).toBe(201)
  const body = rows.map(({ operator, found, type, value }) => ({
    operator,
    found,
    [fieldOf(type)]: value,
    properties: { inside: { value } },
  }))
  expect(await app.request('POST', shop.data('examples'), { token, body })).toMatchObject({ status: 201 })
})

describe('an operator finds the values of its example and no others', () => {
  const found = async (name: string, condition: string, given: string) => {
    const query = new URLSearchParams({ operator: name, [condition]: given, page_size: '100' })
    const { status, body } = await app.request('GET', `${shop.data('examples')}?${query}`, {
      token: shop.owner.token,
    })
    expect(status).toBe(200)
    return body.data
  }

  it.each([...operators])('%s', async (name, { example }) => {
    const values = (await found(name, `${fieldOf(example.type)}__${name}`, example.value)).map(
      (record: Record<string, unknown>) => record[fieldOf(example.type)],
    )
    expect(values).toHaveLength(example.finds.length)
    expect(values).toEqual(expect.arrayContaining([...example.finds]))
  })

  it('except within, which returns 400 for a property', async () => {
    const path = `${shop.data('examples')}?properties__inside__within=today`
    const { status, body } = await app.request('GET', path, { token: shop.owner.token })
    expect([status, body.details]).toEqual([
      400,
      {
        properties__inside__within: [
          'This operator does not work on JSON properties, which cannot be dates.',
        ],
      },
    ])
  })

  it.each([...operators].filter(([name]) => name !== 'within'))(
    '%s, for a property',
    async (name, { example }) => {
      const records = await found(name, `properties__inside__value__${name}`, example.value)
      expect(records.every((record: { found: boolean }) => record.found)).toBe(true)
      expect(records).toHaveLength(example.finds.length)
    },
  )

  it.each([
    ...['ΟΔΟΣ', 'οδος', 'ς', 'Οσ'].map((text) => ['icontains', text]),
    ...['ΟΔΟΣ', 'οδοσ'].flatMap((text) => ['istartswith', 'iendswith', 'ina'].map((name) => [name, text])),
    ...['^οδος$', '[Σx]?[ς]$', 'δο[σ]'].map((text) => ['imatches', text]),
    ...['nicontains', 'nistartswith', 'niendswith', 'nina'].map((name) => [name, 'οδος']),
  ] as [string, string][])(
    '%s takes each form of the Greek sigma for the same letter: %s',
    async (name, text) => {
      for (const path of [fieldOf('string'), 'properties__inside__value']) {
        const records = await found('sigma', `${path}__${name}`, text)
        expect(records.every((record: { found: boolean }) => record.found !== name.startsWith('n'))).toBe(
          true,
        )
        expect(records).toHaveLength(name.startsWith('n') ? 1 : 3)
      }
    },
  )
})
