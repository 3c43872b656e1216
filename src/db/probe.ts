/** Watches over a wait for the database: runs probes beside it, and gives up when the database does not respond to them. */
import { waitUntil } from 'cloudflare:workers'
import { log } from '../lib/log.ts'
import { admit, type Health, isOpen, nextStep, noteAnswer, noteFailure, noteRefusal, noteSilence, probeMs, unknownHealth } from './breaker.ts'
import { DatabaseAway, isAway, isRefusal, isSqlState } from './failures.ts'

/** A database as this isolate knows it, and a probe of it over a connection of its own. */
export interface Monitored {
  health: Health
  probe(signal: AbortSignal): Promise<unknown>
}

type Ask<Answer> = (signal: AbortSignal) => Promise<Answer>

interface Limits {
  limitMs: number
  isPatient: boolean
}

const healths = new Map<string, Health>()

/** What this isolate knows of the database at a URL. */
export function healthOf(databaseUrl: string): Health {
  const health = healths.get(databaseUrl) ?? unknownHealth()
  healths.set(databaseUrl, health)
  return health
}

/**
 * Runs `ask`. Throws DatabaseAway at once if the breaker is open, when the database responds neither to `ask` nor to a
 * probe, and after `limitMs`. Any other error is that of `ask`.
 */
export async function withBreaker<Answer>(monitored: Monitored, limitMs: number, ask: Ask<Answer>): Promise<Answer> {
  await passBreaker(monitored)
  return ifItResponds(monitored, { limitMs, isPatient: false }, ask)
}

/**
 * The same for a statement on an open connection. The breaker does not refuse it, and it ends only when as many probes
 * fail in a row as open the breaker: it may be an index that has been built for minutes.
 */
export const withProbes = <Answer>(monitored: Monitored, limitMs: number, ask: Ask<Answer>): Promise<Answer> =>
  ifItResponds(monitored, { limitMs, isPatient: true }, ask)

async function passBreaker(monitored: Monitored): Promise<void> {
  const admission = admit(monitored.health, Date.now())
  if (admission === 'ask') return
  if (admission === 'refuse and probe') void runProbe(monitored)
  if (admission === 'probe first') await runProbe(monitored)
  if (isOpen(monitored.health, Date.now())) throw away('the breaker is open')
}

async function ifItResponds<Answer>(monitored: Monitored, limits: Limits, ask: Ask<Answer>): Promise<Answer> {
  const done = new AbortController()
  try {
    const answer = await Promise.race([ask(done.signal), giveUp(monitored, limits, done.signal)])
    note(monitored.health, 'answer')
    return answer
  } catch (error) {
    if (!(error instanceof DatabaseAway)) note(monitored.health, outcomeOf(error))
    throw error
  } finally {
    // Ends the timers, and the request to the database if nobody waits for it any more.
    done.abort()
  }
}

/** Throws DatabaseAway when it is time to give up. */
async function giveUp(monitored: Monitored, { limitMs, isPatient }: Limits, done: AbortSignal): Promise<never> {
  const since = Date.now()
  let probing: Promise<void> | undefined
  for (;;) {
    const now = Date.now()
    const leftMs = since + limitMs - now
    if (leftMs <= 0) throw away('no answer in time')
    const step = nextStep(monitored.health, { since, isPatient }, now)
    if (step === 'give up') throw away('no answer, and none to a probe')
    if (step === 'probe') {
      probing = runProbe(monitored).finally(() => {
        probing = undefined
      })
    } else {
      const timer = scheduler.wait(Math.min(step.waitMs, leftMs), { signal: done })
      await (probing ? Promise.race([probing, timer]) : timer)
      done.throwIfAborted()
    }
  }
}

/** Runs a probe that is noted as begun. It outlives its request, so that its outcome is known when the client hangs up. */
function runProbe({ health, probe }: Monitored): Promise<void> {
  const began = health.probedAt
  const done = new AbortController()
  const outcome = Promise.race([probe(done.signal), probeTimeout(done.signal)])
    .then((): Outcome => 'answer', outcomeOf)
    .then((outcome) => note(health, outcome, began))
    .finally(() => done.abort())
  waitUntil(outcome)
  return outcome
}

/** What an answer or an error says of the database. `nothing`: it is about the request alone. */
type Outcome = 'answer' | 'refusal' | 'failure' | 'nothing'

function outcomeOf(error: unknown): Outcome {
  const { code, message = '', name } = Object(error) as { code?: unknown; message?: string; name?: string }
  if (isSqlState(code)) return isRefusal(code) ? 'refusal' : isAway(code) ? 'failure' : 'answer'
  return name === 'SyntaxError' || aboutTheRequest.test(message) ? 'nothing' : 'failure'
}

/** Errors that one tenant's requests can cause. Neon answers 507 when a result is too large; Workers limit the requests of a request. */
const aboutTheRequest = /^Server error \(HTTP status (?:4\d\d|507)\)|Too many subrequests/

/** Notes an outcome, and logs if it opens or closes the breaker. For a probe, which began at `probe`, all but a response is silence. */
function note(health: Health, outcome: Outcome, probe?: number): void {
  const now = Date.now()
  const wasOpen = isOpen(health, now)
  if (outcome === 'answer') noteAnswer(health, now)
  else if (outcome === 'refusal') noteRefusal(health, now)
  else if (probe !== undefined) noteSilence(health, probe, now)
  else if (outcome === 'failure') noteFailure(health, now)
  if (isOpen(health, now) !== wasOpen) log({ level: wasOpen ? 'info' : 'error', breaker: wasOpen ? 'closed' : 'open' })
}

/**
 * Throws when the time of a probe is up, or `signal` is aborted. It waits for turns of the event loop, and not for
 * one timer: an isolate that is busy, as with hashing passwords, gets to handle a response that has arrived meanwhile.
 */
async function probeTimeout(signal: AbortSignal): Promise<never> {
  for (let turn = 0; turn < turns; turn++) await scheduler.wait(probeMs / turns, { signal })
  throw new Error('no answer in time')
}

const turns = 10

const away = (reason: string) => new DatabaseAway(new Error(reason))
