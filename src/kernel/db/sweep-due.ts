/** When the sweep looks after a new outbox row. Every statement that inserts one needs it, and little else. */
import { sql } from './sql.ts'

/** The first time at which the sweep queues an outbox row, in case the queue lost its message. */
export const sweepDueAt = sql`now() + interval '15 seconds'`
