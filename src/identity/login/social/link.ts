/** Links a provider to the account of a signed-in user. S7. */
import { requireFreshSignIn } from '../../../kernel/access/fresh-sign-in.ts'
import type { Caller, RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { forbidden, unavailable } from '../../../kernel/errors.ts'
import { queueAfterAnswer } from '../../accounts/emails/service.ts'
import { notProven } from '../../accounts/factors/service.ts'
import { identityOf } from './account.ts'
import { linkedElsewhere } from './errors.ts'
import { localPath } from './redirects.ts'
import {
  beginSignIn,
  type Identified,
  identify,
  openFor,
  type SignedIn,
  type SignInCompletion,
  type StartedSignIn,
} from './service.ts'
import * as store from './store.ts'

/** A request to start linking. */
interface LinkStart {
  /** The address of the request. */
  url: string
  handle: string
  redirectUri?: string | undefined
  next?: string | undefined
}

/**
 * Starts linking a provider. Only the sign-in that has started it can finish it. Throws 403 for a sign-in of
 * long ago, for one that is valid in one organization only, and as `beginSignIn` does.
 */
export function beginLink(ctx: RequestContext, { next, ...start }: LinkStart): Promise<StartedSignIn> {
  requireFreshSignIn(ctx)
  const linker = requireLinker(ctx)
  return beginSignIn(ctx, { ...start, next: localPath(start.url, next), linker })
}

/**
 * Links the person that a provider's code identifies to the caller's account, and returns the id of the link.
 * Throws 400 for an attempt that another sign-in started, and for an account that may belong to somebody
 * else, 403 for a superuser and a sign-in that is valid in one organization only, and 409 if the provider's
 * account is linked to another account.
 */
export async function finishLink(ctx: RequestContext, completion: SignInCompletion): Promise<number> {
  const linker = requireLinker(ctx)
  return linkIdentified(ctx, await identify(ctx, completion, { kinds: 'link', linker }))
}

/**
 * Finishes an attempt in the browser that has started it: signs in, or links the provider to the account of
 * the session, `caller`. Returns the sign-in, if it is one, and the path that the browser opens. Throws as
 * `finishSignIn` and `finishLink` do.
 */
export async function finishInBrowser(
  ctx: RequestContext,
  completion: SignInCompletion,
  caller: Caller | null,
): Promise<{ next: string; signedIn?: SignedIn }> {
  const linker = caller && linkerOf(caller)
  const identified = await identify(ctx, completion, { kinds: 'both', linker })
  const { next } = identified
  // Another page could have sent this response to the browser, so it never replaces an existing session.
  if (identified.isUnsolicited && caller) return { next }
  if (!identified.isLink) return { next, signedIn: await openFor(ctx, identified) }
  await linkIdentified({ ...ctx, caller }, identified)
  return { next }
}

/**
 * Returns the caller as the user who links a provider. Null for a sign-in that is valid in one organization
 * only, and for a token of an earlier version, which has no id of its sign-in.
 */
const linkerOf = ({ userId, session, organizationId }: Caller): store.Linker | null =>
  session === undefined || organizationId !== undefined ? null : { userId, session }

function requireLinker(ctx: RequestContext): store.Linker {
  const linker = linkerOf(requireCaller(ctx))
  if (!linker) throw forbidden()
  return linker
}

async function linkIdentified(ctx: RequestContext, { app, identity }: Identified): Promise<number> {
  const caller = requireCaller(ctx)
  const person = identityOf(ctx, app, identity)
  const notice = crypto.randomUUID()
  const { linked, link } = await onPlatform(ctx, {
    linked: store.linkOwn(person, caller, notice),
    link: store.selectLink(person, caller),
  })
  const { outcome } = linked.one
  if (outcome !== 'linked') throw (refusals[outcome] ?? unavailable)()
  queueAfterAnswer(ctx, notice)
  return link.one.id
}

/** The errors by the result of public.link_own_social_account. */
const refusals: Readonly<Record<string, () => Error>> = {
  taken: linkedElsewhere,
  unproven: notProven,
  forbidden,
}
