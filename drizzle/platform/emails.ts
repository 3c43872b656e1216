/** E-mails with links, sign-ups, and the local mailbox. */
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'
import { users } from './accounts.ts'
import { created } from './columns.ts'
import { ofOrganization, organizations } from './organizations.ts'
import { sites } from './sites.ts'

/**
 * Rows that transactions lock to change the accounts of an e-mail address one after the other. See
 * public.take_address.
 */
export const addressLocks = pgTable('address_locks', { id: integer('id').primaryKey() })

/**
 * E-mails to the owners of accounts that are to be sent, and the links of sent e-mails: one row for each
 * e-mail. A row is deleted when its link is used, when its notice was sent, or when it has expired.
 */
export const accountEmails = pgTable(
  'account_emails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    /**
     * Null: not known yet, because the request for a link does not look up an account; or the account no
     * longer exists.
     */
    userId: bigNumber('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The site where the link was requested: its pages open the link. */
    siteId: bigNumber('site_id').references(() => sites.id, { onDelete: 'set null' }),
    /** The organization that has made the account. Null: nobody but the owner of the account is concerned. */
    organizationId: bigNumber('organization_id').references(() => organizations.id, {
      onDelete: 'set null',
    }),
    /** The hash of the token in the link. Null: the e-mail is not sent yet, or has no link. */
    tokenHash: text('token_hash').unique('account_emails_token_hash_key'),
    wantedAt: moment('wanted_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    /** When the link expires, or an e-mail that was not sent is given up. */
    expiresAt: moment('expires_at').notNull().default(sql`now() + interval '1 hour'`),
  },
  (t) => [
    index('account_emails_user_id_idx').on(t.userId),
    index('account_emails_site_id_idx').on(t.siteId),
    index('account_emails_organization_id_idx').on(t.organizationId),
    index('account_emails_recipient_idx').on(sql`lower(${t.recipient})`),
    index('account_emails_expires_at_idx').on(t.expiresAt),
    index('account_emails_wanted_at_idx').on(t.wantedAt).where(sql`${t.sentAt} is null`),
    check(
      'account_emails_kind_check',
      sql`${t.kind} in ('reset-password', 'verify-email', 'change-email', 'sign-up', 'password-changed', 'email-changed', 'factors-changed', 'provider-linked', 'credentials-ended', 'deletion-planned', 'account-deleted', 'account-created')`,
    ),
  ],
)

/** The e-mails of the last day, which limit how many a mailbox gets. See public.admit_letter. */
export const letters = pgTable(
  'letters',
  {
    reference: text('reference').primaryKey(),
    kind: text('kind').notNull(),
    /** public.mailbox_of the recipient. */
    mailbox: text('mailbox').notNull(),
    organizationId: bigNumber('organization_id').references(() => organizations.id, {
      onDelete: 'set null',
    }),
    admittedAt: moment('admitted_at').notNull().defaultNow(),
  },
  (t) => [
    index('letters_mailbox_idx').on(t.mailbox, t.kind, t.admittedAt),
    index('letters_organization_id_idx').on(t.organizationId, t.admittedAt),
    index('letters_admitted_at_idx').on(t.admittedAt),
    check('letters_kind_check', sql`${t.kind} in ('caused', 'function', 'asked', 'notice')`),
  ],
)

/** The mailboxes whose owners want no e-mails of an organization that they did not ask for. */
export const letterStops = pgTable(
  'letter_stops',
  {
    organizationId: ofOrganization(),
    /** public.mailbox_of the recipient. */
    mailbox: text('mailbox').notNull(),
    created: created(),
  },
  (t) => [primaryKey({ name: 'letter_stops_pkey', columns: [t.organizationId, t.mailbox] })],
)

/**
 * The requests to sign up, each with its chosen password or its new passkey. A row has the id of the e-mail
 * with the link, and is deleted with it.
 */
export const signUps = pgTable(
  'sign_ups',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => accountEmails.id, { onDelete: 'cascade' }),
    passwordHash: text('password_hash'),
    /** A value of the type public.new_passkey, as JSON. */
    passkey: jsonb('passkey'),
    /** The UUID of the future account, for which the passkey was made. */
    handle: uuid('handle'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
  },
  (t) => [
    check('sign_ups_passkey_check', sql`(${t.passwordHash} is null) = (${t.passkey} is not null)`),
    check('sign_ups_handle_check', sql`(${t.passkey} is null) = (${t.handle} is null)`),
  ],
)

/** E-mails of the local mailbox, only for development. */
export const mailboxLetters = pgTable(
  'mailbox_letters',
  {
    id: id(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    created: created(),
  },
  (t) => [index('mailbox_letters_recipient_idx').on(t.recipient)],
)
