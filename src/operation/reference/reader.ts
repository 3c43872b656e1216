/** Finds the reader of the reference: the user of the session, and the apps of the request's site. */

import { appsQuery } from '../../data/apps/schema.ts'
import { listApps } from '../../data/apps/service.ts'
import { readMe } from '../../identity/users/service.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'

/** A user with a session, and the apps of the request's site that the user may see. */
export interface Reader {
  name: string
  apps: readonly { slug: string; name: string }[]
}

/** The most apps that the pages list. */
const appsMax = 100

/**
 * Returns the reader. `url` is that of the request. Undefined if nobody is signed in, or the session has
 * ended.
 */
export async function readReader(ctx: RequestContext, url: string): Promise<Reader | undefined> {
  if (!ctx.caller) return undefined
  const me = await readMe(ctx).catch(refused(401))
  return me && { name: me.username, apps: await appsOf(ctx, url) }
}

/** Returns the apps that the caller may read. Empty without a site, or without access to it. */
async function appsOf(ctx: RequestContext, url: string): Promise<Reader['apps']> {
  const query = appsQuery.parse({ page_size: String(appsMax) })
  const page = await listApps({ ...ctx, permission: 'access_site' }, url, query).catch(refused(403, 404))
  return page?.results ?? []
}

/** Returns an error handler that returns undefined for errors with these statuses, and rethrows others. */
const refused =
  (...statuses: number[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof AppError) || !statuses.includes(error.status)) throw error
  }
