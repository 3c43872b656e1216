/** Runs statements of a job on the platform's tables. */
import { invalidateStale } from '../../kernel/cache/caches.ts'
import type { Batch, BatchRows } from '../../kernel/db/batch.ts'
import type { Database } from '../../kernel/db/database.ts'
import { sql } from '../../kernel/db/sql.ts'
import { configOf, type Env } from '../../kernel/env.ts'

const deadlineMs = 60_000

/** Selects the names of the caches that the transaction made stale, one name a line (note_stale.sql). */
const selectStale = sql<{ stale: string | null }>`
  select current_setting('tessera.stale', true) as stale`

/** Runs statements as one transaction, then clears the caches that its triggers have marked as stale. */
export async function runAndClearCaches<Of extends Batch>(
  env: Env,
  database: Database,
  statements: Of,
): Promise<BatchRows<Of>> {
  const answers: BatchRows<Of> & BatchRows<{ marked: typeof selectStale }> = await database.batch(
    { ...statements, marked: selectStale },
    deadlineMs,
  )
  const { stale } = answers.marked.one
  if (stale) await invalidateStale({ env, config: configOf(env) }, stale.split('\n'))
  return answers
}
