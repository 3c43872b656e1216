/** An export as CSV or JSON lines equals the list, and an import of it gives the same export again. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readJsonVerbatim } from '../../../src/kernel/lib/exact-json.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

let app: TestApp
let shop: Shop
let paths: { from: string; to: string }[]

const raw = (text: string) => JSON.rawJSON(text)
const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'Z',
    '0',
    ',',
    '"',
    "'",
    '\r',
    '\n',
    '\t',
    ' ',
    '\\',
    '=',
    '%',
    ';',
    'ä',
    '😀',
    '\u2028',
  ),
  maxLength: 12,
})
const digits = (most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: most })
const decimal = fc
  .tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 25n), fc.option(digits(20)))
  .map(([sign, whole, fraction]) => raw(`${sign}${whole}${fraction === null ? '' : `.${fraction}`}`))
const integer = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map((value) => raw(String(value)))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    decimal,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value

const dayOf = (date: Date) => date.toISOString().slice(0, 10)
const dates = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
})
const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const coordinates = fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 90 }))

/** Each field type, with a format or item type if it has one, and a generator of its values. */
const types: Record<string, [schema: object, values: fc.Arbitrary<unknown>]> = {
  string: [{ type: 'string' }, text],
  integer: [{ type: 'integer' }, integer],
  number: [{ type: 'number' }, decimal],
  boolean: [{ type: 'boolean' }, fc.boolean()],
  date: [{ type: 'date' }, dates.map(dayOf)],
  time: [{ type: 'time' }, time],
  datetime: [{ type: 'datetime' }, dates.map((date) => date.toISOString())],
  uuid: [{ type: 'uuid' }, fc.uuid()],
  object: [{ type: 'object' }, fc.dictionary(text, json, { maxKeys: 3 })],
  array: [{ type: 'array' }, fc.array(json, { maxLength: 3 })],
  year: [{ type: 'year' }, fc.integer({ min: -9999, max: 9999 })],
  yearmonth: [{ type: 'yearmonth' }, dates.map((date) => dayOf(date).slice(0, 7))],
  duration: [{ type: 'duration' }, fc.constantFrom('P1D', 'PT1H30M', '-P1Y2M', 'PT0.5S')],
  geopoint: [{ type: 'geopoint' }, coordinates.map((pair) => pair.join(', '))],
  geopoint_array: [{ type: 'geopoint', format: 'array' }, coordinates],
  geojson: [{ type: 'geojson' }, coordinates.map((pair) => ({ type: 'Point', coordinates: pair }))],
  list: [{ type: 'list', itemType: 'string' }, fc.array(text, { maxLength: 3 })],
  any: [{ type: 'any' }, json],
}

const records = fc
  .array(
    fc.record(
      Object.fromEntries(
        Object.entries(types).map(([name, [, values]]) => [`a_${name}`, fc.option(values, { freq: 4 })]),
      ),
    ),
    { maxLength: 12 },
  )
  .map((all) => all.map((record, index) => ({ id: index + 1, ...record })))

beforeAll(async () => {
  app = await startApp()
  const schema = {
    fields: [
      { name: 'id', type: 'integer' },
      ...Object.entries(types).map(([name, [field]]) => ({ name: `a_${name}`, ...field })),
    ],
    primaryKey: 'id',
  }
  const resources = ['origin', 'copy'].map((name) => ({ name, schema }))
  shop = await createShop(app, 'streamed', { resources })
  const papers = await addDocuments(app, shop, resources)
  paths = [
    { from: shop.data('origin'), to: papers('copy') },
    { from: papers('origin'), to: shop.data('copy') },
  ]
})

const ask = (method: string, path: string, body?: string, type = 'application/json', accept = '*/*') =>
  app.request(method, path, {
    token: shop.owner.token,
    headers: { accept, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  })
const dataOf = async (path: string) => {
  const { text: body } = await ask('GET', `${path}?page_size=1000`)
  return (readJsonVerbatim(body) as { data: unknown[] }).data
}
const clear = async (path: string) => {
  const all = encodeURIComponent('{"id__gt":0}')
  expect((await ask('DELETE', `${path}?filter=${all}`)).status).toBe(200)
}
/** Writes a value as text, so that numbers are compared with every digit. */
const spelled = (value: unknown) => JSON.stringify(value, undefined, 1)

describe('records of all types', () => {
  it('are equal in JSON, JSON lines and CSV, and equal again after an import', async () => {
    const property = fc.asyncProperty(records, async (rows) => {
      for (const { from, to } of paths) {
        await clear(from)
        const created = await ask('POST', from, JSON.stringify(rows))
        expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, ''])
        const listed = await dataOf(from)
        const lines = (await ask('GET', from, undefined, undefined, 'application/x-ndjson')).text
        expect(spelled(lines.split('\n').slice(0, -1).map(readJsonVerbatim))).toBe(spelled(listed))
        for (const type of ['application/x-ndjson', 'text/csv']) {
          const exported = (await ask('GET', from, undefined, undefined, type)).text
          await clear(to)
          const imported = await ask('POST', to, exported, type)
          expect([imported.status, imported.status === 201 ? '' : imported.text]).toEqual([201, ''])
          expect(spelled(await dataOf(to))).toBe(spelled(listed))
          expect((await ask('GET', to, undefined, undefined, type)).text).toBe(exported)
        }
      }
    })
    const { failed, seed, counterexample, errorInstance } = await fc.check(property, {
      numRuns: runs(6, 400),
    })
    if (failed)
      throw new Error(JSON.stringify({ seed, counterexample, message: (errorInstance as Error).message }))
  })
})
