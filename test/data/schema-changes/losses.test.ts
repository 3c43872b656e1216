/**
 * A conversion that loses values says so, by trying: the plan counts and samples the values that do not come
 * back. The count is that of an independent evaluator, in both providers.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, addTables, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { commitWhenAwaited } from '../../support/locks.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'

let app: TestApp
let shop: Shop
const schemaOf = (type: string) => ({
  primaryKey: 'id',
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'value', type },
  ],
})

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'losing')
  const resources = [
    { name: 'of_string', schema: schemaOf('string') },
    { name: 'converted', schema: convertedTo(([from]) => from) },
    ...[1, 2].map((count) => ({ name: `raced_${count}`, schema: schemaOf('string') })),
  ]
  await addTables(app, shop, resources)
  await addDocuments(app, shop, resources)
})

const digits = (length: number, max: number) =>
  fc.integer({ min: 0, max }).map((value) => String(value).padStart(length, '0'))
const day = fc
  .tuple(digits(4, 9998), digits(2, 11), digits(2, 27))
  .map(([year, month, date]) =>
    [
      String(Number(year) + 1).padStart(4, '0'),
      ...[month, date].map((part) => String(Number(part) + 1).padStart(2, '0')),
    ].join('-'),
  )
const clock = fc
  .tuple(
    digits(2, 23),
    digits(2, 59),
    fc.option(fc.tuple(digits(2, 59), fc.constantFrom('', '.5', '.50', '.123456'))),
  )
  .map(([hour, minute, rest]) => `${hour}:${minute}${rest ? `:${rest.join('')}` : ''}`)
const zone = fc.constantFrom('', 'Z', 'z', '+02:00', '-00:00')
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.nat(99),
    fc.constantFrom('', '.0', '.50', '.25'),
    fc.constantFrom('', 'e2', 'E-3', 'e0'),
  )
  .map((parts) => parts.join(''))
const names = fc.array(fc.constantFrom('a', 'b', '\\u0061'), { maxLength: 3 })
const object = fc
  .tuple(names, names)
  .map(
    ([outer, inner]) =>
      `{${[...outer.map((name) => `"${name}": 1`), `"in": [{${inner.map((name) => `"${name}":2`).join()}}]`].join()}}`,
  )
const repeats = (text: string) =>
  [...text.matchAll(/\{([^{}]*)\}|^\{(.*?),?"in"/g)].some(([, inner, outer]) => {
    const found = [...(inner ?? outer ?? '').matchAll(/"([^"]+)":/g)].map(([, name]) =>
      JSON.parse(`"${name}"`),
    )
    return new Set(found).size < found.length
  })

/** The conversions: values that can be converted, and whether one is lost. */
const conversions: [from: string, to: string, fc.Arbitrary<string>, (text: string) => boolean][] = [
  ['string', 'number', decimal, (text) => /e/i.test(text) || /^-0(\.0)?$/.test(text)],
  ['string', 'integer', fc.integer().map(String), () => false],
  ['string', 'boolean', fc.constantFrom('true', 'false'), () => false],
  ['string', 'date', day, () => false],
  ['string', 'time', clock, (text) => !/^\d\d:\d\d:\d\d(\.\d*[1-9])?$/.test(text)],
  [
    'string',
    'datetime',
    fc.tuple(day, fc.constantFrom('T', ' ', 't'), clock, zone).map((parts) => parts.join('')),
    (text) => !/^[\d-]{10}T\d\d:\d\d:\d\d(\.\d*[1-9])?Z$/.test(text),
  ],
  ['string', 'uuid', fc.uuid().chain((text) => fc.constantFrom(text, text.toUpperCase())), (text) => /[A-F]/.test(text)],
  ['string', 'object', object, repeats],
  ['number', 'integer', decimal, (text) => !Number.isInteger(Number(text))],
  ['datetime', 'date', fc.tuple(day, clock).map(([date, time]) => `${date}T${time.padEnd(8, ':00')}Z`), (text) => /[1-9]/.test(text.slice(11))],
] // biome-ignore format: rows

/** The values of a record: one for each conversion. */
const someValues = fc.tuple(...conversions.map(([, , arbitrary]) => arbitrary))

/** Returns the schema with a field for each conversion. */
const convertedTo = (typeOf: (conversion: (typeof conversions)[number]) => string) => ({
  primaryKey: 'id',
  fields: [
    { name: 'id', type: 'integer' },
    ...conversions.map((conversion, index) => ({ name: `v${index}`, type: typeOf(conversion) })),
  ],
})

describe.each([
  ['flat_table', 'shop'],
  ['jsonb', 'papers'],
])('in a %s datasource', (_, slug) => {
  it(
    'each conversion loses the values that an independent evaluator calls lost',
    async () => {
      const tables = ownerOf(app, shop, `/apps/${slug}/datatables/converted/`)
      await fc.assert(
        fc.asyncProperty(fc.array(someValues, { minLength: 1, maxLength: 12 }), async (records) => {
          await tables.delete('data/?all=true')
          const rows = records.map((values, id) => {
            const members = values.map((value, index) => {
              const isNumber = conversions[index]?.[0] === 'number'
              return `"v${index}":${isNumber ? value : JSON.stringify(value)}`
            })
            return `{"id":${id},${members.join()}}`
          })
          const made = await tables.post('data/', `[${rows.join()}]`)
          expect([made.status, made.body]).toEqual([201, expect.anything()])
          const { status, body } = await tables.patch('?dry_run=true', {
            json_schema: convertedTo(([, to]) => to),
          })
          expect(status, JSON.stringify(body)).toBe(200)
          for (const [index, [from, to, , isLost]] of conversions.entries()) {
            const lost = records.map((values) => values[index] as string).filter(isLost)
            const step = body.changes.find(({ description }: { description: string }) =>
              description.startsWith(`Convert field v${index} `),
            )
            expect([from, to, step.destructive, step.lost?.count ?? 0]).toEqual([
              ...[from, to],
              ...[lost.length > 0, lost.length],
            ])
            for (const { key, becomes } of step.lost?.samples ?? []) {
              expect(isLost(records[key.id]?.[index] as string)).toBe(true)
              expect(becomes).toEqual(expect.any(String))
            }
          }
        }),
        { numRuns: runs(30, 1_000) },
      )
    },
    scaled(runs(120_000, 600_000)),
  )

  it('a change that loses values is 422 with them, until allow_data_loss allows it', async () => {
    const tables = ownerOf(app, shop, `/apps/${slug}/datatables/of_string/`)
    await tables.delete('data/?filter={"id__gte":0}')
    await tables.post('data/', [
      { id: 1, value: '1e400' },
      { id: 2, value: '2' },
    ])
    const change = (query: string) => tables.patch(query, { json_schema: schemaOf('number') })
    const refused = await change('')
    expect([refused.status, refused.body.error]).toEqual([422, 'Schema change can lose data'])
    expect(refused.body.changes).toEqual([
      expect.objectContaining({
        destructive: true,
        lost: { count: 1, samples: [{ key: { id: 1 }, value: '1e400', becomes: `1${'0'.repeat(199)}` }] },
      }),
    ])
    expect((await change('?allow_data_loss=true')).status).toBe(200)
  })

  it.each([
    ['', ['2', '3'], 1],
    ['?allow_data_loss=true', ['1e400', '3'], 2],
  ])(
    'a value that is written between the plan and the change is not lost: "%s"',
    async (query, values, count) => {
      const name = `raced_${count}`
      const tables = ownerOf(app, shop, `/apps/${slug}/datatables/${name}/`)
      await tables.post(
        'data/',
        values.map((value, id) => ({ id, value })),
      )
      const writing = await commitWhenAwaited(
        app,
        slug === 'shop'
          ? `update ${shop.schema}.shop_${name} set value = '1e3' where id = 1`
          : `update ${shop.schema}.papers_${name} set _data = jsonb_set(_data, '{value}', '"1e3"')
            where _data @> '{"id": 1}'`,
      )
      const refused = await tables.patch(query, { json_schema: schemaOf('number') })
      await writing.committed
      expect([refused.status, refused.body.error]).toEqual([422, 'Schema change can lose data'])
      const samples = expect.arrayContaining([{ key: { id: 1 }, value: '1e3', becomes: '1000' }])
      expect(refused.body.changes).toEqual([
        expect.objectContaining({ destructive: true, lost: { count, samples } }),
      ])
      const { body } = await tables.get('data/?fields=value&ordering=id')
      expect(body.data).toEqual([{ value: values[0] }, { value: '1e3' }])
      expect((await tables.patch('?allow_data_loss=true', { json_schema: schemaOf('number') })).status).toBe(
        200,
      )
    },
  )
})
