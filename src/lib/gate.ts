/**
 * Limits how much of a resource an isolate uses at a time. In Workers, a request must not await a promise
 * that another request settles. So requests share only plain data here: a waiting request sleeps for a moment
 * and checks again. A request can also be cancelled without notice. So every pass expires, and a request that
 * has stopped checking is skipped.
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

type Waiting = Entry & { seenAt: number }

/** The longest pause between two checks. */
const pauseMsMax = 50
/** A waiting request that has not checked for this long is skipped, because it may be gone. */
const absentMs = 1_000
/** A waiting request that has not checked for this long is removed. */
const goneMs = 10_000
/** The largest number of waiting requests of one share. */
const waitingMax = 256

/** Admits entries up to a total capacity, fairly between shares. */
export class Gate {
  readonly #capacity: number
  readonly #passes = new Set<{ share: string; cost: number; until: number }>()
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>()

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity
  }

  /**
   * Waits for a pass. Returns undefined if there was none in time. An entry that costs more than the whole
   * capacity is admitted when there are no other passes.
   */
  async enter(entry: Entry): Promise<Release | undefined> {
    const waiting: Waiting = { ...entry, seenAt: Date.now() }
    this.#removeExpired(waiting.seenAt)
    if (this.#waitingOf(entry.share) >= waitingMax) return undefined
    const deadline = waiting.seenAt + entry.waitMs
    try {
      while (true) {
        const now = Date.now()
        waiting.seenAt = now
        this.#waiting.add(waiting)
        this.#removeExpired(now)
        if (this.#canEnter(waiting, now)) return this.#addPass(entry, now)
        if (now >= deadline) return undefined
        await new Promise((done) => setTimeout(done, Math.min(pauseMsMax, 4 + this.#waiting.size)))
      }
    } finally {
      this.#waiting.delete(waiting)
    }
  }

  #addPass({ share, cost, holdMs }: Entry, now: number): Release {
    const pass = { share, cost, until: now + holdMs }
    this.#passes.add(pass)
    return () => void this.#passes.delete(pass)
  }

  #removeExpired(now: number): void {
    for (const pass of this.#passes) if (pass.until <= now) this.#passes.delete(pass)
    for (const entry of this.#waiting) if (now - entry.seenAt > goneMs) this.#waiting.delete(entry)
  }

  #waitingOf(share: string): number {
    let count = 0
    for (const entry of this.#waiting) if (entry.share === share) count++
    return count
  }

  #canEnter(entry: Waiting, now: number): boolean {
    const held = new Map<string, number>()
    let total = 0
    for (const { share, cost } of this.#passes) {
      held.set(share, (held.get(share) ?? 0) + cost)
      total += cost
    }
    const heldBy = ({ share }: Entry) => held.get(share) ?? 0
    const isWithinShare = (other: Entry) =>
      heldBy(other) === 0 || heldBy(other) + other.cost <= (other.shareMax ?? Number.POSITIVE_INFINITY)
    if (!isWithinShare(entry) || (total > 0 && total + entry.cost > this.#capacity)) return false
    let cameBefore = true
    for (const other of this.#waiting) {
      if (other === entry) {
        cameBefore = false
        continue
      }
      const isPresent = now - other.seenAt <= absentMs
      if (isPresent && this.#precedes(other, entry, { cameBefore, heldBy, isWithinShare })) return false
    }
    return true
  }

  /** Tells whether `other` must be admitted before `entry`. */
  #precedes(other: Entry, entry: Entry, { cameBefore, heldBy, isWithinShare }: Precedence): boolean {
    if (other.share === entry.share) return cameBefore
    // Without a common capacity, shares do not compete.
    if (this.#capacity === Number.POSITIVE_INFINITY || !isWithinShare(other)) return false
    return heldBy(other) < heldBy(entry) || (heldBy(other) === heldBy(entry) && cameBefore)
  }
}

/** The facts that decide between two waiting entries. */
interface Precedence {
  /** Whether the other entry arrived first. */
  cameBefore: boolean
  /** Returns the amount that the share of an entry uses. */
  heldBy(entry: Entry): number
  /** Whether the share of an entry has capacity for it. */
  isWithinShare(entry: Entry): boolean
}
