/**
 * A circuit breaker: decides whether to query a database, to probe it, or to give up. It consists of pure
 * functions on plain data, because in Workers a request must not await a promise, timer or connection of
 * another request. So requests share these numbers, and each has its own timers. All times are in
 * milliseconds since the epoch.
 */

/**
 * A request probes the database after this long without a response. Together with `probeMs`, it takes less
 * than 3 s.
 */
export const quietMs = 1_800
/** A probe without a response after this long has failed. */
export const probeMs = 1_000
/** How long a database that may be scaled to zero may take to wake up. Less than 8 s. */
export const wakeMs = 7_800
/** A database that has not been queried for this long may be scaled to zero. */
const idleMs = 5 * 60_000
/** The number of consecutive failures that opens the breaker. */
const failuresMax = 3
/** An open breaker lets one probe through in each period of this length. */
const probeEveryMs = 1_000
/**
 * If the last probe or failure is older than this, a request waits for its own probe instead of failing at
 * once.
 */
const staleMs = 3_000
/**
 * How much longer than `probeMs` others wait for a probe's outcome, which may be lost when its request ends.
 */
const lostAfterMs = 500
/** How often a request checks for an outcome that is overdue. */
const pollMs = 20

/** The state of a database, as an isolate knows it. */
export interface Health {
  /** When the database last responded. Errors and refused connections are responses, too. */
  heardAt: number
  /** When a request last wanted to query it. */
  askedAt: number
  /** The number of probes and connections that have failed since the last answer. */
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

/** Returns the state before the first query. */
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

/** Tells whether the breaker is open, so that requests fail at once. */
export const isOpen = (health: Health, now: number): boolean =>
  health.failures >= failuresMax && now >= health.wakingUntil

/**
 * The decision about a new request: query the database, fail at once, fail at once and run a probe, or run a
 * probe and depend on its outcome.
 */
export type Admission = 'ask' | 'refuse' | 'refuse and probe' | 'probe first'

/**
 * Decides about a new request. If the decision includes a probe, it is recorded as begun: the caller has to
 * run it.
 */
export function admit(health: Health, now: number): Admission {
  if (now - Math.max(health.heardAt, health.askedAt) >= idleMs) health.wakingUntil = now + wakeMs
  health.askedAt = now
  if (!isOpen(health, now)) return 'ask'
  if (isProbing(health, now) || now - health.probedAt < probeEveryMs) return 'refuse'
  const isStale = now - Math.max(health.probedAt, health.failedAt) >= staleMs
  beginProbe(health, now)
  return isStale ? 'probe first' : 'refuse and probe'
}

/** A request that waits for the database. */
export interface Wait {
  /** When it sent its query. */
  since: number
  /**
   * Whether it gives up only after as many failures as open the breaker, instead of after one failed probe.
   */
  isPatient: boolean
}

/** The next step of a waiting request: give up, run a probe, or decide again after `waitMs`. */
export type Step = 'give up' | 'probe' | { waitMs: number }

/** Decides what a waiting request does next. A probe is recorded as begun: the caller has to run it. */
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

/** Tells whether a probe failed after `due`. A failure earlier within the same second is recent enough. */
const wasSilent = ({ silentAt, probedAt }: Health, due: number, now: number): boolean =>
  silentAt >= due || (silentAt >= probedAt && now - probedAt < probeEveryMs)

/** Records that Postgres answered, with rows or with an error of a statement. */
export function recordAnswer(health: Health, now: number): void {
  recordResponse(health, now)
  health.failures = 0
}

/** Records that Postgres refused a connection. Existing connections may still work. */
export function recordRefusal(health: Health, now: number): void {
  recordResponse(health, now)
  recordFailure(health, now)
}

/** Records that a connection could not be opened, or broke. */
export function recordFailure(health: Health, now: number): void {
  health.failures++
  health.failedAt = now
}

/** Records that the probe that began at `startedAt` failed. Ignored if another probe has begun since. */
export function recordFailedProbe(health: Health, startedAt: number, now: number): void {
  if (!health.probing || health.probedAt !== startedAt) return
  health.probing = false
  health.silentAt = now
  recordFailure(health, now)
}

function recordResponse(health: Health, now: number): void {
  health.heardAt = now
  health.probing = false
  health.wakingUntil = never
}

function beginProbe(health: Health, now: number): void {
  health.probedAt = now
  health.probing = true
}

const isProbing = (health: Health, now: number): boolean =>
  health.probing && now < health.probedAt + probeMs + lostAfterMs
