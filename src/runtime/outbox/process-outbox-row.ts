/**
 * Processes one outbox row: creates its invocations, claims some, runs them, records the results, and repeats
 * this until none is left. Messages may arrive twice and workers may overlap, but a claim gives each attempt
 * to one worker only. E5.
 */
import { waitUntil } from 'cloudflare:workers'
import { openDatabase } from '../../kernel/db/client.ts'
import type { Database } from '../../kernel/db/database.ts'
import { sql } from '../../kernel/db/sql.ts'
import { asService } from '../../kernel/db/tenant.ts'
import { type Config, configOf, type Env } from '../../kernel/env.ts'
import { limitText, type ReachedLimit } from '../../kernel/errors.ts'
import { settlesWithin } from '../../kernel/lib/deadline.ts'
import { eachAtOnce } from '../../kernel/lib/each-at-once.ts'
import { exportSoon } from '../../kernel/telemetry/exporter.ts'
import { noteRoundTrip } from '../../kernel/telemetry/round-trips.ts'
import { beginTrace, endTrace, type Trace } from '../../kernel/telemetry/trace.ts'
import type { SiteKeys } from '../../secrets/encryption/service.ts'
import {
  asCaller,
  asUser,
  type CauseRow,
  type FinishedAttempt,
  finishAttempts,
  finishedAttempt,
  insertMails,
  invocationContext,
  pausedReason,
  queueMails,
  trimSkipped,
} from '../functions/invocations/service.ts'
import {
  type AttemptResult,
  failure,
  type RunnableFunction,
  runFunction,
  skipped,
} from '../functions/runners/service.ts'
import { selectRunnables, selectSiteKeys } from '../functions/service.ts'
import { logPublished, type PublishedTask, type PublishResult } from './publish.ts'
import { type OutboxMessage, queueOutboxRows } from './queue.ts'
import { queueNext, queueRetries } from './queue-again.ts'
import { runSchedule, selectSchedule } from './run-schedule.ts'
import * as store from './store.ts'

/** The pauses between attempts. E5. */
const retrySeconds = [1, 10, 60, 600, 3600]

const claimsAtOnce = 100
/** The maximum number of invocations that one transaction creates. */
const invocationsAtOnce = 20_000
/** The maximum number of isolates that a request may have at a time. */
const attemptsAtOnce = 4
/** The seconds that a lease lasts beyond the longest time limit. */
const graceSeconds = 90
/**
 * The milliseconds after the claim within which an attempt may start, so that it ends before the lease does.
 */
const startWithinMs = 45_000
/** The milliseconds for which one message is processed. Another message continues. */
const workMs = 200_000
/** The seconds after which a row that waits for earlier rows is checked again. */
const behindSeconds = 1
/** How often finished attempts are recorded while slower ones still run, in milliseconds. */
const recordEveryMs = 1_000

/** The maximum number of runs in a chain in which each causes the next. */
const depthMax = 5
const tooDeep =
  `The chain of causes is deeper than ${depthMax}: records that functions write cause runs that write ` +
  'records. This one was not started.'

interface Work {
  env: Env
  config: Config
  database: Database
  message: OutboxMessage
  /** Undefined: telemetry is off. */
  trace: Trace | undefined
  /** The runs for events that were attempted, by their ids. */
  published: Map<number, { event: string; task: PublishedTask }>
}

interface Claim {
  invocations: readonly store.ClaimedInvocation[]
  functions: ReadonlyMap<number, RunnableFunction>
  cause: CauseRow | null
  /** The slug of the site. */
  site: string
  /** Whether the site does not act by itself. */
  paused: boolean
  /** The limit of invocations, if the site has reached it. */
  reached: ReachedLimit | null
  keys: SiteKeys
  /** When the last attempt may start, in milliseconds since 1970. */
  startUntil: number
}

/** The unrecorded progress of a claim. */
interface Progress {
  finished: FinishedAttempt[]
  /** Attempts that did not start. */
  released: store.ClaimedAttempt[]
}

/**
 * Handles an OutboxMessage. Returns and logs what was published: the runs that this call has attempted; null
 * if there were none for an event. Rejects if Postgres or the queue fails; the message may then be handled
 * again. E9.
 */
export async function processOutboxRow(env: Env, message: OutboxMessage): Promise<PublishResult | null> {
  const config = configOf(env)
  const trace = beginTrace(config, message.traceparent)
  const database = openDatabase(config, undefined, (trip) => noteRoundTrip(trace, trip))
  let hasFailed = true
  try {
    const published = await processAll({ env, config, database, message, trace, published: new Map() })
    hasFailed = false
    if (published) logPublished(message.siteId, message.rowId, published)
    return published
  } finally {
    const attributes = { 'tessera.site': message.siteId }
    endTrace(trace, { name: message.kind, kind: 'consumer', attributes, hasFailed })
    exportSoon(config, { waitUntil }, trace)
  }
}

async function processAll(work: Work): Promise<PublishResult | null> {
  const { env, message } = work
  const until = Date.now() + workMs
  let claim = await recordAndClaim(work, { finished: [], released: [] }, claimsAtOnce)
  // A full claim suggests that there is more work than one worker can do.
  if (claim?.invocations.length === claimsAtOnce) await queueOutboxRows(env, [message])
  let isUnfinished = false
  while (claim && claim.invocations.length > 0) {
    const progress = await attemptAll(work, claim)
    const hasTime = Date.now() < until
    claim = await recordAndClaim(work, progress, hasTime ? claimsAtOnce : 0)
    await queueRetries(work, progress.finished)
    isUnfinished = !hasTime || progress.released.length > 0
  }
  if (isUnfinished) await queueOutboxRows(env, [message])
  const tasks = [...work.published.values()]
  const [first] = tasks
  if (!first) return null
  return {
    event: first.event,
    task_ids: tasks.map(({ task }) => task),
    total_subscribers: new Set(tasks.map(({ task }) => task.function_id)).size,
  }
}

/**
 * Records progress and claims the next invocations, in one round trip. Returns undefined if the row no longer
 * exists, or if it waits for the tick of a schedule, which needs a separate round trip.
 */
async function recordAndClaim(
  { env, database, message }: Work,
  { finished, released }: Progress,
  limit: number,
): Promise<Claim | undefined> {
  const { siteId, rowId } = message
  const startUntil = Date.now() + startWithinMs
  const statements = {
    row: store.lockRow(rowId),
    finished: finished.length > 0 ? finishAttempts(finished) : undefined,
    mails: insertMails(finished),
    released: released.length > 0 ? store.releaseInvocations(released) : undefined,
    expanded: store.expandRow(rowId, invocationsAtOnce),
    interrupted: store.failInterrupted(rowId),
    functions: selectRunnables(sql`select unnest(d.functions) from _deliveries d where d.id = ${rowId}`),
    ordered: limit > 0 ? store.lockOrdered(rowId) : undefined,
    claimed: store.claimInvocations(rowId, limit, graceSeconds),
    behind: store.selectBehind(rowId),
    next: finished.length > 0 ? store.selectNext(rowId, idsOf(finished)) : undefined,
    deleted: store.deleteRowIfDone(rowId),
    schedule: selectSchedule(rowId),
    postponed: store.postponeSweep(rowId),
    trimmed: trimSkipped(finished),
  }
  const beforeEntering = {
    // If the site does not answer, the message is dropped. The sweep queues the row again when the site
    // answers.
    active: finished.length === 0 ? store.requireActiveSite(siteId) : undefined,
    cause: store.selectCause(message),
    site: store.selectSite(siteId),
    keys: selectSiteKeys(sql`${siteId}`),
  }
  const answers = await asService(database, siteId, statements, beforeEntering)
  const { row, functions, claimed, behind, next, schedule, cause, site, keys } = answers
  await queueMails(env, siteId, answers.mails.all)
  await queueNext(env, siteId, next.all)
  if (!row.first) return undefined
  if (claimed.all.length === 0 && behind.first) await queueOutboxRows(env, [message], behindSeconds)
  if (schedule.first) {
    const { is_active, ...awaited } = schedule.first
    await runSchedule(env, database, message, { ...awaited, runs: is_active && !site.one.paused })
    return undefined
  }
  return {
    invocations: claimed.all,
    functions: new Map(functions.all.map((fn) => [fn.id, fn])),
    cause: cause.first ?? null,
    site: site.one.slug,
    paused: site.one.paused,
    reached: site.one.reached,
    keys: { siteId, keys: keys.all },
    startUntil,
  }
}

/**
 * Runs all claimed invocations, a few at a time. Returns the progress that is not recorded in the meantime.
 */
async function attemptAll(work: Work, claim: Claim): Promise<Progress> {
  const progress: Progress = { finished: [], released: [] }
  const all = eachAtOnce(claim.invocations, attemptsAtOnce, async (invocation) => {
    const finished = Date.now() > claim.startUntil ? undefined : await attempt(work, claim, invocation)
    if (finished) progress.finished.push(finished)
    else progress.released.push({ id: invocation.id, attempt: invocation.attempts })
  })
  while (!(await settlesWithin(recordEveryMs, all))) {
    const finished = progress.finished.splice(0)
    if (finished.length === 0) continue
    const { siteId, rowId } = work.message
    const { next, mails } = await asService(work.database, siteId, {
      finished: finishAttempts(finished),
      mails: insertMails(finished),
      next: store.selectNext(rowId, idsOf(finished)),
      trimmed: trimSkipped(finished),
    })
    await queueMails(work.env, siteId, mails.all)
    await queueNext(work.env, siteId, next.all)
    await queueRetries(work, finished)
  }
  return progress
}

/** Runs an attempt. Returns undefined if the function did not start. */
async function attempt(
  work: Work,
  claim: Claim,
  invocation: store.ClaimedInvocation,
): Promise<FinishedAttempt | undefined> {
  const { id, attempts, trigger_type } = invocation
  const startedAt = new Date().toISOString()
  const result = await resultOf(work, claim, invocation)
  if (result.notStarted) return undefined
  if (invocation.event !== null) notePublished(work, invocation, result)
  const finished = finishedAttempt({ id, attempt: attempts, startedAt }, result)
  const pause = retrySeconds[attempts - 1]
  const isRetried =
    result.status === 'FAILURE' && !result.isFinal && trigger_type === 'event' && pause !== undefined
  return isRetried ? { ...finished, status: 'RETRY', retry_seconds: pause } : finished
}

/** Notes the run of a subscriber. */
function notePublished(
  { published }: Work,
  { id, event, function: functionId, function_name, event_id }: store.ClaimedInvocation,
  { neverStarted, error }: AttemptResult,
): void {
  const failed = neverStarted ? { status: 'error' as const, error: error ?? '' } : {}
  const task_id = neverStarted ? null : `${event_id}-${id}`
  const task = { function_id: functionId, function_name, task_id, invocation_id: id, ...failed }
  published.set(id, { event: event ?? '', task })
}

async function resultOf(
  { env, config, trace }: Work,
  { functions, cause, site, paused, reached, keys }: Claim,
  invocation: store.ClaimedInvocation,
): Promise<AttemptResult> {
  const fn = functions.get(invocation.function)
  if (!fn) return failure('The function has been deleted.', neverStarted)
  if (!fn.is_active) return skipped('The function is not active.')
  if (paused && !isAsked(invocation)) return skipped(pausedReason)
  if (reached && invocation.attempts === 1) return failure(limitText(reached), neverStarted)
  const { depth } = invocation
  if (depth > depthMax) return failure(tooDeep, neverStarted)
  return runFunction({
    env,
    config,
    keys,
    function: fn,
    params: invocation.params,
    context: invocationContext(invocation, fn, asUser(cause)),
    acting: { site, isStored: true, depth, caller: asCaller(cause) },
    timeoutMs: fn.timeout_seconds * 1000,
    trace,
  })
}

/** Tells whether somebody has asked for a run, and no event or schedule. */
const isAsked = ({ trigger_type }: store.ClaimedInvocation): boolean =>
  trigger_type !== 'event' && trigger_type !== 'schedule'

const neverStarted = { isFinal: true, neverStarted: true } as const

const idsOf = (finished: readonly FinishedAttempt[]): number[] => finished.map(({ id }) => id)
