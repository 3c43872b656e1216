/** Apps with their datasources and tables. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  json,
  jsonb,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Datasource } from '../../src/data/datasources/schema.ts'
import type { AppRule } from '../../src/data/model/access.ts'
import type { TableSchema } from '../../src/data/model/schema-form.ts'
import type { WantedIndex } from '../../src/data/records/advice/schema.ts'
import { bigNumber, moment } from '../columns.ts'
import { identity, isGone, provenance, siteId, tenant } from './columns.ts'

export const apps = tenant.table(
  '_apps',
  {
    siteId: siteId(),
    id: identity(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    /** The access rules for several of its tables. X2. */
    rules: json('rules').$type<AppRule[]>().notNull().default([]),
    ...provenance(),
  },
  (t) => [
    primaryKey({ name: '_apps_pkey', columns: [t.siteId, t.id] }),
    unique('_apps_slug_key').on(t.siteId, t.slug),
  ],
)

export const datasources = tenant.table(
  '_datasources',
  {
    siteId: siteId(),
    id: identity(),
    appId: bigNumber('app_id').notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    providerType: text('provider_type').$type<Datasource['provider_type']>().notNull(),
    providerConfig: jsonb('provider_config').$type<Datasource['provider_config']>().notNull().default({}),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    ...provenance(),
  },
  (t) => [
    primaryKey({ name: '_datasources_pkey', columns: [t.siteId, t.id] }),
    unique('_datasources_app_id_slug_key').on(t.siteId, t.appId, t.slug),
    foreignKey({
      name: '_datasources_app_id_fkey',
      columns: [t.siteId, t.appId],
      foreignColumns: [apps.siteId, apps.id],
    }).onDelete('cascade'),
  ],
)

/**
 * A table of an app; or, with a `source_id`, a reference table: a table of another app under its own name. A
 * reference table has no schema, datasource or physical table, but uses those of its source.
 */
export const datatables = tenant.table(
  '_datatables',
  {
    siteId: siteId(),
    id: identity(),
    /**
     * The app of the datasource, repeated here because names are unique in an app; for a reference table, the
     * app that has it.
     */
    appId: bigNumber('app_id').notNull(),
    dataSourceId: bigNumber('data_source_id'),
    sourceId: bigNumber('source_id'),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** `json`, not `jsonb`: clients get their schema back in the order in which they wrote it. */
    jsonSchema: json('json_schema').$type<TableSchema>(),
    schemaHash: text('schema_hash'),
    physicalTableName: text('physical_table_name'),
    isMaterialized: boolean('is_materialized').notNull().default(false),
    /**
     * When each of its foreign keys was added, in seconds, by the fields of the key (tessera.date_keys). The
     * names of relationships depend on it.
     */
    keysSince: jsonb('keys_since').notNull().default({}),
    ...provenance(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_datatables_pkey', columns: [t.siteId, t.id] }),
    unique('_datatables_app_id_name_key').on(t.siteId, t.appId, t.name),
    unique('_datatables_physical_table_name_key').on(t.siteId, t.physicalTableName),
    index('_datatables_data_source_id_idx').on(t.siteId, t.dataSourceId),
    index('_datatables_source_id_idx').on(t.siteId, t.sourceId),
    // The tables that keep versions of records for a number of days.
    index('_datatables_history_idx')
      .on(t.siteId)
      .where(sql`${t.isMaterialized} and ${t.jsonSchema} #> '{history,days}' is not null`),
    foreignKey({
      name: '_datatables_app_id_fkey',
      columns: [t.siteId, t.appId],
      foreignColumns: [apps.siteId, apps.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_datatables_data_source_id_fkey',
      columns: [t.siteId, t.dataSourceId],
      foreignColumns: [datasources.siteId, datasources.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_datatables_source_id_fkey',
      columns: [t.siteId, t.sourceId],
      foreignColumns: [t.siteId, t.id],
    }),
    check(
      '_datatables_table_or_reference',
      sql`num_nulls(${t.dataSourceId}, ${t.jsonSchema}, ${t.schemaHash}, ${t.physicalTableName}) = case when ${t.sourceId} is null then 0 else 4 end`,
    ),
  ],
)

/**
 * Deleted datatables, which can be restored until `drop_at`. They are in no catalog. Their physical tables
 * are renamed after their ids, so that the original names are free.
 */
export const deletedDatatables = tenant.table(
  '_deleted_datatables',
  {
    siteId: siteId(),
    /** The id of the row of `_datatables`, which a restoration inserts again. */
    id: bigNumber('id').notNull(),
    appId: bigNumber('app_id').notNull(),
    dataSourceId: bigNumber('data_source_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    jsonSchema: json('json_schema').$type<TableSchema>().notNull(),
    schemaHash: text('schema_hash').notNull(),
    /** The original name of its physical table. */
    physicalTableName: text('physical_table_name').notNull(),
    isMaterialized: boolean('is_materialized').notNull(),
    keysSince: jsonb('keys_since').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    createdBy: bigNumber('created_by').notNull(),
    modifiedBy: bigNumber('modified_by'),
    deletedAt: moment('deleted_at').notNull().defaultNow(),
    deletedBy: bigNumber('deleted_by').notNull(),
    dropAt: moment('drop_at').notNull(),
    /** When the schedule last queued its drop. */
    queuedAt: moment('queued_at').notNull().default(sql`'-infinity'`),
    /** The schema change whose steps renamed its physical table. Null if it has none: there were no steps. */
    migrationId: uuid('migration_id'),
    /** The ids of the tables that its foreign keys referenced, by their fields. */
    targets: jsonb('targets').notNull(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_deleted_datatables_pkey', columns: [t.siteId, t.id] }),
    index('_deleted_datatables_app_id_name_idx').on(t.siteId, t.appId, t.name, t.deletedAt),
    index('_deleted_datatables_drop_at_idx').on(t.dropAt),
    foreignKey({
      name: '_deleted_datatables_app_id_fkey',
      columns: [t.siteId, t.appId],
      foreignColumns: [apps.siteId, apps.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_deleted_datatables_data_source_id_fkey',
      columns: [t.siteId, t.dataSourceId],
      foreignColumns: [datasources.siteId, datasources.id],
    }).onDelete('cascade'),
  ],
)

/** Indexes that slow lists of a datatable lacked. Those that were not lacked for a week are deleted. */
export const indexAdvice = tenant.table(
  '_index_advice',
  {
    siteId: siteId(),
    datatableId: bigNumber('datatable_id').notNull(),
    /** The index as the schema writes it, without its name. */
    wanted: jsonb('wanted').$type<WantedIndex>().notNull(),
    /** The number of slow lists, and the milliseconds of the slowest. */
    count: bigNumber('count').notNull(),
    maxMs: doublePrecision('max_ms').notNull(),
    /** What Postgres expects such a list to cost without and with the index. Null: it was not tried. */
    costBefore: doublePrecision('cost_before'),
    costAfter: doublePrecision('cost_after'),
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: '_index_advice_pkey', columns: [t.siteId, t.datatableId, t.wanted] }),
    foreignKey({
      name: '_index_advice_datatable_id_fkey',
      columns: [t.siteId, t.datatableId],
      foreignColumns: [datatables.siteId, datatables.id],
    }).onDelete('cascade'),
  ],
)
