/**
 * Makes what the service generates in the schemas of a site again, after a release that changes its text: the
 * views and functions of guests, and the triggers of histories, edges and keys. A scheduled task queues one
 * message for each site of an earlier generation. The consumer changes one app in each transaction, so that
 * an interrupted job can resume.
 */
import { openDatabase } from '../../kernel/db/client.ts'
import type { Database } from '../../kernel/db/database.ts'
import { timeoutMs } from '../../kernel/db/entering.ts'
import { generation } from '../../kernel/db/generation.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { asService } from '../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../kernel/env.ts'
import { type Catalog, compileCatalog } from '../catalog/load-catalog.ts'
import { selectWholeCatalog } from '../catalog/store.ts'
import { remakeObjects } from './remake-objects.ts'
import { retryOnLock } from './retry-on-lock.ts'
import { shortLockTimeout } from './store.ts'

/** The queue message that makes the objects of a site again. */
export interface RemakeSite {
  kind: 'remake-site'
  siteId: number
  /** The id of the last app that was tried; 0: none. */
  after: number
  /** Whether an app before it has failed. The site then stays of its earlier generation. */
  hasFailed?: boolean
}

const deadlineMs = 60_000
/** The limit of `sendBatch`. The next call, a minute later, queues more. */
const sitesMax = 100
/** The number of apps that one message changes before it is queued again. */
const appsMax = 20

/** Queues the sites of an earlier generation. A site whose job has failed is queued again after an hour. */
export async function queueOutdatedSites(env: Env): Promise<void> {
  const { due } = await openDatabase(configOf(env)).batch({ due: claimOutdated }, deadlineMs)
  const messages = due.all.map(({ site_id }): { body: RemakeSite } => ({
    body: { kind: 'remake-site', siteId: site_id, after: 0 },
  }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
}

/**
 * Makes the objects of the next apps of a site again. Queues itself again if there are more apps. Throws
 * after the last one if an app has failed.
 */
export async function remakeSite(env: Env, job: RemakeSite): Promise<void> {
  const database = openDatabase(configOf(env))
  let { after } = job
  let failure: unknown = job.hasFailed ? new Error('An earlier app could not be made again.') : undefined
  for (let apps = 0; apps < appsMax; apps++) {
    const catalog = await nextApp(database, job.siteId, after)
    if (!catalog && failure) throw failure
    if (!catalog) return void (await database.batch({ noted: noteRemade(job.siteId) }, deadlineMs))
    await remakeApp(database, catalog).catch((error: unknown) => {
      failure = error
    })
    after = catalog.app.id
  }
  await env.JOBS.send({ ...job, after, ...(failure ? { hasFailed: true } : {}) })
}

async function remakeApp(database: Database, catalog: Catalog): Promise<void> {
  const statements = { timeout: shortLockTimeout, ...remakeObjects(catalog) }
  await retryOnLock(() => asService(database, catalog.siteId, statements, { locked: lockSchema(catalog) }))
}

/** Loads the first app after the id `after`, with all its tables. */
async function nextApp(database: Database, siteId: number, after: number): Promise<Catalog | undefined> {
  // The version is read first. If the catalog changes meanwhile, the version is too old, and the job is
  // repeated.
  const { version, next } = await asService(
    database,
    siteId,
    { next: selectWholeCatalog(after) },
    { version: selectVersion(siteId) },
  )
  if (!next.first) return undefined
  const site = { siteId, catalogVersion: version.one.catalog_version }
  const catalog = compileCatalog({ site, json: JSON.stringify(next.first.catalog) })
  return catalog.app === null ? undefined : catalog
}

/** Makes other schema changes of the site wait. Fails with TS409 if there was one since `catalog`. */
const lockSchema = ({ siteId, catalogVersion }: Catalog): Sql =>
  sql`select public.hold_catalog(${siteId}, ${catalogVersion}, ${timeoutMs.schema})`

const claimOutdated = sql<{ site_id: number }>`
  with due as (
    select m.site_id from public.site_meters m
     where m.generation < ${generation} and m.remake_at <= now()
     order by m.generation, m.remake_at limit ${sitesMax} for update skip locked
  )
  update public.site_meters m set remake_at = now() + interval '1 hour' from due
   where m.site_id = due.site_id
  returning m.site_id`

const selectVersion = (siteId: number) => sql<{ catalog_version: number }>`
  select s.catalog_version from public.sites s where s.id = ${siteId}`

const noteRemade = (siteId: number): Sql => sql`
  update public.site_meters m set generation = ${generation}, remake_at = '-infinity'
   where m.site_id = ${siteId} and m.generation < ${generation}`
