/** Changes of the schemas of apps, and erased records. */
import { boolean, foreignKey, index, integer, json, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Operation } from '../../src/data/schema-changes/schema.ts'
import { bigNumber, moment } from '../columns.ts'
import { apps } from './apps.ts'
import { identity, siteId, tenant } from './columns.ts'

/** Schema changes, with the state of the datatable before each. Their steps are in `_operations`. */
export const migrations = tenant.table(
  '_migrations',
  {
    siteId: siteId(),
    id: uuid('id').notNull(),
    appId: bigNumber('app_id').notNull(),
    /** Without a foreign key, because the history outlives its table. */
    datatableId: bigNumber('datatable_id').notNull(),
    jsonSchema: json('json_schema').notNull(),
    schemaHash: text('schema_hash').notNull(),
    /** The SQL that undoes the change uses this name of the table. */
    physicalTableName: text('physical_table_name').notNull(),
    isMaterialized: boolean('is_materialized').notNull(),
    /** The former names of renamed fields, by their new names. */
    renames: jsonb('renames').notNull().default({}),
    /** Whether it is the deletion of the datatable. It is undone by restoring the datatable. */
    isDeletion: boolean('is_deletion').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    createdBy: bigNumber('created_by').notNull(),
  },
  (t) => [
    primaryKey({ name: '_migrations_pkey', columns: [t.siteId, t.id] }),
    foreignKey({
      name: '_migrations_app_id_fkey',
      columns: [t.siteId, t.appId],
      foreignColumns: [apps.siteId, apps.id],
    }).onDelete('cascade'),
  ],
)

/** The history of schema changes: one row per DDL step. It outlives its table, so it has the table's name. */
export const operations = tenant.table(
  '_operations',
  {
    siteId: siteId(),
    id: identity(),
    appId: bigNumber('app_id').notNull(),
    datatableName: text('datatable_name').notNull(),
    /** Null for a failed step, which changed nothing. */
    migrationId: uuid('migration_id'),
    operationType: text('operation_type').$type<Operation['operation_type']>().notNull(),
    description: text('description').notNull(),
    sql: text('sql').notNull(),
    rollbackSql: text('rollback_sql').notNull(),
    status: text('status').$type<Operation['status']>().notNull(),
    executionTimeMs: integer('execution_time_ms').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    createdBy: bigNumber('created_by').notNull(),
  },
  (t) => [
    primaryKey({ name: '_operations_pkey', columns: [t.siteId, t.id] }),
    index('_operations_app_id_datatable_name_idx').on(t.siteId, t.appId, t.datatableName, t.id),
    index('_operations_migration_id_idx').on(t.siteId, t.migrationId),
    foreignKey({
      name: '_operations_app_id_fkey',
      columns: [t.siteId, t.appId],
      foreignColumns: [apps.siteId, apps.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_operations_migration_id_fkey',
      columns: [t.siteId, t.migrationId],
      foreignColumns: [migrations.siteId, migrations.id],
    }),
  ],
)

/** Erasures of versions of records: a log. */
export const erasures = tenant.table(
  '_erasures',
  {
    siteId: siteId(),
    id: identity(),
    /** `<app>/<table>/<record>`; without the record if its key may identify a person. */
    record: text('record').notNull(),
    versions: integer('versions').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Null: the service itself. */
    createdBy: bigNumber('created_by'),
  },
  (t) => [primaryKey({ name: '_erasures_pkey', columns: [t.siteId, t.id] })],
)
