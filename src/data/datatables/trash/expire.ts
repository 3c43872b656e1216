/**
 * Drops deleted datatables for good when their time is over: the cron trigger queues their sites, one message a site; the
 * consumer drops them, each in a transaction of its own, so that what was interrupted goes on where it stopped.
 */
import { openDatabase } from '../../../db/client.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { asService } from '../../../db/tenant.ts'
import { configOf, type Env } from '../../../env.ts'

export interface DropDeleted {
  kind: 'drop-deleted'
  siteId: number
}

const deadlineMs = 60_000
/** So many a look takes; the next minute takes the next. */
const atOnce = 1000
/** As many as one `sendBatch` takes. */
const messagesMax = 100
/** So many a message drops, before it is queued again. */
const droppedMax = 20

export async function queueExpiredTables(env: Env): Promise<void> {
  const due = (await openDatabase(configOf(env)).batch([takeExpired(atOnce)], deadlineMs)).rows<{ site_id: number }>()
  const messages = due.map(({ site_id }): { body: DropDeleted } => ({ body: { kind: 'drop-deleted', siteId: site_id } }))
  for (let sent = 0; sent < messages.length; sent += messagesMax) await env.JOBS.sendBatch(messages.slice(sent, sent + messagesMax))
}

export async function dropDeleted(env: Env, job: DropDeleted): Promise<void> {
  const database = openDatabase(configOf(env))
  for (let dropped = 0; dropped < droppedMax; dropped++) {
    const results = await asService(database, job.siteId, [dropOne])
    if (!results.one<{ dropped: boolean }>().dropped) return
  }
  await env.JOBS.send(job)
}

/** The sites of what has expired. What is queued is left alone from then on for some minutes. */
const takeExpired = (limit: number): Sql => sql`
  with due as (
    select d.site_id, d.datatable_id from public.deleted_datatables d
     where d.due_at <= now() order by d.due_at limit ${limit} for update skip locked
  ), taken as (
    update public.deleted_datatables d set due_at = now() + interval '10 minutes' from due
     where d.site_id = due.site_id and d.datatable_id = due.datatable_id
    returning d.site_id
  )
  select distinct site_id from taken`

/** See migrations/tenant/functions/drop_deleted_datatable.sql. */
const dropOne = sql`select tessera.drop_deleted_datatable() as dropped`
