/**
 * Migrates sites to the newest schema that the database contains. A scheduled task queues one message for
 * each outdated site. Each step is its own transaction, so that an interrupted message continues where it
 * stopped.
 */
import { openDatabase } from '../../db/client.ts'
import { configOf, type Env } from '../../env.ts'
import { migrateSite, selectOutdatedSites } from './store.ts'

/** A queue message: migrate this site. */
export interface MigrateSite {
  kind: 'migrate-site'
  siteId: number
}

const deadlineMs = 60_000

/** The limit of `sendBatch`. The next run of the schedule queues the next sites. */
const sitesMax = 100

/** Queues a message for each site whose schema is outdated, up to 100. Returns the number of messages. */
export async function queueOutdatedSites(env: Env): Promise<number> {
  const { sites } = await openDatabase(configOf(env)).batch(
    { sites: selectOutdatedSites(sitesMax) },
    deadlineMs,
  )
  const messages = sites.all.map(({ id }): { body: MigrateSite } => ({
    body: { kind: 'migrate-site', siteId: id },
  }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
  return messages.length
}

/** Migrates a site, one step after the other. Does nothing for a site that has the newest schema. */
export async function migrateSiteToNewest(env: Env, { siteId }: MigrateSite): Promise<void> {
  const database = openDatabase(configOf(env))
  for (let migrated = true; migrated; ) {
    const { step } = await database.batch({ step: migrateSite(siteId) }, deadlineMs)
    migrated = step.one.migrated
  }
}
