/** The data of the start page for a signed-in user. */

import { selectEnterableSites } from '../../identity/organizations/sites/service.ts'
import { asUser, selectMe } from '../../identity/users/service.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { onPlatform } from '../../kernel/db/platform.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SignedIn } from './page.tsx'

/** The most sites that the page lists. */
const sitesMax = 100

/** Returns the account of the session and its sites. Undefined without a valid session. */
export async function readSignedIn(ctx: RequestContext): Promise<SignedIn | undefined> {
  if (!ctx.caller) return undefined
  try {
    const { user, sites } = await onPlatform(ctx, {
      user: selectMe(ctx),
      sites: selectEnterableSites(ctx, sitesMax + 1),
    })
    const { username, email, full_name } = asUser(user.one)
    return {
      name: full_name || username,
      username,
      email,
      sites: sites.all.slice(0, sitesMax),
      hasMore: sites.all.length > sitesMax,
    }
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
}
