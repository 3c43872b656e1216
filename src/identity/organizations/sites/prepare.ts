/** Keeps the roles of some future sites ready, so that no request that creates a site makes one. */
import { openDatabase } from '../../../kernel/db/client.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { configOf, type Env } from '../../../kernel/env.ts'

const deadlineMs = 60_000

/** Makes the roles that SITES_AHEAD lacks, each in a transaction of its own. Rejects if Postgres fails. */
export async function prepareSites(env: Env): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  for (let isMade = true; isMade; ) {
    const { prepared } = await database.batch({ prepared: prepareOne(config.SITES_AHEAD) }, deadlineMs)
    isMade = prepared.one.made
  }
}

const prepareOne = (wanted: number) => sql<{ made: boolean }>`select public.prepare_site(${wanted}) as made`
