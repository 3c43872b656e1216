/** Work of all sites that is due later, and messages that were given up. */
import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'
import { ofSite } from './sites.ts'

/**
 * The unfinished deliveries of all sites, so that one query finds the overdue ones. Triggers mirror the rows
 * of the sites.
 */
export const outbox = pgTable(
  'outbox',
  {
    siteId: ofSite(),
    deliveryId: bigNumber('delivery_id').notNull(),
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'outbox_pkey', columns: [t.siteId, t.deliveryId] }),
    index('outbox_due_at_idx').on(t.dueAt),
  ],
)

/**
 * The deleted datatables of all sites, so that one query finds those that are due to be dropped. Triggers
 * mirror the rows of the sites.
 */
export const deletedDatatables = pgTable(
  'deleted_datatables',
  {
    siteId: ofSite(),
    datatableId: bigNumber('datatable_id').notNull(),
    /** When the datatable is dropped; or, if that is already queued, when the schedule checks it again. */
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'deleted_datatables_pkey', columns: [t.siteId, t.datatableId] }),
    index('deleted_datatables_due_at_idx').on(t.dueAt),
  ],
)

/**
 * The datatables of all sites that keep versions of records for a number of days, so that one query finds
 * those whose histories are to be swept. A trigger of the sites' rows maintains it.
 */
export const historySweeps = pgTable(
  'history_sweeps',
  {
    siteId: ofSite(),
    datatableId: bigNumber('datatable_id').notNull(),
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'history_sweeps_pkey', columns: [t.siteId, t.datatableId] }),
    index('history_sweeps_due_at_idx').on(t.dueAt),
  ],
)

/**
 * When the kept answers of a site are to be swept. Triggers of the sites' tables add at most one row per
 * hour, or a few if requests overlap.
 */
export const answerSweeps = pgTable(
  'answer_sweeps',
  {
    siteId: ofSite(),
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    index('answer_sweeps_site_id_due_at_idx').on(t.siteId, t.dueAt),
    index('answer_sweeps_due_at_idx').on(t.dueAt),
  ],
)

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
