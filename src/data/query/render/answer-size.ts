/** Measures the rows of tables, whose JSON src/kernel/db/answer-size.ts bounds. */

import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { escapedMax, type Measure, measureJson, measureMade } from '../../../kernel/db/answer-size.ts'
import { identifier, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import type { Shown } from '../plan/shown.ts'

/** The most bytes of a number: Postgres stores 131,072 digits before the point and 16,383 after it. */
const numberBytesMax = 147_460

/** How to measure values by the type of their column. Omitted: as JSON. */
const measures: ReadonlyMap<string, (value: Sql) => Pick<Measure, 'longest' | 'bytes'>> = new Map([
  [
    'text',
    (value) => ({
      longest: sql`octet_length(${value})`,
      bytes: sql`tessera.text_bytes(${value})`,
    }),
  ],
])

/** The types whose values have some bytes. */
const shortTypes = ['bigint', 'boolean', 'date', 'time', 'timestamp', 'timestamptz', 'uuid']

/** A column of a row. */
export interface Column {
  name: string
  type: { column: Sql }
  schema?: Field['schema']
}

/** Where the columns are, and how many rows there usually are at most. */
export interface Place {
  /** The row of the columns. Undefined: their names alone, because some are columns of another row. */
  of: Sql | undefined
  rows: number
  /** The names of further columns, which are JSON. */
  json?: readonly string[]
}

/** Returns the measure of rows; undefined if they cannot be too long. */
export function measureOf(columns: readonly Column[], { of, rows, json = [] }: Place): Measure | undefined {
  const columnOf = (name: string) => (of ? sql`${of}.${identifier(name)}` : identifier(name))
  const measured = [
    ...columns
      .filter((column) => canBeLong(column, rows))
      .map(({ name, type }) => (measures.get(nameOf(type)) ?? measureJson)(columnOf(name))),
    ...json.map((name) => measureMade(columnOf(name))),
  ]
  if (measured.length === 0) return undefined
  return {
    longest: sql`greatest(${join(measured.map(({ longest }) => longest))})`,
    bytes: join(
      measured.map(({ bytes }) => bytes),
      sql` + `,
    ),
    count: measured.length,
  }
}

/** Returns the measure of records, as `measureOf` does. */
export function measureRecords(table: Table, { fields, populate }: Shown, place: Place): Measure | undefined {
  const json = new Set([...populate.map(({ relationship }) => relationship.name), ...(place.json ?? [])])
  const columns = [...(fields ?? table.fields.values())].filter(({ name }) => !json.has(name))
  return measureOf(columns, { ...place, json: [...json] })
}

const nameOf = ({ column }: Column['type']): string => column.strings.join()

/** Tells whether some values of a column would be too long, if each of the rows had one. */
function canBeLong({ schema, type }: Column, rows: number): boolean {
  const { maxLength } = schema?.constraints ?? {}
  const most = new Map<string, number>([
    ...shortTypes.map((name): [string, number] => [name, 0]),
    ['numeric', numberBytesMax],
    ...(maxLength === undefined ? [] : [['text', escapedMax * maxLength] satisfies [string, number]]),
  ])
  return rows * (most.get(nameOf(type)) ?? Number.POSITIVE_INFINITY) > answerBytesMax / 4
}
