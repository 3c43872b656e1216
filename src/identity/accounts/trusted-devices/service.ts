/** The devices that the caller's account trusts. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { found } from '../../../kernel/errors.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import type { ListQuery } from '../../../kernel/http/lists/list.ts'
import type { TrustedDevice } from './schema.ts'
import * as store from './store.ts'

/** Lists the devices that the caller's account trusts. */
export async function listTrustedDevices(
  ctx: RequestContext,
  url: string,
  query: ListQuery,
): Promise<Page<TrustedDevice>> {
  const answers = await onPlatform(ctx, store.selectTrustedDevices(requireCaller(ctx), query))
  return pageOf(answers, url, store.list, query, (device) => device)
}

/** Ends the trust in a device: its next sign-in needs the second factor. Throws 404. */
export async function endTrust(ctx: RequestContext, id: number): Promise<void> {
  const { ended } = await onPlatform(ctx, { ended: store.deleteTrust(requireCaller(ctx), id) })
  found(ended.first)
}

/** Ends the trust in all devices of the caller. */
export async function endAllTrust(ctx: RequestContext): Promise<void> {
  await onPlatform(ctx, { ended: store.deleteTrust(requireCaller(ctx), null) })
}
