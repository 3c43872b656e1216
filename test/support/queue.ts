/**
 * A queue that the test controls: it keeps messages, and delivers them to the Worker when and as often as the
 * test says.
 */
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  waitOnExecutionContext,
} from 'cloudflare:test'
import type { Env } from '../../src/kernel/env.ts'
import worker from '../../src/worker.ts'

interface Sent {
  body: unknown
  delaySeconds?: number
}

export interface HeldQueue {
  /** The waiting messages, in the order in which they were sent. */
  readonly waiting: Sent[]
  /** Whether the next sends fail, as in a crash of the Worker. */
  lose: boolean
  binding: Queue<unknown>
  /**
   * Delivers all messages, and those that they cause, until the queue is empty: each message `copies` times,
   * `atOnce` messages at a time. Messages with a delay above `delayMax` stay.
   */
  drain(env: Env, options?: { copies?: number; delayMax?: number; atOnce?: number }): Promise<void>
}

export function heldQueue(): HeldQueue {
  const queue: HeldQueue = {
    waiting: [],
    lose: false,
    binding: {
      async send(body: unknown, options?: { delaySeconds?: number }) {
        await queue.binding.sendBatch([{ body, ...options }])
      },
      async sendBatch(messages: Iterable<Sent>) {
        if (queue.lose) throw new Error('the Worker crashed here')
        queue.waiting.push(...messages)
      },
    } as unknown as Queue<unknown>,
    async drain(env, { copies = 1, delayMax = 0, atOnce = 1 } = {}) {
      for (;;) {
        const ready = queue.waiting.filter(({ delaySeconds = 0 }) => delaySeconds <= delayMax)
        if (ready.length === 0) return
        queue.waiting.splice(
          0,
          queue.waiting.length,
          ...queue.waiting.filter(({ delaySeconds = 0 }) => delaySeconds > delayMax),
        )
        const consumer = async () => {
          for (let message = ready.shift(); message; message = ready.shift()) {
            const { body } = message
            await Promise.all(Array.from({ length: copies }, () => handOut(env, body)))
          }
        }
        await Promise.all(Array.from({ length: atOnce }, consumer))
      }
    },
  }
  return queue
}

async function handOut(env: Env, body: unknown): Promise<void> {
  const batch = createMessageBatch('tessera-events', [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body },
  ])
  const ctx = createExecutionContext()
  await worker.queue(batch, env, ctx)
  await waitOnExecutionContext(ctx)
  const { retryMessages } = await getQueueResult(batch, ctx)
  if (retryMessages.length > 0) throw new Error(`a message failed: ${JSON.stringify(body)}`)
}
