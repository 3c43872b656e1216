/**
 * Selects records as plain columns, and puts the JSON that Postgres writes of them in the form of the API. An
 * expression for each value would cost Postgres more to plan than the rest of a statement for one record.
 */
import { join, type Sql } from '../../../db/sql.ts'
import type { Field, Table } from '../../model/table.ts'
import { fieldSql } from '../row.ts'

/** How to select records. */
export interface PlainRecord {
  columns: Sql
  /** Puts the JSON object of a row in the form of the API. Another column follows these. */
  reform(json: string): string
}

const ofTables = new WeakMap<Table, PlainRecord | undefined>()

/**
 * Returns how to select the fields, by default all fields of the table. Returns undefined if that is not
 * possible: there is a value to be changed, and another one that may contain values.
 */
export function plainRecord(table: Table, fields?: readonly Field[]): PlainRecord | undefined {
  if (fields) return plainFields(fields)
  if (!ofTables.has(table)) ofTables.set(table, plainFields([...table.fields.values()]))
  return ofTables.get(table)
}

function plainFields(fields: readonly Field[]): PlainRecord | undefined {
  const isChanged = fields.some(({ type }) => type.output)
  if (isChanged && !fields.every(({ type }) => isScalar(type.column) && (!type.output || type.reform)))
    return undefined
  const members = fields.map(
    ({ name, type: { reform } }): Member => ({
      nameLength: JSON.stringify(name).length,
      reform,
    }),
  )
  const last = members.findLastIndex(({ reform }) => reform)
  return {
    columns: join(fields.map((field) => fieldSql(field))),
    reform: (json) => reformMembers(json, members.slice(0, last + 1)),
  }
}

const isScalar = (column: Sql): boolean => column.strings.join() !== 'jsonb'

/** A member of a JSON object. */
interface Member {
  /** With its quotes. */
  nameLength: number
  /** Changes the value. Omitted: it stays. */
  reform: ((json: string) => string) | undefined
}

/** Changes values of a JSON object that begins with these members. They have scalar values. */
function reformMembers(json: string, members: readonly Member[]): string {
  let reformed = ''
  /** What is before it is in `reformed`. */
  let done = 0
  let position = '{'.length
  for (const { nameLength, reform } of members) {
    const start = position + nameLength + ':'.length
    const end = endOfScalar(json, start)
    if (reform) {
      reformed += json.slice(done, start) + reform(json.slice(start, end))
      done = end
    }
    position = end + ','.length
  }
  return reformed + json.slice(done)
}

/** Returns the position after the value that begins at `start`. Another member follows. */
function endOfScalar(json: string, start: number): number {
  if (json[start] !== '"') return json.indexOf(',', start)
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(json: string, position: number): boolean {
  let backslashes = 0
  while (json[position - backslashes - 1] === '\\') backslashes++
  return backslashes % 2 === 1
}
