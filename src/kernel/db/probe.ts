/** Waits for the database, and gives up if it does not respond to probes in the meantime. */
import { waitUntil } from 'cloudflare:workers'
import { log } from '../lib/log.ts'
import {
  admit,
  type Health,
  isOpen,
  nextStep,
  probeMs,
  recordAnswer,
  recordFailedProbe,
  recordFailure,
  recordRefusal,
  unknownHealth,
} from './breaker.ts'
import { DatabaseUnavailable, isConnectionRefusal, isSqlState, isUnavailable } from './failures.ts'

/** The state of a database in this isolate, and a function that probes it over a separate connection. */
export interface MonitoredDatabase {
  health: Health
  probe(signal: AbortSignal): Promise<unknown>
}

type Ask<Answer> = (signal: AbortSignal) => Promise<Answer>

interface Limits {
  limitMs: number
  isPatient: boolean
}

const healths = new Map<string, Health>()

/** Returns the state of the database at a URL, which all requests of the isolate share. */
export function healthOf(databaseUrl: string): Health {
  const health = healths.get(databaseUrl) ?? unknownHealth()
  healths.set(databaseUrl, health)
  return health
}

/**
 * Runs `ask`. Throws DatabaseUnavailable: at once if the breaker is open, later if the database responds
 * neither to `ask` nor to a probe, and in any case after `limitMs`. Rethrows errors of `ask`.
 */
export async function withBreaker<Answer>(
  monitored: MonitoredDatabase,
  limitMs: number,
  ask: Ask<Answer>,
): Promise<Answer> {
  await requireClosedBreaker(monitored)
  return askWithProbes(monitored, { limitMs, isPatient: false }, ask)
}

/**
 * Runs `ask` for a statement on an open connection, which may build an index for minutes. It ignores the
 * state of the breaker, and gives up only after as many consecutive failed probes as open the breaker.
 */
export const withProbes = <Answer>(
  monitored: MonitoredDatabase,
  limitMs: number,
  ask: Ask<Answer>,
): Promise<Answer> => askWithProbes(monitored, { limitMs, isPatient: true }, ask)

async function requireClosedBreaker(monitored: MonitoredDatabase): Promise<void> {
  const admission = admit(monitored.health, Date.now())
  if (admission === 'ask') return
  if (admission === 'refuse and probe') void runProbe(monitored)
  if (admission === 'probe first') await runProbe(monitored)
  if (isOpen(monitored.health, Date.now())) throw unavailable('The breaker is open.')
}

async function askWithProbes<Answer>(
  monitored: MonitoredDatabase,
  limits: Limits,
  ask: Ask<Answer>,
): Promise<Answer> {
  const request = new AbortController()
  const watch = watchFor(monitored, limits)
  try {
    const answer = await Promise.race([ask(request.signal), watch.givesUp])
    record(monitored.health, 'answer')
    return answer
  } catch (error) {
    // Ends the request to the database, because nobody waits for it any longer.
    request.abort()
    if (!(error instanceof DatabaseUnavailable)) record(monitored.health, outcomeOf(error))
    throw error
  } finally {
    watch.end()
  }
}

/**
 * Runs probes when they are due, until `end` is called. `givesUp` rejects with DatabaseUnavailable when it is
 * time to give up. Most answers arrive before the first timer: it costs little to set and to clear.
 */
function watchFor(monitored: MonitoredDatabase, { limitMs, isPatient }: Limits) {
  const since = Date.now()
  const { promise: givesUp, reject } = Promise.withResolvers<never>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false

  function look(): void {
    clearTimeout(timer)
    if (hasEnded) return
    const now = Date.now()
    const leftMs = since + limitMs - now
    const step = leftMs <= 0 ? 'late' : nextStep(monitored.health, { since, isPatient }, now)
    if (step === 'late') reject(unavailable('There was no answer in time.'))
    else if (step === 'give up') reject(unavailable('There was no answer, and none to a probe.'))
    else if (step === 'probe') {
      void runProbe(monitored).finally(look)
      look()
    } else timer = setTimeout(look, Math.min(step.waitMs, leftMs))
  }

  function end(): void {
    hasEnded = true
    clearTimeout(timer)
  }

  look()
  return { givesUp, end }
}

/**
 * Runs a probe that is recorded as begun. It outlives its request, so that its outcome counts if the client
 * disconnects.
 */
function runProbe({ health, probe }: MonitoredDatabase): Promise<void> {
  const startedAt = health.probedAt
  const done = new AbortController()
  const outcome = Promise.race([probe(done.signal), probeTimeout(done.signal)])
    .then((): Outcome => 'answer', outcomeOf)
    .then((outcome) => record(health, outcome, startedAt))
    .finally(() => done.abort())
  waitUntil(outcome)
  return outcome
}

/**
 * The meaning of an answer or an error for the state of the database. `nothing`: it concerns only the
 * request.
 */
type Outcome = 'answer' | 'refusal' | 'failure' | 'nothing'

function outcomeOf(error: unknown): Outcome {
  const { code, message = '', name } = Object(error) as { code?: unknown; message?: string; name?: string }
  if (isSqlState(code)) {
    if (isConnectionRefusal(code)) return 'refusal'
    return isUnavailable(code) ? 'failure' : 'answer'
  }
  return name === 'SyntaxError' || requestErrors.test(message) ? 'nothing' : 'failure'
}

/**
 * Errors that a single request can cause. Neon answers 507 if a result is too large; Workers limit the number
 * of subrequests.
 */
const requestErrors = /^Server error \(HTTP status (?:4\d\d|507)\)|Too many subrequests/

/**
 * Records an outcome, and logs if it opens or closes the breaker. `probeStartedAt` is set for the outcome of
 * a probe, which has failed unless there was a response.
 */
function record(health: Health, outcome: Outcome, probeStartedAt?: number): void {
  const now = Date.now()
  const wasOpen = isOpen(health, now)
  if (outcome === 'answer') recordAnswer(health, now)
  else if (outcome === 'refusal') recordRefusal(health, now)
  else if (probeStartedAt !== undefined) recordFailedProbe(health, probeStartedAt, now)
  else if (outcome === 'failure') recordFailure(health, now)
  if (isOpen(health, now) !== wasOpen)
    log({ level: wasOpen ? 'info' : 'error', breaker: wasOpen ? 'closed' : 'open' })
}

/**
 * Throws after `probeMs`, or when `signal` is aborted. It uses several short timers instead of one long
 * timer, so that an isolate that was busy, for example hashing passwords, first handles a response that has
 * already arrived.
 */
async function probeTimeout(signal: AbortSignal): Promise<never> {
  for (let turn = 0; turn < turns; turn++) await scheduler.wait(probeMs / turns, { signal })
  throw new Error('There was no answer in time.')
}

const turns = 10

const unavailable = (reason: string) => new DatabaseUnavailable(new Error(reason))
