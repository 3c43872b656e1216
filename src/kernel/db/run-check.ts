/** Checks in every transaction of a function's request that the run of the function has not ended. */
import type { FunctionRun, TenantLocator } from '../context.ts'
import type { Database } from './database.ts'
import { sql } from './sql.ts'

/**
 * Adds the check to all batches of a request. They fail with TS401 if the run has ended. Events that they
 * cause get their place in the chain of causes.
 */
export function withRunCheck(
  database: Database,
  { siteId, invocationId, attempt, isStored, depth }: FunctionRun,
  { host, slug }: TenantLocator,
): Database {
  const _run = sql`select public.note_run(${host}, ${slug},
    row(${siteId}, ${invocationId}, ${attempt}, ${isStored}, ${depth})::public.function_run)`
  return {
    spent: database.spent,
    batch: (statements, deadlineMs) => database.batch({ _run, ...statements }, deadlineMs),
    batchInParts: (platform, parts, deadlineMs) =>
      database.batchInParts({ _run, ...platform }, parts, deadlineMs),
    batchInSite: (platform, site, deadlineMs) =>
      database.batchInSite({ _run, ...platform }, site, deadlineMs),
  }
}
