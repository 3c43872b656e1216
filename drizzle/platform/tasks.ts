/** Messages that were given up. */
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, moment } from '../columns.ts'

/** Messages of the queues that were given up after their last attempt. They contain only ids. */
export const deadJobs = pgTable(
  'dead_jobs',
  {
    id: id(),
    kind: text('kind').notNull(),
    /** A message that is given up again keeps its row. */
    body: jsonb('body').notNull().unique('dead_jobs_body_key'),
    /** The error of the last attempt, as in the log. Null: not known. */
    error: text('error'),
    diedAt: moment('died_at').notNull().defaultNow(),
  },
  (t) => [index('dead_jobs_died_at_idx').on(t.diedAt)],
)
