/**
 * Erases deleted sites when they can no longer be restored: first the key of their encrypted values, then
 * their tables in several transactions, and then their data in the platform's tables. An interrupted job
 * continues where it stopped.
 */
import { openDatabase } from '../../../../kernel/db/client.ts'
import { configOf, type Env } from '../../../../kernel/env.ts'
import { log } from '../../../../kernel/lib/log.ts'
import { destroySiteKeys, eraseSecrets } from '../../../../secrets/erasure/service.ts'
import { runAndClearCaches } from '../../run-and-clear-caches.ts'
import * as store from './store.ts'

/** The queue message that erases a site. */
export interface EraseSite {
  kind: 'erase-site'
  siteId: number
}

const deadlineMs = 60_000
/** The limit of `sendBatch`. The next run of the schedule queues the next sites. */
const sitesMax = 100
const organizationsMax = 100
/**
 * The maximum number of tables that one transaction drops. Each table needs several locks, and the number of
 * locks in Postgres is limited.
 */
const tablesAtOnce = 25
/** The maximum number of transactions for one message before it is queued again. */
const stepsMax = 40

/** Queues the deleted sites that can no longer be restored. */
export async function queueDeletedSites(env: Env): Promise<void> {
  const { sites } = await openDatabase(configOf(env)).batch(
    { sites: store.selectDueSites(sitesMax) },
    deadlineMs,
  )
  const messages = sites.all.map(({ id }): { body: EraseSite } => ({
    body: { kind: 'erase-site', siteId: id },
  }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
}

/**
 * Erases a site. Does nothing if the site was restored, or does not exist. Queues itself again if the site is
 * large.
 */
export async function eraseSite(env: Env, message: EraseSite): Promise<void> {
  const { siteId } = message
  const database = openDatabase(configOf(env))
  const { due } = await database.batch({ due: store.selectDueSite(siteId) }, deadlineMs)
  if (!due.first) return
  const { slug } = due.first
  // This comes before the deletion of the site's data keys, because these name the keys to destroy.
  await destroySiteKeys(env, siteId)
  for (let steps = 0; steps < stepsMax; steps++) {
    const { erased } = await runAndClearCaches(env, database, {
      erased: store.eraseSite(siteId, tablesAtOnce),
    })
    if (erased.one.has_more) continue
    await eraseSecrets(env, slug)
    log({ level: 'info', job: 'erase-site', site: siteId, erased: true })
    return
  }
  await env.JOBS.send(message)
}

/** Erases deleted organizations that can no longer be restored, if they have no sites left. */
export async function eraseOrganizations(env: Env): Promise<void> {
  const { erased } = await runAndClearCaches(env, openDatabase(configOf(env)), {
    erased: store.eraseOrganizations(organizationsMax),
  })
  for (const { slug } of erased.all) log({ level: 'info', task: 'erase organizations', organization: slug })
}
