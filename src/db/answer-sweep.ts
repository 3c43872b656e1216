/** Deletes the expired answers that are kept for repeated requests, of all sites (kept-answers.ts). */
import { configOf, type Env } from '../env.ts'
import { openDatabase } from './client.ts'
import { sql } from './sql.ts'
import { asService } from './tenant.ts'

/** The maximum number of sites that one call sweeps. The next call, a minute later, sweeps the next ones. */
const sitesMax = 200
const deadlineMs = 60_000

/** Sweeps the sites that are due. Rejects if Postgres fails; the next call sweeps the other sites. */
export async function sweepKeptAnswers(env: Env): Promise<void> {
  const database = openDatabase(configOf(env))
  const { due } = await database.batch({ due: selectDue(sitesMax) }, deadlineMs)
  for (const { site_id } of due.all)
    await asService(database, site_id, { deleted: deleteExpired }, { noted: deleteNotes(site_id) })
}

const selectDue = (limit: number) => sql<{ site_id: number }>`
  select site_id from public.answer_sweeps
   where due_at <= now() group by site_id order by min(due_at) limit ${limit}`

const deleteNotes = (siteId: number) =>
  sql`delete from public.answer_sweeps where site_id = ${siteId} and due_at <= now()`

const deleteExpired = sql`delete from _kept_answers where expires_at <= now()`
