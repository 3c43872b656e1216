/** Infers the fields of a file without a schema from its rows. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeTables } from '../../../dev/loader/make-tables.ts'
import { openSource } from '../../../dev/loader/source.ts'
import { temporaryFolder } from '../../../dev/temporary-folder.ts'
import { writeSheet } from './sheet.ts'

const folder = temporaryFolder('infer')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function infer(name: string, content: string | Uint8Array) {
  writeFileSync(join(folder, name), content)
  const choice = { only: undefined, encoding: undefined, sheet: undefined, table: undefined }
  const { files, data } = await openSource(join(folder, name), choice)
  const { tables, notes } = await makeTables(files, data, data.resources, () => undefined)
  return { fields: tables[0]?.schema.fields, notes }
}

describe('the inferred fields of CSV', () => {
  it('have the type that fits every value; codes with leading zeros stay texts', async () => {
    const text = [
      'n;i;x;code;yes;day;at;when;key;o;mixed;nothing',
      '1;9223372036854775807;1.50;007;true;2026-01-31;18:30;2026-01-31T18:30:00Z;' +
        '10000000-0000-4000-8000-000000000001;{"a":1};1;',
      '2;;-1e3;12;False;2026-02-01;07:15:00;2026-01-31 18:30:00;20000000-0000-4000-8000-000000000001;{};x;',
    ]
    expect((await infer('types.csv', `${text.join('\n')}\n`)).fields).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'n', type: 'integer' },
      { name: 'i', type: 'integer' },
      { name: 'x', type: 'number' },
      { name: 'code', type: 'string' },
      { name: 'yes', type: 'boolean' },
      { name: 'day', type: 'date' },
      { name: 'at', type: 'time' },
      { name: 'when', type: 'datetime' },
      { name: 'key', type: 'uuid' },
      { name: 'o', type: 'object' },
      { name: 'mixed', type: 'string' },
      { name: 'nothing', type: 'string' },
    ])
  })

  it('keep their labels as titles if names change; an "id" without unique values is renamed', async () => {
    expect(await infer('labels.csv', 'id,Full Name,,a\n1,Ada,x,1\n1,Bram,,2\n')).toEqual({
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'original_id', type: 'integer', title: 'id' },
        { name: 'full_name', type: 'string', title: 'Full Name' },
        { name: 'field_3', type: 'string' },
        { name: 'a', type: 'integer' },
      ],
      notes: [
        'The field "id" of "labels" is named original_id: its values are not unique, so they are not keys.',
        'The field "Full Name" of "labels" is named full_name.',
      ],
    })
  })
})

describe('the inferred fields of JSON', () => {
  it('have the types of the values, and the type any if these differ', async () => {
    const rows = [
      { id: 1, n: 12345678901234567890n, text: '5', list: [1], any: 1 },
      { id: 2, n: 1, more: { a: 1 }, any: 'x' },
    ]
    const text = rows.map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value)),
    )
    expect((await infer('rows.jsonl', text.join('\n'))).fields).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'n', type: 'number' },
      { name: 'text', type: 'string' },
      { name: 'list', type: 'array' },
      { name: 'any', type: 'any' },
      { name: 'more', type: 'object' },
    ])
  })
})

describe('the inferred fields of an Excel file', () => {
  it('have the types of the cells; the cell format tells dates from numbers', async () => {
    const sheet = await writeSheet([
      ['Code', 'Size', 'Whole', 'Day'],
      ['A', { number: '1.10' }, { number: '3' }, { day: '46053' }],
      ['B', { number: '2' }, { number: '4' }, { day: '46054' }],
    ])
    expect((await infer('sheet.xlsx', sheet)).fields).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'Code', type: 'string' },
      { name: 'Size', type: 'number' },
      { name: 'Whole', type: 'integer' },
      { name: 'Day', type: 'date' },
    ])
  })
})
