/**
 * The key of a unique or foreign key that Postgres names in a failure, and the record of the body with it.
 */
import type { DatabaseFailure } from '../../kernel/db/failures.ts'
import { numberOf, textOf } from '../../kernel/lib/exact-json.ts'
import type { FieldType } from '../model/field-types.ts'
import type { Table } from '../model/table.ts'
import { type RecordsBody, recordPrefix } from './body.ts'

/** A key in the text of a failure. */
export interface FailedKey {
  fields: string[]
  /** Values as Postgres prints them. */
  values: string
  /** Whether the record references a missing record. Otherwise it exists already, or is referenced. */
  missing: boolean
}

const keyDetail =
  /^Key \((.*?)\)=\((.*)\) (?:already exists|is (not present in|(?:still )?referenced from) table ".*")\.$/s

/** Returns the key in the text of a failure; undefined if it has none. */
export function failedKey({ detail }: DatabaseFailure): FailedKey | undefined {
  const [, fields, values, relation] = keyDetail.exec(detail ?? '') ?? []
  if (fields === undefined || values === undefined) return undefined
  return { fields: fields.split(', '), values, missing: relation === 'not present in' }
}

/** Returns the values of a key one by one; undefined if texts with commas make them ambiguous. */
export function partsOf({ values }: FailedKey, fields: readonly string[]): string[] | undefined {
  const parts = fields.length === 1 ? [values] : values.split(', ')
  return parts.length === fields.length ? parts : undefined
}

/** Returns `rows[3]: ` for the record of the body that has the values of a key; '' if it cannot be found. */
export function place(
  key: FailedKey | undefined,
  table: Table,
  fields: readonly string[],
  body: RecordsBody,
): string {
  const index = key ? indexOf(key, table, fields, body) : -1
  return index === -1 ? '' : recordPrefix(body, index, fields[0])
}

/** Returns the position of the record of the body that has the values of a key; -1 if it cannot be found. */
export const indexOf = (
  key: FailedKey,
  table: Table,
  fields: readonly string[],
  body: RecordsBody,
  // Of two records with the same value, the second is wrong.
): number => indexesOf(key, table, fields, body).at(-1) ?? -1

/** Returns the positions of the records of the body that have the values of a key. */
export function indexesOf(
  key: FailedKey,
  table: Table,
  fields: readonly string[],
  { records }: RecordsBody,
): number[] {
  const types = fields.map((name) => table.fields.get(name)?.type)
  const parts = partsOf(key, fields)
  // Ambiguous values are compared as a whole.
  const wanted = parts ? spelled(types, parts) : key.values
  return records.flatMap((record, index) => {
    const values = fields.map((name) => record[name])
    // A null violates neither kind of constraint.
    const isSent = values.every((value) => value !== undefined && value !== null)
    return isSent && spelled(types, values) === wanted ? [index] : []
  })
}

/**
 * Returns one spelling for equal values: clients can write numbers, dates and times differently than
 * Postgres.
 */
export const spelled = (types: readonly (FieldType | undefined)[], values: readonly unknown[]): string =>
  values.map((value, position) => spelling(types[position], value)).join(', ')

function spelling(type: FieldType | undefined, value: unknown): string {
  const candidates =
    typeof value === 'string' ? [value, numberOf(value), value.replace(/[+-]\d\d$/, '$&:00')] : [value]
  const own = candidates.find((candidate) => type?.problem(candidate) === undefined)
  return type && own !== undefined ? String(type.key(own as never)) : textOf(value)
}
