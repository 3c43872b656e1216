/**
 * Decides from what an isolate knows of a database whether to ask it, to probe it, or to give it up. Plain data and pure
 * functions: in Workers no promise, timer or connection of one request may be awaited in another, so requests share these
 * numbers alone, and each keeps its own timers. All times are milliseconds since the epoch.
 */

/** How long a request hears nothing before the database is probed. With `probeMs` and what else a request takes it stays below 3 s. */
export const quietMs = 1_800
/** How long a probe may take. */
export const probeMs = 1_000
/** How long a database that may have been scaled to zero has to wake: below 8 s in the same way. */
export const wakeMs = 7_800
/** After such a pause without an answer or a request it may have been scaled to zero. */
const sleepsAfterMs = 5 * 60_000
/** So many failures in a row open the breaker. */
const failuresMax = 3
/** How often an open breaker lets a probe through. */
const probeEveryMs = 1_000
/** After such a pause nothing is known of the database: the next request waits for the probe that it carries. */
const staleMs = 3_000
/** How much longer than `probeMs` others wait for the outcome of a probe. Its request may have been cancelled with it. */
const leaseGraceMs = 500
/** How often others look for the outcome of a probe whose time is over. */
const lookAgainMs = 20

export interface Health {
  /** When the database last said anything, be it an error or that it takes no connections. */
  heardAt: number
  /** When it was last asked. */
  askedAt: number
  /** How many probes and connections have failed since the last answer. */
  failures: number
  /** When a probe last went unanswered. */
  silentAt: number
  /** When a probe or a connection last failed, or was refused. */
  failedAt: number
  /** When the last probe began; `probing` while its outcome is unknown. */
  probedAt: number
  probing: boolean
  /** Until then silence may mean that it wakes. */
  wakingUntil: number
}

export const unknownHealth = (): Health => ({
  heardAt: Number.NEGATIVE_INFINITY,
  askedAt: Number.NEGATIVE_INFINITY,
  failures: 0,
  silentAt: Number.NEGATIVE_INFINITY,
  failedAt: Number.NEGATIVE_INFINITY,
  probedAt: Number.NEGATIVE_INFINITY,
  probing: false,
  wakingUntil: Number.NEGATIVE_INFINITY,
})

/** Whether requests are refused at once. */
export const isOpen = (health: Health, now: number): boolean => health.failures >= failuresMax && now >= health.wakingUntil

/**
 * What a request does first: `ask` the database; `refuse` at once; `refuse and probe`, beside its own answer;
 * `probe first`, and go by the outcome. Whoever is told to probe has begun to.
 */
export type Admission = 'ask' | 'refuse' | 'refuse and probe' | 'probe first'

export function admit(health: Health, now: number): Admission {
  if (now - Math.max(health.heardAt, health.askedAt) >= sleepsAfterMs) health.wakingUntil = now + wakeMs
  health.askedAt = now
  if (!isOpen(health, now)) return 'ask'
  if (isProbing(health, now) || now - health.probedAt < probeEveryMs) return 'refuse'
  const stale = now - Math.max(health.probedAt, health.failedAt) >= staleMs
  beginProbe(health, now)
  return stale ? 'probe first' : 'refuse and probe'
}

export interface Wait {
  /** When the database was asked. */
  since: number
  /** Whether it takes as many silent probes to give up as open the breaker, and not one. */
  isPatient: boolean
}

/** What a request does that waits for an answer: `give up`; `probe`, which it has begun to; or look again after some milliseconds. */
export type Step = 'give up' | 'probe' | { waitMs: number }

export function nextStep(health: Health, { since, isPatient }: Wait, now: number): Step {
  const due = Math.max(since, health.heardAt) + quietMs
  if (now < due) return { waitMs: due - now }
  // A probe of another request, beside this wait, is as good as one of its own; so is one that failed within this second.
  const isSilent = health.silentAt >= due || (health.silentAt >= health.probedAt && now - health.probedAt < probeEveryMs)
  const silent = isSilent && (!isPatient || health.failures >= failuresMax)
  const wakingMs = health.wakingUntil - now
  if (silent && wakingMs <= 0) return 'give up'
  const wait = (until: number): Step => ({ waitMs: Math.max(lookAgainMs, silent ? Math.min(until - now, wakingMs) : until - now) })
  if (isProbing(health, now)) return wait(health.probedAt + probeMs)
  if (now - health.probedAt < probeEveryMs) return wait(health.probedAt + probeEveryMs)
  beginProbe(health, now)
  return 'probe'
}

/** Postgres answered, if only with an error of a statement. */
export function noteAnswer(health: Health, now: number): void {
  noteSignOfLife(health, now)
  health.failures = 0
}

/** Postgres answered that it takes no connection: those that it has taken go on. */
export function noteRefusal(health: Health, now: number): void {
  noteSignOfLife(health, now)
  noteFailure(health, now)
}

/** A connection could not be made, or broke. */
export function noteFailure(health: Health, now: number): void {
  health.failures++
  health.failedAt = now
}

/** The probe that began at `began` was not answered. Another may have begun since, when this one's outcome was awaited for too long. */
export function noteSilence(health: Health, began: number, now: number): void {
  if (!health.probing || health.probedAt !== began) return
  health.probing = false
  health.silentAt = now
  noteFailure(health, now)
}

function noteSignOfLife(health: Health, now: number): void {
  health.heardAt = now
  health.probing = false
  health.wakingUntil = Number.NEGATIVE_INFINITY
}

function beginProbe(health: Health, now: number): void {
  health.probedAt = now
  health.probing = true
}

const isProbing = (health: Health, now: number): boolean => health.probing && now < health.probedAt + probeMs + leaseGraceMs
