/** Hashes passwords one at a time, so that an isolate serves other requests in between. A7. */
import type { RequestContext } from '../context.ts'
import { busy } from '../errors.ts'
import { Gate } from '../lib/gate.ts'
import { defaultCost, hashPassword, verifyPassword } from './passwords.ts'

// In workerd, scrypt blocks the thread of the isolate. So one hash is computed at a time, followed by a pause
// in which the isolate serves the requests that have waited.
const gate = new Gate(1)
/** Returns about the duration of a hash. */
const pauseMs = (cost: number) => 100 * 2 ** (cost - defaultCost)
const holdMs = 10_000

/** Runs work when it is its turn. Throws 503 if that takes longer than BUSY_WAIT_MS. */
async function inTurn<Result>(
  { config, waitUntil }: RequestContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = await gate.enter({ share: '', cost: 1, holdMs, waitMs: config.BUSY_WAIT_MS })
  if (!leave) throw busy()
  try {
    return await work()
  } finally {
    waitUntil(new Promise((done) => setTimeout(done, pauseMs(config.PASSWORD_COST))).then(leave))
  }
}

/** Hashes a password when it is its turn. Throws 503. */
export const hashInTurn = (ctx: RequestContext, password: string): Promise<string> =>
  inTurn(ctx, () => hashPassword(password, ctx.config.PASSWORD_COST))

/** Compares a password with a stored hash when it is its turn. Throws 503. */
export const verifyInTurn = (
  ctx: RequestContext,
  password: string,
  stored: string | null | undefined,
): Promise<boolean> => inTurn(ctx, () => verifyPassword(password, stored, ctx.config.PASSWORD_COST))
