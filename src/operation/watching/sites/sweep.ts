/**
 * Maintains sites from time to time: measures the amounts that they store, compares these with their limits,
 * and removes old invocations and their logs. The cron trigger queues one message for each site that is due.
 */
import { placeOf } from '../../../data/model/service.ts'
import { openDatabase } from '../../../kernel/db/client.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { asService } from '../../../kernel/db/tenant.ts'
import { judgeUse, logReached } from '../../../kernel/db/use.ts'
import { type Config, configOf, type Env } from '../../../kernel/env.ts'
import * as store from './store.ts'

/** The queue message that maintains a site. */
export interface SweepSite {
  kind: 'sweep-site'
  siteId: number
}

const deadlineMs = 60_000
/** The limit of `sendBatch`. */
const sitesAtOnce = 100
const roundsOfSites = 5
/** Tables with more records are not counted. The statistics of Postgres give their approximate number. */
const countedMax = 1_000_000
/** The number of invocations that one transaction deletes, or whose logs it removes. */
const invocationsMax = 2_000
/** The number of such transactions in one message before it is queued again. */
const roundsMax = 20

/** Queues the sites that are due, up to 500 a call. */
export async function queueSites(env: Env): Promise<void> {
  const database = openDatabase(configOf(env))
  for (let round = 0; round < roundsOfSites; round++) {
    const { due } = await database.batch({ due: store.claimSites(sitesAtOnce) }, deadlineMs)
    const messages = due.all.map(({ site_id }): { body: SweepSite } => ({
      body: { kind: 'sweep-site', siteId: site_id },
    }))
    if (messages.length > 0) await env.JOBS.sendBatch(messages)
    if (messages.length < sitesAtOnce) return
  }
}

/**
 * Maintains a site. Queues itself again if more invocations have to be removed than one message can remove.
 */
export async function sweepSite(env: Env, job: SweepSite): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  await measure(database, job.siteId)
  const isDone = await removeInvocations(database, job.siteId, config)
  if (!isDone) await env.JOBS.send(job)
}

/** Measures the amounts that a site stores, and compares them with the limits of the site. */
async function measure(database: Database, siteId: number): Promise<void> {
  const { tables, sizes, shared } = await asService(
    database,
    siteId,
    { tables: store.selectTables, sizes: store.selectSizes },
    { shared: store.selectSharedBytes(siteId) },
  )
  const [counted, estimated] = [
    tables.all.filter(({ estimate }) => estimate <= countedMax),
    tables.all.filter(({ estimate }) => estimate > countedMax),
  ]
  let records = estimated.reduce((sum, { estimate }) => sum + estimate, 0)
  if (counted.length > 0) {
    const relations = counted.map((table) => placeOf(siteId, table.physical_table_name).relation)
    const { rows } = await asService(database, siteId, { rows: store.countRows(relations) })
    records += rows.one.count
  }
  const measured = { ...sizes.one, bytes: sizes.one.bytes + shared.one.bytes, records }
  const { told } = await database.batch(
    { noted: store.noteMeasured(siteId, measured), told: judgeUse([siteId]) },
    deadlineMs,
  )
  logReached(told.all)
}

/** Removes old invocations, and the logs of others. Returns whether none are left. */
async function removeInvocations(database: Database, siteId: number, config: Config): Promise<boolean> {
  const { INVOCATION_DAYS, INVOCATION_LOG_DAYS } = config
  const start = await database.batch({ logs: store.selectLogsUntil(siteId) }, deadlineMs)
  let until = start.logs.first?.logs_until ?? '-infinity'
  for (let round = 0; round < roundsMax; round++) {
    const { deleted, logs } = await asService(
      database,
      siteId,
      { logs: store.removeLogs(until, INVOCATION_LOG_DAYS, invocationsMax) },
      { deleted: store.deleteInvocations(siteId, INVOCATION_DAYS, invocationsMax) },
    )
    const { until: reached, seen } = logs.one
    if (reached !== until) await database.batch({ noted: store.noteLogsUntil(siteId, reached) }, deadlineMs)
    until = reached
    if (deleted.all.length < invocationsMax && seen < invocationsMax) return true
  }
  return false
}
