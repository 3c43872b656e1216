/** Statements run as requests have them run: as the role of a site, for its owner. */

import type { RequestContext } from '../../src/context.ts'
import type { Results } from '../../src/db/results.ts'
import type { Sql } from '../../src/db/sql.ts'
import { inTenant, type Mode } from '../../src/db/tenant.ts'
import { createContext } from '../../src/http/context.ts'
import type { Site, TestApp, User } from './app.ts'

export function contextOf(app: TestApp, site: Pick<Site, 'slug'>, user: Pick<User, 'id'>): RequestContext {
  const ctx = createContext(app.env, new Request(`http://localhost/sites/${site.slug}/api/`), 'test', () => undefined)
  ctx.caller = { userId: user.id, generation: 1 }
  ctx.permission = 'access_site'
  return ctx
}

export const runInSite = async (app: TestApp, site: Site, statements: readonly Sql[], mode: Mode = 'schema'): Promise<Results> =>
  (await inTenant(contextOf(app, site, site.owner), mode, statements)).results
