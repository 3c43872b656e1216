/**
 * Checks the DNS records of domains on the schedule. T8. A pending domain becomes verified when its record is
 * found, and is removed after 7 days. A verified domain is checked daily, and removed after 7 consecutive
 * failures. A resolver that does not answer is not a failure.
 */
import { openDatabase } from '../../../../kernel/db/client.ts'
import { configOf, type Env } from '../../../../kernel/env.ts'
import { log } from '../../../../kernel/lib/log.ts'
import { runAndClearCaches } from '../../run-and-clear-caches.ts'
import { findTexts } from './proof.ts'
import { claimDue, countFailures, deleteExpired, proveDomain, type RemovedDomain } from './store.ts'

/**
 * The number of pending domains, and of verified ones, that one run checks. They are separate limits, so that
 * neither kind delays the other.
 */
const domainsMax = 20

/** Checks the domains that are due. Does nothing with DOMAIN_PROOF=off. */
export async function checkDomains(env: Env): Promise<void> {
  const config = configOf(env)
  if (config.DOMAIN_PROOF === 'off') return
  const database = openDatabase(config)
  const { expired, pending, verified } = await runAndClearCaches(env, database, {
    expired: deleteExpired,
    ...claimDue(domainsMax),
  })
  logRemoved(expired.all, 'pending too long')
  const due = [...pending.all, ...verified.all]
  const isProven = await Promise.all(due.map(({ domain, token }) => isRecorded(env, domain, token)))

  for (const [position, { site_id, domain, token }] of due.entries()) {
    if (!isProven[position]) continue
    const { proof } = await runAndClearCaches(env, database, {
      proof: proveDomain(site_id, domain, token, true),
    })
    const { lost_by } = proof.one
    if (lost_by !== null) log({ level: 'info', domain, lost_by_site: lost_by })
  }
  const missed = due.filter(({ is_verified }, position) => is_verified && isProven[position] === false)
  if (missed.length === 0) return
  const { removed } = await runAndClearCaches(env, database, countFailures(missed))
  logRemoved(removed.all, 'record missing')
}

/** Tells whether the TXT record has the token; undefined if the resolver gives no conclusive answer. */
async function isRecorded(env: Env, domain: string, token: string): Promise<boolean | undefined> {
  try {
    const texts = await findTexts(configOf(env), domain)
    return texts.includes(token)
  } catch {
    return undefined
  }
}

function logRemoved(removed: readonly RemovedDomain[], why: string): void {
  for (const { site_id, domain } of removed) log({ level: 'info', domain, dropped_by_site: site_id, why })
}
