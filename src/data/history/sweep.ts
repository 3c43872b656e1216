/**
 * Removes versions of records that are older than their tables keep them. Once an hour, the cron trigger
 * queues one message for each site that has such tables.
 */
import { openDatabase } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { asService } from '../../db/tenant.ts'
import { configOf, type Env } from '../../env.ts'
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

/** Selects sites whose histories are due, and does not select them again for an hour. */
const claimDue = sql<{ site_id: number }>`
  with due as (
    select site_id from public.history_sweeps
     where due_at <= now() group by site_id order by min(due_at) limit ${sitesMax}
  ), claimed as (
    update public.history_sweeps h set due_at = now() + interval '1 hour' from due
     where h.site_id = due.site_id
    returning h.site_id
  )
  select distinct site_id from claimed`

interface SweptTable {
  id: number
  physical_table_name: string
  schema_hash: string
  days: number
}

const selectTables = sql<SweptTable>`
  select id, physical_table_name, schema_hash, (json_schema #>> '{history,days}')::integer as days
    from _datatables where is_materialized and json_schema #> '{history,days}' is not null order by id`

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
