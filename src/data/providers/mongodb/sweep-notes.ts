/**
 * Queues the datasources in MongoDB whose writes have announced notes (bring-notes.ts): after a write, and
 * from the cron trigger those whose Worker ended before that.
 */

import { openDatabase } from '../../../kernel/db/client.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { describeFailure, log } from '../../../kernel/lib/log.ts'
import { sendAll } from '../../../kernel/lib/send-all.ts'

/** The queue message that brings the notes of a datasource to the outbox. */
export interface BringNotes {
  kind: 'bring-notes'
  siteId: number
  /** The id of the datasource. */
  datasource: number
}

const deadlineMs = 60_000
const notesMax = 10_000

/** Queues a datasource after a write. If that fails, the cron trigger finds the announced note. */
export async function bringSoon(env: Env, job: Omit<BringNotes, 'kind'>): Promise<void> {
  try {
    await env.JOBS.send({ kind: 'bring-notes', ...job } satisfies BringNotes)
  } catch (error) {
    log({ level: 'error', notes: 'not queued', ...describeFailure(error, false) })
  }
}

/** Queues the datasources whose notes were announced a minute ago, and are not in the outbox yet. */
export async function queueNotes(env: Env): Promise<void> {
  const { due } = await openDatabase(configOf(env)).batch({ due: claimDue }, deadlineMs)
  const messages = due.all.map(({ site_id, datasource_id }): { body: BringNotes } => ({
    body: { kind: 'bring-notes', siteId: site_id, datasource: datasource_id },
  }))
  await sendAll(env.JOBS, messages)
}

/**
 * Selects the datasources of overdue notes, and does not select these notes again for five minutes, or a
 * quarter of their age.
 */
const claimDue = sql<{ site_id: number; datasource_id: number }>`
  with due as (
    select a.site_id, a.id
      from tenant._awaited_notes a join public.sites s on s.id = a.site_id and s.is_active
     where a.due_at <= now() order by a.due_at limit ${notesMax} for update of a skip locked
  ), claimed as (
    update tenant._awaited_notes a
       set due_at = now() + greatest(interval '5 minutes', (now() - a.created_at) / 4)
      from due
     where a.site_id = due.site_id and a.id = due.id
    returning a.site_id, a.datasource_id
  )
  select distinct site_id, datasource_id from claimed`
