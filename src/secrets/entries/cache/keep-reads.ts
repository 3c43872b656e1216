/** Moves the reads that a Durable Object has recorded to the database. */
import { openDatabase } from '../../../kernel/db/client.ts'
import { DatabaseFailure, sqlstates } from '../../../kernel/db/failures.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { describeFailure, log } from '../../../kernel/lib/log.ts'
import { type Read, storeReads } from '../../reads/store.ts'

/**
 * Stores reads of a site, each once. `gone`: the site was erased, and its log of reads with it. A failure is
 * logged.
 */
export async function keepReads(env: Env, reads: readonly Read[]): Promise<'stored' | 'gone' | 'failed'> {
  try {
    await storeReads(openDatabase(configOf(env)), reads)
    return 'stored'
  } catch (error) {
    if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.missing) return 'gone'
    const failure = describeFailure(error, false)
    log({ level: 'error', task: 'store the reads of secrets', reads: reads.length, ...failure })
    return 'failed'
  }
}
