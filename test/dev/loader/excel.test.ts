/** Excel files: each cell as the sheet shows it, or reported with its name. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeTables } from '../../../dev/loader/make-tables.ts'
import { rowConverter } from '../../../dev/loader/records.ts'
import { CellNumber } from '../../../dev/loader/rows/cells.ts'
import { rowsOf } from '../../../dev/loader/rows/rows.ts'
import { openSource } from '../../../dev/loader/source.ts'
import type { Table } from '../../../dev/loader/table.ts'
import { convertValue } from '../../../dev/loader/values.ts'
import { temporaryFolder } from '../../../dev/temporary-folder.ts'
import { type Cell, writeSheet } from './sheet.ts'

const folder = temporaryFolder('excel')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Options extends NonNullable<Parameters<typeof writeSheet>[1]> {
  schema?: object
  sheet?: string
}

/** Returns the types of the fields, and each row as its record or its errors. */
async function load(rows: readonly (readonly Cell[])[], { schema, sheet, ...options }: Options = {}) {
  writeFileSync(join(folder, 'rows.xlsx'), await writeSheet(rows, options))
  const resources = [{ name: 'rows', path: 'rows.xlsx', schema }]
  writeFileSync(join(folder, 'datapackage.json'), JSON.stringify({ resources }))
  const path = join(folder, schema ? 'datapackage.json' : 'rows.xlsx')
  const choice = { only: undefined, encoding: undefined, sheet, table: undefined }
  const { files, data } = await openSource(path, choice)
  const { tables } = await makeTables(files, data, data.resources, () => undefined)
  const table = tables[0] as Table
  const convert = rowConverter(table)
  const records: unknown[] = []
  for await (const row of rowsOf(files, table.resource)) {
    const { record, faults } = convert(row)
    records.push(faults.length > 0 ? faults.map(({ line, text }) => `${line}: ${text}`) : record)
  }
  const types = [...table.columns.values()].map(({ field }) => field.type)
  return { types, records: JSON.parse(JSON.stringify(records)) as unknown[] }
}

/** Returns the type and the values of a column of numbers in one format. */
async function columnOf(format: number | string, values: readonly string[], options: Options = {}) {
  const cells = values.map((value) => [{ value, style: 2 }])
  const { types, records } = await load([['x'], ...cells], { ...options, formats: [format] })
  return [types[0], ...records.map((one) => (Array.isArray(one) ? one : (one as { x: unknown }).x))]
}
const inField = (type: string) => ({ schema: { fields: [{ name: 'x', type }] } })

describe('a cell of an Excel file is reported with its name', () => {
  it.each(['#N/A', '#DIV/0!', '#REF!', '#NAME?', '#VALUE!', '#NUM!', '#NULL!', '#SPILL!'])(
    '%s',
    async (error) => {
      const cells = [
        ['a', 'x'],
        ['1', { number: '1' }],
        ['2', { type: 'e', value: error, formula: '1/0' }],
      ]
      expect(await load(cells)).toEqual({
        types: ['string', 'integer'],
        records: [
          { a: '1', x: 1 },
          [
            `3: ${JSON.stringify(error)} in the cell B3 is an error, not a value. Correct it, or add it to ` +
              '"missingValues".',
          ],
        ],
      })
    },
  )

  it('unless its error means that there is no value', async () => {
    const schema = { fields: [{ name: 'x', type: 'integer' }], missingValues: ['#N/A'] }
    expect((await load([['x'], [{ type: 'e', value: '#N/A' }]], { schema })).records).toEqual([{ x: null }])
  })

  it('if the file has no result of its formula', async () => {
    expect((await load([['x'], [{ formula: 'A1' }], [{ number: '1' }]])).records[0]).toEqual([
      '2: "=A1" in the cell A2 has no result in the file. Open it in a spreadsheet program, and save it.',
    ])
  })

  it.each([
    [14, '60', 'date', '"1900-02-29": A date is required, for example 2026-01-31.'],
    [14, '0', 'date', '"1900-01-00": A date is required, for example 2026-01-31.'],
    [14, '-1', 'date', '"-1" in the cell A2 is no date or time that Excel can show.'],
    [14, '2958466.5', 'date', '"2958466.5" in the cell A2 is no date or time that Excel can show.'],
    [22, '46053.25', 'date', '"2026-01-31T06:00:00Z" is a datetime in its sheet, not a date.'],
    [20, '0.5', 'date', '"12:00:00" is a time in its sheet, not a date.'],
    [20, '0.5', 'datetime', '"12:00:00" is a time in its sheet, not a datetime.'],
    [14, '46053', 'time', '"2026-01-31" is a date in its sheet, not a time.'],
    [46, '1.5', 'time', '"PT36H" is a duration in its sheet, not a time.'],
    [46, '1.5', 'date', '"PT36H" is a duration in its sheet, not a date.'],
  ])(
    'if its field has another type: the format %s of %s in a field of type %s',
    async (format, value, type, text) => {
      const [, found] = await columnOf(format, [value], inField(type))
      expect(found).toEqual([`2: ${text}`])
    },
  )

  it('if there is no column for it', async () => {
    expect((await load([['x'], ['1', null, '2']], inField('string'))).records).toEqual([
      ['2: The row has 3 values, but there is 1 column.'],
    ])
  })
})

describe('a cell of an Excel file is read as the sheet shows it', () => {
  it.each<[format: number | string, type: string, values: string[], shown: unknown[]]>([
    // Excel counts a 29 February 1900: the days before it have other numbers than elsewhere.
    [
      14,
      'date',
      ['1', '2', '59', '61', '46053'],
      ['1900-01-01', '1900-01-02', '1900-02-28', '1900-03-01', '2026-01-31'],
    ],
    ['dd/mm/yyyy', 'date', ['46053'], ['2026-01-31']],
    ['[$-407]d. mmmm yyyy;@', 'date', ['46053'], ['2026-01-31']],
    ['yyyy"-W"', 'date', ['2958465'], ['9999-12-31']],
    [
      22,
      'datetime',
      ['46053', '46053.25', '46053.999988426'],
      ['2026-01-31T00:00:00Z', '2026-01-31T06:00:00Z', '2026-01-31T23:59:59Z'],
    ],
    ['yyyy-mm-dd hh:mm:ss.000', 'datetime', ['46053.0000057870'], ['2026-01-31T00:00:00.5Z']],
    // A day with a time that its format hides keeps the time, if its field can have it.
    [14, 'datetime', ['46053', '46053.25'], ['2026-01-31T00:00:00Z', '2026-01-31T06:00:00Z']],
    [20, 'time', ['0', '0.3125', '0.999988425925926'], ['00:00:00', '07:30:00', '23:59:59']],
    ['h:mm AM/PM', 'time', ['0.770833333333333'], ['18:30:00']],
    ['hh"h"mm', 'time', ['0.5'], ['12:00:00']],
    [46, 'duration', ['0', '0.5', '1.52083333333333', '-0.25'], ['PT0S', 'PT12H', 'PT36H30M', '-PT6H']],
    ['[mm]:ss', 'duration', ['0.0423611111111111'], ['PT1H1M']],
    ['[h]:mm:ss.0', 'duration', ['100.000005787037'], ['PT2400H0.5S']],
    // Formats of numbers that have the letters of dates.
    ['0.00E+00', 'number', ['1.10'], [1.1]],
    ['#,##0.00 [$€-407]', 'number', ['1.10'], [1.1]],
    ['[Red]0" days"', 'integer', ['5'], [5]],
    ['General', 'integer', ['5'], [5]],
    ['0\\d', 'integer', ['5'], [5]],
  ])('the format %s makes %s of %j', async (format, type, values, shown) => {
    const [found, ...records] = await columnOf(format, values)
    expect([found, records]).toEqual([type, shown])
  })

  it.each([
    ['string', 46, '1.52083333333333', '36:30:00'],
    ['string', 20, '0.5', '12:00:00'],
    ['string', 14, '46053', '2026-01-31'],
    ['datetime', 14, '46053', '2026-01-31T00:00:00Z'],
    ['date', 14, '46053.25', '2026-01-31'],
    ['time', 20, '1.5', '12:00:00'],
    ['time', 46, '0.5', '12:00:00'],
    ['duration', 20, '0.5', 'PT12H'],
    ['year', 14, '46053', 2026],
  ])('a field of type %s takes the format %s of %s', async (type, format, value, shown) => {
    const [, record] = await columnOf(format, [value], inField(type))
    expect(record).toEqual(shown)
  })

  it('counts days from 1904 if the file does', async () => {
    expect(await columnOf(14, ['0', '60', '44591'], { is1904: true })).toEqual([
      'date',
      '1904-01-01',
      '1904-03-01',
      '2026-01-31',
    ])
  })

  it('dates that are texts, truth values, results of formulas, and texts with several parts', async () => {
    const texts = [
      '<si><t>plain &amp; &lt;b&gt; &#x41;</t></si>',
      '<si><r><t>one </t></r><r><rPr/><t xml:space="preserve">two_x000A__x005F_x</t></r><rPh sb="0"><t>no</t></rPh></si>',
      '<si><t/></si>',
    ]
    const cells: Cell[][] = [
      ['s', 'd', 'b', 'f'],
      [
        { type: 's', value: '0' },
        { type: 'd', value: '2026-01-31' },
        { type: 'b', value: '1' },
        { type: 'str', value: 'r', formula: 'A1' },
      ],
      [
        { type: 's', value: '1' },
        { type: 'd', value: '2026-02-01T00:00:00' },
        { type: 'b', value: '0' },
        { type: 'str', formula: '""' },
      ],
      [{ type: 's', value: '2' }, null, null, { type: 'str', value: '' }],
      [],
      [null, { type: 'd', value: '2026-02-02' }],
    ]
    for (const prefix of ['', 'x'])
      expect(await load(cells, { texts, prefix })).toEqual({
        types: ['string', 'date', 'boolean', 'string'],
        records: [
          { s: 'plain & <b> A', d: '2026-01-31', b: true, f: 'r' },
          { s: 'one two\n_x', d: '2026-02-01', b: false, f: null },
          { s: null, d: '2026-02-02', b: null, f: null },
        ],
      })
  })

  it('numbers keep every digit, and codes stay texts', async () => {
    const rows = [
      ['n', 'i', 'c'],
      [{ number: '0.5' }, { number: '12' }, '007'],
    ]
    expect(await load(rows)).toEqual({
      types: ['number', 'integer', 'string'],
      records: [{ n: 0.5, i: 12, c: '007' }],
    })
    expect(convertValue({ field: { type: 'number' }, missing: new Set() }, new CellNumber('1.10'))).toEqual(
      JSON.rawJSON('1.10'),
    )
  })

  it('names the sheets if there is none of the name', async () => {
    await expect(load([['x'], ['1']], { sheet: 'rows' })).rejects.toThrow(
      'rows.xlsx has no sheet "rows". Its sheets are "Rows". Is it "Rows"?',
    )
    await expect(load([['x'], ['1']], { sheet: '2' })).rejects.toThrow('rows.xlsx has no sheet 2.')
  })
})
