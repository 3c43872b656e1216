/** Accounts. T7. */
import type { RequestContext } from '../context.ts'
import { onPlatform, signedIn } from '../db/tenant.ts'
import { selectUser } from './store.ts'
import { asUser, type UserRow } from './views.ts'

export async function readMe(ctx: RequestContext): Promise<ReturnType<typeof asUser>> {
  const results = await onPlatform(ctx, [selectUser(signedIn(ctx).userId)])
  return asUser(results.one<UserRow>())
}
