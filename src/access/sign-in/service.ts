/** Signing in with a password. Spec: Authentication 1; A1. */
import type { RequestContext } from '../../context.ts'
import { signInRefused } from '../../errors.ts'
import { verifyPassword } from '../passwords.ts'
import { throttlePassword } from '../throttle.ts'
import { issueTokens, type TokenPair } from '../tokens.ts'
import type { SignInInput } from './schema.ts'
import { findAccount, noteSignIn } from './store.ts'

/** A token pair; the same refusal, after the same work, for an unknown name, a wrong password and an inactive account. */
export async function signIn(ctx: RequestContext, { username, password }: SignInInput, address: string): Promise<TokenPair> {
  await throttlePassword(ctx, address, username)
  const account = await findAccount(ctx.database, username)
  const correct = await verifyPassword(password, account?.password_hash)
  if (!account || !correct || !account.is_active) throw signInRefused()
  ctx.waitUntil(noteSignIn(ctx.database, account.id))
  return issueTokens(ctx.config, account.id)
}
