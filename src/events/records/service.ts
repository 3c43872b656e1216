/** The events of records: written into the outbox by the very statement that writes the records. Spec: Events, RECORD_CREATE; E1, E5. */
import { callerId, sweepAfter } from '../../db/deliveries.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { RecordEvent } from '../catalog.ts'

export type { RecordEvent } from '../catalog.ts'

/** Where the records of a table stand, and which of their events anybody in the app is subscribed to. */
export interface Announced {
  app: { id: number; slug: string }
  events: ReadonlySet<string>
}

/** What has happened to records. */
export interface Happening {
  event: RecordEvent
  datatable: string
  /** The names of the fields of the primary key. */
  key: readonly string[]
  /** A query for one row: `records`, the text of an array of them, null for none; and `previous`, of what they were before. */
  records: Sql
}

/** One row for all records of a statement: invocations are made of it afterwards, so that the write need not wait for that. */
export const insertDelivery = ({ app }: Announced, { event, datatable, key, records }: Happening): Sql => sql`
  insert into _deliveries (event, app_slug, datatable, key, functions, records, previous, user_id, due_at)
  select ${event}, ${app.slug}, ${datatable}, ${key}::text[], s.functions, r.records, r.previous, ${callerId}, ${sweepAfter}
    from (select array_agg(f.id) as functions from _subscribers x join _functions f on f.id = x.function_id
           where x.event = ${event} and f.app_id = ${app.id} and f.is_active) s,
         (${records}) r
   where s.functions is not null and r.records is not null`
