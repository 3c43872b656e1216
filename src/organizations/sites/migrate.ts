/**
 * Brings sites to the schema that the deployed code needs. The cron trigger queues what is behind, one message a site;
 * the consumer migrates it, one transaction a migration, so that an interrupted one goes on where it stopped.
 */
import { openDatabase } from '../../db/client.ts'
import { tenantMigrations, tenantVersion } from '../../db/migrations.ts'
import { configOf, type Env } from '../../env.ts'
import { migrateSite, selectSitesBehind } from './store.ts'

export interface MigrateSite {
  kind: 'migrate-site'
  siteId: number
}

const deadlineMs = 60_000

/** As many as one `sendBatch` takes; the next minute queues the next. */
const sitesAtOnce = 100

export async function queueSitesBehind(env: Env): Promise<number> {
  const { sites } = await openDatabase(configOf(env)).batch({ sites: selectSitesBehind(tenantVersion, sitesAtOnce) }, deadlineMs)
  const messages = sites.all.map(({ id }): { body: MigrateSite } => ({ body: { kind: 'migrate-site', siteId: id } }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
  return messages.length
}

/** Repeating it changes nothing: a migration that the site has had is passed over. */
export async function migrateSiteToNewest(env: Env, { siteId }: MigrateSite): Promise<void> {
  const database = openDatabase(configOf(env))
  for (const [index, migration] of tenantMigrations.entries()) {
    await database.batch({ migrated: migrateSite(siteId, index + 1, migration) }, deadlineMs)
  }
}
