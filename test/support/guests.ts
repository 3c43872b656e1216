/** Runs statements as a guest of a site, and names the roles of a site in Postgres. */
import type { RequestContext } from '../../src/kernel/context.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { inTenant } from '../../src/kernel/db/tenant.ts'
import type { Standing } from '../../src/kernel/standing.ts'
import type { Site, TestApp, User } from './app.ts'
import { Results } from './results.ts'
import { contextOf } from './tenant.ts'

/** Returns the context of a route for guests. Without a user the request has no credentials. */
export function guestContext(
  app: TestApp,
  site: Pick<Site, 'slug'>,
  user?: Pick<User, 'id'>,
): RequestContext {
  const ctx = contextOf(app, site, user ?? { id: 0 })
  if (!user) ctx.caller = null
  ctx.forGuests = true
  return ctx
}

/** Runs statements that were planned for a standing, with the role of guests. */
export async function asGuest(
  ctx: RequestContext,
  standing: Standing,
  statements: readonly Sql[],
  mode: 'read' | 'write' = 'read',
): Promise<Results> {
  const planned = { siteId: null, catalogVersion: null, standing }
  return new Results((await inTenant(ctx, mode, { statements }, { planned })).statements)
}

/** Makes a fragment from a text that is not a literal in the program. */
export const written = (text: string): Sql =>
  sql(Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray)

/** Returns the name of the role and the schema of a site's guests. */
export const guestOf = ({ schema }: Pick<Site, 'schema'>): string => `${schema}_guest`
