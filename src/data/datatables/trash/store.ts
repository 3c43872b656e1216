import { moment } from '../../../db/moment.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { type List, type ListQuery, selectList } from '../../../http/lists/list.ts'
import type { TableSchema } from '../schema-form.ts'
import { isActive, list, type TableFilter } from '../store.ts'
import type { Table } from '../table.ts'

/** Moves a table's row. `migration`: whose steps put its physical table aside; null: it has none. */
export const moveAside = (userId: number, tableId: number, migration: string | null, days: number): Sql => sql`
  with gone as (delete from _datatables where id = ${tableId} returning *)
  insert into _deleted_datatables
    (id, app_id, data_source_id, name, description, json_schema, schema_hash, physical_table_name, is_materialized, keys_since,
     created_at, updated_at, created_by, modified_by, deleted_by, drop_at, migration_id)
  select id, app_id, data_source_id, name, description, json_schema, schema_hash, physical_table_name, is_materialized, keys_since,
         created_at, updated_at, created_by, modified_by, ${userId}, now() + make_interval(days => ${days}), ${migration}
    from gone
  returning id`

/** Moves the row of one that was deleted at this moment back, or fails with `sqlstates.gone`. See migrations/tenant/functions/restore_datatable.sql. */
export const moveBack = (userId: number, deletedAt: string, { id, name, physicalName, schema, schemaHash }: Table): Sql => sql`
  select tessera.restore_datatable(${id}, ${deletedAt}, ${name}, ${physicalName}, ${JSON.stringify(schema)}, ${schemaHash}, ${userId})`

const joined = sql`join _datasources d on d.id = t.data_source_id join _apps o on o.id = t.app_id`

/** What restoring a datatable begins with. */
export interface DeletedRow {
  id: number
  data_source: number
  name: string
  json_schema: TableSchema
  schema_hash: string
  is_materialized: boolean
  migration_id: string | null
  deleted_at: string
}

/** Which deleted tables of a name: `null` is any. */
export interface WhichDeleted {
  name: string
  datasource: string | null
  id: number | null
}

const ofName = (appId: number, { name, datasource, id }: WhichDeleted): Sql => sql`
  from _deleted_datatables t ${joined}
 where t.app_id = ${appId} and t.name = ${name} and ${isActive}
   and d.slug = coalesce(${datasource}, d.slug) and t.id = coalesce(${id}::bigint, t.id)`

/** The one that was deleted last, and after it those of its app that one request deleted with it. */
export const selectDeletedTogether = (appId: number, which: WhichDeleted): Sql => sql`
  with wanted as (select t.id, t.deleted_at ${ofName(appId, which)} order by t.deleted_at desc, t.id desc limit 1)
  select t.id, t.data_source_id as data_source, t.name, t.json_schema, t.schema_hash, t.is_materialized, t.migration_id, ${moment(sql`t.deleted_at`)} as deleted_at
    from _deleted_datatables t ${joined} join wanted w on w.deleted_at = t.deleted_at
   where t.app_id = ${appId} and ${isActive} order by t.id = w.id desc, t.id`

export const hasDeleted = (appId: number, which: WhichDeleted): Sql => sql`select exists (select ${ofName(appId, which)}) as exists`

/** As the list of those that were not deleted, whose aliases it has; the one that was deleted last is the first. */
export const deletedList: List = {
  ...list,
  orderings: new Map([...list.orderings, ['deleted_at', sql`t.deleted_at`], ['drop_at', sql`t.drop_at`]]),
  ordering: '-deleted_at',
  last: sql`t.id desc`,
}

export const selectDeletedDatatables = (appId: number, filter: TableFilter, query: ListQuery): Sql[] =>
  selectList(deletedList, query, {
    columns: sql`
      t.id, d.name as datasource_name, d.slug as datasource_slug, o.name as app_name, o.slug as app_slug, t.name, t.json_schema,
      t.physical_table_name, t.is_materialized, ${moment(sql`t.created_at`)} as created_at, ${moment(sql`t.updated_at`)} as updated_at,
      ${moment(sql`t.deleted_at`)} as deleted_at, t.deleted_by, ${moment(sql`t.drop_at`)} as drop_at`,
    from: sql`_deleted_datatables t ${joined}`,
    where: [
      sql`t.app_id = ${appId}`,
      sql`${isActive} = ${filter.isActive}`,
      ...(filter.datasourceId === null ? [] : [sql`t.data_source_id = ${filter.datasourceId}`]),
      ...(filter.isMaterialized === null ? [] : [sql`t.is_materialized = ${filter.isMaterialized}`]),
    ],
  })
