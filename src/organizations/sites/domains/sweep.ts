/**
 * Looks up the records of domains when the cron trigger fires. T8. A pending domain becomes verified when its record is
 * found, and is removed after 7 days. A verified domain is looked up daily, and removed after 7 failures in a row. A
 * resolver that does not answer is not a failure.
 */
import { clearStale } from '../../../cache/caches.ts'
import type { Answers, Batch } from '../../../db/batch.ts'
import { type Database, openDatabase } from '../../../db/client.ts'
import { configOf, type Env } from '../../../env.ts'
import { log } from '../../../lib/log.ts'
import { findTexts } from './proof.ts'
import { type DroppedDomain, deleteExpired, missDomains, proveDomain, staleNotes, takeDue } from './store.ts'

/** The number of pending and of verified domains in one run. Pending ones never delay verified ones. */
const atOnce = 20
const deadlineMs = 60_000

export async function checkDomains(env: Env): Promise<void> {
  const config = configOf(env)
  if (config.DOMAIN_PROOF === 'off') return
  const database = openDatabase(config)
  const { expired, pending, verified } = await change(env, database, { expired: deleteExpired, ...takeDue(atOnce) })
  noteDropped(expired.all, 'pending too long')
  const due = [...pending.all, ...verified.all]
  const isProven = await Promise.all(due.map(({ domain, token }) => isRecorded(env, domain, token)))

  for (const [position, { site_id, domain, token }] of due.entries()) {
    if (!isProven[position]) continue
    const { proof } = await change(env, database, { proof: proveDomain(site_id, domain, token, true) })
    const { lost_by } = proof.one
    if (lost_by !== null) log({ level: 'info', domain, lost_by_site: lost_by })
  }
  const missed = due.filter(({ is_verified }, position) => is_verified && isProven[position] === false)
  if (missed.length === 0) return
  const { dropped } = await change(env, database, missDomains(missed))
  noteDropped(dropped.all, 'record missing')
}

/** Undefined if the resolver gives no conclusive answer. */
const isRecorded = (env: Env, domain: string, token: string): Promise<boolean | undefined> =>
  findTexts(configOf(env), domain).then(
    (texts) => texts.includes(token),
    () => undefined,
  )

/** Runs statements as one transaction, then empties the caches that its triggers have noted. */
async function change<Of extends Batch>(env: Env, database: Database, statements: Of): Promise<Answers<Of>> {
  const answers: Answers<Of> & Answers<{ noted: typeof staleNotes }> = await database.batch({ ...statements, noted: staleNotes }, deadlineMs)
  const { stale } = answers.noted.one
  if (stale) await clearStale({ env, config: configOf(env) }, stale.split('\n'))
  return answers
}

function noteDropped(dropped: readonly DroppedDomain[], why: string): void {
  for (const { site_id, domain } of dropped) log({ level: 'info', domain, dropped_by_site: site_id, why })
}
