/** The console's import: what it reads in a file, and how it reads values. */
import { describe, expect, it } from 'vitest'
import { causesOf } from '../../../../console/src/pages/import/causes.ts'
import { columnForms } from '../../../../console/src/pages/import/forms.ts'
import { readFile } from '../../../../console/src/pages/import/read-file.ts'
import { mappingOf, rowReader } from '../../../../console/src/pages/import/rows.ts'
import type { Field, Table } from '../../../../console/src/session/queries.ts'

const fileOf = (content: string | Uint8Array, name = 'rows.csv') => new File([content as never], name)
const contentOf = async (content: string | Uint8Array, name?: string) => {
  const { columns, rows, separator } = await readFile(fileOf(content, name))
  return { columns, separator, rows: rows.map(({ line, cells, fault }) => [line, fault ?? cells]) }
}

/** Encodes a text as UTF-16. */
function utf16(text: string, isLittle: boolean, mark = true): Uint8Array {
  const units = [
    ...(mark ? [0xfeff] : []),
    ...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
  ]
  return Uint8Array.from(
    units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
  )
}

describe('the import reads a file', () => {
  it('two columns of one name, and columns without a name, have labels of their own', async () => {
    expect(await contentOf('a,a,,"",a_2,__proto__\n1,2,3,4,5,6\n')).toEqual({
      columns: ['a', 'a_2', 'field_3', 'field_4', 'a_2_2', '__proto__'],
      separator: ',',
      rows: [
        [
          2,
          Object.fromEntries([
            ['a', '1'],
            ['a_2', '2'],
            ['field_3', '3'],
            ['field_4', '4'],
            ['a_2_2', '5'],
            ['__proto__', '6'],
          ]),
        ],
      ],
    })
  })

  it.each([
    ['UTF-16 with little-endian bytes', utf16('a;b\nä;€\n', true)],
    ['UTF-16 with big-endian bytes', utf16('a;b\nä;€\n', false)],
    ['UTF-16 without a byte order mark', utf16('a;b\nä;€\n', true, false)],
    ['UTF-16 with big-endian bytes and without a byte order mark', utf16('a;b\nä;€\n', false, false)],
    ['UTF-8 with a byte order mark', '\ufeffa;b\nä;€\n'],
    ['Windows-1252', Uint8Array.from([97, 59, 98, 10, 0xe4, 59, 0x80, 10])],
  ])('in %s', async (_, content) => {
    expect(await contentOf(content)).toEqual({
      columns: ['a', 'b'],
      separator: ';',
      rows: [[2, { a: 'ä', b: '€' }]],
    })
  })

  it.each([
    ['rows.csv', '[1],b\n[2],c\n', { '[1]': '[2]', b: 'c' }],
    ['rows.csv', '{"a"};b\n[{"x": 1}];["y"]\n', { '{"a"}': '[{"x": 1}]', b: '["y"]' }],
    ['rows.txt', '[id];name\n1;Ada\n', { '[id]': '1', name: 'Ada' }],
    ['rows.csv', 'tags,b\n"[""x"",""y""]",c\n', { tags: '["x","y"]', b: 'c' }],
  ])('as CSV although it has JSON: %s %j', async (name, content, cells) => {
    expect((await contentOf(content, name)).rows).toEqual([[2, cells]])
  })

  it.each([
    ['rows.txt', '[{"a": 1}]'],
    ['rows', '\n{"a": 1}\n'],
    ['rows.jsonl', '{"a": 1}'],
    ['rows.json', '{"rows": [{"a": 1}]}'],
    ['rows.txt', '{\n"a": 1\n}'],
  ])('as JSON: %s %j', async (name, content) => {
    expect((await contentOf(content, name)).rows).toEqual([[1, { a: 1 }]])
  })

  it.each([
    ['rows.jsonl', '{"tags": ["x"], "parts": [{"a": 1}]}'],
    ['rows.ndjson', '{"parts": [{"a": 1}]}'],
    ['rows.json', '{"tags": ["x", "y"]}'],
  ])('as one row with lists: %s %j', async (name, content) => {
    expect((await contentOf(content, name)).rows).toEqual([[1, JSON.parse(content)]])
  })

  it('the separator is the one that every line has; rows of another length are reported with their lines', async () => {
    expect(await contentOf('a;b c\n1;"2\r\n3"\r\n4\n5;6;7\n8;9,9,9,9\n')).toEqual({
      columns: ['a', 'b c'],
      separator: ';',
      rows: [
        [2, { a: '1', 'b c': '2\r\n3' }],
        [4, 'The row has 1 value, but there are 2 columns.'],
        [5, 'The row has 3 values, but there are 2 columns.'],
        [6, { a: '8', 'b c': '9,9,9,9' }],
      ],
    })
  })
})

const fields = [
  { name: 'size', type: 'number' },
  { name: 'count', type: 'integer' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'open', type: 'boolean' },
  { name: 'tags', type: 'array' },
  { name: 'note', type: 'string' },
] as Field[]
const table = { json_schema: { fields }, primary_key: ['id'] } as unknown as Table

/** Reads CSV into the table: the labels of the forms, and each row as its record or its problems. */
async function importOf(text: string, chosen: Record<string, string> = {}) {
  const file = await readFile(fileOf(text))
  const mapping = mappingOf(file.columns, table)
  const forms = columnForms(file, mapping, fields, chosen)
  const read = rowReader(file.columns, mapping, new Map(fields.map((field) => [field.name, field])), forms)
  const rows = file.rows.map((row) => ({ row, ...read(row) }))
  const labels = [...forms].map(([column, { form, doubt, choices }]) => {
    const label = [...choices].find(([, one]) => JSON.stringify(one) === JSON.stringify(form))?.[0]
    return [column, label ?? (doubt ? [doubt.first.value, doubt.second.value] : form)]
  })
  return { labels: Object.fromEntries(labels), rows }
}
const recordsOf = async (text: string, chosen?: Record<string, string>) =>
  (await importOf(text, chosen)).rows.map(({ record, problems }) =>
    problems.length > 0 ? problems.map(({ text: problem }) => problem) : JSON.parse(JSON.stringify(record)),
  )

describe('the import reads the values of a column', () => {
  it.each(['12.5', '.5', '1,234.56', '1.2.3,4', '1.23,4', '1,5,5'])(
    'a number is read whole or refused: %s with a decimal comma',
    async (text) => {
      const sign = ' is not a number with the decimal sign "," and "." between thousands.'
      expect(await recordsOf(`size\tnote\n"1.000,5"\tx\n"${text}"\ty\n`, { size: '1.234,5' })).toEqual([
        { size: 1000.5, note: 'x' },
        [`column 1 (size): ${JSON.stringify(text)}${sign}`],
      ])
    },
  )

  it('in the form that all of its texts have', async () => {
    const text =
      'size;count;day;at;open;tags\n1.234,50;1.000;31.12.1999;31.12.1999 7:30;ja;["x"]\n0,5;;01.02.2000;01.02.2000 17:00;Nein;[]\n'
    expect(await importOf(text)).toMatchObject({
      labels: {
        size: '1.234,5',
        count: '1.234,5',
        day: 'DD.MM.YYYY',
        at: 'DD.MM.YYYY hh:mm',
        open: 'ja / nein',
      },
    })
    expect(await recordsOf(text)).toEqual([
      { size: 1234.5, count: 1000, day: '1999-12-31', at: '1999-12-31T07:30:00Z', open: true, tags: ['x'] },
      { size: 0.5, count: null, day: '2000-02-01', at: '2000-02-01T17:00:00Z', open: false, tags: [] },
    ])
  })

  it('in the form that is chosen if they may be read in two ways', async () => {
    const text = 'size;day\n1,234;03/04/2026\n'
    expect((await importOf(text)).labels).toEqual({
      size: ['1234', '1.234'],
      day: ['2026-04-03', '2026-03-04'],
    })
    const chosen = { size: '1234,5', day: 'MM/DD/YYYY' }
    expect(await recordsOf(text, chosen)).toEqual([{ size: 1.234, day: '2026-03-04' }])
  })

  it('JSON with a name twice in one object is refused, and other texts are left to the service', async () => {
    expect(await recordsOf('tags;note\n{"a":1,"a":2};x\n[{"a":1.50}];{"a":1,"a":2}\nred;y\n')).toEqual([
      ['column 1 (tags): "{\\"a\\":1,\\"a\\":2}" cannot be read. The name "a" is repeated in one object.'],
      { tags: [{ a: 1.5 }], note: '{"a":1,"a":2}' },
      { tags: 'red', note: 'y' },
    ])
  })

  it('its errors are grouped by their causes', async () => {
    const days = Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? 'x' : '2026-01-31'))
    const { rows } = await importOf(`note,day,open\n${days.map((day) => `n,${day},maybe\n`).join('')}n\n`)
    const wrong = rows.filter(({ problems }) => problems.length > 0)
    expect(causesOf(wrong.toReversed()).map(({ text, lines }) => [text, lines.length, lines[0]])).toEqual([
      ['column 2 (day): "x" is not a date, for example 2026-01-31.', 10, 2],
      ['column 3 (open): "maybe" is neither true, True, TRUE, 1 nor false, False, FALSE, 0.', 30, 2],
      ['The row has 1 value, but there are 3 columns.', 1, 32],
    ])
  })
})
