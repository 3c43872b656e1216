/**
 * Writes of one record that are alone in their request. Its values are constants of the statement, whose row
 * is the answer: Postgres plans that in a tenth of the time of a statement that reads JSON and finds
 * conflicts.
 */
import { recordWithin } from '../../../kernel/db/answer-size.ts'
import { join, large, OneSql, type Sql, sql } from '../../../kernel/db/sql.ts'
import { readJsonVerbatim, textOf } from '../../../kernel/lib/exact-json.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { measureRecords } from '../../query/render/answer-size.ts'
import { plainRecord } from '../../query/render/plain-record.ts'
import { readVersioned } from '../../query/render/render-one.ts'
import { recordColumns } from '../../query/render/render-record.ts'
import { row } from '../../query/row.ts'
import type { RecordInsert, UpsertedRecords } from '../provider.ts'
import { isUniform } from './input.ts'

/** The only record of a write, with the SQL of its values and of its answer. */
export interface OneRecord {
  /** Returns the value of a field that the record has. */
  value(field: Field): Sql
  /** Returns the statement of a write, which has no `returning` clause yet. */
  returning(write: Sql, options?: Returning): OneSql<UpsertedRecords>
}

interface Returning {
  /** The answer if the statement writes nothing. Omitted: it always writes. */
  none?: UpsertedRecords
  /** Whether the statement may change a record that was there. Only then the answer tells whether it did. */
  isUpsert?: boolean
}

/** Returns the only record of a write; undefined if it must be written like many. */
export function oneRecord(table: Table, write: RecordInsert): OneRecord | undefined {
  const { input, isAlone, returnsKeys, returnsRecords } = write
  if (!isAlone || returnsKeys || input.count !== 1 || !isUniform(input) || !table.storage.hasColumns)
    return undefined
  if (input.text.length > recordMax || input.taken?.length) return undefined
  const [record = {}] = readJsonVerbatim(input.text) as Readonly<Record<string, unknown>>[]
  return {
    value: (field) => constant(field, record[field.name] ?? null),
    returning(statement, options = {}) {
      if (returnsRecords) return withRecord(table, statement, options)
      const read = (text: string) => written(null, null, text)
      return new OneSql(sql`${statement} returning ${isCreated}`, read, options.none)
    },
  }
}

/** A longer record is read from JSON, so that the text of the statement stays short. In UTF-16 code units. */
const recordMax = 65_536
/** A longer value is sent apart from the text of the statement. */
const shortMax = 1_000

/** Returns a value as the input function of its type reads it, as it does from JSON. */
function constant({ type }: Field, value: unknown): Sql {
  const isJson = type.column.strings.join() === 'jsonb'
  const text = value === null || !isJson ? value : JSON.stringify(value)
  const sent = text === null ? null : textOf(text)
  const bound = sent !== null && sent.length > shortMax ? large(sent) : sent
  const input = sql`${bound}::${type.input ?? type.column}`
  return type.read?.(input) ?? input
}

/** Whether the row was inserted: a row that was there has been locked. */
export const isCreated = sql`${row.alias}.xmax = 0 as _created`
const createdMember = ',"_created":'

/** Returns the statement with the record in its answer. */
function withRecord(table: Table, statement: Sql, { none, isUpsert }: Returning): OneSql<UpsertedRecords> {
  const plain = plainRecord(table)
  const measure = measureRecords(table, { fields: undefined, populate: [] }, { of: undefined, rows: 1 })
  const columns = join([
    plain?.columns ?? recordColumns(table),
    ...(isUpsert ? [isCreated] : []),
    sql`${recordWithin(sql`${row.alias}.xmin`, measure)} as _version`,
  ])
  const read = (text: string) => {
    const { data, etag } = readVersioned(text)
    const end = isUpsert ? data.lastIndexOf(createdMember) : data.length - 1
    const record = `${data.slice(0, end)}}`
    return written(`[${plain?.reform(record) ?? record}]`, etag, data.slice(end))
  }
  return new OneSql(sql`${statement} returning ${columns}`, read, none)
}

/** Returns the answer. `end` is the end of the row's text. */
const written = (data: string | null, etag: string | null, end: string): UpsertedRecords => ({
  data,
  etag,
  written: 1,
  created: end.includes('true') ? 1 : 0,
})
