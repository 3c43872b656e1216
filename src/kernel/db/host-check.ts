/** Checks that the path of a request does not name one site and its host another. T2. */
import type { TenantLocator } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Database } from './database.ts'
import { isMisdirected } from './failures.ts'
import { sql } from './sql.ts'

/** Adds the check to the first batch of a request. Throws 404 if the host is a domain of another site. */
export function withHostCheck(database: Database, { host, slug }: TenantLocator): Database {
  const check = sql`select public.require_site_of_host(${host}, ${slug})`
  let isChecked = false
  return {
    spent: database.spent,
    async batch(statements, deadlineMs) {
      if (isChecked) return database.batch(statements, deadlineMs)
      const answers = await database.batch({ _host: check, ...statements }, deadlineMs).catch(asNotFound)
      isChecked = true
      return answers
    },
    async batchInParts(platform, parts, deadlineMs) {
      if (isChecked) return database.batchInParts(platform, parts, deadlineMs)
      const answers = await database
        .batchInParts({ _host: check, ...platform }, parts, deadlineMs)
        .catch(asNotFound)
      isChecked = true
      return answers
    },
    async batchInSite(platform, site, deadlineMs, oneCall) {
      if (isChecked) return database.batchInSite(platform, site, deadlineMs, oneCall)
      const answers = await database
        .batchInSite({ _host: check, ...platform }, site, deadlineMs)
        .catch(asNotFound)
      isChecked = true
      return answers
    },
  }
}

function asNotFound(error: unknown): never {
  throw isMisdirected(error) ? notFound() : error
}
