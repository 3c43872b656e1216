/**
 * Limits how much of a resource an isolate uses at a time. A released pass goes at once to the request that
 * waits for it. In Workers, what follows a promise runs in the request that created the promise, whichever
 * request settles it (compatibility flag `handle_cross_request_promise_resolution`, the default since
 * 2024-10-14). So each waiting request creates a promise of its own, and nothing else passes between
 * requests. A request can also be cancelled without notice. So every pass expires, and a waiting request
 * shows four times a second that it is still there.
 */

/** A request to enter. */
export interface Entry {
  /** Entries of one share are admitted in order. Between shares, the one that uses the least goes first. */
  share: string
  /** The amount of the gate's capacity that the pass takes. */
  cost: number
  /** The maximum that the passes of this share may take together. Omitted: the whole capacity. */
  shareMax?: number
  /** The maximum time to wait for a pass. */
  waitMs: number
  /** A pass that is not released expires after this time. */
  holdMs: number
}

/** Releases a pass. Calling it again has no effect. */
export type Release = () => void

interface Share {
  name: string
  /** The cost of its passes together. */
  held: number
  /** In the order of arrival. */
  queue: Set<Waiting>
}

interface Pass {
  share: string
  cost: number
  until: number
}

interface Waiting extends Entry {
  /** The number of its arrival at the gate. */
  position: number
  /** The number of the last sweep at which its request was running. */
  seenAt: number
  /** The pass that it was given and has not taken yet. */
  pass: Pass | undefined
  wake(): void
}

/** The time between two sweeps, and between two signs of life of a waiting request. */
const sweepMs = 250
/**
 * A waiting request that was not seen in this number of sweeps is gone. Counted in sweeps, because a blocked
 * isolate runs neither them nor the waiting requests.
 */
const sweepsMissed = 4
/** The largest number of waiting requests of one share. */
const waitingMax = 256

/**
 * Admits entries up to a total capacity, fairly between shares. An entry and a release take constant time.
 * With a capacity, they also look once at each share.
 */
export class Gate {
  readonly #capacity: number
  readonly #passes = new Set<Pass>()
  /** Those that hold passes or wait. */
  readonly #shares = new Map<string, Share>()
  /** Those that have a pass and are waking up. */
  readonly #waking = new Set<Waiting>()
  #total = 0
  #arrivals = 0
  #sweeps = 0
  #sweptAt = 0

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity
  }

  /**
   * Waits for a pass. Returns undefined if there was none in time. An entry that costs more than the whole
   * capacity, or than its share may take, is admitted when there are no other passes.
   */
  async enter(entry: Entry): Promise<Release | undefined> {
    const deadline = Date.now() + entry.waitMs
    this.#sweep()
    if (this.#shareOf(entry).queue.size >= waitingMax) return undefined
    const waiting: Waiting = {
      ...entry,
      position: this.#arrivals++,
      seenAt: this.#sweeps,
      pass: undefined,
      wake: () => undefined,
    }
    try {
      while (true) {
        if (waiting.pass === undefined) this.#queue(waiting)
        if (waiting.pass !== undefined) return this.#take(waiting.pass, entry.holdMs)
        const left = deadline - Date.now()
        if (left <= 0) return undefined
        await sleep(waiting, Math.min(left, sweepMs))
        waiting.seenAt = this.#sweeps
        this.#sweep()
      }
    } finally {
      this.#leave(waiting)
    }
  }

  #shareOf({ share: name }: Pick<Entry, 'share'>): Share {
    return this.#shares.get(name) ?? { name, held: 0, queue: new Set() }
  }

  #queue(waiting: Waiting): void {
    const share = this.#shareOf(waiting)
    this.#shares.set(share.name, share)
    share.queue.add(waiting)
    this.#admit(share)
  }

  /** Starts the time after which a pass expires. Returns how to release it. */
  #take(pass: Pass, holdMs: number): Release {
    pass.until = Date.now() + holdMs
    return () => {
      if (this.#remove(pass)) this.#admit(this.#shareOf(pass))
    }
  }

  #leave(waiting: Waiting): void {
    const share = this.#shareOf(waiting)
    this.#waking.delete(waiting)
    // The next one may cost less.
    if (share.queue.delete(waiting)) this.#admit(share)
    this.#forgetIfUnused(share)
  }

  /** Removes a pass. Returns false if it had expired. */
  #remove(pass: Pass): boolean {
    if (!this.#passes.delete(pass)) return false
    const share = this.#shareOf(pass)
    share.held -= pass.cost
    this.#total -= pass.cost
    this.#forgetIfUnused(share)
    return true
  }

  #forgetIfUnused(share: Share): void {
    if (share.held === 0 && share.queue.size === 0) this.#shares.delete(share.name)
  }

  /** Gives passes to all that can enter now, after the use of a share has changed. */
  #admit(changed: Share): void {
    for (let next = this.#next(changed); next && this.#fits(next); next = this.#next(changed)) {
      const share = this.#shareOf(next)
      const pass = { share: share.name, cost: next.cost, until: Number.POSITIVE_INFINITY }
      share.queue.delete(next)
      share.held += next.cost
      this.#total += next.cost
      this.#passes.add(pass)
      this.#waking.add(next)
      next.pass = pass
      next.wake()
    }
  }

  #fits({ cost }: Entry): boolean {
    return this.#total === 0 || this.#total + cost <= this.#capacity
  }

  /** Returns the entry to admit next. Without a common capacity, shares do not compete. */
  #next(changed: Share): Waiting | undefined {
    const shares = this.#capacity === Number.POSITIVE_INFINITY ? [changed] : this.#shares.values()
    let first: { waiting: Waiting; held: number } | undefined
    for (const { held, queue } of shares) {
      const [waiting] = queue
      if (!waiting || (held > 0 && held + waiting.cost > (waiting.shareMax ?? this.#capacity))) continue
      const isFirst =
        !first || held < first.held || (held === first.held && waiting.position < first.waiting.position)
      if (isFirst) first = { waiting, held }
    }
    return first?.waiting
  }

  /** Takes back the passes that have expired, and removes the requests that are gone. */
  #sweep(): void {
    const now = Date.now()
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    this.#sweeps++
    const isGone = ({ seenAt }: Waiting) => this.#sweeps - seenAt > sweepsMissed
    for (const pass of this.#passes) if (pass.until <= now) this.#remove(pass)
    for (const waiting of this.#waking) {
      if (!isGone(waiting)) continue
      this.#waking.delete(waiting)
      if (waiting.pass) this.#remove(waiting.pass)
      // Should it only be late, it queues again.
      waiting.pass = undefined
    }
    for (const share of this.#shares.values()) {
      for (const waiting of share.queue) if (isGone(waiting)) share.queue.delete(waiting)
      this.#admit(share)
      this.#forgetIfUnused(share)
    }
  }
}

/** Waits until an entry is woken, at most `ms`. Must be called by its own request. */
async function sleep(waiting: Waiting, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await new Promise<void>((done) => {
    timer = setTimeout(done, ms)
    waiting.wake = done
  })
  clearTimeout(timer)
}
