/** The SQL of orphans: objects that an interrupted change of a large table has left. */
import { identifier, literal, type Sql, sql } from '../../kernel/db/sql.ts'
import { asRegclass } from '../catalog/claims.ts'
import { pendingPrefix } from '../model/names.ts'
import type { Place, Table } from '../model/table.ts'

/** An object that an interrupted change of a table has left behind. */
export interface Orphan {
  kind: 'trigger' | 'table' | 'column' | 'constraint' | 'index'
  name: string
}

/**
 * Selects the orphans of a table. Triggers come first, because they write to the others; then what they wrote
 * to. Dropping a column also drops its constraints and indexes.
 */
export const selectOrphans = (table: Place): Sql => sql`
  select kind, name from (${orphansOf(table)}) _orphan
   order by array_position(array['trigger', 'table', 'column', 'constraint', 'index'], kind)`

/** Selects the orphans of a table in any order. */
export const orphansOf = (table: Place): Sql => sql`
  select 'trigger' as kind, g.tgname::text as name from pg_trigger g
   where g.tgrelid = ${asRegclass(table)} and ${isPendingName(sql`g.tgname`)}
  union all
  select 'table', h.relname::text from pg_class o join pg_class h using (relnamespace)
    join _datatables t on t.physical_table_name = o.relname and t.source_id is null
   where o.oid = ${asRegclass(table)} and h.relkind = 'r'
     and starts_with(h.relname, format(${literal(`${pendingPrefix}%s_`)}, t.id))
  union all
  select 'column', a.attname::text from pg_attribute a
   where a.attrelid = ${asRegclass(table)} and a.attnum > 0 and not a.attisdropped
     and ${isPendingName(sql`a.attname`)}
  union all
  select 'constraint', c.conname::text from pg_constraint c
   where c.conrelid = ${asRegclass(table)} and ${isPendingName(sql`c.conname`)}
  union all
  select 'index', i.relname::text from pg_index x join pg_class i on i.oid = x.indexrelid
   where x.indrelid = ${asRegclass(table)} and ${isPendingName(sql`i.relname`)}`

/** Selects the indexes among them that are not valid, because their build was interrupted. */
export const selectInvalid = (table: Place): Sql => sql`
  select 'index' as kind, i.relname::text as name from pg_index x join pg_class i on i.oid = x.indexrelid
   where x.indrelid = ${asRegclass(table)} and not x.indisvalid and ${isPendingName(sql`i.relname`)}`

const isPendingName = (name: Sql): Sql => sql`starts_with(${name}::text, ${literal(pendingPrefix)})`

/** Drops the orphans of a table that is locked. See migrations/functions/tessera/drop_pending.sql. */
export const dropPending = (table: Table): Sql =>
  sql`select tessera.drop_pending(${asRegclass(table)}, ${table.id})`

/** Drops an orphan, if it still exists. */
export function dropOrphan(table: Place, { kind, name }: Orphan): Sql {
  const orphan = identifier(name)
  switch (kind) {
    case 'trigger':
      return sql`drop trigger if exists ${orphan} on ${table.relation}`
    case 'table':
      return sql`drop table if exists ${table.namespace}.${orphan}`
    case 'column':
      return sql`alter table ${table.relation} drop column if exists ${orphan}`
    case 'constraint':
      return sql`alter table ${table.relation} drop constraint if exists ${orphan}`
    case 'index':
      return sql`drop index concurrently if exists ${table.namespace}.${orphan}`
  }
}
