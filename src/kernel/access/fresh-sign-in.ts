/** Operations that need a recent sign-in, so that a stolen token alone is not enough. X1. */
import type { RequestContext } from '../context.ts'
import { requireCaller } from '../db/entering.ts'
import { AppError } from '../errors.ts'

/**
 * Throws 403 if the caller's account has a second factor that was used too long ago. Every sign-in of such an
 * account has used it.
 */
export function requireStepUp(ctx: RequestContext): void {
  if (requireCaller(ctx).methods?.includes('mfa')) requireFreshSignIn(ctx)
}

/** Throws 403 if the caller has signed in too long ago, however often the tokens were refreshed since. */
export function requireFreshSignIn(ctx: RequestContext): void {
  const { signedInAt } = requireCaller(ctx)
  const seconds = ctx.config.FRESH_SIGN_IN_SECONDS
  if (Date.now() - signedInAt.getTime() <= seconds * 1000) return
  throw new AppError(403, 'fresh_sign_in_required', {
    detail: `This needs a sign-in within the last ${seconds} seconds. Sign in again.`,
  })
}
