/**
 * Bounds how much of something an isolate does at a time. A request may not wait for a promise that another request
 * settles, so all that requests share here is plain data: whoever finds a gate closed sleeps for a moment and looks again.
 * A request can also be cut off without notice. So every pass lapses by itself, and who has not looked for a while is passed over.
 */

export interface Entry {
  /** Those who come for one share wait in line; of several shares, the one that holds least comes first. */
  share: string
  /** What the pass takes of the gate's capacity. */
  cost: number
  /** The most that the passes of this share may take together. */
  shareMax?: number
  /** After so long without a pass the entry is refused. */
  waitMs: number
  /** After so long a pass lapses that was not given back. */
  holdMs: number
}

/** Gives the pass back; a second time changes nothing. */
export type Leave = () => void

type Waiting = Entry & { seenAt: number }

const pauseMsMax = 50
/** Who waits looks at least this often, unless the isolate is busy; after the longer time it is taken to be gone. */
const absentMs = 1_000
const goneMs = 10_000
/** More than these do not wait for one share. */
const waitingMax = 256

export class Gate {
  readonly #capacity: number
  readonly #held = new Set<{ share: string; cost: number; until: number }>()
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>()

  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity
  }

  /** Undefined: there was no place in time. What costs more than a whole capacity gets a pass when nobody else has one. */
  async enter(entry: Entry): Promise<Leave | undefined> {
    const waiting: Waiting = { ...entry, seenAt: Date.now() }
    this.#forget(waiting.seenAt)
    if (this.#countOf(entry.share) >= waitingMax) return undefined
    const deadline = waiting.seenAt + entry.waitMs
    try {
      for (;;) {
        const now = Date.now()
        waiting.seenAt = now
        this.#waiting.add(waiting)
        this.#forget(now)
        if (this.#isTurnOf(waiting, now)) return this.#hold(entry, now)
        if (now >= deadline) return undefined
        await new Promise((done) => setTimeout(done, Math.min(pauseMsMax, 4 + this.#waiting.size)))
      }
    } finally {
      this.#waiting.delete(waiting)
    }
  }

  #hold({ share, cost, holdMs }: Entry, now: number): Leave {
    const pass = { share, cost, until: now + holdMs }
    this.#held.add(pass)
    return () => void this.#held.delete(pass)
  }

  #forget(now: number): void {
    for (const pass of this.#held) if (pass.until <= now) this.#held.delete(pass)
    for (const one of this.#waiting) if (now - one.seenAt > goneMs) this.#waiting.delete(one)
  }

  #countOf(share: string): number {
    let count = 0
    for (const one of this.#waiting) if (one.share === share) count++
    return count
  }

  #isTurnOf(entry: Waiting, now: number): boolean {
    const held = new Map<string, number>()
    let total = 0
    for (const { share, cost } of this.#held) {
      held.set(share, (held.get(share) ?? 0) + cost)
      total += cost
    }
    const of = ({ share }: Entry) => held.get(share) ?? 0
    const hasRoom = (one: Entry) => of(one) === 0 || of(one) + one.cost <= (one.shareMax ?? Number.POSITIVE_INFINITY)
    if (!hasRoom(entry) || (total > 0 && total + entry.cost > this.#capacity)) return false
    let isBefore = true
    for (const other of this.#waiting) {
      if (other === entry) isBefore = false
      else if (now - other.seenAt <= absentMs && this.#precedes(other, entry, isBefore, of, hasRoom)) return false
    }
    return true
  }

  /** Whether another one, who came before or after, has to be let in first. */
  #precedes(other: Entry, entry: Entry, cameBefore: boolean, held: (one: Entry) => number, hasRoom: (one: Entry) => boolean): boolean {
    if (other.share === entry.share) return cameBefore
    // Without a common capacity, no share takes anything from another.
    if (this.#capacity === Number.POSITIVE_INFINITY || !hasRoom(other)) return false
    return held(other) < held(entry) || (held(other) === held(entry) && cameBefore)
  }
}
