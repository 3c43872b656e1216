/**
 * Signs in the command line by a browser: the user confirms on a page, the browser sends a code to its own
 * machine, and the command line exchanges the code. The code is useless without the verifier, which never
 * leaves the command line. A1.
 */
import * as z from 'zod'
import { seal, unseal } from '../../../kernel/access/derived-keys.ts'
import type { TokenPair } from '../../../kernel/access/jwt/schema.ts'
import { signInClaims, signInOf } from '../../../kernel/access/signed-tokens.ts'
import { throttleAddress } from '../../../kernel/access/throttle.ts'
import { newTokens, signTokens } from '../../../kernel/access/tokens.ts'
import type { Caller, RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { asAnonymous, onPlatform } from '../../../kernel/db/platform.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type CodeInput, challengeOf, type SignInRequest } from './schema.ts'
import { beginSignIn } from './store.ts'

/** How long a code is accepted while the command line waits for it. */
const codeMs = 60_000

const content = z.strictObject({
  until: z.number(),
  /** The id of the sign-in that the code begins. */
  id: z.string(),
  name: z.string(),
  signIn: signInClaims,
  session: z.string().optional(),
  signedInAt: z.number(),
})

/** Tells whether the caller must sign in again first, because the sign-in is too old. */
export const isOld = ({ signedInAt }: Caller, { config }: RequestContext): boolean =>
  Date.now() - signedInAt.getTime() > config.FRESH_SIGN_IN_SECONDS * 1000

/** Creates the code for a caller who has confirmed. Throws 401 if the session has ended. */
export async function agree(ctx: RequestContext, { challenge, name }: SignInRequest): Promise<string> {
  await onPlatform(ctx, {})
  const caller = requireCaller(ctx)
  const sealed = {
    until: Date.now() + codeMs,
    id: crypto.randomUUID(),
    name,
    signIn: signInOf(caller),
    session: caller.session,
    signedInAt: caller.signedInAt.getTime(),
  }
  return seal(ctx.config, 'command lines', bindingOf(ctx, challenge), JSON.stringify(sealed))
}

/** A code is bound to its challenge, and to the tenant's host that has issued it. A8 */
const bindingOf = ({ tenant }: RequestContext, challenge: string): string[] => [
  challenge,
  tenant.domain ?? '',
]

/**
 * Exchanges a code for the tokens of a new sign-in. Its time is that of the browser's sign-in. Throws 400 if
 * the code is invalid, expired, used, or for another verifier; a second use ends the sign-in. Throws 429.
 */
export async function exchangeCode(ctx: RequestContext, { code, verifier }: CodeInput): Promise<TokenPair> {
  await throttleAddress(ctx)
  const text = await unseal(ctx.config, 'command lines', bindingOf(ctx, challengeOf(verifier)), code)
  const opened = text === undefined ? undefined : content.parse(JSON.parse(text))
  if (!opened || opened.until < Date.now()) throw codeGone()
  const { id, name, signIn, session, signedInAt } = opened
  const by: Caller = { ...signIn, session, signedInAt: new Date(signedInAt) }
  const tokens = newTokens(ctx.config, by, id)
  const { id: refreshId, expiresAt } = tokens.refresh
  const { begun } = await asAnonymous(ctx, 'write', {
    begun: beginSignIn({
      ...{ id, by, refreshId, expiresAt },
      device: `tessera on ${name}`,
      country: ctx.client.country,
    }),
  })
  if (!begun.first) throw codeGone()
  return signTokens(ctx.config, tokens)
}

const codeGone = () =>
  new AppError(400, 'wrong_code', {
    detail: 'This code is not valid, was used, or has ended. Begin with `tessera login` again.',
  })
