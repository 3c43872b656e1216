/** Messages of the queues that were given up: kept, listed and queued again. */
import { openDatabase } from '../../db/client.ts'
import { configOf, type Env } from '../../env.ts'
import * as store from './store.ts'

const deadlineMs = 10_000

/**
 * Keeps a message that the queue gives up. The message has only ids. Of the error, the name and the SQLSTATE
 * are kept: messages may quote values.
 */
export async function keepDeadJob(env: Env, body: { kind: string }, error?: unknown): Promise<void> {
  const kept = store.upsertDeadJob(
    body.kind,
    JSON.stringify(body),
    error === undefined ? null : nameOf(error),
  )
  // The message goes to the dead queue in any case, and that is logged.
  await openDatabase(configOf(env))
    .batch({ kept }, deadlineMs)
    .catch(() => undefined)
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { sqlstate } = error as { sqlstate?: string }
  return sqlstate === undefined ? error.name : `${error.name} ${sqlstate}`
}
