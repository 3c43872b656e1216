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

  /** Has everything sent `afterMs` from now, or with what others have added just before. */
  sendSoon(background: Background, afterMs: number): void {
    const now = Date.now()
    if (now < this.#promisedUntil) return
    this.#promisedUntil = now + afterMs
    background.waitUntil(this.#wait(afterMs))
  }

  async #wait(afterMs: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    // What is added from now on is sent by another request: this one may be over before.
    this.#promisedUntil = 0
    await this.#send()
  }
}
