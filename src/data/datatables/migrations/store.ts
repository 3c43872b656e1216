import { moment } from '../../../db/moment.ts'
import { identifier, literal, renderText, type Sql, sql } from '../../../db/sql.ts'
import { type List, selectList } from '../../../http/lists/list.ts'
import { pendingPrefix } from '../names.ts'
import type { TableSchema } from '../schema-form.ts'
import type { Place, Table } from '../table.ts'
import type { HistoryQuery } from './schema.ts'

const nameOf = ({ relation }: Place): Sql => literal(renderText(relation))
const asRegclass = (place: Place): Sql => sql`${nameOf(place)}::regclass`

export const exists = (place: Place): Sql => sql`select to_regclass(${nameOf(place)}) is not null as exists`

/** How large a table is, and whether a change that was broken off left something in it. */
export const selectCondition = (table: Place): Sql => sql`
  select pg_table_size(${asRegclass(table)}) as bytes, exists (${leftovers(table)}) as has_leftovers`

export interface Condition {
  bytes: number
  has_leftovers: boolean
}

export interface Leftover {
  kind: 'column' | 'constraint' | 'index'
  name: string
}

/** What was made ahead of a schema that never came into force. Columns are the first: what stands on them goes with them. */
export const selectLeftovers = (table: Place): Sql => sql`select kind, name from (${leftovers(table)}) _leftover order by kind`

const leftovers = (table: Place): Sql => sql`
  select 'column' as kind, a.attname::text as name from pg_attribute a
   where a.attrelid = ${asRegclass(table)} and a.attnum > 0 and not a.attisdropped and ${isPending(sql`a.attname`)}
  union all
  select 'constraint', c.conname::text from pg_constraint c where c.conrelid = ${asRegclass(table)} and ${isPending(sql`c.conname`)}
  union all
  select 'index', i.relname::text from pg_index x join pg_class i on i.oid = x.indexrelid
   where x.indrelid = ${asRegclass(table)} and ${isPending(sql`i.relname`)}`

const isPending = (name: Sql): Sql => sql`starts_with(${name}::text, ${literal(pendingPrefix)})`

/** It may be gone by now. */
export function dropLeftover(table: Place, { kind, name }: Leftover): Sql {
  const leftover = identifier(name)
  switch (kind) {
    case 'column':
      return sql`alter table ${table.relation} drop column if exists ${leftover}`
    case 'constraint':
      return sql`alter table ${table.relation} drop constraint if exists ${leftover}`
    case 'index':
      return sql`drop index concurrently if exists ${table.namespace}.${leftover}`
  }
}

/**
 * Answers a row where nobody else changes the table for as long as this session lives. A row says which session it is:
 * advisory locks would do the same, but a statement of any tenant could take them.
 */
export const claim = (table: Place): Sql => sql`
  insert into _claims as c (table_name, session) values (${nameOf(table)}, pg_backend_pid())
  on conflict (table_name) do update set session = excluded.session
   where c.session = excluded.session or not exists (select from pg_stat_activity a where a.pid = c.session and a.usename = session_user)
  returning table_name`

const lockTimeoutMs = 100

/** In a transaction: who has to wait for others lets those who come after it wait for so long at most. */
export const lockBriefly: Sql = sql`select set_config('lock_timeout', ${literal(`${lockTimeoutMs}ms`)}, true)`

/** The table for the transaction alone. */
export const lockTable = (table: Table): Sql[] => [lockBriefly, sql`lock table ${table.relation} in access exclusive mode`]

/** `description` null: it stays. */
export const updateDatatable = (userId: number, table: Table, description: string | null): Sql => sql`
  update _datatables
     set json_schema = ${JSON.stringify(table.schema)}, schema_hash = ${table.schemaHash}, description = coalesce(${description}, description),
         updated_at = now(), modified_by = ${userId}
   where id = ${table.id}`

export const updateDescription = (userId: number, tableId: number, description: string): Sql => sql`
  update _datatables set description = ${description}, updated_at = now(), modified_by = ${userId} where id = ${tableId}`

/** What was tried and changed nothing. */
export interface Attempt {
  operation: 'alter_table' | 'rollback'
  description: string
  sql: string
}

export const insertFailure = (
  userId: number,
  appId: number,
  table: string,
  { operation, description, sql: text }: Attempt,
  milliseconds: number,
): Sql => sql`
  insert into _operations (app_id, datatable_name, operation_type, description, sql, rollback_sql, status, execution_time_ms, created_by)
  values (${appId}, ${table}, ${operation}, ${description}, ${text}, '', 'failed', ${Math.round(milliseconds)}, ${userId})`

const operationColumns = sql`id, operation_type, description, sql, rollback_sql, status, execution_time_ms, ${moment(sql`created_at`)} as created_at, migration_id`

export const list: List = {
  orderings: new Map([
    ['id', sql`id`],
    ['created_at', sql`_operations.created_at`],
    ['operation_type', sql`operation_type`],
    ['execution_time_ms', sql`execution_time_ms`],
  ]),
  ordering: '-id',
  last: sql`id desc`,
  search: { texts: [sql`description`], in: 'the description' },
}

/** The history of a name: it outlives the table that has it. */
export const selectOperations = (appId: number, table: string, query: HistoryQuery): Sql[] =>
  selectList(list, query, {
    columns: operationColumns,
    from: sql`_operations`,
    where: [sql`app_id = ${appId}`, sql`datatable_name = ${table}`, ...(query.status === undefined ? [] : [sql`status = ${query.status}`])],
  })

/** What a datatable was. */
export interface PastRow {
  json_schema: TableSchema
  schema_hash: string
  is_materialized: boolean
}

export interface RevisionRow {
  status: string
  operation_type: string
  /** `script`: the SQL that undoes it, which is about the physical table of that name. */
  migration: { id: string; before: PastRow; physical_table_name: string; renames: Record<string, string>; script: string } | null
  /** Of an operation that put a table aside: its id, and whether it still is. */
  deleted: { id: number; is_aside: boolean } | null
  /** An operation of each later migration that stands, the last one first. */
  later: number[]
}

/** An operation of a datatable, or one that put a table of its name aside; with its migration. `tableId` null: no datatable has the name. */
export const selectRevision = (appId: number, name: string, tableId: number | null, id: number): Sql => sql`
  select o.status, o.operation_type,
         (select json_build_object(
                   'id', m.id, 'renames', m.renames, 'physical_table_name', m.physical_table_name,
                   'before', json_build_object('json_schema', m.json_schema, 'schema_hash', m.schema_hash, 'is_materialized', m.is_materialized),
                   'script', (select string_agg(s.rollback_sql, e'\n' order by s.id desc) from _operations s where s.migration_id = m.id and ${stands('s')}))
            from _migrations m where m.id = o.migration_id) as migration,
         case when m.is_deletion
              then json_build_object('id', m.datatable_id, 'is_aside', exists (select from _deleted_datatables d where d.migration_id = m.id)) end as deleted,
         (select coalesce(json_agg(l.id order by l.id desc), '[]')
            from (select max(x.id) as id from _operations x join _migrations n on n.id = x.migration_id
                   where n.datatable_id = ${tableId}::bigint and n.id <> o.migration_id and ${stands('x')}
                   group by n.id) l where l.id > o.id) as later
    from _operations o left join _migrations m on m.id = o.migration_id
   where o.id = ${id} and o.app_id = ${appId} and o.datatable_name = ${name}
     and (m.id is null or m.datatable_id = ${tableId}::bigint or m.is_deletion)`

/** Whether an operation is a step that was made and not undone. */
const stands = (alias: string): Sql => sql`${identifier(alias)}.status = 'success' and ${identifier(alias)}.operation_type <> 'rollback'`

/** See migrations/tenant/functions/roll_back.sql. */
export const rollBackMigration = (userId: number, migration: string): Sql => sql`select tessera.roll_back(${migration}, ${userId})`
