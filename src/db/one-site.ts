/** The database of a request that names a site in its path, at a host that may be a domain of another site. T2. */
import type { TenantLocator } from '../context.ts'
import { notFound } from '../errors.ts'
import { sendOf } from './batch.ts'
import type { Database } from './client.ts'
import { isMisdirected } from './failures.ts'
import { sql } from './sql.ts'

/** The first batch also checks whose domain the host is. Throws a 404 if it is a domain of another site. */
export function atOneSite(database: Database, { host, slug }: TenantLocator): Database {
  const check = sql`select public.require_site_of_host(${host}, ${slug})`
  let checked = false
  return {
    spent: database.spent,
    batch: sendOf(async (statements, deadlineMs) => {
      if (checked) return database.batch(statements, deadlineMs)
      const results = await database.batch([check, ...statements], deadlineMs).catch((error: unknown) => {
        throw isMisdirected(error) ? notFound() : error
      })
      checked = true
      return results.rest()
    }),
    async visit(platform, site, deadlineMs) {
      if (checked) return database.visit(platform, site, deadlineMs)
      const visited = await database.visit([check, ...platform], site, deadlineMs).catch((error: unknown) => {
        throw isMisdirected(error) ? notFound() : error
      })
      checked = true
      return { ...visited, platform: visited.platform.rest() }
    },
  }
}
