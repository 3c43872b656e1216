/**
 * Looks up the records of domains when the cron trigger fires. T8. A pending domain becomes verified when its record is
 * found, and is removed after 7 days. A verified domain is looked up daily, and removed after 7 failures in a row. A
 * resolver that does not answer is not a failure.
 */
import { clearStale } from '../../../cache/caches.ts'
import { type Database, openDatabase } from '../../../db/client.ts'
import type { Results } from '../../../db/results.ts'
import type { Sql } from '../../../db/sql.ts'
import { configOf, type Env } from '../../../env.ts'
import { log } from '../../../lib/log.ts'
import { findTexts } from './proof.ts'
import { type DueDomain, deleteExpired, missDomains, type Proven, proveDomain, staleNotes, takeDue } from './store.ts'

/** The number of pending and of verified domains in one run. Pending ones never delay verified ones. */
const atOnce = 20
const deadlineMs = 60_000

export async function checkDomains(env: Env): Promise<void> {
  const config = configOf(env)
  if (config.DOMAIN_PROOF === 'off') return
  const database = openDatabase(config)
  const change = (statements: readonly Sql[]) => changing(env, database, statements)

  const taken = await change([deleteExpired, ...takeDue(atOnce)])
  noteDropped(taken.rows(0), 'pending too long')
  const due = [...taken.rows<DueDomain>(1), ...taken.rows<DueDomain>(2)]
  const isProven = await Promise.all(due.map(({ domain, token }) => isRecorded(env, domain, token)))

  for (const [position, { site_id, domain, token }] of due.entries()) {
    if (!isProven[position]) continue
    const { lost_by } = (await change([proveDomain(site_id, domain, token, true)])).one<Proven>()
    if (lost_by !== null) log({ level: 'info', domain, lost_by_site: lost_by })
  }
  const missed = due.filter(({ is_verified }, position) => is_verified && isProven[position] === false)
  if (missed.length > 0) noteDropped((await change(missDomains(missed))).rows(0), 'record missing')
}

/** Undefined if the resolver gives no conclusive answer. */
const isRecorded = (env: Env, domain: string, token: string): Promise<boolean | undefined> =>
  findTexts(configOf(env), domain).then(
    (texts) => texts.includes(token),
    () => undefined,
  )

/** Runs statements as one transaction, then empties the caches that its triggers have noted. */
async function changing(env: Env, database: Database, statements: readonly Sql[]): Promise<Results> {
  const results = await database.batch([...statements, staleNotes], deadlineMs)
  const { stale } = results.one<{ stale: string | null }>(-1)
  if (stale) await clearStale({ env, config: configOf(env) }, stale.split('\n'))
  return results
}

function noteDropped(dropped: readonly { site_id: number; domain: string }[], why: string): void {
  for (const { site_id, domain } of dropped) log({ level: 'info', domain, dropped_by_site: site_id, why })
}
