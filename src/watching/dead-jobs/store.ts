/** The SQL of public.dead_jobs. */
import { type Sql, sql } from '../../db/sql.ts'

/** Keeps a message. One that is given up again has the same row; `error` null keeps the error of the row. */
export const upsertDeadJob = (kind: string, body: string, error: string | null): Sql => sql`
  insert into public.dead_jobs (kind, body, error) values (${kind}, ${body}::jsonb, ${error})
  on conflict (body) do update set error = coalesce(excluded.error, public.dead_jobs.error), died_at = now()`
