/** The objects of a history in Postgres: the table of the versions, and the triggers that write it. D9. */
import { identifier, join, literal, renderText, type Sql, sql } from '../../../kernel/db/sql.ts'
import { isSameRecord, type VersionedTable, versionDocument } from '../../model/history.ts'

/** Returns the statement that creates the table of the versions. */
export const createVersions = ({ history }: VersionedTable): Sql =>
  // A version is updated once, when the next one ends it. The fill factor leaves room for that on its page.
  sql`create table ${history} (
      number integer not null,
      valid_from timestamptz not null,
      valid_to timestamptz not null default 'infinity',
      operation text not null,
      changed_by bigint,
      changed_by_name text,
      _data jsonb not null) with (fillfactor = 90)`

/** The columns `changed_by` and `changed_by_name` of a version that a schema change makes. */
export const author: Sql = sql`
  nullif(current_setting('tessera.caller', true), '')::bigint,
  nullif(current_setting('tessera.username', true), '')`

const events = ['insert', 'update', 'delete'] as const
const eventSql = { insert: sql`insert`, update: sql`update`, delete: sql`delete` }
const transition = {
  insert: sql`new table as _new`,
  update: sql`new table as _new`,
  delete: sql`old table as _old`,
}
const triggerName = (event: (typeof events)[number], prefix: string): Sql =>
  identifier(`${prefix}keep_versions_${event}`)

/** Returns the statements that create the triggers. Their names begin with `prefix`. */
export function triggersOf(table: VersionedTable, prefix = ''): Sql[] {
  const args = [
    renderText(table.history),
    renderText(versionDocument(table, sql`r`)),
    renderText(isSameRecord(table, sql`h`, sql`d`)),
  ]
  return events.map(
    (event) => sql`
      create or replace trigger ${triggerName(event, prefix)} after ${eventSql[event]} on ${table.relation}
      referencing ${transition[event]} for each statement
      execute function tessera.keep_versions(${join(args.map(literal))})`,
  )
}

export const dropTriggers = ({ relation }: VersionedTable, prefix = ''): Sql[] =>
  events.map((event) => sql`drop trigger ${triggerName(event, prefix)} on ${relation}`)
