/**
 * Migrates the sites of a database, several at a time. A site that fails is reported, and the others
 * continue.
 */
import type pg from 'pg'
import { eachAtOnce } from '../src/lib/each-at-once.ts'
import { whenUnlocked } from './when-unlocked.ts'

/** A site whose migration failed. */
export interface FailedSite {
  slug: string
  /** The message of Postgres. */
  reason: string
}

/** The progress of the migration of the sites. */
export interface SiteProgress {
  /** The number of sites that are finished. It includes those whose migration failed. */
  done: number
  total: number
  failed: number
}

/** An error: some sites could not be migrated; the others were. The message names each failed site. */
export class SitesFailed extends Error {
  /** The number of migrated sites. */
  readonly migrated: number
  readonly failed: readonly FailedSite[]

  constructor(migrated: number, failed: readonly FailedSite[]) {
    super(
      [
        ...failed.map(({ slug, reason }) => `The site ${slug} was not migrated: ${reason}.`),
        `${migrated} other sites were migrated. Remove the causes and repeat the command. ` +
          'Until then, sites that lack a migration answer 503.',
      ].join('\n'),
    )
    this.migrated = migrated
    this.failed = failed
  }
}

interface Site {
  id: string
  slug: string
}

/**
 * Migrates the outdated sites to the newest schema, and returns how many there were. Each step is a
 * transaction, so an interrupted run continues where it stopped. Throws SitesFailed at the end.
 */
export async function migrateSites(
  pool: pg.Pool,
  atOnce: number,
  onProgress: (progress: SiteProgress) => void,
): Promise<number> {
  const { rows } = await pool.query<Site>(
    'select s.id, s.slug from public.sites s where s.id in (select public.outdated_sites()) order by s.id',
  )
  const failed: FailedSite[] = []
  let done = 0
  await eachAtOnce(rows, atOnce, async ({ id, slug }) => {
    try {
      while (await migrateOnce(pool, id));
    } catch (error) {
      failed.push({ slug, reason: (error as Error).message })
    }
    done++
    onProgress({ done, total: rows.length, failed: failed.length })
  })
  if (failed.length > 0) throw new SitesFailed(done - failed.length, failed)
  return done
}

/** Takes one step, and returns whether there was one. */
async function migrateOnce(pool: pg.Pool, id: string): Promise<boolean> {
  const { rows } = await whenUnlocked(() =>
    pool.query<{ migrated: boolean }>('select public.migrate_site($1) as migrated', [id]),
  )
  return rows[0]?.migrated ?? false
}
