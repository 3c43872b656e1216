/** The platform's own tables, in schema `public`: people, organizations and sites. One copy per database. */
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
const created = () => moment('created').notNull().defaultNow()

/** People. They are platform-wide; what they may do stands in `memberships` and `site_permissions`. */
export const users = pgTable(
  'users',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('users_uuid_key').defaultRandom(),
    username: text('username').notNull().unique('users_username_key'),
    email: text('email').notNull(),
    /**
     * When the person last proved to this service that they read the e-mail's letters. A provider's word is
     * no proof.
     */
    emailVerifiedAt: moment('email_verified_at'),
    passwordHash: text('password_hash'),
    /** Whether the person has set the password after such a proof. Others may know one that is not theirs. */
    passwordIsOwn: boolean('password_is_own').notNull().default(false),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    isSuperuser: boolean('is_superuser').notNull().default(false),
    /**
     * Tokens, sessions and API keys carry it; those with another one are refused. See public.end_sign_ins.
     */
    generation: integer('generation').notNull().default(1),
    dateJoined: moment('date_joined').notNull().defaultNow(),
    lastLogin: moment('last_login'),
    /** When its owner has last ended all other sign-ins, and by which one: see public.ended_with_others. */
    signInsEnded: jsonb('sign_ins_ended').notNull().default({}),
    /**
     * Whether the second factors and passkeys were added by whoever has the present e-mail address. Others go
     * with the next proof.
     */
    factorsAreOwn: boolean('factors_are_own').notNull().default(true),
    /** A language tag such as `de` or `en-GB`. */
    preferredLanguage: text('preferred_language'),
    /** When the account will be deleted, at its owner's request. Null: never. */
    deletesAt: moment('deletes_at'),
  },
  (t) => [
    index('users_deletes_at_idx').on(t.deletesAt).where(sql`${t.deletesAt} is not null`),
    uniqueIndex('users_email_key').on(sql`lower(${t.email})`),
    // A name with an @ is the account's own e-mail: nobody is kept from signing in by theirs.
    check(
      'users_username_check',
      sql`strpos(${t.username}, '@') = 0 or lower(${t.username}) = lower(${t.email})`,
    ),
    check('users_username_path_check', sql`${t.username} not in ('', '.', '..')`),
  ],
)

export const organizations = pgTable('organizations', {
  id: id(),
  uuid: uuid('uuid').notNull().unique('organizations_uuid_key').defaultRandom(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique('organizations_slug_key'),
  /** When a deleted organization is erased, if none of its sites is left by then. Null: it is not deleted. */
  deletesAt: moment('deletes_at'),
  /** Whether its members need a second factor. */
  requiresFactor: boolean('requires_factor').notNull().default(false),
  created: created(),
  createdBy: bigint('created_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
})

export const memberships = pgTable(
  'memberships',
  {
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    joined: moment('joined').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'memberships_pkey', columns: [t.organizationId, t.userId] }),
    index('memberships_user_id_idx').on(t.userId),
    check('memberships_role_check', sql`${t.role} in ('owner', 'admin', 'member')`),
  ],
)

/** Sites are the tenants. The schema and the role of a site are both named `site_<id>`. */
export const sites = pgTable(
  'sites',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('sites_uuid_key').defaultRandom(),
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'restrict' }),
    name: text('name').notNull(),
    slug: text('slug').notNull().unique('sites_slug_key'),
    environment: text('environment').notNull(),
    /** Whether the site answers: it is neither suspended nor deleted. public.set_site_state keeps it so. */
    isActive: boolean('is_active').notNull().default(true),
    /** Who has suspended the site, and so who may resume it. */
    suspendedBy: text('suspended_by'),
    /** When a deleted site is erased. Null: it is not deleted. */
    deletesAt: moment('deletes_at'),
    /** How many tenant migrations the site's schema has had. */
    schemaVersion: integer('schema_version').notNull().default(0),
    /** Which triggers and rights the site's schema has: public.tenant_sources_hash() when they were made. */
    sourcesHash: text('sources_hash').notNull().default(''),
    /**
     * Moves with every change of the site's apps, datasources and datatables; what was planned with an older
     * one is refused.
     */
    catalogVersion: bigint('catalog_version', { mode: 'number' }).notNull().default(0),
    /**
     * How long a statement that reads may take here, where that is less than anywhere. Set by whoever
     * operates the service.
     */
    statementTimeoutMs: integer('statement_timeout_ms'),
    /**
     * The hard limits that the site has reached, as public.enter refuses by them: an object with a row of
     * site_limits and of site_use by measure. Null: none.
     */
    exceeded: jsonb('exceeded'),
    /** Who may sign up at the site with a password: see the check below. */
    signUp: text('sign_up').notNull().default('closed'),
    /** The domains of e-mail addresses that new accounts may have, in lower case. Empty: any. */
    allowedDomains: text('allowed_domains').array().notNull().default(sql`'{}'`),
    /** Whether an account exists only once its e-mail address is proved. */
    requireVerifiedEmail: boolean('require_verified_email').notNull().default(true),
    /** Whether somebody without an account gets one by the first sign-in through a provider. */
    signUpByProvider: boolean('sign_up_by_provider').notNull().default(true),
    /** The groups that new accounts get by the domain of their e-mail address: `[{domain, group}]`. */
    domainGroups: jsonb('domain_groups').notNull().default([]),
    /** How the pages of the site look: `name` and `color`. The logo is a row of site_logos. */
    branding: jsonb('branding').notNull().default({}),
    /** Whether who holds a permission in it, and the organization's members, need a second factor. */
    requiresFactor: boolean('requires_factor').notNull().default(false),
    created: created(),
    createdBy: bigint('created_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('sites_organization_id_idx').on(t.organizationId),
    index('sites_deletes_at_idx').on(t.deletesAt).where(sql`${t.deletesAt} is not null`),
    check('sites_suspended_by_check', sql`${t.suspendedBy} in ('owner', 'service')`),
    check('sites_statement_timeout_ms_check', sql`${t.statementTimeoutMs} > 0`),
    check('sites_sign_up_check', sql`${t.signUp} in ('closed', 'invited', 'open')`),
  ],
)

/** The logos of sites, for their pages. */
export const siteLogos = pgTable('site_logos', {
  siteId: bigint('site_id', { mode: 'number' })
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  /** Of the bytes: it is part of the address. */
  hash: text('hash').notNull(),
  /** As `image/png`: what the bytes are, not what somebody has called them. */
  type: text('type').notNull(),
  bytes: bytes('bytes').notNull(),
})

/**
 * The files of migrations/tenant with a number: what a new site's schema is made of, and an older one lacks.
 */
export const tenantMigrations = pgTable('tenant_migrations', {
  version: integer('version').primaryKey(),
  name: text('name').notNull().unique('tenant_migrations_name_key'),
  sql: text('sql').notNull(),
})

/**
 * The repeatable files of every site's schema: its triggers and rights, in the order in which they are
 * applied.
 */
export const tenantSources = pgTable('tenant_sources', {
  place: integer('place').primaryKey(),
  name: text('name').notNull().unique('tenant_sources_name_key'),
  sql: text('sql').notNull(),
})

/**
 * The hosts of sites. A domain answers once it is verified, and of one site alone; any number of sites may
 * wait for the proof that it is theirs. T8.
 */
export const siteDomains = pgTable(
  'site_domains',
  {
    domain: text('domain').notNull(),
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    isPrimary: boolean('is_primary').notNull().default(false),
    /** What the TXT record has to hold. */
    token: text('token').notNull().default(sql`replace(gen_random_uuid()::text, '-', '')`),
    /** When the token was made: a domain that waits longer than some days is dropped. */
    tokenCreated: moment('token_created').notNull().defaultNow(),
    /** Null: the domain is pending. */
    verifiedAt: moment('verified_at'),
    /** When the schedule last looked the record up. */
    checkedAt: moment('checked_at').notNull().default(sql`'-infinity'`),
    /** Daily look-ups in a row that did not find the record of a verified domain. */
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
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    permissions: text('permissions').array().notNull(),
  },
  (t) => [
    primaryKey({ name: 'site_permissions_pkey', columns: [t.siteId, t.userId] }),
    index('site_permissions_user_id_idx').on(t.userId),
    check(
      'site_permissions_permissions_check',
      sql`${t.permissions} <@ array['access_site', 'view_site', 'change_site', 'delete_site', 'manage_site', 'manage_site_users', 'admin_site']`,
    ),
  ],
)

/**
 * Sign-ins: the refresh tokens of a family, which came of one sign-in, or a session. A row is written behind
 * the answer of the sign-in; where that failed, a family has one from its first refresh on. Of its tokens
 * only `current` may be used, and only once.
 */
export const refreshFamilies = pgTable(
  'refresh_families',
  {
    /** The id of the family's first token. */
    id: uuid('id').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    current: uuid('current').notNull(),
    revokedAt: moment('revoked_at'),
    expiresAt: moment('expires_at').notNull(),
    /** Whether it is a session, whose token is a cookie. */
    isSession: boolean('is_session').notNull().default(false),
    /** The account's, when it signed in: with another one the sign-in has ended. */
    generation: integer('generation').notNull().default(0),
    /** The organization whose provider the sign-in came from. */
    organizationId: bigint('organization_id', { mode: 'number' }),
    /** A browser or program, and a system, as the request said. */
    device: text('device'),
    /** Two letters, as Cloudflare said. */
    country: text('country'),
    created: created(),
    /** To the minute. */
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
  },
  (t) => [
    index('refresh_families_user_id_idx').on(t.userId),
    index('refresh_families_expires_at_idx').on(t.expiresAt),
  ],
)

/** Named sets of an organization's members. T4. */
export const groups = pgTable(
  'groups',
  {
    id: id(),
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    created: created(),
    /** What the directory of the organization calls it. SCIM. */
    externalId: text('external_id'),
    /** When the directory changed it. Null: it never did. */
    modified: moment('modified'),
  },
  (t) => [unique('groups_organization_id_name_key').on(t.organizationId, t.name)],
)

export const groupMembers = pgTable(
  'group_members',
  {
    groupId: bigint('group_id', { mode: 'number' })
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ name: 'group_members_pkey', columns: [t.groupId, t.userId] }),
    index('group_members_user_id_idx').on(t.userId),
  ],
)

/** API keys, each of a user and for a site. Of the key itself only the hash is kept. A4. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** How the key begins, by which its owner knows it. */
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique('api_keys_hash_key'),
    /** The account's, when the key was made: with another one the key has ended. */
    generation: integer('generation').notNull(),
    /** Whether it was made by a sign-in with the person's own password. */
    isOwn: boolean('is_own').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
    /** Whether it was rotated: another key has taken its place. */
    isReplaced: boolean('is_replaced').notNull().default(false),
    /**
     * What the key may do with which tables, as src/access/api-keys/scopes.ts reads it; null: what A4 says.
     */
    scopes: json('scopes'),
    /** Counts the changes of the scopes, which the Worker keeps. */
    revision: integer('revision').notNull().default(0),
    /** The networks from which the key is accepted; null: from anywhere. */
    allowedAddresses: text('allowed_addresses').array(),
    /** To the minute. */
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [
    index('api_keys_user_id_site_id_idx').on(t.userId, t.siteId),
    index('api_keys_site_id_idx').on(t.siteId),
  ],
)

/**
 * The key that who asks is signed with (public.sign_claims), combined with the two blocks of HMAC. One row, which
 * only the owner of the platform may read. public.make_claim_key makes it.
 */
export const claimKeys = pgTable(
  'claim_keys',
  {
    id: integer('id').primaryKey(),
    innerPad: bytes('inner_pad').notNull(),
    outerPad: bytes('outer_pad').notNull(),
  },
  (t) => [check('claim_keys_id_check', sql`${t.id} = 1`)],
)

/** The master keys that data keys are wrapped by: of each a proof, by which the Worker's own is known to be the same. */
export const masterKeys = pgTable('master_keys', {
  kid: text('kid').primaryKey(),
  /** A text that the key encrypted. */
  proof: text('proof').notNull(),
})

/**
 * The keys that the secrets of a site are encrypted with. The newest encrypts; an older one stays until
 * nothing needs it.
 */
export const dataKeys = pgTable(
  'data_keys',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    masterKid: text('master_kid')
      .notNull()
      .references(() => masterKeys.kid),
    /** The key, encrypted by the master key. */
    wrapped: text('wrapped').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'data_keys_pkey', columns: [t.siteId, t.version] }),
    index('data_keys_master_kid_idx').on(t.masterKid),
  ],
)

/**
 * Who is whom at a site's social apps: whom a provider calls `subject` is this user. It stands here, out of a
 * tenant's reach, because a row of it is a way to sign in. The app itself is a row of the site's own
 * `_social_apps`.
 */
export const socialAccounts = pgTable(
  'social_accounts',
  {
    id: id(),
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    socialAppId: bigint('social_app_id', { mode: 'number' }).notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Whether the provider said, when it was attached, that the account's e-mail is the person's. */
    isVouched: boolean('is_vouched').notNull().default(false),
    /** Whether it was attached with a proof of the person to this service. */
    isOwn: boolean('is_own').notNull().default(false),
    created: created(),
    lastLogin: moment('last_login').notNull().defaultNow(),
  },
  (t) => [
    unique('social_accounts_identity_key').on(t.siteId, t.socialAppId, t.issuer, t.subject),
    index('social_accounts_user_id_idx').on(t.userId),
  ],
)

/** Who is asked to join an organization. The uuid is the token that accepts it. Spec: Invitation. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('invitations_uuid_key'),
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    inviteeIdentifier: text('invitee_identifier').notNull(),
    invitedBy: bigint('invited_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
    invitee: bigint('invitee', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
    config: jsonb('config').notNull(),
    /** Of the code in the link of the newest letter: who knows it reads the invitee's mail. */
    codeHash: text('code_hash'),
    /** Of the letter: it is to be sent, was sent, or could not be. */
    mail: text('mail').notNull().default('wanted'),
    mailWantedAt: moment('mail_wanted_at').notNull().defaultNow(),
    /** How often it was wanted: messages of the queue are about one of these times. */
    mailVersion: integer('mail_version').notNull().default(1),
    created: created(),
    acceptedAt: moment('accepted_at'),
    /**
     * Where the owner of an account is told that accepting has changed it: the address that it had then; and
     * what has become of that letter.
     */
    noticeTo: text('notice_to'),
    notice: text('notice'),
  },
  (t) => [
    index('invitations_organization_id_created_idx').on(t.organizationId, t.created),
    index('invitations_invitee_idx').on(t.invitee),
    index('invitations_invited_by_idx').on(t.invitedBy),
    index('invitations_mail_wanted_at_idx').on(t.mailWantedAt).where(sql`${t.mail} = 'wanted'`),
    check('invitations_mail_check', sql`${t.mail} in ('wanted', 'sent', 'failed')`),
    check('invitations_notice_check', sql`${t.notice} in ('wanted', 'sent', 'failed')`),
  ],
)

/** Letters of the local mailbox: of development, and of nothing else. */
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

/**
 * The deliveries of all sites that are not done, so that one look finds what was forgotten. Triggers keep it
 * as the sites' own rows are.
 */
export const outbox = pgTable(
  'outbox',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'outbox_pkey', columns: [t.siteId, t.deliveryId] }),
    index('outbox_due_at_idx').on(t.dueAt),
  ],
)

/**
 * Rows that transactions lock so that one thing at a time is done about an e-mail address. See
 * public.take_address.
 */
export const addressLocks = pgTable('address_locks', { id: integer('id').primaryKey() })

/**
 * Social accounts that are attached once the person proves, by a code that is mailed to the account's
 * address, that the account is theirs. S7.
 */
export const confirmations = pgTable(
  'confirmations',
  {
    id: uuid('id').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    socialAppId: bigint('social_app_id', { mode: 'number' }).notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** Of the code that was mailed. Null: the letter is not sent yet. */
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

/** The SAML assertions that were used: until each one ends, it is refused. */
export const samlAssertions = pgTable(
  'saml_assertions',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    socialAppId: bigint('social_app_id', { mode: 'number' }).notNull(),
    /** A hash of its id. */
    idHash: text('id_hash').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'saml_assertions_pkey', columns: [t.siteId, t.socialAppId, t.idHash] }),
    index('saml_assertions_expires_at_idx').on(t.expiresAt),
  ],
)

/** The secret of an account's authenticator app (TOTP). One for each account. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: bigint('user_id', { mode: 'number' })
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The secret, encrypted by the master key. */
  secret: text('secret').notNull(),
  masterKid: text('master_kid')
    .notNull()
    .references(() => masterKeys.kid),
  /** When a first code has shown that the app has the secret. Null: no code is asked for yet. */
  confirmedAt: moment('confirmed_at'),
  /** The time step of the last code that was used: neither it nor an earlier one is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  /** Wrong codes since the last right one. */
  failures: integer('failures').notNull().default(0),
  /** Until when no code is accepted, after several wrong ones. */
  blockedUntil: moment('blocked_until'),
  created: created(),
})

/** The recovery codes of accounts that were not used yet. Each has 100 random bits, so that a plain hash will do. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    hash: text('hash').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [index('recovery_codes_user_id_idx').on(t.userId)],
)

/** Passkeys: public keys of authenticators that sign in to accounts by WebAuthn. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The authenticator's name for it, in base64url. */
    credentialId: text('credential_id').notNull().unique('passkeys_credential_id_key'),
    /** In COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the authenticator has signed. Always 0 for authenticators that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** The host that it belongs to. */
    rpId: text('rp_id').notNull(),
    /** The organization in which its sign-ins count: that of the domain. Null: everywhere. */
    organizationId: bigint('organization_id', { mode: 'number' }).references(() => organizations.id, {
      onDelete: 'cascade',
    }),
    /** How the authenticator is reached, as browsers say it. */
    transports: text('transports').array().notNull(),
    /** As its owner calls it. */
    name: text('name').notNull(),
    created: created(),
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [
    index('passkeys_user_id_idx').on(t.userId),
    index('passkeys_organization_id_idx').on(t.organizationId),
  ],
)

/**
 * The browsers in which a person has shown a second factor and need not show it again for some days. A row
 * ends with the account's generation (public.drop_ended_keys), and when a factor is removed.
 */
export const trustedDevices = pgTable(
  'trusted_devices',
  {
    id: id(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of the random token in the browser's cookie. */
    hash: text('hash').notNull().unique('trusted_devices_hash_key'),
    /** A browser and a system, as the request said. */
    device: text('device'),
    /** Two letters, as Cloudflare said. */
    country: text('country'),
    /** When the second factor was used. */
    created: created(),
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    index('trusted_devices_user_id_idx').on(t.userId),
    index('trusted_devices_expires_at_idx').on(t.expiresAt),
  ],
)

/** Sign-ins that wait for a second factor. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    id: uuid('id').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The account's, when the first factor was checked: with another one the sign-in has ended. */
    generation: integer('generation').notNull(),
    /** The organization whose provider the sign-in came from. */
    organizationId: bigint('organization_id', { mode: 'number' }),
    /** How the person has proved who they are so far, as in the claim `amr`. */
    methods: text('methods').array().notNull(),
    /** How often a code or a passkey was tried. */
    attempts: integer('attempts').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    index('sign_in_challenges_user_id_idx').on(t.userId),
    index('sign_in_challenges_expires_at_idx').on(t.expiresAt),
  ],
)

/** The texts that authenticators are to sign, each once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** Of the text. */
    hash: text('hash').primaryKey(),
    /** Who adds a passkey. Null: somebody signs in with one, or signs up. */
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id, { onDelete: 'cascade' }),
    /** The sign-in whose second factor the passkey is to be. */
    signIn: uuid('sign_in').references(() => signInChallenges.id, { onDelete: 'cascade' }),
    /** The account that somebody who signs up is going to have: its passkey is made now. */
    handle: uuid('handle'),
    /** The host that asked for it. */
    rpId: text('rp_id').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    index('passkey_challenges_user_id_idx').on(t.userId),
    index('passkey_challenges_sign_in_idx').on(t.signIn),
    index('passkey_challenges_expires_at_idx').on(t.expiresAt),
  ],
)

/**
 * E-mails to the owners of accounts that are to be sent, and the links of those that were: one row for each
 * e-mail. A row is deleted when its link is used, when its notice was sent, or when it has expired.
 */
export const accountEmails = pgTable(
  'account_emails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    /**
     * Null: not known yet, since the request for a link looks nobody up; or the account does not exist any
     * more.
     */
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id, { onDelete: 'cascade' }),
    /** The site where a link was asked for: its pages open the link. */
    siteId: bigint('site_id', { mode: 'number' }).references(() => sites.id, { onDelete: 'set null' }),
    /** Of the token in the link. Null: the e-mail is not sent yet, or has no link. */
    tokenHash: text('token_hash').unique('account_emails_token_hash_key'),
    wantedAt: moment('wanted_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    /** When the link stops working, and when an e-mail that was not sent is given up. */
    expiresAt: moment('expires_at').notNull().default(sql`now() + interval '1 hour'`),
  },
  (t) => [
    index('account_emails_user_id_idx').on(t.userId),
    index('account_emails_site_id_idx').on(t.siteId),
    index('account_emails_recipient_idx').on(sql`lower(${t.recipient})`),
    index('account_emails_expires_at_idx').on(t.expiresAt),
    index('account_emails_wanted_at_idx').on(t.wantedAt).where(sql`${t.sentAt} is null`),
    check(
      'account_emails_kind_check',
      sql`${t.kind} in ('reset-password', 'verify-email', 'change-email', 'sign-up', 'password-changed', 'email-changed', 'factors-changed', 'provider-linked', 'deletion-planned', 'account-deleted', 'account-created')`,
    ),
  ],
)

/**
 * Who has asked to sign up, with the password that was chosen or the passkey that was made. The row is that
 * of the e-mail with the link, and goes with it.
 */
export const signUps = pgTable(
  'sign_ups',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => accountEmails.id, { onDelete: 'cascade' }),
    passwordHash: text('password_hash'),
    /** The type public.new_passkey, as JSON. */
    passkey: jsonb('passkey'),
    /** The UUID that the account is going to have: the passkey was made for it. */
    handle: uuid('handle'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
  },
  (t) => [
    check('sign_ups_passkey_check', sql`(${t.passwordHash} is null) = (${t.passkey} is not null)`),
    check('sign_ups_handle_check', sql`(${t.passkey} is null) = (${t.handle} is null)`),
  ],
)

/**
 * Who changed what, when and from where: accounts, roles, permissions, keys, domains, invitations, and what a
 * site keeps beside its records. Triggers write it in the transaction of the change (public.note_change);
 * nothing changes it.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    at: moment('at').notNull().default(sql`clock_timestamp()`),
    /** Null: of an account that is in no organization. */
    organizationId: bigint('organization_id', { mode: 'number' }),
    siteId: bigint('site_id', { mode: 'number' }),
    /** Null: the service itself, or somebody who is not signed in. The name is as it was then. */
    actorId: bigint('actor_id', { mode: 'number' }),
    actor: text('actor'),
    requestId: text('request_id'),
    address: text('address'),
    /** As `user` or `domain`. */
    kind: text('kind').notNull(),
    action: text('action').notNull(),
    objectId: text('object_id').notNull(),
    object: text('object'),
    /** The names of what was changed. */
    changed: text('changed').array().notNull(),
    /** Of what may be shown, the values before and after. */
    values: jsonb('values').notNull().default({}),
  },
  (t) => [
    index('audit_entries_organization_id_idx').on(t.organizationId, t.id),
    index('audit_entries_site_id_idx').on(t.siteId, t.id),
    index('audit_entries_at_idx').on(t.at),
    check('audit_entries_action_check', sql`${t.action} in ('create', 'change', 'delete')`),
  ],
)

/**
 * The deleted datatables of all sites, so that one look finds those whose time is over. Triggers keep it as
 * the sites' own rows are.
 */
export const deletedDatatables = pgTable(
  'deleted_datatables',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    datatableId: bigint('datatable_id', { mode: 'number' }).notNull(),
    /** When they are dropped; or when the schedule is to look again at what it has queued. */
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'deleted_datatables_pkey', columns: [t.siteId, t.datatableId] }),
    index('deleted_datatables_due_at_idx').on(t.dueAt),
  ],
)

/**
 * The datatables of all sites that keep versions of records for a number of days, so that one look finds
 * those whose histories have to be swept. A trigger of the sites' own rows keeps it.
 */
export const historySweeps = pgTable(
  'history_sweeps',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    datatableId: bigint('datatable_id', { mode: 'number' }).notNull(),
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'history_sweeps_pkey', columns: [t.siteId, t.datatableId] }),
    index('history_sweeps_due_at_idx').on(t.dueAt),
  ],
)

/**
 * When the kept answers of a site have to be swept. Triggers of the sites' own tables add a row an hour at
 * most, or a few if requests overlap.
 */
export const answerSweeps = pgTable(
  'answer_sweeps',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    index('answer_sweeps_site_id_due_at_idx').on(t.siteId, t.dueAt),
    index('answer_sweeps_due_at_idx').on(t.dueAt),
  ],
)

/**
 * What the schedule looks at in each site from time to time: how much it stores, and what it keeps of earlier
 * invocations. A trigger of `sites` adds the row.
 */
export const siteMeters = pgTable(
  'site_meters',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .primaryKey()
      .references(() => sites.id, { onDelete: 'cascade' }),
    dueAt: moment('due_at').notNull().defaultNow(),
    /** Null: it was not measured yet. */
    measuredAt: moment('measured_at'),
    records: bigint('records', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** Invocations that have failed, and that wait, when it was measured. */
    deadLetters: integer('dead_letters').notNull().default(0),
    waiting: integer('waiting').notNull().default(0),
    /** The logs of invocations that are older than this are removed. */
    logsUntil: moment('logs_until').notNull().default('-infinity'),
  },
  (t) => [index('site_meters_due_at_idx').on(t.dueAt)],
)

/** What each site has used in each calendar month, in UTC. */
export const siteUse = pgTable(
  'site_use',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    /** Its first day. */
    month: date('month').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull().default(0),
    invocations: bigint('invocations', { mode: 'number' }).notNull().default(0),
    emails: bigint('emails', { mode: 'number' }).notNull().default(0),
    /** The most that was measured in the month. */
    records: bigint('records', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ name: 'site_use_pkey', columns: [t.siteId, t.month] })],
)

/** What a site may use: set by superusers. */
export const siteLimits = pgTable(
  'site_limits',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    measure: text('measure').notNull(),
    /** Its managers are told. Null: never. */
    soft: bigint('soft', { mode: 'number' }),
    /** Requests that need more are refused. Null: none are. */
    hard: bigint('hard', { mode: 'number' }),
    /** The month in which its managers were told that the soft limit is exceeded. */
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

/** Who is told by e-mail that a site has reached a soft limit: once for each limit and month. */
export const limitNotices = pgTable(
  'limit_notices',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    measure: text('measure').notNull(),
    month: date('month').notNull(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The limit, and the use that reached it. */
    soft: bigint('soft', { mode: 'number' }).notNull(),
    used: bigint('used', { mode: 'number' }).notNull(),
    /** From when on the schedule queues the e-mail, again if it was queued before. */
    dueAt: moment('due_at').notNull().defaultNow(),
    /** Null: it was not sent yet. */
    sentAt: moment('sent_at'),
  },
  (t) => [
    primaryKey({ name: 'limit_notices_pkey', columns: [t.siteId, t.measure, t.month, t.userId] }),
    index('limit_notices_user_id_idx').on(t.userId),
    index('limit_notices_due_at_idx').on(t.dueAt).where(sql`${t.sentAt} is null`),
  ],
)

/** Messages of the queues that were given up after their last attempt. They have ids only. */
export const deadJobs = pgTable(
  'dead_jobs',
  {
    id: id(),
    kind: text('kind').notNull(),
    /** A message that is given up again has the same row. */
    body: jsonb('body').notNull().unique('dead_jobs_body_key'),
    /** What the last attempt failed with, as the log has it. Null: not known. */
    error: text('error'),
    diedAt: moment('died_at').notNull().defaultNow(),
  },
  (t) => [index('dead_jobs_died_at_idx').on(t.diedAt)],
)

/**
 * The keys by which the directory of an organization (Okta, Entra and others) calls SCIM. A key belongs to the
 * organization, not to who made it. Of the key itself only the hash is kept.
 */
export const scimKeys = pgTable(
  'scim_keys',
  {
    id: id(),
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** How the key begins, by which people know it. */
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique('scim_keys_hash_key'),
    /** Whoever is an owner can make keys that change owners. */
    createdBy: bigint('created_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** To the minute. */
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [
    index('scim_keys_organization_id_idx').on(t.organizationId),
    index('scim_keys_created_by_idx').on(t.createdBy),
  ],
)

/**
 * What the directory of an organization says of an account: a member, somebody whom it has invited, or
 * somebody whose membership it has ended. Null: it has said nothing, and what the account itself has counts.
 */
export const scimUsers = pgTable(
  'scim_users',
  {
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    givenName: text('given_name'),
    familyName: text('family_name'),
    displayName: text('display_name'),
    email: text('email'),
    preferredLanguage: text('preferred_language'),
    /** The ids of the groups that the account gets when it becomes a member, or does so again. */
    heldGroups: bigint('held_groups', { mode: 'number' }).array().notNull().default(sql`'{}'`),
    /** Whether the directory has ended the membership, so that it may bring it back without an invitation. */
    isSuspended: boolean('is_suspended').notNull().default(false),
    created: created(),
    modified: moment('modified').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'scim_users_pkey', columns: [t.organizationId, t.userId] }),
    uniqueIndex('scim_users_user_name_key').on(t.organizationId, sql`lower(${t.userName})`),
    index('scim_users_user_id_idx').on(t.userId),
  ],
)

/**
 * Copies, exports and imports of sites, which jobs carry out in steps. Each step is saved in the transaction
 * that does it.
 */
export const transfers = pgTable(
  'transfers',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The site that is read. Of an import: the one that it makes. Null: it was erased. */
    siteId: bigint('site_id', { mode: 'number' }).references(() => sites.id, { onDelete: 'set null' }),
    /** The site that is made. Null: none is, or it was erased. */
    targetId: bigint('target_id', { mode: 'number' }).references(() => sites.id, { onDelete: 'set null' }),
    /** The slug of the site that is made, or exported. */
    slug: text('slug').notNull(),
    state: text('state').notNull(),
    /** Whether records and secrets are wanted, and the public key that secrets are encrypted with. */
    options: jsonb('options').notNull().default({}),
    /** The private key that decrypts the secrets of an archive, encrypted. Null once the transfer has ended. */
    sealed: text('sealed'),
    /** What has to be done, in order. Null: the first step finds that out. */
    tasks: json('tasks'),
    /** How many of the tasks are done. */
    position: integer('position').notNull().default(0),
    /** Where the present task goes on. Null: it begins. */
    place: jsonb('place'),
    /** How many records, edges and secrets were read or made. */
    counts: jsonb('counts').notNull().default({}),
    /** What is left to do by hand, one sentence each. */
    notes: jsonb('notes').notNull().default([]),
    /** Why it has failed. */
    error: text('error'),
    /** Which Worker carries it out, and until when it is believed to. */
    lease: uuid('lease'),
    leasedUntil: moment('leased_until'),
    /** How often a Worker has begun since the last step that was done. */
    attempts: integer('attempts').notNull().default(0),
    /** How often the archive of an export was downloaded; null: never. */
    downloads: integer('downloads'),
    createdBy: bigint('created_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
    /** The generation of the account when it asked: what ends its sign-ins ends the transfer, too. */
    generation: integer('generation').notNull(),
    created: created(),
    endedAt: moment('ended_at'),
    /** When it is removed, with its archive. */
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    index('transfers_organization_id_idx').on(t.organizationId),
    index('transfers_site_id_idx').on(t.siteId),
    index('transfers_target_id_idx').on(t.targetId),
    index('transfers_created_by_idx').on(t.createdBy),
    index('transfers_expires_at_idx').on(t.expiresAt),
    index('transfers_running_idx').on(t.leasedUntil).where(sql`${t.state} = 'running'`),
    check('transfers_kind_check', sql`${t.kind} in ('copy', 'export', 'import')`),
    check(
      'transfers_state_check',
      sql`${t.state} in ('uploading', 'running', 'done', 'failed', 'cancelled')`,
    ),
  ],
)

/** The files of archives, in parts: those of an export, and those that an import reads. */
export const transferParts = pgTable(
  'transfer_parts',
  {
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => transfers.id, { onDelete: 'cascade' }),
    /** The file's path in the archive. Empty: the archive itself, as it was uploaded. */
    path: text('path').notNull(),
    number: integer('number').notNull(),
    /** Of a file: compressed, so that the parts after each other are one compressed file. */
    content: bytes('content').notNull(),
    /** The bytes of the part before it was compressed. */
    size: integer('size').notNull(),
    /** The CRC-32 of the file up to the end of the part. */
    crc: bigint('crc', { mode: 'number' }).notNull(),
    /** The number of lines, and the sum of their digests. */
    digest: text('digest').notNull(),
  },
  (t) => [primaryKey({ name: 'transfer_parts_pkey', columns: [t.transferId, t.path, t.number] })],
)
