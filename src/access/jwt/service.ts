/** Tokens for a name and a password, and what becomes of them. Spec: Authentication 1; A1, A2. */
import type { RequestContext } from '../../context.ts'
import { invalidCredentials } from '../../errors.ts'
import { authenticate } from '../sign-in.ts'
import { verifyToken } from '../signed-tokens.ts'
import { keyRing } from '../signing-keys.ts'
import { throttleAccount, throttleAddress } from '../throttle.ts'
import { issueTokens, newTokens, signTokens } from '../tokens.ts'
import type { SignInInput, TokenPair } from './schema.ts'
import { isLive, revoke, rotate } from './store.ts'

export const signIn = async (ctx: RequestContext, input: SignInInput): Promise<TokenPair> => issueTokens(ctx.config, await authenticate(ctx, input))

/** A new pair for a refresh token, which works once: its second use revokes all that came of its sign-in. */
export async function refreshTokens(ctx: RequestContext, token: string): Promise<TokenPair> {
  await throttleAddress(ctx)
  const used = await verifyToken(ctx.config, 'refresh', token)
  if (!used) throw invalidCredentials()
  await throttleAccount(ctx, `user ${used.userId}`)
  const next = newTokens(ctx.config, used, used.family)
  if (!(await rotate(ctx.database, used, next.refresh))) throw invalidCredentials()
  return signTokens(ctx.config, next)
}

/** 401 unless a token, of either kind, would be accepted now. */
export async function requireLiveToken(ctx: RequestContext, token: string): Promise<void> {
  const claims = (await verifyToken(ctx.config, 'access', token)) ?? (await verifyToken(ctx.config, 'refresh', token))
  if (!claims || !(await isLive(ctx.database, claims))) throw invalidCredentials()
}

/** Ends a sign-in: no refresh token that came of it works from now on. */
export async function blacklistToken(ctx: RequestContext, token: string): Promise<void> {
  const claims = await verifyToken(ctx.config, 'refresh', token)
  if (!claims) throw invalidCredentials()
  await revoke(ctx.database, claims)
}

/** The public halves of the keys. */
export const publishedKeys = async (ctx: RequestContext) => ({ keys: (await keyRing(ctx.config)).published })
