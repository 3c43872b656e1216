/** What the service notes about requests. */
import { boolean, foreignKey, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, moment } from '../columns.ts'
import { datasources } from './apps.ts'
import { isGone, siteId, tenant } from './columns.ts'

/** The sessions of Postgres that are changing large tables. */
export const claims = tenant.table(
  '_claims',
  {
    siteId: siteId(),
    tableName: text('table_name').notNull(),
    /** The process id of the session. */
    session: integer('session').notNull(),
    /** The name of the session, which no other one ever has. */
    sessionName: text('session_name').notNull().default(''),
    /** The number of rows that its batches have worked on. */
    rowsDone: bigNumber('rows_done').notNull().default(0),
    /** Whether the change begins the history of the table. */
    beginsHistory: boolean('begins_history').notNull().default(false),
  },
  (t) => [primaryKey({ name: '_claims_pkey', columns: [t.siteId, t.tableName] })],
)

/** The answers to requests with an Idempotency-Key, which are kept for a day. */
export const keptAnswers = tenant.table(
  '_kept_answers',
  {
    siteId: siteId(),
    /** The hash of the caller, the method, the path and the key. */
    key: text('key').notNull(),
    /** The hash of the query string and the body. */
    request: text('request').notNull(),
    /** A UUID of the request that wrote the row. */
    writer: uuid('writer').notNull(),
    /**
     * The data from which src/kernel/db/kept-answers.ts builds the answer. Null only until the end of the
     * transaction.
     */
    answer: text('answer'),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ name: '_kept_answers_pkey', columns: [t.siteId, t.key] }),
    index('_kept_answers_expires_at_idx').on(t.expiresAt),
  ],
)

/** Rows that writers lock to wait for each other. */
export const locks = tenant.table('_locks', { siteId: siteId(), name: text('name').notNull() }, (t) => [
  primaryKey({ name: '_locks_pkey', columns: [t.siteId, t.name] }),
])

/**
 * The writes to MongoDB whose events are not in the outbox yet: each has a note in the database of its
 * datasource, or has failed. The transaction that puts the events into the outbox deletes the row.
 */
export const awaitedNotes = tenant.table(
  '_awaited_notes',
  {
    siteId: siteId(),
    id: uuid('id').notNull(),
    datasourceId: bigNumber('datasource_id').notNull(),
    /** Who has caused the events, as in the outbox. */
    userId: bigNumber('user_id'),
    depth: integer('depth').notNull(),
    /** The connection that the write has used. Null: the release before has announced it. */
    generation: text('generation'),
    /** When the sweep looks for the note. */
    dueAt: moment('due_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_awaited_notes_pkey', columns: [t.siteId, t.id] }),
    // For the sweep over all sites.
    index('_awaited_notes_due_at_idx').on(t.dueAt),
    index('_awaited_notes_datasource_id_idx').on(t.siteId, t.datasourceId),
    foreignKey({
      name: '_awaited_notes_datasource_id_fkey',
      columns: [t.siteId, t.datasourceId],
      foreignColumns: [datasources.siteId, datasources.id],
    }).onDelete('cascade'),
  ],
)
