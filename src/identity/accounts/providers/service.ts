/** The providers with which the owner of an account can sign in. S7. */
import { requireFreshSignIn } from '../../../kernel/access/fresh-sign-in.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { lockAccount, requireOwnSignIn } from '../../../kernel/db/caller.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { found } from '../../../kernel/errors.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import type { ListQuery } from '../../../kernel/http/lists/list.ts'
import { lastWayIn } from '../factors/errors.ts'
import type { OwnProvider } from './schema.ts'
import * as store from './store.ts'

/** Lists the providers with which the caller can sign in. Throws 403 as `unlinkProvider` does. */
export async function listProviders(
  ctx: RequestContext,
  url: string,
  query: ListQuery,
): Promise<Page<OwnProvider>> {
  const caller = requireCaller(ctx)
  const answers = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    ...store.selectProviders(caller, query),
  })
  return pageOf(answers, url, store.list, query, (provider) => provider)
}

/**
 * Removes a provider from the caller's account. If it was the last provider of its organization, sign-ins
 * through the organization's providers end. Throws 400 if the owner could not sign in any more, 403 for a
 * sign-in of long ago and for one through a provider if the account also belongs to another organization, and
 * 404.
 */
export async function unlinkProvider(ctx: RequestContext, id: number): Promise<void> {
  const caller = requireCaller(ctx)
  requireFreshSignIn(ctx)
  const { link } = await onPlatform(ctx, {
    isAllowed: requireOwnSignIn(caller),
    locked: lockAccount(caller),
    link: store.selectLink(caller, id),
    deleted: store.deleteLink(caller, id),
  })
  if (!found(link.first).has_other_way) throw lastWayIn()
}
