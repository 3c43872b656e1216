/** The events of records. The statement that writes the records also writes them to the outbox. E1, E5. */
import { enteredCallerId, enteredDepth } from '../../../kernel/db/caller.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { sweepDueAt } from '../../../kernel/db/sweep-due.ts'
import type { RecordEvent } from '../catalog.ts'

export type { RecordEvent } from '../catalog.ts'

/** The app of a table, and the events of its records that functions of the app are subscribed to. */
export interface SubscribedEvents {
  app: { id: number; slug: string }
  events: ReadonlySet<string>
  /** The id of the table, for a statement that is kept. Omitted: that of `RecordChange`. */
  tableId?: Sql
}

export interface RecordChange {
  event: RecordEvent
  /** The table. */
  datatable: { id: number; name: string }
  /** The names of the fields of the primary key. */
  key: readonly string[]
  /**
   * A query for one row. `records` is the text of a JSON array, or null if there are none; `previous` is the
   * same for the records before the change, or null.
   */
  records: Sql
}

/**
 * Inserts one outbox row for all records of a statement, if a function is subscribed. Its invocations are
 * created later, so that the write does not wait for them.
 */
export const insertOutboxRow = (
  { app, tableId }: SubscribedEvents,
  { event, datatable, key, records }: RecordChange,
): Sql => sql`
  insert into _deliveries (event, app_slug, datatable, key, functions, records, previous, user_id, depth,
                           due_at)
  select ${event}, ${app.slug}, ${datatable.name}, ${key}::text[], s.functions, r.records, r.previous,
         ${enteredCallerId}, ${enteredDepth},
         ${sweepDueAt}
    from (select array_agg(f.id) as functions from _subscribers x join _functions f on f.id = x.function_id
           where x.event = ${event} and f.app_id = ${app.id} and f.is_active
             and (x.tables is null or ${tableId ?? datatable.id} = any (x.tables))) s,
         (${records}) r
   where s.functions is not null and r.records is not null`

/** An event that another database has noted in the transaction of the write. */
export interface NotedEvent {
  /** The id under which the write has announced the note. */
  id: string
  /** The id of the table. */
  table: number
  /** The names of the fields of the primary key. */
  key: readonly string[]
  event: string
  /** As in RecordChange. */
  records: string
  previous: string | null
}

/**
 * Announces the note of a write outside of Postgres, with the caller as its cause. `reach` selects the
 * datasource, and the generation of its connection.
 */
export const awaitNote = (id: string, reach: Sql): Sql => sql`
  insert into _awaited_notes (id, datasource_id, generation, user_id, depth, due_at)
  select ${id}::uuid, r.datasource, r.generation, ${enteredCallerId}, ${enteredDepth},
         now() + interval '1 minute'
    from (${reach}) r`

/** Takes the announcement of a write away that has not been made. */
export const withdrawNote = (id: string): Sql => sql`
  update _awaited_notes a set is_gone = true where a.id = ${id}::uuid`

/**
 * Takes announcements away of which no note will come, given when the notes of a datasource were read by a
 * connection. No write takes ten minutes, so the notes had those of all earlier writes by this connection;
 * null: they could not be read for certain. A note that another connection has written may be in another
 * database for as long as `lost` says: the datasource may be changed back.
 */
export const endUnwritten = (datasource: number, generation: string, read: string | null): Sql => sql`
  update _awaited_notes a set is_gone = true
   where a.datasource_id = ${datasource}
     and (a.created_at < now() - ${lost}::interval
          or a.created_at < ${read}::timestamptz - interval '10 minutes'
             and coalesce(a.generation, ${generation}) = ${generation})`

/** How long events wait for a server that does not answer, or that the datasource does not name any more. */
const lost = '30 days'

/**
 * Inserts outbox rows for announced notes of a datasource, in their order, and takes the announcements away.
 * Ignores all other notes, and the same event of a note again: the owner of the other database can write
 * what he likes there, and an upsert has one event of each kind. Returns the ids of the rows.
 */
export const insertNoted = (datasource: number, notes: readonly NotedEvent[]) => sql<{ id: number }>`
  with noted as (
    select distinct on (n.id, n.event)
           n.place, n.id, n.table_id, n.key_names, n.event, n.records, n.previous
      from json_to_recordset(${JSON.stringify(notes.map(asRow))}::json)
           as n (place integer, id uuid, table_id bigint, key_names text[], event text, records text,
                 previous text)
     order by n.id, n.event, n.place
  ), came as (
    update _awaited_notes a set is_gone = true
     where a.datasource_id = ${datasource} and a.id in (select id from noted)
    returning a.id, a.user_id, a.depth
  )
  insert into _deliveries (event, app_slug, datatable, key, functions, records, previous, user_id, depth,
                           due_at)
  select n.event, p.slug, t.name, n.key_names, s.functions, n.records, n.previous, came.user_id, came.depth,
         ${sweepDueAt}
    from noted n join came on came.id = n.id
    join _datatables t on t.id = n.table_id and t.data_source_id = ${datasource}
    join _apps p on p.id = t.app_id
    cross join lateral (
      select array_agg(f.id) as functions from _subscribers x join _functions f on f.id = x.function_id
       where x.event = n.event and x.event like 'RECORD\\_%' and f.app_id = p.id and f.is_active
         and (x.tables is null or t.id = any (x.tables))) s
   where s.functions is not null order by n.place
  returning id`

const asRow = ({ id, table, key, event, records, previous }: NotedEvent, place: number) => ({
  ...{ place, id, table_id: table, key_names: key, event, records, previous },
})
