/**
 * Runs a statement of a change of a large table that may take minutes, such as the build of an index, and
 * asks Postgres how far it is. If nobody waits for the change any longer, Postgres goes on with it alone.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { asSchemaRole, type Session } from '../../kernel/db/session.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import type { Config } from '../../kernel/env.ts'
import { settlesWithin } from '../../kernel/lib/deadline.ts'
import type { Table } from '../model/table.ts'
import { ChangeCancelled, stepGoesOn } from './errors.ts'
import { type JobProgress, saveProgress } from './jobs/store.ts'
import { showPart } from './store.ts'

const [askMs, endMs] = [2_000, 5_000]

/** A statement, and the job that it belongs to. */
interface LongWork {
  jobId: number
  table: Table
  statement: Sql
  progress: JobProgress
  /** For how long to wait for it. Infinity: somebody waits for the change. */
  patienceMs(): number
}

/** Throws 503 if Postgres goes on with the statement alone, and 409 if the job is over or cancelled. */
export async function runLong(ctx: RequestContext, session: Session, work: LongWork): Promise<void> {
  const { jobId, table, progress } = work
  const began = Date.now()
  const running = session.runLong(work.statement)
  const ask = async () => {
    const part = await partOf(ctx.config, session.name)
    const { saved } = await inTenant(ctx, 'write', {
      saved: saveProgress(jobId, progress),
      shown: showPart(table, part),
    })
    return saved.first?.is_cancelled ?? true
  }
  while (!(await settlesWithin(askMs, running))) {
    // Whoever cannot be asked now is asked again later.
    if (await ask().catch(() => false)) {
      await endSession(ctx.config, session.name)
      await running.catch(() => undefined)
      throw new ChangeCancelled(table.name)
    }
    if (Date.now() - began > work.patienceMs()) throw stepGoesOn(table.name)
  }
}

/** Returns the part that is done of the index that a session builds; 0 if it builds none. */
export async function partOf(config: Config, session: string): Promise<number> {
  const [build] = await asSchemaRole(config, selectPart(session))
  return build?.part ?? 0
}

/** Ends a session with the statement that it runs. Another one then drops what it has left. */
export const endSession = (config: Config, session: string): Promise<unknown> =>
  asSchemaRole(
    config,
    sql`
      select pg_terminate_backend(a.pid, ${endMs}) from pg_stat_activity a
       where a.application_name = ${session}`,
  )

/** The table is read twice; for the second time, the tuples are compared with the index. */
const selectPart = (session: string) => sql<{ part: number }>`
  select case when b.phase like 'building index%' then 0.7 * _of.part
              when b.phase like 'index validation%' then 0.7 + 0.3 * _of.part
              when b.phase like 'waiting for%' and b.phase <> 'waiting for writers before build' then 0.7
              else 0 end::float8 as part
    from pg_stat_activity a join pg_stat_progress_create_index b using (pid)
   cross join lateral (
           select coalesce(b.tuples_done::float8 / nullif(b.tuples_total, 0),
                           b.blocks_done::float8 / nullif(b.blocks_total, 0), 0) as part) _of
   where a.application_name = ${session}`
