/** Watches over what waits for a database: probes it when it is silent, and gives up when the probe is not answered either. */
import { waitUntil } from 'cloudflare:workers'
import { log } from '../lib/log.ts'
import { admit, type Health, isOpen, nextStep, noteAnswer, noteFailure, noteRefusal, noteSilence, probeMs, unknownHealth } from './breaker.ts'
import { DatabaseAway, isAway, isRefusal, isSqlState } from './failures.ts'

export interface Watched {
  health: Health
  /** Asks the database for a sign of life, over a connection of its own. */
  probe(signal: AbortSignal): Promise<unknown>
}

/** What this isolate knows, by the URL of the database. */
const known = new Map<string, Health>()

export function healthOf(databaseUrl: string): Health {
  const health = known.get(databaseUrl) ?? unknownHealth()
  known.set(databaseUrl, health)
  return health
}

/**
 * Asks the database, for as long as it may be there. Throws DatabaseAway when it is known to be away, when neither this
 * nor a probe is answered, and after `limitMs`; whatever `ask` throws otherwise.
 */
export async function whileItAnswers<Answer>(watched: Watched, limitMs: number, ask: Ask<Answer>): Promise<Answer> {
  await admitted(watched)
  return watching(watched, { limitMs, isPatient: false }, ask)
}

/**
 * The same for a statement on a connection that is open already. It is never refused at once, and given up only when as
 * many probes in a row are silent as open the breaker: what is cut off may be an index that took minutes to build.
 */
export const whileItLives = <Answer>(watched: Watched, limitMs: number, ask: Ask<Answer>): Promise<Answer> =>
  watching(watched, { limitMs, isPatient: true }, ask)

type Ask<Answer> = (signal: AbortSignal) => Promise<Answer>

interface Patience {
  limitMs: number
  isPatient: boolean
}

async function watching<Answer>(watched: Watched, patience: Patience, ask: Ask<Answer>): Promise<Answer> {
  const over = new AbortController()
  try {
    const answer = await Promise.race([ask(over.signal), silence(watched, patience, over.signal)])
    note(watched.health, 'answer')
    return answer
  } catch (error) {
    if (!(error instanceof DatabaseAway)) note(watched.health, saidBy(error))
    throw error
  } finally {
    // Ends the timers, and the question where nobody waits for its answer any more.
    over.abort()
  }
}

async function admitted(watched: Watched): Promise<void> {
  const admission = admit(watched.health, Date.now())
  if (admission === 'ask') return
  if (admission === 'refuse and probe') void probe(watched)
  if (admission === 'probe first') await probe(watched)
  if (isOpen(watched.health, Date.now())) throw away('The last probes failed.')
}

/** Throws once the database is to be given up. */
async function silence(watched: Watched, { limitMs, isPatient }: Patience, over: AbortSignal): Promise<never> {
  const since = Date.now()
  let probing: Promise<void> | undefined
  for (;;) {
    const now = Date.now()
    const leftMs = since + limitMs - now
    if (leftMs <= 0) throw away('There was no answer in time.')
    const step = nextStep(watched.health, { since, isPatient }, now)
    if (step === 'give up') throw away('Neither this nor a probe was answered.')
    if (step === 'probe') {
      probing = probe(watched).finally(() => {
        probing = undefined
      })
    } else {
      const waited = pass(Math.min(step.waitMs, leftMs), over)
      await (probing ? Promise.race([probing, waited]) : waited)
      over.throwIfAborted()
    }
  }
}

/** Runs the probe that has begun. It outlives the request, as a client that hangs up must not leave its outcome unknown. */
function probe({ health, probe }: Watched): Promise<void> {
  const began = health.probedAt
  const over = new AbortController()
  const late = pass(probeMs, over.signal).then(() => {
    throw new Error('no answer in time')
  })
  const outcome = Promise.race([probe(over.signal), late])
    .then((): Word => 'answer', saidBy)
    .then((word) => note(health, word, began))
    .finally(() => over.abort())
  waitUntil(outcome)
  return outcome
}

/** What an answer or an error of the driver says of the database; `nothing` if it is about the request alone. */
type Word = 'answer' | 'refusal' | 'unreachable' | 'nothing'

function saidBy(error: unknown): Word {
  const { code, message = '', name } = Object(error) as { code?: unknown; message?: string; name?: string }
  if (isSqlState(code)) return isRefusal(code) ? 'refusal' : isAway(code) ? 'unreachable' : 'answer'
  return name === 'SyntaxError' || ofTheRequest.test(message) ? 'nothing' : 'unreachable'
}

/** Neon's own errors that say nothing of the database: 507 is that of an answer that is too large. */
const ofTheRequest = /^Server error \(HTTP status (?:4\d\d|507)\)/

/**
 * Notes it, and logs it when that opens or closes the breaker. `probe`: when the probe began, if it was one; that counts
 * as silent whatever it got that is no answer of Postgres.
 */
function note(health: Health, word: Word, probe?: number): void {
  const now = Date.now()
  const before = isOpen(health, now)
  if (word === 'answer') noteAnswer(health, now)
  else if (word === 'refusal') noteRefusal(health, now)
  else if (probe !== undefined) noteSilence(health, probe, now)
  else if (word === 'unreachable') noteFailure(health, now)
  const after = isOpen(health, now)
  if (before !== after) log({ level: after ? 'error' : 'info', breaker: after ? 'open' : 'closed' })
}

/**
 * Waits. The last moment has a timer of its own: when the isolate was busy for longer than that, what has arrived
 * meanwhile is heard before the time counts as over.
 */
async function pass(milliseconds: number, over: AbortSignal): Promise<void> {
  await scheduler.wait(milliseconds, { signal: over })
  await scheduler.wait(momentMs, { signal: over })
}

const momentMs = 10

const away = (reason: string) => new DatabaseAway(new Error(reason))
