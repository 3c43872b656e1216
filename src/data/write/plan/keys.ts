/** The keys of records in operations: plain values, or references to earlier records. R17. */
import { isRawNumber, numberOf, numberText, textOf, wholeDigits } from '../../../kernel/lib/exact-json.ts'
import { compositeKeyProblem, type JsonRecord } from '../../failures/body.ts'
import { invalidRecords, recordNotFound } from '../../failures/errors.ts'
import { valueProblems } from '../../model/constraints.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import { formatKey, parseKey } from '../../query/plan/keys.ts'

/**
 * Returns the members of a record that are its key: `id`, or the elements of `id` if the key has several
 * fields. A text for several fields is read as in a path. Throws 404 for values that no record can have as
 * its key, and 400 for JSON of another form.
 */
export function keyMembers(table: Table, id: unknown): JsonRecord {
  const names = table.primaryKey.map(({ name }) => name)
  const several = typeof id === 'string' ? parseKey(table, id) : id
  const sent = names.length === 1 ? [id] : several
  if (sent === undefined) throw recordNotFound(table.name, textOf(id))
  if (!Array.isArray(sent) || sent.length !== names.length)
    throw invalidRecords({ id: [compositeKeyProblem(names)] })
  const members = table.primaryKey.map((field, position) => {
    const value: unknown = sent[position]
    if (Array.isArray(value)) throw invalidRecords({ id: [`Must be a value of ${field.name}.`] })
    if (typeof value === 'object' && value !== null && !isRawNumber(value)) return [field.name, value]
    const text = field.type.parse(textOf(value)) ?? field.type.parse(wholeText(value) ?? '')
    if (text === undefined) throw recordNotFound(table.name, formatKey(sent.map(textOf)))
    return [field.name, asJson(field, text)]
  })
  return Object.fromEntries(members)
}

/** Returns the digits of a whole number, also of `1.0` and `1e3`; undefined for any other value. */
function wholeText(value: unknown): string | undefined {
  const text = numberText(value)
  return text === undefined ? undefined : wholeDigits(text)
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
