/** What sites use, and their limits. */
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bigNumber, moment } from '../columns.ts'
import { ofUser } from './accounts.ts'
import { ofSite, sites } from './sites.ts'

/**
 * What the schedule checks in each site from time to time: how much the site stores, and the logs of earlier
 * invocations. A trigger of `sites` adds the row.
 */
export const siteMeters = pgTable(
  'site_meters',
  {
    siteId: bigNumber('site_id')
      .primaryKey()
      .references(() => sites.id, { onDelete: 'cascade' }),
    dueAt: moment('due_at').notNull().defaultNow(),
    /** When the schedule last queued the removal of old versions of its records. */
    historiesSweptAt: moment('histories_swept_at').notNull().default('-infinity'),
    /** Null: the site was not measured yet. */
    measuredAt: moment('measured_at'),
    records: bigNumber('records').notNull().default(0),
    bytes: bigNumber('bytes').notNull().default(0),
    /** The numbers of failed and of waiting invocations at that time. */
    deadLetters: integer('dead_letters').notNull().default(0),
    waiting: integer('waiting').notNull().default(0),
    /** The logs of invocations before this time are removed. */
    logsUntil: moment('logs_until').notNull().default('-infinity'),
    /** The generation of the code that made the objects in its schemas: src/kernel/db/generation.ts. */
    generation: integer('generation').notNull().default(0),
    /** The schedule queues the job that makes them again from this time on. */
    remakeAt: moment('remake_at').notNull().default('-infinity'),
  },
  (t) => [
    index('site_meters_due_at_idx').on(t.dueAt),
    index('site_meters_generation_idx').on(t.generation, t.remakeAt),
  ],
)

/** The use of each site in each calendar month, in UTC. */
export const siteUse = pgTable(
  'site_use',
  {
    siteId: ofSite(),
    /** The first day of the month. */
    month: date('month').notNull(),
    requests: bigNumber('requests').notNull().default(0),
    invocations: bigNumber('invocations').notNull().default(0),
    emails: bigNumber('emails').notNull().default(0),
    /** The maximum that was measured in the month. */
    records: bigNumber('records').notNull().default(0),
    bytes: bigNumber('bytes').notNull().default(0),
  },
  (t) => [primaryKey({ name: 'site_use_pkey', columns: [t.siteId, t.month] })],
)

/** The limits of a site, which superusers set. */
export const siteLimits = pgTable(
  'site_limits',
  {
    siteId: ofSite(),
    measure: text('measure').notNull(),
    /** When the use reaches it, the site's managers get a notice. Null: no limit. */
    soft: bigNumber('soft'),
    /** When the use reaches it, requests that need more are refused. Null: no limit. */
    hard: bigNumber('hard'),
    /** The month in which the site's managers last got a notice about the soft limit. */
    toldFor: date('told_for'),
  },
  (t) => [
    primaryKey({ name: 'site_limits_pkey', columns: [t.siteId, t.measure] }),
    check(
      'site_limits_measure_check',
      sql`${t.measure} in ('requests', 'invocations', 'emails', 'records', 'bytes')`,
    ),
  ],
)

/** The recipients of e-mails that a site has reached a soft limit: once for each limit and month. */
export const limitNotices = pgTable(
  'limit_notices',
  {
    siteId: ofSite(),
    measure: text('measure').notNull(),
    month: date('month').notNull(),
    userId: ofUser(),
    /** The limit; `used` is the use that reached it. */
    soft: bigNumber('soft').notNull(),
    used: bigNumber('used').notNull(),
    /** The time from which the schedule queues the e-mail, even if it was queued before. */
    dueAt: moment('due_at').notNull().defaultNow(),
    /** Null: the e-mail was not sent yet. */
    sentAt: moment('sent_at'),
  },
  (t) => [
    primaryKey({ name: 'limit_notices_pkey', columns: [t.siteId, t.measure, t.month, t.userId] }),
    index('limit_notices_user_id_idx').on(t.userId),
    index('limit_notices_due_at_idx').on(t.dueAt).where(sql`${t.sentAt} is null`),
  ],
)
