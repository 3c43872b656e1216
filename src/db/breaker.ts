/**
 * Decides whether to ask a database, to probe it, or to give it up. Pure functions on plain data: in Workers a promise,
 * timer or connection of one request must not be awaited in another, so requests share these numbers, and each has timers
 * of its own. All times are in milliseconds since the epoch.
 */

/** A request that has waited this long without a sign of life probes the database. With `probeMs` it stays below 3 s. */
export const quietMs = 1_800
/** A probe that takes longer counts as silent. */
export const probeMs = 1_000
/** How long a database that may be scaled to zero has to wake up. It stays below 8 s. */
export const wakeMs = 7_800
/** A database that neither answered nor was asked for this long may be scaled to zero. */
const idleMs = 5 * 60_000
/** This many failures in a row open the breaker. */
const failuresMax = 3
/** An open breaker lets one probe through in this time. */
const probeEveryMs = 1_000
/** After this long without news of the database, a request waits for its probe instead of being refused at once. */
const staleMs = 3_000
/** How much longer than `probeMs` others wait for the outcome of a probe, which may be lost with its request. */
const lostAfterMs = 500
/** How often a request checks for an outcome that is due. */
const pollMs = 20

export interface Health {
  /** When the database last responded, with an error or a refused connection, too. */
  heardAt: number
  /** When a request last wanted to ask it. */
  askedAt: number
  /** How many probes and connections have failed since the last answer. */
  failures: number
  /** When a probe or a connection last failed. */
  failedAt: number
  /** When a probe last went without a response. */
  silentAt: number
  /** When the last probe began. */
  probedAt: number
  /** Whether the outcome of the last probe is unknown. */
  probing: boolean
  /** Until when silence may mean that the database is waking up. */
  wakingUntil: number
}

const never = Number.NEGATIVE_INFINITY

export const unknownHealth = (): Health => ({
  heardAt: never,
  askedAt: never,
  failures: 0,
  failedAt: never,
  silentAt: never,
  probedAt: never,
  probing: false,
  wakingUntil: never,
})

/** Whether requests are refused. */
export const isOpen = (health: Health, now: number): boolean => health.failures >= failuresMax && now >= health.wakingUntil

/**
 * What a new request does: ask the database, be refused at once, be refused at once and run a probe, or run a probe and
 * go by its outcome. The caller has to run the probe: it is noted as begun.
 */
export type Admission = 'ask' | 'refuse' | 'refuse and probe' | 'probe first'

export function admit(health: Health, now: number): Admission {
  if (now - Math.max(health.heardAt, health.askedAt) >= idleMs) health.wakingUntil = now + wakeMs
  health.askedAt = now
  if (!isOpen(health, now)) return 'ask'
  if (isProbing(health, now) || now - health.probedAt < probeEveryMs) return 'refuse'
  const isStale = now - Math.max(health.probedAt, health.failedAt) >= staleMs
  beginProbe(health, now)
  return isStale ? 'probe first' : 'refuse and probe'
}

export interface Wait {
  /** When the database was asked. */
  since: number
  /** Gives up after as many failures as open the breaker, instead of after one silent probe. */
  isPatient: boolean
}

/** What a waiting request does next: give up, run a probe (noted as begun), or call this again after `waitMs`. */
export type Step = 'give up' | 'probe' | { waitMs: number }

export function nextStep(health: Health, { since, isPatient }: Wait, now: number): Step {
  const due = Math.max(since, health.heardAt) + quietMs
  if (now < due) return { waitMs: due - now }
  const isSilent = wasSilent(health, due, now) && (!isPatient || health.failures >= failuresMax)
  const wakingMs = health.wakingUntil - now
  if (isSilent && wakingMs <= 0) return 'give up'
  const waitFor = (ms: number): Step => ({ waitMs: Math.max(pollMs, isSilent ? Math.min(ms, wakingMs) : ms) })
  if (isProbing(health, now)) return waitFor(health.probedAt + probeMs - now)
  if (now - health.probedAt < probeEveryMs) return waitFor(health.probedAt + probeEveryMs - now)
  beginProbe(health, now)
  return 'probe'
}

/** Whether a probe went without a response after `due`. One of this second that failed before, as fast ones do, is recent enough. */
const wasSilent = ({ silentAt, probedAt }: Health, due: number, now: number): boolean =>
  silentAt >= due || (silentAt >= probedAt && now - probedAt < probeEveryMs)

/** Postgres answered, be it with an error of a statement. */
export function noteAnswer(health: Health, now: number): void {
  noteResponse(health, now)
  health.failures = 0
}

/** Postgres responded that it takes no connection. The connections that it has go on. */
export function noteRefusal(health: Health, now: number): void {
  noteResponse(health, now)
  noteFailure(health, now)
}

/** A connection could not be made, or broke. */
export function noteFailure(health: Health, now: number): void {
  health.failures++
  health.failedAt = now
}

/** The probe that began at `began` failed. Ignored if another has begun since, because the outcome took too long. */
export function noteSilence(health: Health, began: number, now: number): void {
  if (!health.probing || health.probedAt !== began) return
  health.probing = false
  health.silentAt = now
  noteFailure(health, now)
}

function noteResponse(health: Health, now: number): void {
  health.heardAt = now
  health.probing = false
  health.wakingUntil = never
}

function beginProbe(health: Health, now: number): void {
  health.probedAt = now
  health.probing = true
}

const isProbing = (health: Health, now: number): boolean => health.probing && now < health.probedAt + probeMs + lostAfterMs
