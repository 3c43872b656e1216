/** The e-mails of functions. */
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import type { Mail } from '../../src/operation/mails/schema.ts'
import { bigNumber, moment } from '../columns.ts'
import { identity, siteId, tenant } from './columns.ts'

/**
 * The e-mails of functions. A run that has succeeded leaves them, each once: the number is the place of the
 * e-mail in the run.
 */
export const mails = tenant.table(
  '_mails',
  {
    siteId: siteId(),
    id: identity(),
    invocationId: bigNumber('invocation_id').notNull(),
    number: integer('number').notNull(),
    functionId: bigNumber('function_id').notNull(),
    functionSlug: text('function_slug').notNull(),
    appSlug: text('app_slug').notNull(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html'),
    replyTo: text('reply_to'),
    state: text('state').$type<Mail['state']>().notNull().default('waiting'),
    /** Why it was dropped, or why the last attempt failed. */
    reason: text('reason'),
    attempts: integer('attempts').notNull().default(0),
    /** For a waiting e-mail: when the sweep queues it again. */
    dueAt: moment('due_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
  },
  (t) => [
    primaryKey({ name: '_mails_pkey', columns: [t.siteId, t.id] }),
    unique('_mails_invocation_id_number_key').on(t.siteId, t.invocationId, t.number),
    index('_mails_created_at_idx').on(t.siteId, t.createdAt),
    // For the sweep over all sites.
    index('_mails_due_at_idx').on(t.dueAt).where(sql`${t.state} = 'waiting'`),
    check('_mails_state_check', sql`${t.state} in ('waiting', 'sent', 'kept', 'dropped')`),
  ],
)
