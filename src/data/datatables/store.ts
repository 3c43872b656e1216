/** The SQL of datatables, and of the steps that create and change their physical tables. */

import type { apps, datasources, datatables, deletedDatatables } from '../../../drizzle/tenant/apps.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { enforceQuota } from '../../kernel/db/quotas.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Config } from '../../kernel/env.ts'
import { type List, type ListQuery, selectPage } from '../../kernel/http/lists/list.ts'
import { hostileTexts, postgresPattern } from '../../kernel/lib/pattern.ts'
import { isActive, withSource } from '../catalog/sources.ts'
import type { Table } from '../model/table.ts'
import { type DdlStep, scriptOf, sqlOf } from '../providers/provider.ts'
import { deletedListForm, listForm } from './schema.ts'
import type { DatatableRow } from './views.ts'

const t = of<typeof datatables>('t')
const s = of<typeof datatables>('s')
const d = of<typeof datasources>('d')
const a = of<typeof apps>('a')
const o = of<typeof apps>('o')
const deleted = of<typeof deletedDatatables>('t')

const columns = columnsOf(
  t('id', 'data_source_id as data_source'),
  d('name as datasource_name', 'slug as datasource_slug'),
  a('name as app_name', 'slug as app_slug'),
  t('name', 'description'),
  s('is_materialized'),
  // Only a reference has none of its own.
  computed<Pick<DatatableRow, 'json_schema' | 'schema_hash' | 'physical_table_name' | 'is_active'>>({
    json_schema: sql`s.json_schema`,
    schema_hash: sql`s.schema_hash`,
    physical_table_name: sql`s.physical_table_name`,
    is_active: isActive,
  }),
  d('provider_type'),
  t('source_id'),
  o('slug as source_app'),
  s('name as source_name'),
  t.times('created_at', 'updated_at'),
  t('created_by', 'modified_by'),
)

const joined = sql`${withSource} join _apps a on a.id = t.app_id`

/** Selects tables of an app. Null means any. */
export interface TableFilter {
  datasourceId: number | null
  isMaterialized: boolean | null
  isActive: boolean
  names: readonly string[] | null
}

const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    name: sql`t.name`,
    created_at: sql`t.created_at`,
    updated_at: sql`t.updated_at`,
  },
  last: sql`t.id`,
  texts: [sql`t.name`],
}

/** Selects a page of the datatables of an app. References whose source is away stay in the list. D18 */
export const selectDatatables = (appId: number, filter: TableFilter, query: ListQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`_datatables t ${joined}`,
    where: [
      sql`t.app_id = ${appId}`,
      filter.isActive ? sql`(${isActive} or t.source_id is not null)` : sql`not ${isActive}`,
      ...(filter.datasourceId === null ? [] : [sql`t.data_source_id = ${filter.datasourceId}`]),
      ...(filter.isMaterialized === null ? [] : [sql`s.is_materialized = ${filter.isMaterialized}`]),
      ...(filter.names === null ? [] : [sql`t.name = any (${filter.names}::text[])`]),
    ],
  })

/** Selects the datatables with these names, in the order of their creation. */
export const selectDatatablesByName = (appId: number, names: readonly string[]) => sql`
  select ${columns} from _datatables t ${joined}
   where t.app_id = ${appId} and t.name = any (${names}::text[]) order by t.id`

/** Joins a deleted datatable `t` with its datasource `d` and its app `o`. */
export const joinedDeleted = sql`
  join _datasources d on d.id = t.data_source_id join _apps o on o.id = t.app_id`

/** The list of deleted datatables. */
const deletedList: List<typeof deletedListForm> = {
  ...deletedListForm,
  columns: { ...list.columns, deleted_at: sql`t.deleted_at`, drop_at: sql`t.drop_at` },
  last: sql`t.id desc`,
  texts: list.texts,
}

/** Selects a page of the deleted datatables of an app. */
export const selectDeletedDatatables = (appId: number, filter: TableFilter, query: ListQuery) =>
  selectPage(deletedList, query, {
    columns: columnsOf(
      deleted('id', 'name', 'json_schema', 'physical_table_name', 'is_materialized', 'deleted_by'),
      d('name as datasource_name', 'slug as datasource_slug'),
      o('name as app_name', 'slug as app_slug'),
      deleted.times('created_at', 'updated_at', 'deleted_at', 'drop_at'),
    ),
    from: sql`_deleted_datatables t ${joinedDeleted}`,
    where: [
      sql`t.app_id = ${appId}`,
      sql`${isActive} = ${filter.isActive}`,
      ...(filter.datasourceId === null ? [] : [sql`t.data_source_id = ${filter.datasourceId}`]),
      ...(filter.isMaterialized === null ? [] : [sql`t.is_materialized = ${filter.isMaterialized}`]),
      ...(filter.names === null ? [] : [sql`t.name = any (${filter.names}::text[])`]),
    ],
  })

/**
 * Locks an app, so that only one transaction at a time adds tables to it. Runs before `requireTableQuota`,
 * which must see what the others have added.
 */
export const lockTables = (appId: number): Sql => sql`
  select a.id from _apps a where a.id = ${appId} for no key update`

/** Fails if the app may not have `more` further tables. Runs after `lockTables`. T9. */
export const requireTableQuota = (config: Config, appId: number, more: number): Sql =>
  enforceQuota(
    config,
    'QUOTA_TABLES',
    sql`select count(*) + ${more} from _datatables where app_id = ${appId}`,
  )

/** A new datatable. */
interface NewDatatable {
  /** The slug, because a datasource that the same batch inserts has no id yet. */
  datasource: string
  table: Table
  description: string
  isMaterialized: boolean
}

export const insertDatatable = (
  userId: number,
  appId: number,
  { datasource, table, description, isMaterialized }: NewDatatable,
): Sql => sql`
  insert into _datatables
    (app_id, data_source_id, name, description, json_schema, schema_hash, physical_table_name,
     is_materialized, created_by)
  select d.app_id, d.id, ${table.name}, ${description}, ${JSON.stringify(table.schema)}, ${table.schemaHash},
         ${table.physicalName}, ${isMaterialized}, ${userId}
    from _datasources d where d.app_id = ${appId} and d.slug = ${datasource}`

export const markMaterialized = (userId: number, tableId: number): Sql => sql`
  update _datatables set is_materialized = true, updated_at = now(), modified_by = ${userId}
   where id = ${tableId}`

/** Deletes the row of a table or a reference. */
export const deleteDatatable = (tableId: number): Sql =>
  sql`update _datatables set is_gone = true where id = ${tableId}`

/**
 * Fails if Postgres rejects a pattern or is too slow with it. The detail of the failure is the place of the
 * pattern. Without this check Postgres would read the pattern only when the first row is written. See
 * migrations/functions/tessera/try_patterns.sql.
 */
export function tryPatterns(
  tables: readonly Table[],
  placeOf: (table: Table, field: string) => string,
): Sql[] {
  const tried = tables.flatMap((table) =>
    table.schema.fields.flatMap(({ name, constraints: { pattern } = {} }) =>
      pattern === undefined
        ? []
        : {
            place: `${placeOf(table, name)}.constraints.pattern`,
            pattern: postgresPattern(pattern),
            texts: hostileTexts(pattern),
          },
    ),
  )
  return tried.length === 0
    ? []
    : [sql`select tessera.try_patterns(${JSON.stringify(tried)}::jsonb, ${patternMsMax})`]
}

/** The time limit of one pattern. All patterns of a schema have twice as much. */
export const patternMsMax = 250

/** Details of a step for the history. */
export interface StepContext {
  /** The schema change of the step; null if the datatable is dropped permanently. */
  changeId: string | null
  /** The duration of the work before the transaction. */
  aheadMs?: number | undefined
}

/** Runs a DDL step and adds it to the history. D9. */
export const runStep = (
  userId: number,
  appId: number,
  step: DdlStep,
  { changeId, aheadMs = 0 }: StepContext,
): Sql[] => [
  sql`select set_config('tessera.step_began', clock_timestamp()::text, true)`,
  // The protocol allows one statement at a time.
  ...step.statements,
  sql`insert into _operations
        (app_id, datatable_name, migration_id, operation_type, description, sql, rollback_sql, status,
         execution_time_ms, created_by)
      values (${appId}, ${step.table}, ${changeId}, ${step.operation}, ${step.description}, ${sqlOf(step)},
              ${scriptOf(step.rollback)}, 'success',
              extract(epoch from
                clock_timestamp() - current_setting('tessera.step_began')::timestamptz) * 1000
                + ${Math.round(aheadMs)}::integer,
              ${userId})`,
]

interface NewSchemaChange {
  id: string
  /** The name of the datatable. */
  table: string
  isMaterialized: boolean
  /** The old names of renamed fields, by their new names. */
  renames?: Record<string, string>
  isDeletion?: boolean
}

/** Records the state of a datatable before a change, so that the change can be rolled back. */
export const insertSchemaChange = (
  userId: number,
  appId: number,
  { id, table, isMaterialized, renames = {}, isDeletion = false }: NewSchemaChange,
): Sql => sql`
  insert into _migrations
    (id, app_id, datatable_id, json_schema, schema_hash, physical_table_name, is_materialized, renames,
     is_deletion, created_by)
  select ${id}, t.app_id, t.id, t.json_schema, t.schema_hash, t.physical_table_name, ${isMaterialized},
         ${JSON.stringify(renames)}, ${isDeletion}, ${userId}
    from _datatables t where t.app_id = ${appId} and t.name = ${table}`
