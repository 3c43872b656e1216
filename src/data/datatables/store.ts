import { type Sql, sql } from '../../db/sql.ts'
import { postgresPattern } from '../../lib/pattern.ts'
import { type DdlStep, scriptOf, sqlOf } from '../providers/provider.ts'
import type { Table } from './table.ts'

const columns = sql`
  t.id, t.data_source_id as data_source, d.name as datasource_name, d.slug as datasource_slug, a.name as app_name, a.slug as app_slug,
  t.name, t.description, t.json_schema, t.schema_hash, t.physical_table_name, t.is_materialized, t.is_active,
  t.created_at, t.updated_at, t.created_by, t.modified_by`

const joined = sql`join _datasources d on d.id = t.data_source_id join _apps a on a.id = t.app_id`

/** `datasourceId` null: of all the app's datasources. */
export const selectDatatables = (appId: number, datasourceId: number | null): Sql => sql`
  select ${columns} from _datatables t ${joined}
   where t.app_id = ${appId} and t.is_active and (${datasourceId}::bigint is null or t.data_source_id = ${datasourceId}) order by t.name`

export const selectDatatablesByName = (appId: number, names: readonly string[]): Sql => sql`
  select ${columns} from _datatables t ${joined} where t.app_id = ${appId} and t.name = any (${names}::text[]) order by t.id`

/** The datasource is named by its slug, as one made by the same batch has no id yet. */
export const insertDatatable = (
  userId: number,
  appId: number,
  datasourceSlug: string,
  table: Table,
  description: string,
  isMaterialized: boolean,
): Sql => sql`
  insert into _datatables (app_id, data_source_id, name, description, json_schema, schema_hash, physical_table_name, is_materialized, created_by)
  select d.app_id, d.id, ${table.name}, ${description}, ${JSON.stringify(table.schema)}, ${table.schemaHash}, ${table.physicalName},
         ${isMaterialized}, ${userId}
    from _datasources d where d.app_id = ${appId} and d.slug = ${datasourceSlug}`

export const markMaterialized = (userId: number, tableId: number): Sql => sql`
  update _datatables set is_materialized = true, updated_at = now(), modified_by = ${userId} where id = ${tableId}`

/** Fails where a pattern is none for Postgres, which reads a check's pattern only when the first row comes. */
export function tryPatterns(table: Table): Sql[] {
  const patterns = table.schema.fields.flatMap((field) => field.constraints?.pattern ?? [])
  return patterns.map((pattern) => sql`select '' ~ ${postgresPattern(pattern)}`)
}

/** Which migration a step belongs to, and how long what was done ahead of it took. */
export interface StepOf {
  migration: string
  aheadMs?: number
}

/** A DDL step with its row in the history. D9. */
export const runStep = (userId: number, appId: number, step: DdlStep, { migration, aheadMs = 0 }: StepOf): Sql[] => [
  sql`select set_config('tessera.step_began', clock_timestamp()::text, true)`,
  // One statement at a time: the protocol that carries values takes no more.
  ...step.statements,
  sql`insert into _operations
        (app_id, datatable_name, migration_id, operation_type, description, sql, rollback_sql, status, execution_time_ms, created_by)
      values (${appId}, ${step.table}, ${migration}, ${step.operation}, ${step.description}, ${sqlOf(step)}, ${scriptOf(step.rollback)}, 'success',
              extract(epoch from clock_timestamp() - current_setting('tessera.step_began')::timestamptz) * 1000 + ${Math.round(aheadMs)}::integer, ${userId})`,
]

/** What is needed to undo a change: the datatable as it is before. `renames`: what fields were called, by their new names. */
export const insertMigration = (
  userId: number,
  appId: number,
  { id, table, isMaterialized, renames = {} }: { id: string; table: string; isMaterialized: boolean; renames?: Record<string, string> },
): Sql => sql`
  insert into _migrations (id, app_id, datatable_id, json_schema, schema_hash, is_materialized, renames, created_by)
  select ${id}, t.app_id, t.id, t.json_schema, t.schema_hash, ${isMaterialized}, ${JSON.stringify(renames)}, ${userId}
    from _datatables t where t.app_id = ${appId} and t.name = ${table}`
