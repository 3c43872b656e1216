/** Changes of the schemas of apps, and erased records. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { JobRequest } from '../../src/data/schema-changes/jobs/store.ts'
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

/**
 * Changes of large tables: what is needed to go on with them after an interruption. The platform writes who
 * began a change and what it does; sites may only change how far it is (migrations/rights.sql).
 */
export const schemaJobs = tenant.table(
  '_schema_jobs',
  {
    siteId: siteId(),
    id: identity(),
    /** The physical table, with its schema. */
    tableName: text('table_name').notNull(),
    request: json('request').$type<JobRequest>().notNull(),
    createdBy: bigNumber('created_by').notNull(),
    /** The generation of the account when it sent the request. */
    generation: integer('generation').notNull(),
    /** Whether the platform has written the row. Only such a change goes on without its request. */
    isSealed: boolean('is_sealed').notNull().default(false),
    /** The hash of the planned steps of which `done` statements are done. Null: none is. */
    plan: text('plan'),
    /** The number of statements of the online phase that are done. */
    done: integer('done').notNull().default(0),
    /** Of the batches of the next one: the key of the last row, the rows, and the values that were lost. */
    place: json('place').$type<string[]>(),
    rows: bigNumber('rows').notNull().default(0),
    lost: bigNumber('lost').notNull().default(0),
    isCancelled: boolean('is_cancelled').notNull().default(false),
    /** The operation that shows it in the history. Null: its request still waits for it. */
    operationId: bigNumber('operation_id'),
    /** When it was last noticed that it goes on. */
    queuedAt: moment('queued_at').notNull().defaultNow(),
    /** Null: it is not over. */
    endedAt: moment('ended_at'),
  },
  (t) => [
    primaryKey({ name: '_schema_jobs_pkey', columns: [t.siteId, t.id] }),
    check(
      '_schema_jobs_table_name_check',
      sql`${t.tableName} ~ ('^"site_' || ${t.siteId} || '"[.]"[^"]+"$')`,
    ),
    index('_schema_jobs_table_name_idx').on(t.siteId, t.tableName).where(sql`${t.endedAt} is null`),
    index('_schema_jobs_queued_at_idx').on(t.queuedAt).where(sql`${t.endedAt} is null`),
    foreignKey({
      name: '_schema_jobs_operation_id_fkey',
      columns: [t.siteId, t.operationId],
      foreignColumns: [operations.siteId, operations.id],
    }).onDelete('cascade'),
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
