/** Records that Postgres returns as plain columns are converted to the format of the API. R6. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainRecord } from '../../../../src/data/query/render/plain-record.ts'
import { type OneRow, readVersioned } from '../../../../src/data/query/render/render-one.ts'
import { runs } from '../../../support/runs.ts'
import { tableOf } from '../../../support/tables.ts'

const fields = [
  { name: 'id', type: 'integer' },
  { name: 'name', type: 'string' },
  { name: 'price', type: 'number' },
  { name: 'on', type: 'boolean' },
  { name: 'sold_at', type: 'datetime' },
  { name: 'year', type: 'year' },
] as const
const table = tableOf('things', { fields: [...fields], primaryKey: 'id' })
const withObject = tableOf('things', {
  fields: [...fields, { name: 'about', type: 'object' }],
  primaryKey: 'id',
})

/** Reads a row with these values, each in the format of Postgres. */
function read(values: Record<string, string>, of = table): OneRow {
  const members = Object.entries({ ...values, _version: '"77"' })
  const row = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
  return readVersioned(plainRecord(of)?.reform(row) ?? '')
}

describe('records as plain columns', () => {
  it('are not used if a field can contain other values', () => {
    expect(plainRecord(withObject)).toBeUndefined()
    expect(plainRecord(withObject, [...withObject.fields.values()].slice(0, 2))).toBeDefined()
  })

  it('contain an integer beyond 2^53 as a string, and all other numbers as numbers', () => {
    const record = (id: string, price: string) =>
      read({ id, name: 'null', price, on: 'true', sold_at: 'null', year: '-44' })
    const rest = '"on":true,"sold_at":null,"year":-44}'
    expect(record('9007199254740991', '9007199254740993')).toEqual({
      data: `{"id":9007199254740991,"name":null,"price":9007199254740993,${rest}`,
      etag: '77',
    })
    for (const id of ['9007199254740992', '-9007199254740992', '9007199254740993', '-9223372036854775808'])
      expect(record(id, '1.50').data).toBe(`{"id":"${id}","name":null,"price":1.50,${rest}`)
    for (const id of ['-9007199254740991', '0', '123456789012345'])
      expect(record(id, '0').data).toBe(`{"id":${id},"name":null,"price":0,${rest}`)
  })

  it('are cut to the number of records of the page', () => {
    const plain = plainRecord(table)
    const record = (id: string, name: string) =>
      `{"id":${id},"name":${JSON.stringify(name)},"price":null,"on":null,"sold_at":null,"year":5}`
    const written = `[${record('1', '}')}, \n ${record('9007199254740993', '{"id":1}, \\')}, \n ${record('3', '')}]`
    const long = record('"9007199254740993"', '{"id":1}, \\')
    expect(plain?.reformAll(written, 4)).toBe(`[${record('1', '}')}, \n ${long}, \n ${record('3', '')}]`)
    expect(plain?.reformAll(written, 2)).toBe(`[${record('1', '}')}, \n ${long}]`)
    expect(plain?.reformAll(written, 1)).toBe(`[${record('1', '}')}]`)
    expect(plain?.reformAll(written, 0)).toBe('[]')
    expect(plain?.reformAll('[]', 2)).toBe('[]')
  })

  it('contain times that end with Z, and leave texts that look like times or members unchanged', () => {
    const arbitrary = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('2026-01-01T00:00:00+00:00', '","sold_at":"+00:00', '\\', '\\"', ',"_version":"5"}'),
    )
    fc.assert(
      fc.property(arbitrary, (name) => {
        const sold = (time: string) =>
          read({
            id: '1',
            name: JSON.stringify(name),
            price: 'null',
            on: 'null',
            sold_at: `"${time}"`,
            year: '1',
          }).data
        expect(JSON.parse(sold('2026-01-01T00:00:00.5+00:00'))).toEqual({
          id: 1,
          name,
          price: null,
          on: null,
          sold_at: '2026-01-01T00:00:00.5Z',
          year: 1,
        })
        expect(JSON.parse(sold('0044-03-15T00:00:00+00:00 BC')).sold_at).toBe('0044-03-15T00:00:00Z BC')
      }),
      { numRuns: runs(300, 3000) },
    )
  })
})
