/** What the service notes about requests. */
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/** The sessions of Postgres that are changing large tables. */
export const claims = pgTable('_claims', {
  tableName: text('table_name').primaryKey(),
  /** The process id of the session. */
  session: integer('session').notNull(),
})

/** The answers to requests with an Idempotency-Key, which are kept for a day. */
export const keptAnswers = pgTable(
  '_kept_answers',
  {
    /** The hash of the caller, the method, the path and the key. */
    key: text('key').primaryKey(),
    /** The hash of the query string and the body. */
    request: text('request').notNull(),
    /** A UUID of the request that wrote the row. */
    writer: uuid('writer').notNull(),
    /**
     * The data from which src/db/kept-answers.ts builds the answer. Null only until the end of the
     * transaction.
     */
    answer: text('answer'),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('_kept_answers_expires_at_idx').on(t.expiresAt)],
)

/** Rows that writers lock to wait for each other. */
export const locks = pgTable('_locks', { name: text('name').primaryKey() })
