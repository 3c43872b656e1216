/** Apps with their datasources and tables. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  json,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'
import { provenance } from './columns.ts'

export const apps = pgTable(
  '_apps',
  {
    id: id(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    ...provenance(),
  },
  (t) => [unique('_apps_slug_key').on(t.slug)],
)

export const datasources = pgTable(
  '_datasources',
  {
    id: id(),
    appId: bigNumber('app_id').notNull(),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    providerType: text('provider_type').notNull(),
    providerConfig: jsonb('provider_config').notNull().default({}),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    ...provenance(),
  },
  (t) => [
    unique('_datasources_app_id_slug_key').on(t.appId, t.slug),
    foreignKey({ name: '_datasources_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
  ],
)

/**
 * A table of an app; or, with a `source_id`, a reference table: a table of another app under its own name. A
 * reference table has no schema, datasource or physical table, but uses those of its source.
 */
export const datatables = pgTable(
  '_datatables',
  {
    id: id(),
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
    jsonSchema: json('json_schema'),
    schemaHash: text('schema_hash'),
    physicalTableName: text('physical_table_name'),
    isMaterialized: boolean('is_materialized').notNull().default(false),
    /**
     * When each of its foreign keys was added, in seconds, by the fields of the key (tessera.date_keys). The
     * names of relationships depend on it.
     */
    keysSince: jsonb('keys_since').notNull().default({}),
    ...provenance(),
  },
  (t) => [
    unique('_datatables_app_id_name_key').on(t.appId, t.name),
    unique('_datatables_physical_table_name_key').on(t.physicalTableName),
    index('_datatables_data_source_id_idx').on(t.dataSourceId),
    index('_datatables_source_id_idx').on(t.sourceId),
    foreignKey({ name: '_datatables_app_id_fkey', columns: [t.appId], foreignColumns: [apps.id] }).onDelete(
      'cascade',
    ),
    foreignKey({
      name: '_datatables_data_source_id_fkey',
      columns: [t.dataSourceId],
      foreignColumns: [datasources.id],
    }).onDelete('cascade'),
    foreignKey({ name: '_datatables_source_id_fkey', columns: [t.sourceId], foreignColumns: [t.id] }),
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
export const deletedDatatables = pgTable(
  '_deleted_datatables',
  {
    /** The id of the row of `_datatables`, which a restoration inserts again. */
    id: bigNumber('id').primaryKey(),
    appId: bigNumber('app_id').notNull(),
    dataSourceId: bigNumber('data_source_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    jsonSchema: json('json_schema').notNull(),
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
    /** The schema change whose steps renamed its physical table. Null if it has none: there were no steps. */
    migrationId: uuid('migration_id'),
  },
  (t) => [
    index('_deleted_datatables_app_id_name_idx').on(t.appId, t.name, t.deletedAt),
    index('_deleted_datatables_drop_at_idx').on(t.dropAt),
    foreignKey({
      name: '_deleted_datatables_app_id_fkey',
      columns: [t.appId],
      foreignColumns: [apps.id],
    }).onDelete('cascade'),
    foreignKey({
      name: '_deleted_datatables_data_source_id_fkey',
      columns: [t.dataSourceId],
      foreignColumns: [datasources.id],
    }).onDelete('cascade'),
  ],
)
