/**
 * Collects items of many requests, and sends them together a moment later. The first request keeps the
 * isolate alive until they are sent, after its answer.
 */

/** The part of a request's context that keeps the isolate alive. */
export interface Background {
  waitUntil(work: Promise<unknown>): void
}

/** Calls `send` at most once in a period, on behalf of the first request that needs it. */
export class Collector {
  readonly #send: () => Promise<void>
  #promisedUntil = 0

  /** `send` sends all items. It must not reject. */
  constructor(send: () => Promise<void>) {
    this.#send = send
  }

  /** Sends all items after `afterMs`, or earlier if a sending is already planned. */
  sendSoon(background: Background, afterMs: number): void {
    const now = Date.now()
    if (now < this.#promisedUntil) return
    this.#promisedUntil = now + afterMs
    background.waitUntil(this.#wait(afterMs))
  }

  async #wait(afterMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    // From now on another request sends added items, because this request may end earlier.
    this.#promisedUntil = 0
    await this.#send()
  }
}
