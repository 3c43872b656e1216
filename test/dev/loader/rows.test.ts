/** Rows of CSV, JSON and JSON lines, with the numbers of their first lines. */
import { describe, expect, it } from 'vitest'
import { readDialect } from '../../../dev/loader/dialect.ts'
import { csvRows } from '../../../dev/loader/rows/csv.ts'
import { jsonRows } from '../../../dev/loader/rows/json.ts'
import { jsonLinesRows } from '../../../dev/loader/rows/json-lines.ts'
import type { Row } from '../../../dev/loader/rows/row.ts'
import { decode } from '../../../dev/loader/text.ts'

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size)
}
const formOf = (dialect: object = {}, names?: string[]) => ({
  file: 'rows',
  dialect: readDialect({ ...dialect }, 'dialect', ','),
  names,
})

/** Reads rows. Returns each as its line with its values, or with its error. */
async function read(rows: AsyncIterable<Row>): Promise<string[]> {
  const lines: string[] = []
  try {
    for await (const { line, header, values, fault } of rows) {
      const named = Object.fromEntries(header.labels.map((label, index) => [label, values[index]]))
      lines.push(`${line}: ${fault ?? JSON.stringify(named)}`)
    }
  } catch (error) {
    lines.push((error as Error).message)
  }
  return lines
}

describe('the reader of CSV', () => {
  it('names the line of a quote that is never closed', async () => {
    const rows = await read(csvRows(pieces('a,b\n1,2\n3,"4\n5,6\n', 5), formOf()))
    expect(rows.at(-1)).toMatch(/^rows, line \d+: A quote is not closed\.$/)
  })

  it('reports each row with too few or too many values', async () => {
    expect(await read(csvRows(pieces('a,b\n1\n1,2,3\n', 100), formOf()))).toEqual([
      '2: The row has 1 value, but there are 2 columns.',
      '3: The row has 3 values, but there are 2 columns.',
    ])
  })

  it.each([1, 3, 1000])(
    'counts lines across quoted line ends, empty lines and comments, in chunks of %i',
    async (size) => {
      const text = '\ufeffa,b\r\n1,"x\r\ny"\r\n\r\n# none\r\n2,5" pipe\r\n'
      expect(await read(csvRows(pieces(text, size), formOf({ commentChar: '#' })))).toEqual([
        '2: {"a":"1","b":"x\\r\\ny"}',
        '6: {"a":"2","b":"5\\" pipe"}',
      ])
    },
  )

  it('follows the dialect: delimiter, quotes, header rows, comment rows', async () => {
    const dialect = {
      delimiter: '|',
      quoteChar: "'",
      skipInitialSpace: true,
      headerRows: [2, 3],
      headerJoin: '.',
      commentRows: [1],
    }
    const text = "an export\nplace| place\nx| y\n1| 'a|b'\n"
    expect(await read(csvRows(pieces(text, 100), formOf(dialect)))).toEqual([
      '4: {"place.x":"1","place.y":"a|b"}',
    ])
  })

  it('names the columns of a file without a header after its fields', async () => {
    expect(await read(csvRows(pieces('1,2\n', 100), formOf({ header: false }, ['id', 'size'])))).toEqual([
      '1: {"id":"1","size":"2"}',
    ])
  })
})

describe('the reader of JSON', () => {
  const read2 = (text: string, size: number, dialect: object = {}) =>
    read(jsonRows(() => pieces(text, size), formOf(dialect)))

  it.each([
    [
      '{"rows": [{"a": 1}]}',
      'rows holds an object, not an array of rows. If "rows" has the rows, ' +
        'say so in the dialect of the resource: {"property": "rows"}.',
    ],
    ['5', 'rows holds 5, not an array of rows. Save the rows as an array of objects, or as JSON lines.'],
    ['[{"a": 1},\n {"a": }]', 'rows, line 2: This is not JSON: '],
    ['[{"a": 1, "a": 2}]', 'The name "a" is repeated in one object.'],
    ['[{"a": 1}', 'rows ends within its array: the closing "]" is not there. Is the file complete?'],
    ['[1]', '1: A row must be an object or an array.'],
  ])('refuses %j', async (text, message) => {
    expect((await read2(text, 1000)).at(-1)).toContain(message)
  })

  it.each([1, 2, 7, 1000])('splits it into rows with their lines, in chunks of %i', async (size) => {
    const text =
      '[\n  {"a": "x\\\\\\"]},[", "b": [1, {"c": 1.50}]},\n\n  {"a": null, "b": 12345678901234567890}\n]\n'
    expect(await read2(text, size)).toEqual([
      '2: {"a":"x\\\\\\"]},[","b":[1,{"c":1.50}]}',
      '4: {"a":null,"b":12345678901234567890}',
    ])
  })

  it('accepts arrays, the first of which names the fields, and rows in a property', async () => {
    expect(await read2('{"of": {"rows": [["a","b"],[1,2],[3]]}}', 1000, { property: 'of.rows' })).toEqual([
      '2: {"a":1,"b":2}',
      '3: The row has 1 value, but there are 2 columns.',
    ])
  })
})

describe('the reader of JSON lines', () => {
  it('reports each line that is not JSON, and continues', async () => {
    const rows = await read(jsonLinesRows(pieces('{"a":1}\n{"a":\n\n{"a":2.0}\n', 4), formOf()))
    expect(rows).toEqual(['1: {"a":1}', expect.stringMatching(/^2: This is not JSON: /), '4: {"a":2.0}'])
  })
})

describe('the encoding of a file', () => {
  async function* bytes(...values: number[]) {
    yield Uint8Array.from(values)
  }
  const text = async (encoding: string | undefined, ...values: number[]) => {
    let whole = ''
    for await (const part of decode(bytes(...values), encoding, 'people.csv')) whole += part
    return whole
  }

  it('causes an error with the line if the bytes have another encoding', async () => {
    await expect(text(undefined, 97, 10, 0xe5, 10)).rejects.toThrow(
      'people.csv, line 2: The bytes are not utf-8. Name the encoding of the file',
    )
  })

  it('causes an error if it is unknown', async () => {
    await expect(text('ebcdic', 97)).rejects.toThrow(
      'people.csv has the encoding "ebcdic", which is unknown.',
    )
  })

  it('is found by its web name, by its name in other tools, and by the byte order mark of UTF-16', async () => {
    expect(await text('latin-1', 0xe5)).toBe('å')
    expect(await text('cp1252', 0x80)).toBe('€')
    expect(await text(undefined, 0xc3, 0xa5)).toBe('å')
    expect(await text(undefined, 0xff, 0xfe, 0xe5, 0)).toBe('å')
  })
})
