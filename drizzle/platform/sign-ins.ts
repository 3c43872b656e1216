/** Sign-ins, and accounts at providers. */
import { boolean, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'
import { ofUser } from './accounts.ts'
import { created } from './columns.ts'
import { ofSite } from './sites.ts'

/**
 * Sign-ins: families of refresh tokens, each from one sign-in, and sessions. A row is written after the
 * response of the sign-in; if that failed, the first refresh writes the row of a family. Only its token
 * `current` may be used, and only once.
 */
export const refreshFamilies = pgTable(
  'refresh_families',
  {
    /** The id of the family's first token. */
    id: uuid('id').primaryKey(),
    userId: ofUser(),
    current: uuid('current').notNull(),
    /** The token before the current one, and when it was used. */
    previous: uuid('previous'),
    rotatedAt: moment('rotated_at'),
    revokedAt: moment('revoked_at'),
    expiresAt: moment('expires_at').notNull(),
    /** Whether it is a session, whose token is a cookie. */
    isSession: boolean('is_session').notNull().default(false),
    /**
     * The generation of the account at the sign-in. If the account has another one, the sign-in has ended.
     */
    generation: integer('generation').notNull().default(0),
    /** The only organization in which the sign-in counts. Null: it counts everywhere. */
    organizationId: bigNumber('organization_id'),
    /** The tenant's host at which it was issued. Null: a host of the platform. */
    host: text('host'),
    /** Whether a password has opened it, so that no provider has to. */
    byPassword: boolean('by_password').notNull().default(false),
    /** The browser or program, and the system, as the request names them. */
    device: text('device'),
    /** The two-letter code of the country, from Cloudflare. */
    country: text('country'),
    created: created(),
    /** Accurate to the minute. */
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
  },
  (t) => [
    index('refresh_families_user_id_idx').on(t.userId),
    index('refresh_families_expires_at_idx').on(t.expiresAt),
  ],
)

/**
 * The users of a site's social apps: the person whom a provider calls `subject` is this user. Tenants cannot
 * reach this table, because a row of it allows to sign in. The app itself is a row of `_social_apps` in the
 * site.
 */
export const socialAccounts = pgTable(
  'social_accounts',
  {
    id: id(),
    siteId: ofSite(),
    socialAppId: bigNumber('social_app_id').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: ofUser(),
    /** Whether the provider confirmed the account's e-mail address when the social account was attached. */
    isVouched: boolean('is_vouched').notNull().default(false),
    /** Whether the person proved to this service that the account is theirs when it was attached. */
    isOwn: boolean('is_own').notNull().default(false),
    created: created(),
    lastLogin: moment('last_login').notNull().defaultNow(),
  },
  (t) => [
    unique('social_accounts_identity_key').on(t.siteId, t.socialAppId, t.issuer, t.subject),
    index('social_accounts_user_id_idx').on(t.userId),
  ],
)

/**
 * Social accounts that are attached after the person has proved that the account is theirs, by a code that is
 * mailed to the account's address. S7.
 */
export const confirmations = pgTable(
  'confirmations',
  {
    id: uuid('id').primaryKey(),
    userId: ofUser(),
    siteId: ofSite(),
    socialAppId: bigNumber('social_app_id').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** The tenant's host at which the sign-in began. Null: a host of the platform. */
    host: text('host'),
    /** The hash of the mailed code. Null: the e-mail is not sent yet. */
    codeHash: text('code_hash'),
    /** How often a code was entered. */
    attempts: integer('attempts').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    index('confirmations_user_id_idx').on(t.userId),
    index('confirmations_expires_at_idx').on(t.expiresAt),
  ],
)

/** The SAML assertions that were used. Each is refused until it expires. */
export const samlAssertions = pgTable(
  'saml_assertions',
  {
    siteId: ofSite(),
    socialAppId: bigNumber('social_app_id').notNull(),
    /** A hash of the id of the assertion. */
    idHash: text('id_hash').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'saml_assertions_pkey', columns: [t.siteId, t.socialAppId, t.idHash] }),
    index('saml_assertions_expires_at_idx').on(t.expiresAt),
  ],
)
