/** The SQL of public.dead_jobs. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'

/** Stores a message. If it was given up before, it keeps its row. `error` null keeps the error of the row. */
export const upsertDeadJob = (kind: string, body: string, error: string | null): Sql => sql`
  insert into public.dead_jobs (kind, body, error) values (${kind}, ${body}::jsonb, ${error})
  on conflict (body) do update set error = coalesce(excluded.error, public.dead_jobs.error), died_at = now()`

const ofKind = (kind: string | undefined): Sql => (kind === undefined ? sql`true` : sql`d.kind = ${kind}`)

export const countDeadJobs = (kind: string | undefined) =>
  sql<{ count: number }>`select count(*) as count from public.dead_jobs d where ${ofKind(kind)}`

/** A dead job. `body` is the text of its message. */
export interface DeadJobRow {
  id: number
  kind: string
  body: string
}

/** Selects dead jobs, the oldest first. */
export const selectDeadJobs = (kind: string | undefined, limit: number) => sql<DeadJobRow>`
  select d.id, d.kind, d.body::text as body from public.dead_jobs d
   where ${ofKind(kind)} order by d.died_at, d.id limit ${limit}`

/** Deletes dead jobs that are queued again. */
export const deleteDeadJobs = (ids: readonly number[]): Sql =>
  sql`delete from public.dead_jobs d where d.id = any (${ids}::bigint[])`

/** Deletes dead jobs that are older than `days`. */
export const deleteOldDeadJobs = (days: number): Sql =>
  sql`delete from public.dead_jobs d where d.died_at < now() - make_interval(days => ${days})`
