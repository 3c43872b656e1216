/** Runs statements like requests: with the role of a site, for its owner. */

import type { RequestContext } from '../../src/kernel/context.ts'
import type { Mode } from '../../src/kernel/db/entering.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'
import { inTenant } from '../../src/kernel/db/tenant.ts'
import { createContext } from '../../src/kernel/http/request-context.ts'
import { afterCommit } from '../../src/runtime/outbox/after-commit.ts'
import type { Site, TestApp, User } from './app.ts'
import { Results } from './results.ts'

/** For contexts that are not made by middleware. */
export const surroundings = {
  requestId: 'test',
  clientRequestId: null,
  waitUntil: () => undefined,
  afterCommit,
}

export function contextOf(app: TestApp, site: Pick<Site, 'slug'>, user: Pick<User, 'id'>): RequestContext {
  const request = new Request(`http://localhost/sites/${site.slug}/api/`)
  const ctx = createContext(app.env, request, surroundings)
  ctx.caller = { userId: user.id, generation: 1, signedInAt: new Date() }
  ctx.permission = 'access_site'
  return ctx
}

export const runInSite = async (
  app: TestApp,
  site: Site,
  statements: readonly Sql[],
  mode: Mode = 'schema',
): Promise<Results> => runList(contextOf(app, site, site.owner), mode, statements)

/** Runs unnamed statements in the tenant of a context. */
export const runList = async (
  ctx: RequestContext,
  mode: Mode,
  statements: readonly Sql[],
): Promise<Results> => new Results((await inTenant(ctx, mode, { statements })).statements)
