/**
 * Removes versions of records that are older than their tables keep them. Once an hour, the cron trigger
 * queues one message for each site that has such tables.
 */
import { openDatabase } from '../../kernel/db/client.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { asService } from '../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { historyNames } from '../model/names.ts'
import { placeOf } from '../model/table.ts'

/** The queue message that sweeps the histories of a site. */
export interface SweepHistories {
  kind: 'sweep-histories'
  siteId: number
}

const deadlineMs = 60_000
/**
 * The maximum number of sites that one call queues: the limit of `sendBatch`. The next call, a minute later,
 * queues more.
 */
const sitesMax = 100
/** The maximum number of versions that one transaction deletes. */
const versionsMax = 10_000
/** The maximum number of transactions for one message before it is queued again. */
const roundsMax = 20
/** Requests in progress may read this many minutes further back than the table keeps versions. */
const marginMinutes = 1

/** Queues the sites whose histories are due. */
export async function queueHistories(env: Env): Promise<void> {
  const { due } = await openDatabase(configOf(env)).batch({ due: claimDue }, deadlineMs)
  const messages = due.all.map(({ site_id }): { body: SweepHistories } => ({
    body: { kind: 'sweep-histories', siteId: site_id },
  }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
}

/** Sweeps the histories of a site. Queues itself again if there is more. */
export async function sweepHistories(env: Env, job: SweepHistories): Promise<void> {
  const database = openDatabase(configOf(env))
  const { tables } = await asService(database, job.siteId, { tables: selectTables })
  let rounds = 0
  for (const table of tables.all) {
    const sweep = deleteOldVersions(job.siteId, table)
    for (let isFull = true; isFull; rounds++) {
      if (rounds === roundsMax) return void (await env.JOBS.send(job))
      const { swept } = await asService(database, job.siteId, { swept: sweep })
      isFull = swept.one.deleted === versionsMax
    }
  }
}

/** The condition that a table keeps versions for a number of days, as in its index. */
const keepsDays = sql`t.is_materialized and t.json_schema #> '{history,days}' is not null`

/** Selects sites with such tables, each once an hour, and when a table has changed. */
const claimDue = sql<{ site_id: number }>`
  with due as (
    select m.site_id from public.site_meters m
     where exists (
       select from tenant._datatables t
        where t.site_id = m.site_id and ${keepsDays}
          and (m.histories_swept_at < now() - interval '1 hour' or t.updated_at > m.histories_swept_at))
     order by m.histories_swept_at limit ${sitesMax} for update skip locked
  )
  update public.site_meters m set histories_swept_at = now() from due
   where m.site_id = due.site_id
  returning m.site_id`

interface SweptTable {
  id: number
  physical_table_name: string
  schema_hash: string
  days: number
}

const selectTables = sql<SweptTable>`
  select t.id, t.physical_table_name, t.schema_hash, (t.json_schema #>> '{history,days}')::integer as days
    from _datatables t where ${keepsDays} order by t.id`

/**
 * Deletes versions that ended earlier than the table keeps them, and deletions of that age. No time that
 * clients can read needs them. Does nothing if the schema has changed since it was read.
 */
function deleteOldVersions(siteId: number, table: SweptTable): Sql<{ deleted: number }> {
  const history = placeOf(siteId, historyNames(table.physical_table_name).table).relation
  const since = sql`now() - make_interval(days => ${table.days}, mins => ${marginMinutes})`
  return sql<{ deleted: number }>`
    with old as (
      select h.ctid as place from ${history} h
       where (h.valid_to <= ${since}
              or (h.operation = 'delete' and h.valid_to = 'infinity' and h.valid_from <= ${since}))
         and exists (select from _datatables t
                      where t.id = ${table.id} and t.schema_hash = ${table.schema_hash} and t.is_materialized)
       limit ${versionsMax}
    ), deleted as (
      delete from ${history} h using old where h.ctid = old.place returning 1
    )
    select count(*) as deleted from deleted`
}
