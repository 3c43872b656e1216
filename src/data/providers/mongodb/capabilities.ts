/**
 * What datasources of the type mongodb cannot do: one row each, with what to do instead. Everything that
 * they refuse is refused here, and listed in docs/guide/mongodb.md.
 */
import { AppError } from '../../../kernel/errors.ts'
import { collectionOf } from '../../model/adopted.ts'
import type { Table } from '../../model/table.ts'

const rows = {
  foreignKeys:
    'A foreign key to or from a table in MongoDB needs both tables in the same datasource. Keep the value ' +
    'in a plain field.',
  adoptedKeys:
    'A collection that was there before has no foreign keys, nor can others reference it: whoever else ' +
    'writes to it would break them.',
  setDefault: '"SET DEFAULT" does not work in MongoDB: use "SET NULL".',
  related: 'In MongoDB, related records can be shown and filtered by, but not sorted or aggregated by.',
  graph: 'hierarchy and graph: edges need a flat_table or jsonb datasource.',
  history: 'history (time travel) needs a flat_table or jsonb datasource.',
  search:
    'search_fields: a search by words needs a flat_table or jsonb datasource. Use filters like icontains.',
  access: 'access rules: guests cannot read or write tables in MongoDB.',
  checks: 'checks and "generated": Postgres computes them. Use a flat_table or jsonb datasource.',
  deferred: '"unique": "deferred" is only possible in a flat table.',
  indexes: 'An index with a filter, a property, an operator class or an order of its fields needs Postgres.',
  ranges: 'ranges and exclusions (no two records that overlap) need a flat_table or jsonb datasource.',
  schemaChange:
    'In MongoDB, a change of a schema adds fields without a default and drops fields, adds and drops ' +
    'unique keys and indexes under other names, requires values or lets them be empty, and takes other ' +
    'constraints away. For anything else, create another table, and copy the records.',
  rollback: 'A change of a table in MongoDB cannot be rolled back. Change the schema back instead.',
  package:
    'A data package makes its tables all or none, which needs Postgres. Create tables in MongoDB one by one.',
  patterns: 'These values are too many or too long for their patterns. Send fewer records.',
  reference: 'Tables in MongoDB cannot be imported as references by other apps.',
  functions:
    'In MongoDB, to_char and power do not work, and texts are made only of integers, booleans and dates. ' +
    'Other casts work from texts to numbers, and between dates.',
  typedProperty: 'In MongoDB, a property can be read as ::string, ::number or ::boolean.',
  search_filter: 'A search by words does not work on tables in MongoDB. Filters such as icontains work.',
  batch: 'Operations on tables in MongoDB cannot be part of a batch: send each as its own request.',
  nested: 'New related records inside a record need tables in Postgres.',
  parts: 'atomic=false does not work on tables in MongoDB. Send fewer records in each request.',
  ignored: 'on_conflict=ignore takes one record at a time on tables in MongoDB.',
  repeatable:
    'Creating a table in MongoDB with its collection is two steps, which Idempotency-Key cannot hold ' +
    'together. Send the request without it: the name of a table can be given once.',
  other: 'This does not work on tables in MongoDB.',
} as const

/** Something that datasources of the type mongodb cannot do. */
export type Missing = keyof typeof rows

/** Tells whether the records of a table are in MongoDB. */
export const isInMongodb = ({ datasource }: Pick<Table, 'datasource'>): boolean =>
  datasource.providerType === 'mongodb'

/** Returns the name of the collection that was there before a table of it; undefined: there is none. */
export const adoptedBy = (table: Pick<Table, 'datasource' | 'schema'>): string | undefined =>
  isInMongodb(table) ? collectionOf(table.schema) : undefined

/** Tells whether a table has a collection of its own. */
export const hasOwnCollection = (table: Pick<Table, 'datasource' | 'schema'>): boolean =>
  isInMongodb(table) && adoptedBy(table) === undefined

/** Returns the message for something that is not possible. */
export const messageOf = (missing: Missing): string => rows[missing]

/** The 422 for something that datasources of the type mongodb cannot do. */
export const notInMongodb = (missing: Missing): AppError =>
  new AppError(422, 'not_supported', { error: 'Not possible in MongoDB', detail: rows[missing] })

/** Throws 422 for a table in MongoDB. */
export function refuseInMongodb(table: Pick<Table, 'datasource'>, missing: Missing): void {
  if (isInMongodb(table)) throw notInMongodb(missing)
}
