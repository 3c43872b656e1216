/**
 * Permanently drops deleted datatables when their time has expired. A scheduled task queues one message for
 * each site. The consumer drops each table in its own transaction, so that an interrupted job can resume.
 */

import { openDatabase } from '../../../kernel/db/client.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { asService } from '../../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { sendAll } from '../../../kernel/lib/send-all.ts'

/** The queue message that drops the expired tables of a site. */
export interface DropDeleted {
  kind: 'drop-deleted'
  siteId: number
}

const deadlineMs = 60_000
/** The maximum number of tables that one call queues. The next call, a minute later, queues the next ones. */
const tablesMax = 1000
/** The maximum number of tables that one message drops before it is queued again. */
const droppedMax = 20

/** Queues the sites with expired tables. */
export async function queueExpiredTables(env: Env): Promise<void> {
  const { due } = await openDatabase(configOf(env)).batch({ due: claimExpired(tablesMax) }, deadlineMs)
  const messages = due.all.map(({ site_id }): { body: DropDeleted } => ({
    body: { kind: 'drop-deleted', siteId: site_id },
  }))
  await sendAll(env.JOBS, messages)
}

/** Drops expired tables of a site. Queues itself again if there may be more. */
export async function dropDeleted(env: Env, job: DropDeleted): Promise<void> {
  const database = openDatabase(configOf(env))
  for (let dropped = 0; dropped < droppedMax; dropped++) {
    const { table } = await asService(database, job.siteId, { table: dropOne })
    if (!table.one.dropped) return
  }
  await env.JOBS.send(job)
}

/**
 * Selects the sites of at most `limit` expired tables, and does not select these tables again for ten
 * minutes.
 */
const claimExpired = (limit: number) => sql<{ site_id: number }>`
  with due as (
    select d.site_id, d.id from tenant._deleted_datatables d
     where d.drop_at <= now() and d.queued_at < now() - interval '10 minutes'
     order by d.drop_at limit ${limit} for update skip locked
  ), claimed as (
    update tenant._deleted_datatables d set queued_at = now() from due
     where d.site_id = due.site_id and d.id = due.id
    returning d.site_id
  )
  select distinct site_id from claimed`

/** Drops one expired table. See migrations/functions/tessera/drop_deleted_datatable.sql. */
const dropOne = sql<{ dropped: boolean }>`select tessera.drop_deleted_datatable() as dropped`
