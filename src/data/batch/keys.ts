/** The keys of records in operations: texts as in paths, or references to earlier records. */
import { isRawNumber, numberOf, textOf } from '../../lib/exact-json.ts'
import type { JsonRecord } from '../failures/body.ts'
import { invalidRecords, recordNotFound } from '../failures/errors.ts'
import { valueProblems } from '../model/constraints.ts'
import type { Field, Table } from '../model/table.ts'
import { parseKey } from '../query/plan/keys.ts'

/**
 * Returns the members of a record that are its key. Throws 404 for a text that no record can have as its key,
 * and 400 for a reference to a key of several fields.
 */
export function keyMembers(table: Table, id: unknown): JsonRecord {
  const [only, ...others] = table.primaryKey as readonly [Field, ...Field[]]
  if (typeof id === 'object' && id !== null && !isRawNumber(id)) {
    if (others.length > 0)
      throw invalidRecords({ id: ['A composite key cannot be a reference. Send it as a string.'] })
    return { [only.name]: id }
  }
  const values = parseKey(table, textOf(id))
  if (!values) throw recordNotFound(table.name, textOf(id))
  return Object.fromEntries(
    table.primaryKey.map((field, position) => [field.name, asJson(field, values[position] as string)]),
  )
}

/** Converts the text of a key to the JSON value that the record has. */
function asJson(field: Field, text: string): unknown {
  const candidates = [text, numberOf(text), text === 'true']
  return candidates.find((one) => one !== undefined && field.type.problem(one) === undefined) ?? text
}

/** Returns the members of a change except the key, and the names of key members that differ from it. */
export function withoutKey(
  { primaryKey }: Table,
  key: JsonRecord,
  data: JsonRecord,
): { others: JsonRecord; moved: string[] } {
  const isSame = ({ name, type }: Field) =>
    valueProblems(type, [], data[name]).length === 0 &&
    valueProblems(type, [], key[name]).length === 0 &&
    type.key(data[name] as never) === type.key(key[name] as never)
  const moved = primaryKey.filter((field) => Object.hasOwn(data, field.name) && !isSame(field))
  const names = primaryKey.map(({ name }) => name)
  return {
    others: Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name))),
    moved: moved.map(({ name }) => name),
  }
}
