/** A table as the planner knows it: names resolved to columns, everything that statements need prepared once. */

import { identifier, type Sql, sql } from '../../db/sql.ts'
import type { Announced } from '../../events/records/service.ts'
import { type HeldRule, isHeld, isTextKey, pathRule, type Rule, rulesOf } from './constraints.ts'
import { columnDefault, isGenerated, isIdentity } from './defaults.ts'
import type { FieldType } from './field-types.ts'
import { type RelationshipType, relationshipTypesOf } from './graph-schema.ts'
import { constraintNames, edgesConstraintNames, edgesTableName } from './names.ts'
import type { FieldSchema, TableSchema } from './schema-form.ts'
import { searchColumn, searchVector } from './search-vector.ts'
import { type Storage, storageOf } from './storage.ts'
import { typeOf } from './types.ts'

export interface Field {
  name: string
  schema: FieldSchema
  type: FieldType
  column: Sql
  rules: readonly Rule[]
  /** May not be null. */
  required: boolean
  /** What Postgres fills in when a record is created without it. */
  default: Sql | undefined
  /** What Postgres fills in is another value for each record. */
  generated: boolean
}

/** Where a physical table stands. */
export interface Place {
  /** The schema of Postgres that it stands in. */
  namespace: Sql
  /** It, with its schema: no search path decides what it means. */
  relation: Sql
}

export interface Table extends Place {
  id: number
  name: string
  datasource: TableDatasource
  /** Of a reference: the table of another app that it is. */
  source: TableSource | null
  schema: TableSchema
  schemaHash: string
  isMaterialized: boolean
  physicalName: string
  /** How its rows keep the fields of its records. */
  storage: Storage
  /** What records are selected from: `from ${table.rows} _row`. The physical table, `relation`, is for what writes and changes it. */
  rows: Sql
  fields: ReadonlyMap<string, Field>
  primaryKey: readonly Field[]
  /** The key that numbers records by itself: a single integer. */
  identity: Field | undefined
  /** The field whose truth hides a record (D5), where there is one. */
  softDelete: Field | undefined
  /** The fields that fill themselves when a record is created, and whenever it is written (D5, R12), where there are such. */
  createdAt: Field | undefined
  updatedAt: Field | undefined
  /** When its foreign keys came, in seconds, by their fields with commas between them. Of a table that is not materialized there are none. */
  keysSince: ReadonlyMap<string, number>
  /** What of its records anybody is told of; null: of nothing. */
  announced: Announced | null
  /** What a constraint of the physical table, or of its edges, says, by its name. */
  constraints: ReadonlyMap<string, NamedConstraint>
  /** The edges between its records, where it has such. G1, G2. */
  graph: TableGraph | undefined
}

export interface TableGraph {
  /** The physical table of the edges. */
  edges: Sql
  /** The field by whose values edges name records: the primary key. */
  key: Field
  types: readonly RelationshipType[]
}

export interface NamedConstraint {
  fields: readonly string[]
  /** Of a check: what it holds. */
  rule?: HeldRule
  /** Of a foreign key: the table it references. */
  resource?: string
  /** Of a check: it holds that there is a value. */
  required?: boolean
}

export interface TableDatasource {
  /** Null of a reference, which is in no datasource of its app. */
  slug: string | null
  providerType: string
}

export interface TableSource {
  app: string
  table: string
}

/** What the catalog keeps of a table. */
export interface TableRow {
  id: number
  name: string
  json_schema: TableSchema
  schema_hash: string
  physical_table_name: string
  is_materialized: boolean
  datasource: TableDatasource
  source: TableSource | null
  /** Omitted: all foreign keys came at once. */
  keys_since?: Readonly<Record<string, number>>
}

/** T1: a site has a schema of Postgres. */
export function placeOf(siteId: number, physicalName: string): Place {
  const namespace = identifier(`site_${siteId}`)
  return { namespace, relation: sql`${namespace}.${identifier(physicalName)}` }
}

export function compileTable(siteId: number, row: TableRow, announced: Announced | null = null): Table {
  const schema = row.json_schema
  const fields = new Map(schema.fields.map((field) => [field.name, compileField(schema, field)]))
  const place = placeOf(siteId, row.physical_table_name)
  const { providerType } = row.datasource
  const storage = storageOf(providerType, {
    ...place,
    identitySequence: constraintNames(row.physical_table_name).identitySequence,
    fields: [...fields.values()],
    search(columnOf) {
      const value = searchVector(schema, columnOf)
      return value && { value, column: searchColumn(schema) }
    },
  })
  const ofType = (name: string, type: string) => [fields.get(name)].find((field) => field?.schema.type === type)
  const primaryKey = schema.primaryKey.map((name) => fields.get(name) as Field)
  const types = relationshipTypesOf(schema)
  return {
    id: row.id,
    name: row.name,
    datasource: row.datasource,
    source: row.source,
    schema,
    schemaHash: row.schema_hash,
    isMaterialized: row.is_materialized,
    physicalName: row.physical_table_name,
    ...place,
    storage,
    rows: storage.rows(place.relation),
    fields,
    primaryKey,
    identity: [...fields.values()].find((field) => isIdentity(schema, field.schema)),
    softDelete: ofType('is_deleted', 'boolean'),
    createdAt: ofType('created_at', 'datetime'),
    updatedAt: ofType('updated_at', 'datetime'),
    keysSince: new Map(Object.entries(row.keys_since ?? {})),
    announced,
    constraints: constraintsOf(row.physical_table_name, schema, fields, storage),
    graph: types && { edges: placeOf(siteId, edgesTableName(row.physical_table_name)).relation, key: primaryKey[0] as Field, types },
  }
}

/** Returns what a table was compiled from. */
export const rowOf = (table: Table): TableRow => ({
  id: table.id,
  name: table.name,
  json_schema: table.schema,
  schema_hash: table.schemaHash,
  physical_table_name: table.physicalName,
  is_materialized: table.isMaterialized,
  datasource: table.datasource,
  source: table.source,
  keys_since: Object.fromEntries(table.keysSince),
})

/** The table with other columns, or expressions in their place, under its fields: so that what stands on fields can be written of a table before or after a change. */
export function withColumns(table: Table, columnOf: (field: Field) => Sql): Table {
  return { ...table, fields: new Map([...table.fields].map(([name, field]) => [name, { ...field, column: columnOf(field) }])) }
}

function compileField(schema: TableSchema, field: FieldSchema): Field {
  return {
    name: field.name,
    schema: field,
    type: typeOf(field),
    column: identifier(field.name),
    rules: [...rulesOf(field), ...(isTextKey(schema.primaryKey, field) ? [pathRule] : [])],
    required: Boolean(field.constraints?.required) || schema.primaryKey.includes(field.name),
    default: columnDefault(schema, field),
    generated: isGenerated(schema, field),
  }
}

function constraintsOf(
  physicalName: string,
  schema: TableSchema,
  fields: ReadonlyMap<string, Field>,
  { hasColumns }: Storage,
): Map<string, NamedConstraint> {
  const names = constraintNames(physicalName)
  const constraints = new Map<string, NamedConstraint>([[names.primaryKey, { fields: schema.primaryKey }]])
  for (const field of fields.values()) {
    if (field.schema.constraints?.unique) constraints.set(names.unique(field.name), { fields: [field.name] })
    if (field.required && !hasColumns) constraints.set(names.check(field.name, 'required'), { fields: [field.name], required: true })
    for (const rule of field.rules.filter(isHeld)) constraints.set(names.check(field.name, rule.name), { fields: [field.name], rule })
  }
  for (const key of schema.uniqueKeys ?? []) constraints.set(names.uniqueKey(key), { fields: key })
  for (const key of schema.foreignKeys ?? []) {
    constraints.set(names.foreignKey(key.fields), { fields: key.fields, resource: key.reference.resource })
  }
  for (const index of schema.indexes ?? []) {
    if (index.unique) constraints.set(names.index(index.name), { fields: index.fields })
  }
  if (relationshipTypesOf(schema)) {
    const edges = edgesConstraintNames(physicalName)
    constraints.set(edges.unique, { fields: ['from_id', 'to_id', 'type'] })
    constraints.set(edges.from, { fields: ['from_id'] })
    constraints.set(edges.to, { fields: ['to_id'] })
  }
  return constraints
}
