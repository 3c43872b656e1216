/** Sites, and what belongs to a site. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Site } from '../../src/identity/organizations/sites/schema.ts'
import { permissions } from '../../src/kernel/permissions.ts'
import { bigNumber, id, moment } from '../columns.ts'
import { ofUser, users } from './accounts.ts'
import { bytes, created } from './columns.ts'
import { organizations } from './organizations.ts'

/** Sites are the tenants. The schema and the role of a site are both named `site_<id>`. */
export const sites = pgTable(
  'sites',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('sites_uuid_key').defaultRandom(),
    organizationId: bigNumber('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'restrict' }),
    name: text('name').notNull(),
    slug: text('slug').notNull().unique('sites_slug_key'),
    environment: text('environment').$type<Site['environment']>().notNull(),
    /** Whether functions run only on request, and nothing is sent. A preview begins so. */
    paused: boolean('paused').notNull().default(false),
    /**
     * Whether the site answers requests: it is neither suspended nor deleted. Set by public.set_site_state.
     */
    isActive: boolean('is_active').notNull().default(true),
    /** Who has suspended the site, which decides who may resume it. */
    suspendedBy: text('suspended_by'),
    /** When a deleted site is erased. Null: it is not deleted. */
    deletesAt: moment('deletes_at'),
    /**
     * Increases with every change of the site's apps, datasources and datatables. Statements that were
     * planned with an older version are refused.
     */
    catalogVersion: bigNumber('catalog_version').notNull().default(0),
    /**
     * The timeout of reading statements in this site, if it is shorter than the usual one. The operator of
     * the service sets it.
     */
    statementTimeoutMs: integer('statement_timeout_ms'),
    /**
     * The hard limits that the site has reached, because of which public.enter refuses requests: an object
     * with the row of site_limits and of site_use by measure. Null: none.
     */
    exceeded: jsonb('exceeded'),
    /** Until when somebody may follow lists of the site, so that writes tell of themselves. Null: nobody does. */
    followedUntil: moment('followed_until'),
    /** Who may sign up at the site with a password: see the check below. */
    signUp: text('sign_up').$type<Site['sign_up']>().notNull().default('closed'),
    /** The domains of e-mail addresses that new accounts may have, in lower case. Empty: any. */
    allowedDomains: text('allowed_domains').array().notNull().default(sql`'{}'`),
    /** Whether an account is created only after its e-mail address is proved. */
    requireVerifiedEmail: boolean('require_verified_email').notNull().default(true),
    /** Whether the first sign-in through a provider creates an account for a person who has none. */
    signUpByProvider: boolean('sign_up_by_provider').notNull().default(true),
    /**
     * The groups and roles that new accounts get by the domain of their e-mail address: `[{domain, group?,
     * role?}]`.
     */
    domainGroups: jsonb('domain_groups').$type<Site['domain_groups']>().notNull().default([]),
    /** The roles that people can have in the site: `[{name, title, description, groups}]`. X2. */
    roles: jsonb('roles').$type<Site['roles']>().notNull().default([]),
    /** The appearance of the site's pages: `name` and `color`. The logo is a row of site_logos. */
    branding: jsonb('branding').notNull().default({}),
    /** Whether members of the organization and holders of a permission in the site need a second factor. */
    requiresFactor: boolean('requires_factor').notNull().default(false),
    created: created(),
    createdBy: bigNumber('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('sites_organization_id_idx').on(t.organizationId),
    index('sites_deletes_at_idx').on(t.deletesAt).where(sql`${t.deletesAt} is not null`),
    check('sites_suspended_by_check', sql`${t.suspendedBy} in ('owner', 'service')`),
    check('sites_statement_timeout_ms_check', sql`${t.statementTimeoutMs} > 0`),
    check('sites_sign_up_check', sql`${t.signUp} in ('closed', 'invited', 'open')`),
  ],
)

/** The numbers of future sites whose roles exist already, so that creating a site makes no role. */
export const preparedSites = pgTable('prepared_sites', { id: bigNumber('id').primaryKey() })

/** The site of a row, which is deleted with its site. */
export const ofSite = () =>
  bigNumber('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' })

/** The logos of sites, for their pages. */
export const siteLogos = pgTable('site_logos', {
  siteId: bigNumber('site_id')
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  /** The hash of the bytes, which is part of the logo's address. */
  hash: text('hash').notNull(),
  /** The type that the bytes really have, for example `image/png`. */
  type: text('type').notNull(),
  bytes: bytes('bytes').notNull(),
})

/**
 * The domains of sites. A domain leads to a site after it is verified, for one site at a time; it may be
 * pending for any number of sites. T8.
 */
export const siteDomains = pgTable(
  'site_domains',
  {
    domain: text('domain').notNull(),
    siteId: ofSite(),
    isPrimary: boolean('is_primary').notNull().default(false),
    /** The text that the TXT record must contain. */
    token: text('token').notNull().default(sql`replace(gen_random_uuid()::text, '-', '')`),
    /** When the token was created. A domain that is pending for longer than some days is deleted. */
    tokenCreated: moment('token_created').notNull().defaultNow(),
    /** Null: the domain is pending. */
    verifiedAt: moment('verified_at'),
    /** When the schedule last looked up the record. */
    checkedAt: moment('checked_at').notNull().default(sql`'-infinity'`),
    /** The number of consecutive daily look-ups that did not find the record of a verified domain. */
    failures: integer('failures').notNull().default(0),
    created: created(),
  },
  (t) => [
    primaryKey({ name: 'site_domains_pkey', columns: [t.domain, t.siteId] }),
    index('site_domains_site_id_idx').on(t.siteId),
    uniqueIndex('site_domains_verified_key').on(t.domain).where(sql`${t.verifiedAt} is not null`),
    index('site_domains_checked_at_idx').on(t.checkedAt),
    check('site_domains_domain_check', sql`${t.domain} = lower(${t.domain})`),
  ],
)

export const sitePermissions = pgTable(
  'site_permissions',
  {
    siteId: ofSite(),
    userId: ofUser(),
    permissions: text('permissions').array().notNull(),
    /** The names of the roles that the person was given, apart from those of groups (public.roles_of). X2. */
    roles: text('roles').array().notNull().default(sql`'{}'`),
  },
  (t) => [
    primaryKey({ name: 'site_permissions_pkey', columns: [t.siteId, t.userId] }),
    index('site_permissions_user_id_idx').on(t.userId),
    check(
      'site_permissions_permissions_check',
      sql`${t.permissions} <@ array[${sql.raw(permissions.map((each) => `'${each}'`).join(', '))}]`,
    ),
  ],
)

/**
 * The accounts that signed up at a site, or have used its data as a guest. Such an account may own records
 * there, so it has a tie to the organization (public.ties).
 */
export const siteGuests = pgTable(
  'site_guests',
  {
    userId: ofUser(),
    siteId: ofSite(),
    since: moment('since').notNull().defaultNow(),
    /** When the person signed up, or joined with an account. Null: it has only visited the site. X2. */
    joinedAt: moment('joined_at'),
    /** When it was kept out of the site: its claims there are those of nobody. Null: it is not. */
    blockedAt: moment('blocked_at'),
  },
  (t) => [
    primaryKey({ name: 'site_guests_pkey', columns: [t.userId, t.siteId] }),
    index('site_guests_site_id_idx').on(t.siteId),
  ],
)
