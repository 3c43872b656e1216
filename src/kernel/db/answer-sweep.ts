/** Deletes the expired answers that are kept for repeated requests, of all sites (kept-answers.ts). */
import { configOf, type Env } from '../env.ts'
import { openDatabase } from './client.ts'
import { sql } from './sql.ts'

/** The maximum number of answers that one call deletes. The next call, a minute later, deletes the next ones. */
const answersMax = 10_000
const deadlineMs = 60_000

/** Rejects if Postgres fails. */
export async function sweepKeptAnswers(env: Env): Promise<void> {
  await openDatabase(configOf(env)).batch({ deleted: deleteExpired }, deadlineMs)
}

const deleteExpired = sql`
  delete from tenant._kept_answers k
   where k.ctid = any (array(
     select x.ctid from tenant._kept_answers x
      where x.expires_at <= now() order by x.expires_at limit ${answersMax} for update skip locked))`
