/** Passwords are hashed one after the other, and others are served in between. A7. */
import type { RequestContext } from '../context.ts'
import { busy } from '../errors.ts'
import { Gate } from '../lib/gate.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

/**
 * In workerd scrypt runs on the thread of the isolate, which does nothing else meanwhile: two at a time would be one after
 * the other. So there is one, and then a pause in which the isolate does what others wait for.
 */
const gate = new Gate(1)
const pauseMs = 100
const holdMs = 10_000

/** Throws the 503 when it was not its turn in time. */
async function inTurn<Result>({ config, waitUntil }: RequestContext, work: () => Promise<Result>): Promise<Result> {
  const leave = await gate.enter({ share: '', cost: 1, holdMs, waitMs: config.BUSY_WAIT_MS })
  if (!leave) throw busy()
  try {
    return await work()
  } finally {
    waitUntil(new Promise((done) => setTimeout(done, pauseMs)).then(leave))
  }
}

export const hashInTurn = (ctx: RequestContext, password: string): Promise<string> => inTurn(ctx, () => hashPassword(password))

export const verifyInTurn = (ctx: RequestContext, password: string, stored: string | null | undefined): Promise<boolean> =>
  inTurn(ctx, () => verifyPassword(password, stored))
