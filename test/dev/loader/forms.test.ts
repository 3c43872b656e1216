/** The forms of values in files without a schema: found in all values of a column, and shown. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeTables } from '../../../dev/loader/make-tables.ts'
import { inferredText } from '../../../dev/loader/report.ts'
import { openSource } from '../../../dev/loader/source.ts'
import type { Table } from '../../../dev/loader/table.ts'
import { temporaryFolder } from '../../../dev/temporary-folder.ts'

const folder = temporaryFolder('forms')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function linesOf(text: string, hints = {}, schema?: object): Promise<string[]> {
  const name = schema ? 'datapackage.json' : 'rows.csv'
  writeFileSync(join(folder, 'rows.csv'), text)
  const resources = [{ name: 'rows', path: 'rows.csv', schema }]
  if (schema) writeFileSync(join(folder, name), JSON.stringify({ resources }))
  try {
    const { files, data } = await openSource(join(folder, name), {
      only: undefined,
      encoding: undefined,
      sheet: undefined,
      table: undefined,
      hints,
    })
    const { tables } = await makeTables(files, data, data.resources, () => undefined)
    return inferredText(tables[0] as Table).slice(1)
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Returns the line of a column with these texts, in a file of which it is the only one. */
const columnOf = async (texts: readonly string[], hints = {}) =>
  (await linesOf(`x\n${texts.map((text) => `"${text}"\n`).join('')}`, hints)).map((line) => line.trim())

describe('a column', () => {
  it.each<[type: string, ...texts: string[]]>([
    ['x  number, read with the decimal sign ","', '1,5', '-0,25', '1250,125'],
    ['x  number, read with the decimal sign "," and "." between thousands', '1.234,50', '1.234'],
    ['x  number, read with "," between thousands', '1,234.50', '12'],
    ['x  number, read with the decimal sign "," and " " between thousands', '1\u00a0234,5', '7,5'],
    ['x  number, read with "\'" between thousands', '1’234.5'],
    ['x  integer, read with "," between thousands', '1,234,567', '12'],
    ['x  integer, read with the decimal sign "," and "." between thousands', '1.234.567'],
    ['x  number, read with the decimal sign "," and "." between thousands', '1.980,00', '2.000,00'],
    ['x  number, read with "," between thousands', '1,980.00', '2,000.00'],
    ['x  date, read with the format %d.%m.%Y', '31.12.1999', '1.2.2000'],
    ['x  date, read with the format %d/%m/%Y', '01/02/2026', '31/12/1999'],
    ['x  date, read with the format %m/%d/%Y', '01/02/2026', '12/31/1999'],
    ['x  date, read with the format %d %b %Y', '3 Oct 2024', '3 October 2024'],
    ['x  datetime, read with the format %d.%m.%Y %H:%M', '31.12.1999 7:30', '01.01.2000 12:00'],
    ['x  datetime, read with the format %m/%d/%Y %I:%M %p', '12/31/1999 07:30 PM'],
    ['x  time, read with the format %I:%M %p', '7:30 PM', '12:05 am'],
    ['x  boolean, read with ja for true and nein for false', 'ja', 'nein', 'Nein'],
    ['x  boolean, read with yes for true and no for false', 'yes', 'NO'],
    // Codes, and texts that only look alike.
    ['x  string', '007', '1,5'],
    ['x  string', '+49 30 123'],
    ['x  string', '123 456 789'],
    ['x  string', '1.2.3', '1.2.4'],
    ['x  string', '1.2.26', '10.11.12'],
    ['x  string', '1,5', '1.5'],
    ['x  string', '1.2.3,4'],
    ['x  string', '31.02.2026'],
    ['x  string', '3:1', '16:9'],
    ['x  string', 'no', 'No'],
    ['x  string', 's', 'n'],
    ['x  string', 'yes', 'nein'],
  ])('is %s', async (line, ...texts) => {
    expect(await columnOf(texts)).toEqual([line])
  })

  it.each([
    [
      ['1,234', '2,500'],
      'The column "x" has texts: "1,234" may be 1234 with "," between thousands, or 1.234 with the decimal ' +
        'sign ",". Say which with --decimal, or with a schema.',
    ],
    [
      ['03/04/2026', '05/05/2026'],
      'The column "x" has texts: "03/04/2026" may be 2026-04-03 with the format %d/%m/%Y, or 2026-03-04 ' +
        'with the format %m/%d/%Y. Say which with --dates, or with a schema.',
    ],
    [
      ['03/04/2026 10:00'],
      'The column "x" has texts: "03/04/2026 10:00" may be 2026-04-03T10:00:00Z with the format %d/%m/%Y ' +
        '%H:%M, or 2026-03-04T10:00:00Z with the format %m/%d/%Y %H:%M. Say which with --dates, or with a ' +
        'schema.',
    ],
  ])('of texts that may be read in two ways keeps them, and says so: %j', async (texts, line) => {
    expect(await columnOf(texts)).toEqual(['x  string', line])
  })

  it('has the decimal sign of the other columns of its file, or that of the option', async () => {
    const others = ['a;b;c', '1,5;1,234;1.234', '2,25;2,500;2.500', '']
    expect((await linesOf(others.join('\n'))).map((line) => line.trim())).toEqual([
      'a  number, read with the decimal sign ","',
      'b  number, read with the decimal sign ","',
      'c  integer, read with the decimal sign "," and "." between thousands',
    ])
    expect(await columnOf(['1,234'], { decimalChar: '.' })).toEqual([
      'x  integer, read with "," between thousands',
    ])
    expect(await columnOf(['1,234'], { decimalChar: ',' })).toEqual([
      'x  number, read with the decimal sign ","',
    ])
    expect(await columnOf(['1,25'], { decimalChar: '.' })).toEqual(['x  string'])
  })

  it('has the date format of the option, if its texts have it', async () => {
    expect(await columnOf(['03/04/2026'], { format: '%m/%d/%Y' })).toEqual([
      'x  date, read with the format %m/%d/%Y',
    ])
    expect(await columnOf(['3|4|2026'], { format: '%d|%m|%Y' })).toEqual([
      'x  date, read with the format %d|%m|%Y',
    ])
    expect(await columnOf(['2026-04-03'], { format: '%m/%d/%Y' })).toEqual(['x  date'])
  })

  it('with a schema has the form of its schema: the options are refused', async () => {
    expect(await linesOf('x\n1\n', { decimalChar: ',' }, { fields: [{ name: 'x' }] })).toEqual([
      '--decimal and --dates are for files without a schema. Correct the fields of the schema.',
    ])
  })
})
