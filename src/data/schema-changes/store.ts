/** The SQL of schema changes: claims, locks, and the operation history. */
import type { operations } from '../../../drizzle/tenant/schema-changes.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { identifier, join, literal, runAs, type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import { asRegclass, isHeld, nameOf } from '../catalog/claims.ts'
import { selectDatatablesByName } from '../datatables/store.ts'
import type { TableSchema } from '../model/schema-form.ts'
import type { Place, Table } from '../model/table.ts'
import { goesOn } from './jobs/store.ts'
import { orphansOf } from './orphan-statements.ts'
import { type HistoryQuery, listForm, type Operation } from './schema.ts'

/** Selects `exists`: whether a physical table exists. */
export const selectExists = (place: Place): Sql =>
  sql`select to_regclass(${nameOf(place)}) is not null as exists`

/** Selects the fixed members of a datatable that is no reference, for `requireSame`. */
export const selectFixed = (appId: number, name: string): Sql => sql`
  select d.*, false as is_reference, 'frictionless' as schema_format,
         d.json_schema->'primaryKey' as primary_key,
         jsonb_path_query_array(to_jsonb(d.json_schema), '$.fields[*].name') as field_names
    from (${selectDatatablesByName(appId, [name])}) d`

/** About how many rows a table has. */
export const rowsOf = (table: Place): Sql => sql`
  (select greatest(k.reltuples, 0)::float8 from pg_class k where k.oid = ${asRegclass(table)})`

export const bytesOf = (table: Place): Sql => sql`pg_table_size(${asRegclass(table)})`

/** Selects the size of a table, and whether it has orphans. */
export const selectCondition = (table: Place) => sql<Condition>`
  select ${bytesOf(table)} as bytes, exists (${orphansOf(table)}) as has_orphans,
         ${isChanging(table)} as is_changing`

/**
 * Whether a change of a table is not over: it goes on as a job, or its session is at work. Without either,
 * its request was interrupted.
 */
const isChanging = (table: Place): Sql => sql`
  exists (select from _schema_jobs j left join _claims c on c.table_name = j.table_name
           where j.table_name = ${nameOf(table)} and j.ended_at is null
             and (${goesOn(sql`j`)} or ${isHeld(sql`c`)}))`

/** Ends the run of the statements with a row if a change of one of the tables is not over. */
export const stopIfChanging = (tables: readonly Place[]) =>
  runAs(
    'stopIfFound',
    sql<{ is_changing: boolean }>`
      select true as is_changing where ${join([sql`false`, ...tables.map(isChanging)], sql` or `)}`,
  )

/** The size of a table, and whether it has orphans, and a change that is not over. */
export interface Condition {
  bytes: number
  has_orphans: boolean
  is_changing: boolean
}

/**
 * Claims a table for as long as this session lives. Returns a row unless another session has the claim. An
 * advisory lock would not be safe, because a statement of any tenant could take it.
 */
export const insertClaim = (table: Place, beginsHistory: boolean): Sql => sql`
  insert into _claims as c (table_name, session, session_name, begins_history)
  values (${nameOf(table)}, pg_backend_pid(), current_setting('application_name'), ${beginsHistory})
  on conflict (site_id, table_name) do update
     set session = excluded.session, session_name = excluded.session_name,
         begins_history = excluded.begins_history, rows_done = 0
   where c.session_name = excluded.session_name or not ${isHeld(sql`c`)}
  returning table_name`

/** Shows how many rows of a large table a change has worked on. */
export const showProgress = (table: Place, rows: number): Sql => sql`
  update _claims set rows_done = ${rows} where table_name = ${nameOf(table)}`

/** Shows which part of the present step is done, as a number of rows. */
export const showPart = (table: Place, part: number): Sql => sql`
  update _claims c set rows_done = greatest(0, round(k.reltuples * ${part}::float8)) from pg_class k
   where c.table_name = ${nameOf(table)} and k.oid = to_regclass(c.table_name)`

/** Selects for how many milliseconds Postgres has worked on the statements before. */
export const selectTook = sql<{ ms: number }>`
  select extract(epoch from clock_timestamp() - statement_timestamp())::float8 * 1000 as ms`

const lockTimeoutMs = 150

/**
 * Sets a short lock timeout for the transaction, so that statements of others wait behind its lock request
 * only briefly.
 */
export const shortLockTimeout: Sql = sql`
  select set_config('lock_timeout', ${literal(`${lockTimeoutMs}ms`)}, true)`

/** Locks a table exclusively until the transaction ends. */
export const lockTable = (table: Table): Sql[] => [
  shortLockTimeout,
  sql`lock table ${table.relation} in access exclusive mode`,
]

/** Updates the schema of a datatable. `description` null keeps the description. */
export const updateDatatable = (userId: number, table: Table, description: string | null): Sql => sql`
  update _datatables
     set json_schema = ${JSON.stringify(table.schema)}, schema_hash = ${table.schemaHash},
         description = coalesce(${description}, description), updated_at = now(), modified_by = ${userId}
   where id = ${table.id}`

/** Updates the description of a datatable. */
export const updateDescription = (userId: number, tableId: number, description: string): Sql => sql`
  update _datatables set description = ${description}, updated_at = now(), modified_by = ${userId}
   where id = ${tableId}`

/** An operation for the history, if it fails. */
export interface AttemptedOperation {
  operation: 'alter_table' | 'rollback'
  description: string
  sql: string
}

interface FailedOperation extends AttemptedOperation {
  appId: number
  /** The name of the datatable. */
  table: string
  /** How long it took. */
  milliseconds: number
}

/** Adds a failed operation to the history. */
export const insertFailure = (
  userId: number,
  { appId, table, operation, description, sql: text, milliseconds }: FailedOperation,
): Sql => sql`
  insert into _operations
    (app_id, datatable_name, operation_type, description, sql, rollback_sql, status, execution_time_ms,
     created_by)
  values (${appId}, ${table}, ${operation}, ${description}, ${text}, '', 'failed',
          ${Math.round(milliseconds)}, ${userId})`

const o = of<typeof operations>('_operations')
const operationColumns = columnsOf(
  o('id', 'operation_type', 'description', 'sql', 'rollback_sql', 'status', 'execution_time_ms'),
  o.times('created_at'),
  computed<{ progress: Operation['progress'] | null }>({
    progress: sql`(
      select json_build_object('rows_done', coalesce(c.rows_done, 0),
                               'rows_total', greatest(k.reltuples::bigint, c.rows_done, 0))
        from _schema_jobs j left join _claims c on c.table_name = j.table_name
        left join pg_class k on k.oid = to_regclass(j.table_name)
       where j.operation_id = _operations.id and j.ended_at is null)`,
  }),
  o('migration_id'),
)

/** The list of operations. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`id`,
    created_at: sql`_operations.created_at`,
    operation_type: sql`operation_type`,
    execution_time_ms: sql`execution_time_ms`,
  },
  last: sql`id desc`,
  texts: [sql`description`],
}

/** Selects a page of the operations on datatables of this name: the history outlives the table. */
export const selectOperations = (appId: number, table: string, query: HistoryQuery) =>
  selectPage(list, query, {
    columns: operationColumns,
    from: sql`_operations`,
    where: [
      sql`app_id = ${appId}`,
      sql`datatable_name = ${table}`,
      ...(query.status === undefined ? [] : [sql`status = ${query.status}`]),
    ],
  })

/** The earlier state of a datatable. */
export interface PastRow {
  json_schema: TableSchema
  schema_hash: string
  is_materialized: boolean
}

/** An operation with its schema change. */
export interface RevisionRow {
  status: string
  operation_type: string
  /** Null for operations without a schema change. */
  change: {
    id: string
    before: PastRow
    /** The name of the physical table, which `script` contains. */
    physical_table_name: string
    renames: Record<string, string>
    /** The SQL that undoes the change. */
    script: string
  } | null
  /**
   * The table that the operation put in the trash, and whether it is still there. Null for other operations.
   */
  deleted: { id: number; is_aside: boolean } | null
  /** An operation of each later schema change that is in force, the latest first. */
  later: number[]
}

/**
 * Selects an operation on a datatable, or one that put a table of its name in the trash. `tableId` is null if
 * no datatable has the name.
 */
export const selectRevision = (
  appId: number,
  name: string,
  tableId: number | null,
  id: number,
) => sql<RevisionRow>`
  select o.status, o.operation_type,
         (select json_build_object(
                   'id', m.id, 'renames', m.renames, 'physical_table_name', m.physical_table_name,
                   'before', json_build_object(
                     'json_schema', m.json_schema, 'schema_hash', m.schema_hash,
                     'is_materialized', m.is_materialized),
                   'script', (select string_agg(s.rollback_sql, e'\n' order by s.id desc) from _operations s
                               where s.migration_id = m.id and ${isInForce('s')}))
            from _migrations m where m.id = o.migration_id) as change,
         case when m.is_deletion
              then json_build_object(
                     'id', m.datatable_id,
                     'is_aside', exists (select from _deleted_datatables d where d.migration_id = m.id))
         end as deleted,
         (select coalesce(json_agg(l.id order by l.id desc), '[]')
            from (select max(x.id) as id from _operations x join _migrations n on n.id = x.migration_id
                   where n.datatable_id = ${tableId}::bigint and n.id <> o.migration_id and ${isInForce('x')}
                   group by n.id) l where l.id > o.id) as later
    from _operations o left join _migrations m on m.id = o.migration_id
   where o.id = ${id} and o.app_id = ${appId} and o.datatable_name = ${name}
     and (m.id is null or m.datatable_id = ${tableId}::bigint or m.is_deletion)`

/** Whether an operation is a step that was run and not rolled back. */
const isInForce = (alias: string): Sql =>
  sql`${identifier(alias)}.status = 'success' and ${identifier(alias)}.operation_type <> 'rollback'`

/** Runs the rollback of a change. See migrations/functions/tessera/roll_back.sql. */
export const rollBackChange = (userId: number, changeId: string): Sql =>
  sql`select tessera.roll_back(${changeId}, ${userId})`
