/** The values that Postgres fills in when a record is created without them. D5. */
import { literal, type Sql, sql } from '../../kernel/db/sql.ts'
import { collectionOf } from './adopted.ts'
import { rulesOf } from './constraints.ts'
import type { FieldSchema, TableSchema } from './schema-form.ts'
import { typeOf } from './types.ts'

/** Tells whether a field numbers its records: it is the whole primary key, an integer, and has no default. */
const isIdentity = (schema: TableSchema, field: FieldSchema): boolean =>
  isSingleKey(schema, field) && field.type === 'integer' && (field.default ?? null) === null

/** The same in a datasource: to a collection that was there before, others give keys, too. */
export const numbers = (schema: TableSchema, field: FieldSchema, providerType: string): boolean =>
  isIdentity(schema, field) && !(providerType === 'mongodb' && collectionOf(schema) !== undefined)

/** Tells whether Postgres fills in another value for each record: a number or a UUID. */
export const isGenerated = (schema: TableSchema, field: FieldSchema): boolean =>
  isIdentity(schema, field) ||
  columnDefault(schema, field) === newUuid ||
  columnDefault(schema, field) === newTextUuid

const isSingleKey = (schema: TableSchema, field: FieldSchema) =>
  schema.primaryKey.length === 1 && schema.primaryKey[0] === field.name

/** The fields that have a default by their name and type. */
const defaultsByName: Record<string, { type: string; default: Sql }> = {
  created_at: { type: 'datetime', default: sql`now()` },
  updated_at: { type: 'datetime', default: sql`now()` },
  is_deleted: { type: 'boolean', default: sql`false` },
}

const newUuid = sql`gen_random_uuid()`
const newTextUuid = sql`gen_random_uuid()::text`
/**
 * UUIDs of digits, of letters and of both in turns: a rule that allows all of these allows every random UUID.
 */
const sampleUuids = [
  '00000000-0000-4000-8000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  'a0a0a0a0-b1b1-4c2c-8d3d-e4e4e4e4e4e4',
  '0a0a0a0a-1b1b-4c2d-9d3d-4e4e4e4e4e4e',
]

/** Returns the default of a field's column; undefined if it has none, or if it is an identity. */
export function columnDefault(schema: TableSchema, field: FieldSchema): Sql | undefined {
  const declared = field.default
  if (declared !== undefined && declared !== null) {
    const { column, comparable } = typeOf(field)
    return sql`${literal(comparable ? String(declared) : JSON.stringify(declared))}::${column}`
  }
  if (isSingleKey(schema, field) && field.type === 'uuid') return newUuid
  if (
    isSingleKey(schema, field) &&
    field.type === 'string' &&
    rulesOf(field).every((rule) => sampleUuids.every((uuid) => !rule.problem(uuid)))
  )
    return newTextUuid
  const row = defaultsByName[field.name]
  return row && row.type === field.type ? row.default : undefined
}
