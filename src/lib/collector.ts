/**
 * Collects what many requests add, and sends it together a moment later. The request that adds first keeps
 * the isolate alive until it is sent, after its answer.
 */

/** The part of a request's context that keeps the isolate alive. */
export interface Background {
  waitUntil(work: Promise<unknown>): void
}

/** Calls `send` at most once in a while, on behalf of the request that asked first. */
export class Collector {
  readonly #send: () => Promise<void>
  #promisedUntil = 0

  /** `send` sends everything that is there. It must not reject. */
  constructor(send: () => Promise<void>) {
    this.#send = send
  }

  /** Sends everything after `afterMs`, or earlier together with items that others have added just before. */
  sendSoon(background: Background, afterMs: number): void {
    const now = Date.now()
    if (now < this.#promisedUntil) return
    this.#promisedUntil = now + afterMs
    background.waitUntil(this.#wait(afterMs))
  }

  async #wait(afterMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    // Items that are added from now on are sent by another request, because this one may end earlier.
    this.#promisedUntil = 0
    await this.#send()
  }
}
