/** From one field type to another: what survives is what the API takes, and what it becomes is what the API shows. D8, R6. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FieldType, fieldTypes } from '../../../src/data/datatables/field-types.ts'
import { type Conversion, conversions } from '../../../src/data/providers/conversions.ts'
import { type Database, openDatabase } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { configOf } from '../../../src/env.ts'
import { createSite, startApp } from '../../support/app.ts'

let database: Database
let schema: string

const typeOf = (name: string) => fieldTypes.get(name) as FieldType
const conversionOf = (pair: string) => conversions.get(pair) as Conversion

/** What becomes of texts of one type's values: as the API shows them, or undefined of one that does not survive. */
async function convert(pair: string, texts: readonly string[]): Promise<(string | null | undefined)[]> {
  const [from, to] = pair.split(' ').map((name) => typeOf(name as string)) as [FieldType, FieldType]
  const { survives, cast } = conversionOf(pair)
  const value = sql`v`
  const converted = sql`${cast(value)}`
  const shown = to.output?.(converted) ?? converted
  const results = await database.batch(
    [
      sql`select set_config('search_path', ${schema}, true), set_config('role', ${schema}, true), set_config('timezone', 'Asia/Tokyo', true), set_config('datestyle', 'German', true)`,
      sql`select case when ${survives?.(value) ?? sql`true`} then to_json(${shown})::text end as shown
            from (select t::${from.column} as v, n from unnest(${texts}::text[]) with ordinality _given (t, n)) _values order by n`,
    ],
    10_000,
  )
  return results.rows<{ shown: string | null }>(-1).map(({ shown: text }) => (text === null ? undefined : JSON.parse(text)))
}

beforeAll(async () => {
  const app = await startApp()
  schema = (await createSite(app, 'converting')).schema
  database = openDatabase(configOf(app.env))
}, 30_000)

describe('a conversion', () => {
  it.each<[string, Record<string, unknown>]>([
    ['string integer', { '12': 12, '-7': -7, '0': 0, '9223372036854775807': 9223372036854775807n }],
    [
      'string integer',
      { '007': undefined, '1.0': undefined, '1e3': undefined, ' 1': undefined, '': undefined, '9223372036854775808': undefined, '٣': undefined },
    ],
    ['string number', { '1.50': 1.5, '-1e3': -1000, '.5': undefined, NaN: undefined, Infinity: undefined, '0x10': undefined, '1_000': undefined }],
    ['string boolean', { true: true, false: false, t: undefined, yes: undefined, '1': undefined, TRUE: undefined }],
    [
      'string date',
      {
        '2024-02-29': '2024-02-29',
        '2026-02-29': undefined,
        today: undefined,
        '31.1.2026': undefined,
        '0000-01-01': undefined,
        '2026-01-31\n': undefined,
      },
    ],
    ['string time', { '08:30': '08:30:00', '23:59:59.999999': '23:59:59.999999', '24:00': undefined, noon: undefined }],
    [
      'string datetime',
      {
        '2026-01-31T12:00:00+02:00': '2026-01-31T10:00:00Z',
        '2026-01-31 12:00': '2026-01-31T12:00:00Z',
        '0001-01-01T00:00:00+14:00': undefined,
        now: undefined,
      },
    ],
    ['string object', { '{"a": 1}': { a: 1 }, '[1]': undefined, '{': undefined, null: undefined, '{"a": "\\u0000"}': undefined }],
    ['string array', { '[1, "b"]': [1, 'b'], '{}': undefined, '': undefined }],
    ['number integer', { '1.5': 2, '-1.5': -2, '2': 2, '9223372036854775807.4': 9223372036854775807n, '1e19': undefined }],
    ['integer boolean', { '0': false, '1': true, '2': undefined }],
    ['datetime date', { '2026-01-31T23:30:00-05:00': '2026-02-01' }],
    ['datetime string', { '2026-01-31T23:30:00.25-05:00': '2026-02-01T04:30:00.25Z' }],
    ['date datetime', { '2026-01-31': '2026-01-31T00:00:00Z' }],
    ['date string', { '2026-01-31': '2026-01-31' }],
    ['boolean integer', { true: 1, false: 0 }],
    ['object string', { '{"b":1,"a":"x"}': '{"a": "x", "b": 1}' }],
  ])('%s: %j', async (pair, expected) => {
    const shown = await convert(pair, Object.keys(expected))
    // Of a bigint JSON.parse makes the nearest number.
    expect(shown).toEqual(Object.values(expected).map((value) => (typeof value === 'bigint' ? Number(value) : value)))
  })

  it('has one that leads back', () => {
    for (const pair of conversions.keys()) expect([pair, conversions.has(pair.split(' ').toReversed().join(' '))]).toEqual([pair, true])
  })

  it.each(['integer', 'number', 'date', 'time', 'datetime', 'uuid', 'object', 'array'])(
    'from string to %s takes what the API takes of the type',
    async (name) => {
      const pieces = fc.constantFrom(
        ...'0123456789-+:.TZtz eE{}[]",truefalsn',
        '2026',
        '01',
        '12',
        '31',
        '00',
        '24',
        '59',
        '{"a":',
        '[1',
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      )
      const odd = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
      const valid = {
        integer: fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
        number: fc.double().map(String),
        date: fc
          .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
          .map(([y, m, d]) => [String(y).padStart(4, '0'), ...[m, d].map((part) => String(part).padStart(2, '0'))].join('-')),
        time: fc
          .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
          .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
        datetime: fc
          .date({ min: new Date('0000-06-01'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
          .chain((date) => fc.constantFrom('Z', '', '+14:00', '-14:00', '+15:00').map((zone) => date.toISOString().slice(0, 19) + zone)),
        uuid: fc.uuid(),
        object: fc.json(),
        array: fc.json(),
      }[name] as fc.Arbitrary<string>
      const texts = fc.sample(fc.oneof(odd, valid), 400).filter((text) => !text.includes('\0'))
      const shown = await convert(`string ${name}`, texts)
      const wrong = texts.filter((text, index) => (shown[index] !== undefined) !== (typeOf(name).parse(text) !== undefined))
      expect(wrong).toEqual([])
    },
  )
})
