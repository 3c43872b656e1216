/**
 * Brings a delivery about: makes the invocations of its event, claims some, runs them, notes what they came to, and so on
 * until none is left. However often its message comes, and whoever else is at it, each run is somebody's alone. E5.
 */
import { type Database, openDatabase } from '../../db/client.ts'
import { type Deliver, queueDeliveries } from '../../db/deliveries.ts'
import { sql } from '../../db/sql.ts'
import { asService } from '../../db/tenant.ts'
import { type Config, configOf, type Env } from '../../env.ts'
import { contextOf, type Ended, endOf, endRuns } from '../../functions/invocations/service.ts'
import { failure, type Outcome, type RunnableFunction, type RunUser, runFunction, skipped } from '../../functions/runners/service.ts'
import { selectRunnables, selectSiteKeys } from '../../functions/service.ts'
import { isDoneWithin } from '../../lib/deadline.ts'
import { eachAtOnce } from '../../lib/pool.ts'
import type { SiteKeys } from '../../secrets/encryption/service.ts'
import * as store from './store.ts'

/** E5: how long after a failure the next attempt is. */
const retrySeconds = [1, 10, 60, 600, 3600]

const claimedAtOnce = 100
/** So many invocations are made in one transaction. */
const madeAtOnce = 20_000
/** More isolates than these no request may have at once. */
const runningAtOnce = 4
/** How much longer than the longest time limit runs are their claimer's. */
const graceSeconds = 90
/** So long after the claim a run may begin: it has ended before the lease has. */
const beginWithinMs = 45_000
/** So long one message is worked at; what is left then is another's. */
const workMs = 200_000
/** While slower ones go on, what has ended is noted so often. */
const reportMs = 1_000

interface Claim {
  runs: readonly store.ClaimedRow[]
  functions: ReadonlyMap<number, RunnableFunction>
  user: RunUser | null
  keys: SiteKeys
  beginUntil: number
}

interface Report {
  ended: Ended[]
  released: { id: number; attempt: number }[]
}

export async function deliver(env: Env, job: Deliver): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  const until = Date.now() + workMs
  let report: Report = { ended: [], released: [] }
  for (let round = 0; ; round++) {
    const limit = Date.now() < until ? claimedAtOnce : 0
    const claim = await reportAndClaim(database, job, report, limit)
    await queueRetries(env, job, report.ended)
    if (!claim || claim.runs.length === 0) {
      // What was not begun in time, or is left of it, is for another message.
      if (limit === 0 || report.released.length > 0) await queueDeliveries(env, [job])
      return
    }
    // There may be more than one can do.
    if (round === 0 && claim.runs.length === limit) await queueDeliveries(env, [job])
    report = await runAll(env, config, claim, async (ended) => {
      await asService(database, job.siteId, { ended: endRuns(ended) })
      await queueRetries(env, job, ended)
    })
  }
}

/** Takes one round trip: notes what has ended, and claims the next runs. Undefined when there is no such delivery any more. */
async function reportAndClaim(database: Database, job: Deliver, { ended, released }: Report, limit: number): Promise<Claim | undefined> {
  const id = job.deliveryId
  const began = Date.now()
  const statements = {
    delivery: store.lockDelivery(id),
    ended: ended.length > 0 ? endRuns(ended) : undefined,
    released: released.length > 0 ? store.releaseRuns(released) : undefined,
    expanded: store.expandDelivery(id, madeAtOnce),
    lost: store.loseRequested(id),
    functions: selectRunnables(sql`select unnest(d.functions) from _deliveries d where d.id = ${id}`),
    claimed: store.claimRuns(id, limit, graceSeconds),
    deleted: store.deleteIfDone(id),
    postponed: store.lookAgain(id),
  }
  const before = { user: store.selectCause(job), keys: selectSiteKeys(sql`${job.siteId}`) }
  const { delivery, functions, claimed, user, keys } = await asService(database, job.siteId, statements, before)
  if (!delivery.first) return undefined
  return {
    runs: claimed.all,
    functions: new Map(functions.all.map((fn) => [fn.id, fn])),
    user: user.first ?? null,
    keys: { siteId: job.siteId, keys: keys.all },
    beginUntil: began + beginWithinMs,
  }
}

/** Answers what was not noted by `note` on the way. */
async function runAll(env: Env, config: Config, claim: Claim, note: (ended: Ended[]) => Promise<void>): Promise<Report> {
  const report: Report = { ended: [], released: [] }
  const all = eachAtOnce(claim.runs, runningAtOnce, async (run) => {
    const attempt = run.attempts
    const end = Date.now() > claim.beginUntil ? undefined : await runOne(env, config, run, claim)
    if (end) report.ended.push(end)
    else report.released.push({ id: run.id, attempt })
  })
  while (!(await isDoneWithin(reportMs, all))) {
    if (report.ended.length > 0) await note(report.ended.splice(0))
  }
  return report
}

/** Undefined where the function was not begun. */
async function runOne(env: Env, config: Config, run: store.ClaimedRow, { functions, user, keys }: Claim): Promise<Ended | undefined> {
  const startedAt = new Date().toISOString()
  const fn = functions.get(run.function)
  const outcome = await outcomeOf()
  if (outcome.notBegun) return undefined
  const end = endOf({ id: run.id, attempt: run.attempts, startedAt }, outcome)
  const retry = retrySeconds[run.attempts - 1]
  const again = outcome.status === 'FAILURE' && !outcome.final && run.trigger_type === 'event' && retry !== undefined
  return again ? { ...end, status: 'RETRY', retry_seconds: retry } : end

  async function outcomeOf(): Promise<Outcome> {
    if (!fn) return failure('The function has been deleted.', [], true)
    if (!fn.is_active) return skipped('The function is not active.')
    return runFunction({
      env,
      config,
      keys,
      function: fn,
      params: run.params,
      context: contextOf(run, fn, user),
      timeoutMs: fn.timeout_seconds * 1000,
    })
  }
}

/** One message for each of the delays. */
async function queueRetries(env: Env, job: Deliver, ended: readonly Ended[]): Promise<void> {
  for (const delay of new Set(ended.flatMap(({ retry_seconds }) => retry_seconds ?? []))) await queueDeliveries(env, [job], delay)
}
