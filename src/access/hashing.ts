/** Passwords are hashed one after the other, and others are served in between. A7. */
import type { RequestContext } from '../context.ts'
import { busy } from '../errors.ts'
import { Gate } from '../lib/gate.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

/**
 * In workerd scrypt runs on the thread of the isolate, which does nothing else meanwhile: two at a time would be one after
 * the other. So one begins each quarter of a second, whatever is waiting. The pass is not given back: it lapses.
 */
const gate = new Gate(1)
const holdMs = 250

/** Throws the 503 when it was not its turn in time. */
async function inTurn<Result>({ config }: RequestContext, work: () => Promise<Result>): Promise<Result> {
  if (!(await gate.enter({ share: '', cost: 1, holdMs, waitMs: config.BUSY_WAIT_MS }))) throw busy()
  return work()
}

export const hashInTurn = (ctx: RequestContext, password: string): Promise<string> => inTurn(ctx, () => hashPassword(password))

export const verifyInTurn = (ctx: RequestContext, password: string, stored: string | null | undefined): Promise<boolean> =>
  inTurn(ctx, () => verifyPassword(password, stored))
