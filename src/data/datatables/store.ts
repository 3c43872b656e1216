import { moment } from '../../db/moment.ts'
import { holdQuota } from '../../db/quotas.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Config } from '../../env.ts'
import { type List, type ListQuery, selectList } from '../../http/lists/list.ts'
import { hostileTexts, postgresPattern } from '../../lib/pattern.ts'
import { type DdlStep, scriptOf, sqlOf } from '../providers/provider.ts'
import type { Table } from './table.ts'

/**
 * What a datatable `t` has its schema and its rows from: the table `s`, in the datasource `d`, of the app `o`. That is
 * itself; of a reference it is the source.
 */
export const withSource = sql`
  join _datatables s on s.id = coalesce(t.source_id, t.id) join _datasources d on d.id = s.data_source_id join _apps o on o.id = s.app_id`

/** A table has no state of its own: it is active as long as its datasource and its app are; a reference, as long as its source is. */
export const isActive = sql`(d.is_active and o.is_active)`

const columns = sql`
  t.id, t.data_source_id as data_source, d.name as datasource_name, d.slug as datasource_slug, a.name as app_name, a.slug as app_slug,
  t.name, t.description, s.json_schema, s.schema_hash, s.physical_table_name, s.is_materialized, ${isActive} as is_active, d.provider_type,
  t.source_id, o.slug as source_app, s.name as source_name, ${moment(sql`t.created_at`)} as created_at, ${moment(sql`t.updated_at`)} as updated_at, t.created_by, t.modified_by`

const joined = sql`${withSource} join _apps a on a.id = t.app_id`

/** Which of an app's tables: `null` is any. */
export interface TableFilter {
  datasourceId: number | null
  isMaterialized: boolean | null
  isActive: boolean
}

export const list: List = {
  orderings: new Map([
    ['name', sql`t.name`],
    ['created_at', sql`t.created_at`],
    ['updated_at', sql`t.updated_at`],
  ]),
  ordering: 'name',
  last: sql`t.id`,
  search: { texts: [sql`t.name`], in: 'the name' },
  isWhole: true,
}

export const selectDatatables = (appId: number, filter: TableFilter, query: ListQuery): Sql[] =>
  selectList(list, query, {
    columns,
    from: sql`_datatables t ${joined}`,
    where: [
      sql`t.app_id = ${appId}`,
      sql`${isActive} = ${filter.isActive}`,
      ...(filter.datasourceId === null ? [] : [sql`t.data_source_id = ${filter.datasourceId}`]),
      ...(filter.isMaterialized === null ? [] : [sql`s.is_materialized = ${filter.isMaterialized}`]),
    ],
  })

export const selectDatatablesByName = (appId: number, names: readonly string[]): Sql => sql`
  select ${columns} from _datatables t ${joined} where t.app_id = ${appId} and t.name = any (${names}::text[]) order by t.id`

/** That the app may have so many more: in schema mode, which lets nobody else add to them. */
export const roomForTables = (config: Config, appId: number, more: number): Sql =>
  holdQuota(config, 'QUOTA_TABLES', sql`select count(*) + ${more} from _datatables where app_id = ${appId}`)

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

/** Of a table its row in the catalog, of a reference all there is of it. */
export const deleteDatatable = (tableId: number): Sql => sql`delete from _datatables where id = ${tableId}`

/**
 * Fails, with the place of the field as its detail, where a pattern is none for Postgres, which reads a check's pattern only
 * when the first row comes, or takes it too long: see migrations/tenant/functions/try_pattern.sql.
 */
export const tryPatterns = (tables: readonly Table[], placeOf: (table: Table, field: string) => string): Sql[] =>
  tables.flatMap((table) =>
    table.schema.fields.flatMap(({ name, constraints: { pattern } = {} }) =>
      pattern === undefined
        ? []
        : sql`select tessera.try_pattern(${`${placeOf(table, name)}.constraints.pattern`}, ${postgresPattern(pattern)},
                                         ${hostileTexts(pattern)}, ${patternMsMax})`,
    ),
  )

/** What one pattern may take; all of a schema together may take twice as much (the mode `try` of db/tenant.ts). */
export const patternMsMax = 250

/** Which migration a step belongs to, and how long what was done ahead of it took. */
export interface StepOf {
  /** Null: the datatable itself goes, and there is no way back. */
  migration: string | null
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

interface Migration {
  id: string
  /** The name of the datatable. */
  table: string
  isMaterialized: boolean
  /** What fields were called, by their new names. */
  renames?: Record<string, string>
  isDeletion?: boolean
}

/** What is needed to undo a change: the datatable as it is before. */
export const insertMigration = (
  userId: number,
  appId: number,
  { id, table, isMaterialized, renames = {}, isDeletion = false }: Migration,
): Sql => sql`
  insert into _migrations
    (id, app_id, datatable_id, json_schema, schema_hash, physical_table_name, is_materialized, renames, is_deletion, created_by)
  select ${id}, t.app_id, t.id, t.json_schema, t.schema_hash, t.physical_table_name, ${isMaterialized}, ${JSON.stringify(renames)},
         ${isDeletion}, ${userId}
    from _datatables t where t.app_id = ${appId} and t.name = ${table}`
