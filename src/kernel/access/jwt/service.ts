/** Issues, refreshes, verifies and revokes token pairs. Spec: Authentication 1; A1, A2. */
import type { RequestContext } from '../../context.ts'
import { invalidCredentials } from '../../errors.ts'
import { startTokens } from '../record-sign-in.ts'
import { authenticate } from '../sign-in.ts'
import { isIssuedHere } from '../sign-in-hosts.ts'
import { verifyToken } from '../signed-tokens.ts'
import { keyRing } from '../signing-keys.ts'
import { throttleAccount, throttleAddress } from '../throttle.ts'
import { newTokens, signTokens } from '../tokens.ts'
import type { SignInInput, TokenPair } from './schema.ts'
import { isLive, revoke, rotate } from './store.ts'

/** Signs in with a password. Throws 401 and 429. */
export const signIn = async (
  ctx: RequestContext,
  input: SignInInput,
  device: string | undefined,
): Promise<TokenPair> => startTokens(ctx, await authenticate(ctx, input, device))

/**
 * Exchanges a refresh token for a new pair, at the host that has issued it. A second use of the token revokes
 * its whole family, unless it follows the first one at once (`rotate`). Throws 401 and 429.
 */
export async function refreshTokens(ctx: RequestContext, token: string): Promise<TokenPair> {
  await throttleAddress(ctx)
  const claims = await verifyToken(ctx.config, 'refresh', token)
  if (!claims || !isIssuedHere(ctx, claims)) throw invalidCredentials()
  await throttleAccount(ctx, `user ${claims.userId}`)
  const next = newTokens(ctx.config, claims, claims.family)
  const refresh = await rotate(ctx, claims, next.refresh)
  if (!refresh) throw invalidCredentials()
  return signTokens(ctx.config, { ...next, refresh })
}

/** Throws 401 unless a token of either kind would be accepted now. */
export async function requireLiveToken(ctx: RequestContext, token: string): Promise<void> {
  const access = await verifyToken(ctx.config, 'access', token)
  const claims = access ?? (await verifyToken(ctx.config, 'refresh', token))
  if (!claims || (!access && !isIssuedHere(ctx, claims))) throw invalidCredentials()
  if (!(await isLive(ctx.database, claims, access === undefined))) throw invalidCredentials()
}

/** Revokes the family of a refresh token. Throws 401 if the token is not a refresh token. */
export async function blacklistToken(ctx: RequestContext, token: string): Promise<void> {
  const claims = await verifyToken(ctx.config, 'refresh', token)
  if (!claims) throw invalidCredentials()
  await revoke(ctx, claims)
}

/** Returns the public keys as a JSON Web Key Set. */
export const publishedKeys = async (ctx: RequestContext) => ({
  keys: [...(await keyRing(ctx.config)).published],
})
