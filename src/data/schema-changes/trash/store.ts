/** The SQL of the trash: deleted datatables that can be restored. D17. */
import { isoTimestamp } from '../../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { isActive } from '../../catalog/sources.ts'
import { joinedDeleted } from '../../datatables/store.ts'
import type { TableSchema } from '../../model/schema-form.ts'
import type { Table } from '../../model/table.ts'

/** What the trash remembers of a datatable. */
interface Aside {
  tableId: number
  /** The schema change that put its physical table aside; null if it has no physical table. */
  changeId: string | null
  /** The days for which it can be restored. */
  days: number
  /** The ids of the tables that its foreign keys reference, by their fields. */
  targets: Readonly<Record<string, number>>
}

/** Moves the row of a datatable to the trash. */
export const moveAside = (userId: number, { tableId, changeId, days, targets }: Aside): Sql => sql`
  with gone as (update _datatables set is_gone = true where id = ${tableId} returning *)
  insert into _deleted_datatables
    (id, app_id, data_source_id, name, description, json_schema, schema_hash, physical_table_name,
     is_materialized, keys_since, created_at, updated_at, created_by, modified_by, deleted_by, drop_at,
     migration_id, targets)
  select id, app_id, data_source_id, name, description, json_schema, schema_hash, physical_table_name,
         is_materialized, keys_since, created_at, updated_at, created_by, modified_by, ${userId},
         now() + make_interval(days => ${days}), ${changeId}, ${JSON.stringify(targets)}::jsonb
    from gone
  returning id`

/**
 * Moves the row of a datatable back from the trash. Fails with `sqlstates.gone` if it is no longer there, or
 * was deleted at another time. See migrations/functions/tessera/restore_datatable.sql.
 */
export const moveBack = (
  userId: number,
  deletedAt: string,
  { id, name, physicalName, schema, schemaHash }: Table,
): Sql => sql`
  select tessera.restore_datatable(
           ${id}, ${deletedAt},
           row(${name}, ${physicalName}, ${JSON.stringify(schema)},
             ${schemaHash})::tessera.restored_datatable,
           ${userId})`

/** A deleted datatable, with everything that restoring it needs. */
export interface DeletedRow {
  id: number
  data_source: number
  name: string
  json_schema: TableSchema
  schema_hash: string
  is_materialized: boolean
  /** The schema change that put its physical table aside; null if it has no physical table. */
  migration_id: string | null
  deleted_at: string
  /** The ids of the tables that its foreign keys referenced, by their fields. */
  targets: Readonly<Record<string, number>>
  /** The names of those that are in the trash, too, by their ids. */
  deleted_targets: Readonly<Record<string, string>>
}

/** Selects deleted tables of a name. Null means any. */
export interface DeletedFilter {
  name: string
  /** The slug of the datasource. */
  datasource: string | null
  id: number | null
}

const fromDeleted = (appId: number, { name, datasource, id }: DeletedFilter): Sql => sql`
  from _deleted_datatables t ${joinedDeleted}
 where t.app_id = ${appId} and t.name = ${name} and ${isActive}
   and d.slug = coalesce(${datasource}, d.slug) and t.id = coalesce(${id}::bigint, t.id)`

/** Selects the table that was deleted last, followed by those that the same request deleted. */
export const selectDeletedTogether = (appId: number, filter: DeletedFilter) => sql<DeletedRow>`
  with wanted as (
    select t.id, t.deleted_at ${fromDeleted(appId, filter)} order by t.deleted_at desc, t.id desc limit 1
  )
  select t.id, t.data_source_id as data_source, t.name, t.json_schema, t.schema_hash, t.is_materialized,
         t.migration_id, ${isoTimestamp(sql`t.deleted_at`)} as deleted_at,
         t.targets,
         (select coalesce(json_object_agg(x.id, x.name), '{}') from _deleted_datatables x
           where x.app_id = t.app_id and to_jsonb(x.id) in (select value from jsonb_each(t.targets)))
           as deleted_targets
    from _deleted_datatables t ${joinedDeleted} join wanted w on w.deleted_at = t.deleted_at
   where t.app_id = ${appId} and ${isActive} order by t.id = w.id desc, t.id`

/** Selects `exists`: whether the trash has such a table. */
export const hasDeleted = (appId: number, filter: DeletedFilter) =>
  sql<{ exists: boolean }>`select exists (select ${fromDeleted(appId, filter)}) as exists`
