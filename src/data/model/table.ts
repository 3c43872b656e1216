/**
 * A datatable as planners and renderers use it: fields with their columns, and the SQL that statements share.
 */

import { identifier, OwnSchema, type Sql, sql } from '../../kernel/db/sql.ts'
import type { SubscribedEvents } from '../../runtime/events/records/service.ts'
import { type AccessRule, type AppRule, rulesOf as accessRulesOf } from './access.ts'
import { bsonRules } from './bson-rule.ts'
import { isTextKey, pathRule, rulesOf, searchRule } from './constraints.ts'
import { columnDefault, isGenerated, numbers } from './defaults.ts'
import type { Field } from './field.ts'
import { type RelationshipType, relationshipTypesOf } from './graph-schema.ts'
import { type NamedConstraint, namedConstraints } from './named-constraints.ts'
import { constraintNames, edgesTableName, historyNames } from './names.ts'
import type { FieldSchema, TableSchema } from './schema-form.ts'
import { searchColumn, searchedFields, searchVector } from './search-vector.ts'
import { type Storage, storageOf } from './storage.ts'
import type { TableDatasource, TableSource } from './table-origin.ts'
import { typeOf } from './types.ts'

/** The location of a physical table. */
export interface Place {
  /** The Postgres schema of the site. */
  namespace: Sql
  /** The table with its schema, so that the name does not depend on a search path. */
  relation: Sql
}

/** A datatable. */
export interface Table extends Place {
  id: number
  name: string
  datasource: TableDatasource
  /** The table of another app that a reference table shows; null for other tables. */
  source: TableSource | null
  schema: TableSchema
  schemaHash: string
  isMaterialized: boolean
  physicalName: string
  /** How rows store the fields of records. */
  storage: Storage
  /**
   * The source of records in queries: `from ${table.rows} _row`. Writes and schema changes use `relation`.
   */
  rows: Sql
  fields: ReadonlyMap<string, Field>
  primaryKey: readonly Field[]
  /** The integer key that numbers records, if the table has one. */
  identity: Field | undefined
  /** Whether new records get numbers that its sequence gives out later, too: in writes that may be dry runs. */
  triesNumbers?: true
  /** The field that marks a record as deleted, if the table has one. D5. */
  softDelete: Field | undefined
  /** The field that is set when a record is created, if the table has one. D5. */
  createdAt: Field | undefined
  /** The field that is set on every write, if the table has one. D5, R12. */
  updatedAt: Field | undefined
  /**
   * When each foreign key was created, in seconds since 1970, by the names of its fields joined by commas.
   * Empty if the table is not materialized.
   */
  keysSince: ReadonlyMap<string, number>
  /** The access rules: its own, and then those of its app. */
  rules: readonly AccessRule[]
  /** All rules of its app. */
  appRules: readonly AppRule[]
  /** The events of its records that functions subscribe to; null if there are none. */
  announced: SubscribedEvents | null
  /** The constraints of the physical table and of its edges, by their names in Postgres. */
  constraints: ReadonlyMap<string, NamedConstraint>
  /** The edges between its records, if the table has a graph. G1, G2. */
  graph: TableGraph | undefined
  /** The physical table that keeps the versions of its records, if it keeps them. */
  history: Sql | undefined
  /** Whether `rows` is a view for guests. Omitted: it is the whole table. */
  isView?: boolean
  /** The schema with what is hidden from guests. Omitted: nothing is. */
  wholeSchema?: TableSchema
  /** The versions of records that a guest may see. Omitted: none, or the caller is not a guest. */
  guestVersions?: Table & { history: Sql }
}

export interface TableGraph {
  /** The physical table of the edges. */
  edges: Sql
  /** The same edges, for pages in the order of the unique index. Omitted: `edges` serves for pages, too. */
  edgePages?: Sql
  /** The primary key: edges name records by its values. */
  key: Field
  types: readonly RelationshipType[]
}

/** A table as the catalog stores it. */
export interface TableRow {
  id: number
  name: string
  json_schema: TableSchema
  schema_hash: string
  physical_table_name: string
  is_materialized: boolean
  datasource: TableDatasource
  source: TableSource | null
  /** Omitted: all foreign keys were created at once. */
  keys_since?: Readonly<Record<string, number>>
  /** All rules of its app. Omitted: there are none, or they do not apply, as in a reference. */
  app_rules?: readonly AppRule[] | undefined
}

/** Returns the location of a physical table. Every site has a schema of its own; null: that which runs it. T1. */
export function placeOf(siteId: number | null, physicalName: string): Place {
  const namespace = siteId === null ? sql`${new OwnSchema()}` : identifier(`site_${siteId}`)
  return { namespace, relation: sql`${namespace}.${identifier(physicalName)}` }
}

/** Creates a table from its row in the catalog. The schema must have been checked. */
export function compileTable(
  siteId: number | null,
  row: TableRow,
  announced: SubscribedEvents | null = null,
): Table {
  const schema = row.json_schema
  const fields = new Map(
    schema.fields.map((field) => [field.name, compileField(schema, field, row.datasource)]),
  )
  const place = placeOf(siteId, row.physical_table_name)
  const { providerType } = row.datasource
  const { identitySequence } = constraintNames(row.physical_table_name)
  const storage = storedAs(providerType, { ...place, schema, fields }, identitySequence)
  const fieldOfType = (name: string, type: string) => {
    const field = fields.get(name)
    return field?.schema.type === type ? field : undefined
  }
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
    identity: [...fields.values()].find((field) => numbers(schema, field.schema, providerType)),
    softDelete: fieldOfType('is_deleted', 'boolean'),
    createdAt: fieldOfType('created_at', 'datetime'),
    updatedAt: fieldOfType('updated_at', 'datetime'),
    keysSince: new Map(Object.entries(row.keys_since ?? {})),
    rules: accessRulesOf(schema, row.name, row.app_rules ?? []),
    appRules: row.app_rules ?? [],
    announced,
    constraints: namedConstraints(row.physical_table_name, schema, fields, storage),
    graph: types && {
      edges: placeOf(siteId, edgesTableName(row.physical_table_name)).relation,
      key: primaryKey[0] as Field,
      types,
    },
    history: schema.history
      ? placeOf(siteId, historyNames(row.physical_table_name).table).relation
      : undefined,
  }
}

/** Returns the storage of a table, by its place and the type of its provider. */
export const storedAs = (
  providerType: string,
  { namespace, relation, schema, fields }: Place & Pick<Table, 'schema' | 'fields'>,
  identitySequence: string,
): Storage =>
  storageOf(providerType, {
    namespace,
    relation,
    identitySequence,
    fields: [...fields.values()],
    search(columnOf) {
      const value = searchVector(schema, columnOf)
      return value && { value, column: searchColumn(schema) }
    },
  })

/** Returns the row that a table was compiled from. */
export const tableRowOf = (table: Table): TableRow => ({
  id: table.id,
  name: table.name,
  json_schema: table.schema,
  schema_hash: table.schemaHash,
  physical_table_name: table.physicalName,
  is_materialized: table.isMaterialized,
  datasource: table.datasource,
  source: table.source,
  keys_since: Object.fromEntries(table.keysSince),
  app_rules: table.appRules,
})

/**
 * Returns the table with other columns, or with expressions instead. Schema changes use it to write
 * constraints and indexes for the table before or after the change.
 */
export function withColumns(table: Table, columnOf: (field: Field) => Sql): Table {
  const fields = new Map(
    [...table.fields].map(([name, field]) => [name, { ...field, column: columnOf(field) }]),
  )
  return { ...table, fields, softDelete: table.softDelete && fields.get(table.softDelete.name) }
}

function compileField(schema: TableSchema, field: FieldSchema, { providerType }: TableDatasource): Field {
  return {
    name: field.name,
    schema: field,
    type: typeOf(field),
    column: identifier(field.name),
    rules: [
      ...rulesOf(field),
      ...(isTextKey(schema.primaryKey, field) ? [pathRule] : []),
      ...(searchedFields(schema).some((searched) => searched.field === field.name) ? [searchRule] : []),
      ...(providerType === 'mongodb' ? bsonRules(field) : []),
    ],
    required: Boolean(field.constraints?.required) || schema.primaryKey.includes(field.name),
    default: columnDefault(schema, field),
    generated: isGenerated(schema, field),
    formula: field.generated,
  }
}
