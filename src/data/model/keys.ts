/** The foreign keys and the unique keys of a table. */
import type { ForeignKeySchema, IndexSchema } from './schema-form.ts'
import type { Table } from './table.ts'

/** A foreign key with its table and the table that it references. */
export interface ResolvedKey {
  table: Table
  key: ForeignKeySchema
  referenced: Table
}

/** Tells whether a foreign key references its own table. */
export const isToItself = ({ name }: Table, { reference }: ForeignKeySchema): boolean =>
  reference.resource === '' || reference.resource === name

/**
 * Tells whether a key or constraint makes the values of these fields, together, unique at any time, so that
 * they can identify a record: for an upsert, and for a foreign key.
 */
export const isUnique = (table: Table, fields: readonly string[]): boolean =>
  uniqueKeysOf(table).some((key) => !key.where && !key.isDeferred && isSameSet(key.fields, fields))

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name))

/** Fields whose values, together, are unique. */
export interface UniqueKey {
  fields: readonly string[]
  /** A filter: only the records that match it are unique among themselves. */
  where?: IndexSchema['where']
  /** Whether the values are unique only after a statement, not after each of its records. */
  isDeferred?: boolean
}

/** Tells whether a table has a unique key that is checked after a statement. */
export const hasDeferredKey = (table: Table): boolean =>
  uniqueKeysOf(table).some(({ isDeferred }) => isDeferred)

/** Returns the unique keys of a table, the primary key first, each set of fields once. */
export function uniqueKeysOf({ schema, fields }: Table): UniqueKey[] {
  const keys: UniqueKey[] = [
    { fields: schema.primaryKey },
    ...[...fields.values()]
      .filter((field) => field.schema.constraints?.unique)
      .map((field) => ({
        fields: [field.name],
        ...(field.schema.constraints?.unique === 'deferred' ? { isDeferred: true } : {}),
      })),
    ...(schema.uniqueKeys ?? []).map((key) => ({ fields: key })),
    ...(schema.indexes ?? [])
      .filter((index) => index.unique)
      .map((index) => ({ fields: index.fields, where: index.where })),
  ]
  return keys.filter(
    (key, position) =>
      key.where ||
      !keys.slice(0, position).some((other) => !other.where && isSameSet(other.fields, key.fields)),
  )
}
