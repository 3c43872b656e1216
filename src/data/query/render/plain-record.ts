/**
 * Selects records as plain columns, and converts the JSON that Postgres writes of them to the form of the
 * API. An expression for each value would take Postgres longer to plan than the rest of a statement for one
 * record.
 */
import { join, type Sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { fieldSql, row } from '../row.ts'

/** How to select records from `_row`. */
export interface PlainRecord {
  columns: Sql
  /** Converts the JSON object of a row to the form of the API. The row may have further columns. */
  reform(json: string): string
  /**
   * Converts a JSON array of rows without further columns to the form of the API. Only the first `max` rows
   * are returned.
   */
  reformAll(json: string, max: number): string
  /** Does the same with an array that comes in parts. */
  reformParts(parts: AsyncGenerator<string>, max: number): AsyncGenerator<string>
}

const ofTables = new WeakMap<Table, PlainRecord | undefined>()

/**
 * Returns how to select the fields, by default all fields of the table. Undefined if that is not possible,
 * because a value may contain other values.
 */
export function plainRecord(table: Table, fields?: readonly Field[]): PlainRecord | undefined {
  if (fields) return plainFields(fields)
  if (!ofTables.has(table)) ofTables.set(table, plainFields([...table.fields.values()]))
  return ofTables.get(table)
}

function plainFields(fields: readonly Field[]): PlainRecord | undefined {
  if (!fields.every(({ type }) => isScalar(type.column) && (!type.output || type.reform))) return undefined
  const members = fields.map(
    ({ name, type: { reform } }): Member => ({
      nameLength: JSON.stringify(name).length,
      reform,
    }),
  )
  const last = members.findLastIndex(({ reform }) => reform)
  const leading = members.slice(0, last + 1)
  return {
    columns: join(fields.map((field) => fieldSql(field, row))),
    reform(json) {
      const copy = new Copy(json)
      copyObject(copy, 0, leading)
      return copy.upTo(json.length)
    },
    reformAll: (json, max) => (max === 0 ? '[]' : reformer(members, max)(json)),
    reformParts: (parts, max) => reformParts(parts, members, max),
  }
}

const isScalar = (column: Sql): boolean => column.strings.join() !== 'jsonb'

/** A member of a JSON object. */
interface Member {
  /** The length with the quotes. */
  nameLength: number
  /** Changes the value. Omitted: the value stays the same. */
  reform: ((json: string) => string) | undefined
}

/** Copies a text, and changes parts of it. */
class Copy {
  readonly source: string
  #copied = ''
  #position = 0

  constructor(source: string) {
    this.source = source
  }

  /** Copies up to a position. Returns everything that was copied. */
  upTo(position: number): string {
    this.#copied += this.source.slice(this.#position, position)
    this.#position = position
    return this.#copied
  }

  /** Copies up to the part between two positions, and changes the part. */
  change(start: number, end: number, change: (part: string) => string): void {
    this.upTo(start)
    this.#copied += change(this.source.slice(start, end))
    this.#position = end
  }
}

/**
 * Returns a function that copies the text of an array, which it gets in parts of whole objects. It ends the
 * array after `max` objects.
 */
function reformer(members: readonly Member[], max: number): (json: string) => string {
  let left = max
  return (json) => {
    if (left === 0) return ''
    const copy = new Copy(json)
    let start = json.indexOf('{')
    while (start !== -1) {
      const end = copyObject(copy, start, members) + '}'.length
      left--
      if (left === 0) return `${copy.upTo(end)}]`
      start = json.indexOf('{', end)
    }
    return copy.upTo(json.length)
  }
}

/** Copies an array that comes in parts. Postgres puts a line feed between two objects, and nowhere else. */
async function* reformParts(
  parts: AsyncGenerator<string>,
  members: readonly Member[],
  max: number,
): AsyncGenerator<string> {
  const reform = reformer(members, max)
  let pending: string[] = []
  if (max === 0) return yield '[]'
  for await (const part of parts) {
    const end = part.lastIndexOf('\n') + 1
    pending.push(part.slice(0, end === 0 ? undefined : end))
    if (end === 0) continue
    yield reform(pending.join(''))
    pending = [part.slice(end)]
  }
  yield reform(pending.join(''))
}

/**
 * Copies the object at `start`, which begins with these members, and changes their values. Returns the
 * position after the last one.
 */
function copyObject(copy: Copy, start: number, members: readonly Member[]): number {
  let end = start
  for (const { nameLength, reform } of members) {
    const value = end + '{'.length + nameLength + ':'.length
    end = endOfScalar(copy.source, value)
    if (reform) copy.change(value, end, reform)
  }
  return end
}

/** Returns the position after the value that begins at `start`. */
function endOfScalar(json: string, start: number): number {
  if (json[start] !== '"') {
    let end = start
    while (json[end] !== ',' && json[end] !== '}') end++
    return end
  }
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(json: string, position: number): boolean {
  let backslashes = 0
  while (json[position - backslashes - 1] === '\\') backslashes++
  return backslashes % 2 === 1
}
