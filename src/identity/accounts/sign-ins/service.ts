/** The sign-ins of an account, for its owner. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { found } from '../../../kernel/errors.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import type { ListQuery } from '../../../kernel/http/lists/list.ts'
import type { SignIn } from './schema.ts'
import * as store from './store.ts'

/** Lists where the caller's account is signed in. */
export async function listSignIns(ctx: RequestContext, url: string, query: ListQuery): Promise<Page<SignIn>> {
  const answers = await onPlatform(ctx, store.selectSignIns(requireCaller(ctx), query))
  return pageOf(answers, url, store.list, query, (signIn) => signIn)
}

/** Ends a sign-in of the caller at once: its tokens, or its session. Throws 404. */
export async function endSignIn(ctx: RequestContext, id: string): Promise<void> {
  const { ended } = await onPlatform(ctx, { ended: store.endSignIn(requireCaller(ctx), id) })
  found(ended.first)
}

/** Ends all sign-ins of the caller except the one of this request. */
export async function endOtherSignIns(ctx: RequestContext): Promise<void> {
  await onPlatform(ctx, { ended: store.endOtherSignIns(requireCaller(ctx)) })
}
