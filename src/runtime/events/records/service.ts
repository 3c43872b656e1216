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
