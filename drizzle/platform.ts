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

/**
 * The accounts of people, for the whole platform. Their rights are in `memberships` and `site_permissions`.
 */
export const users = pgTable(
  'users',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('users_uuid_key').defaultRandom(),
    username: text('username').notNull().unique('users_username_key'),
    email: text('email').notNull(),
    /**
     * When the person last proved to this service that they can read mail to this address. The assertion of a
     * provider is no proof.
     */
    emailVerifiedAt: moment('email_verified_at'),
    passwordHash: text('password_hash'),
    /** Whether the person has set the password after such a proof. Otherwise others may know it. */
    passwordIsOwn: boolean('password_is_own').notNull().default(false),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    isSuperuser: boolean('is_superuser').notNull().default(false),
    /** The generation that valid tokens, sessions and API keys must have. See public.end_sign_ins. */
    generation: integer('generation').notNull().default(1),
    dateJoined: moment('date_joined').notNull().defaultNow(),
    lastLogin: moment('last_login'),
    /** When the owner last ended all other sign-ins, and from which sign-in: see public.ended_with_others. */
    signInsEnded: jsonb('sign_ins_ended').notNull().default({}),
    /**
     * Whether the second factors and passkeys were added with the present e-mail address. Otherwise, the next
     * proof of the person removes them.
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
    // A name with an @ must be the account's own e-mail address, so that it cannot block the sign-in of
    // somebody else.
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
  /** When a deleted organization is erased, if it has no sites by then. Null: it is not deleted. */
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
    /**
     * Whether the site answers requests: it is neither suspended nor deleted. Set by public.set_site_state.
     */
    isActive: boolean('is_active').notNull().default(true),
    /** Who has suspended the site, which decides who may resume it. */
    suspendedBy: text('suspended_by'),
    /** When a deleted site is erased. Null: it is not deleted. */
    deletesAt: moment('deletes_at'),
    /** How many tenant migrations the site's schema has had. */
    schemaVersion: integer('schema_version').notNull().default(0),
    /**
     * The triggers and rights of the site's schema: public.tenant_sources_hash() at the time of their
     * creation.
     */
    sourcesHash: text('sources_hash').notNull().default(''),
    /**
     * Increases with every change of the site's apps, datasources and datatables. Statements that were
     * planned with an older version are refused.
     */
    catalogVersion: bigint('catalog_version', { mode: 'number' }).notNull().default(0),
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
    /** Who may sign up at the site with a password: see the check below. */
    signUp: text('sign_up').notNull().default('closed'),
    /** The domains of e-mail addresses that new accounts may have, in lower case. Empty: any. */
    allowedDomains: text('allowed_domains').array().notNull().default(sql`'{}'`),
    /** Whether an account is created only after its e-mail address is proved. */
    requireVerifiedEmail: boolean('require_verified_email').notNull().default(true),
    /** Whether the first sign-in through a provider creates an account for a person who has none. */
    signUpByProvider: boolean('sign_up_by_provider').notNull().default(true),
    /** The groups that new accounts get by the domain of their e-mail address: `[{domain, group}]`. */
    domainGroups: jsonb('domain_groups').notNull().default([]),
    /** The appearance of the site's pages: `name` and `color`. The logo is a row of site_logos. */
    branding: jsonb('branding').notNull().default({}),
    /** Whether members of the organization and holders of a permission in the site need a second factor. */
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
  /** The hash of the bytes, which is part of the logo's address. */
  hash: text('hash').notNull(),
  /** The type that the bytes really have, for example `image/png`. */
  type: text('type').notNull(),
  bytes: bytes('bytes').notNull(),
})

/** The numbered files of migrations/tenant: they create the schema of a new site, and update older ones. */
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
 * The domains of sites. A domain leads to a site after it is verified, for one site at a time; it may be
 * pending for any number of sites. T8.
 */
export const siteDomains = pgTable(
  'site_domains',
  {
    domain: text('domain').notNull(),
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
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
 * Sign-ins: families of refresh tokens, each from one sign-in, and sessions. A row is written after the
 * response of the sign-in; if that failed, the first refresh writes the row of a family. Only its token
 * `current` may be used, and only once.
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
    /**
     * The generation of the account at the sign-in. If the account has another one, the sign-in has ended.
     */
    generation: integer('generation').notNull().default(0),
    /** The organization whose provider the sign-in came from. */
    organizationId: bigint('organization_id', { mode: 'number' }),
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
    /** The id of the group in the directory of the organization (SCIM). */
    externalId: text('external_id'),
    /** When the directory last changed the group. Null: never. */
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

/** API keys, each of a user and for a site. Only the hash of a key is stored. A4. */
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
    /** The beginning of the key, by which its owner recognizes it. */
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique('api_keys_hash_key'),
    /**
     * The generation of the account when the key was made. If the account has another one, the key has ended.
     */
    generation: integer('generation').notNull(),
    /** Whether it was made in a sign-in with the person's own password. */
    isOwn: boolean('is_own').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
    /** Whether it was rotated: another key has taken its place. */
    isReplaced: boolean('is_replaced').notNull().default(false),
    /**
     * The actions that the key may do with each table, as src/access/api-keys/scopes.ts reads them. Null: the
     * rights of A4.
     */
    scopes: json('scopes'),
    /** The number of changes of the scopes, which the Worker caches. */
    revision: integer('revision').notNull().default(0),
    /** The networks from which the key is accepted; null: from anywhere. */
    allowedAddresses: text('allowed_addresses').array(),
    /** Accurate to the minute. */
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [
    index('api_keys_user_id_site_id_idx').on(t.userId, t.siteId),
    index('api_keys_site_id_idx').on(t.siteId),
  ],
)

/**
 * The key that signs the claims about callers (public.sign_claims), combined with the two blocks of HMAC. One
 * row, which only the owner of the platform may read. public.make_claim_key creates it.
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

/**
 * The master keys that have encrypted data keys. The proof of each shows whether the Worker has the same key.
 */
export const masterKeys = pgTable('master_keys', {
  kid: text('kid').primaryKey(),
  /** A text that the key has encrypted. */
  proof: text('proof').notNull(),
})

/**
 * The keys that encrypt the secrets of a site. The newest one encrypts; older ones stay until nothing needs
 * them.
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
    /** The key, encrypted with the master key. */
    wrapped: text('wrapped').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'data_keys_pkey', columns: [t.siteId, t.version] }),
    index('data_keys_master_kid_idx').on(t.masterKid),
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
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    socialAppId: bigint('social_app_id', { mode: 'number' }).notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
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

/** Invitations of people to organizations. The uuid is the token that accepts one. Spec: Invitation. */
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
    /**
     * The hash of the code in the link of the newest e-mail. A person who knows the code can read the
     * invitee's mail.
     */
    codeHash: text('code_hash'),
    /** The state of the e-mail: to be sent, sent, or failed. */
    mail: text('mail').notNull().default('wanted'),
    mailWantedAt: moment('mail_wanted_at').notNull().defaultNow(),
    /** How often the e-mail was requested. A message of the queue has one of these numbers. */
    mailVersion: integer('mail_version').notNull().default(1),
    created: created(),
    acceptedAt: moment('accepted_at'),
    /**
     * The address of the notice to an account's owner that accepting has changed the account: the address
     * that the account had then. `notice` is the state of that e-mail.
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

/**
 * The unfinished deliveries of all sites, so that one query finds the overdue ones. Triggers mirror the rows
 * of the sites.
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
 * Rows that transactions lock to change the accounts of an e-mail address one after the other. See
 * public.take_address.
 */
export const addressLocks = pgTable('address_locks', { id: integer('id').primaryKey() })

/**
 * Social accounts that are attached after the person has proved that the account is theirs, by a code that is
 * mailed to the account's address. S7.
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
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    socialAppId: bigint('social_app_id', { mode: 'number' }).notNull(),
    /** A hash of the id of the assertion. */
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
  /** The secret, encrypted with the master key. */
  secret: text('secret').notNull(),
  masterKid: text('master_kid')
    .notNull()
    .references(() => masterKeys.kid),
  /** When a first code has shown that the app has the secret. Null: sign-ins need no code yet. */
  confirmedAt: moment('confirmed_at'),
  /** The time step of the last code that was used: neither it nor an earlier one is accepted again. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  /** The number of wrong codes since the last correct one. */
  failures: integer('failures').notNull().default(0),
  /** Until when no code is accepted, after several wrong ones. */
  blockedUntil: moment('blocked_until'),
  created: created(),
})

/** The unused recovery codes of accounts. Each has 100 random bits, so a plain hash is enough. */
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
    /** The id that the authenticator gave the passkey, in base64url. */
    credentialId: text('credential_id').notNull().unique('passkeys_credential_id_key'),
    /** The public key as COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the authenticator has signed. Always 0 for authenticators that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** The host that the passkey belongs to. */
    rpId: text('rp_id').notNull(),
    /** The organization in which its sign-ins count: the organization of the domain. Null: everywhere. */
    organizationId: bigint('organization_id', { mode: 'number' }).references(() => organizations.id, {
      onDelete: 'cascade',
    }),
    /** How to reach the authenticator, in the terms of browsers. */
    transports: text('transports').array().notNull(),
    /** The name that the owner gave the passkey. */
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
 * The browsers in which a person has used a second factor, and does not need it again for some days. A row is
 * deleted when the account's generation changes (public.drop_ended_keys), and when a factor is removed.
 */
export const trustedDevices = pgTable(
  'trusted_devices',
  {
    id: id(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The hash of the random token in the browser's cookie. */
    hash: text('hash').notNull().unique('trusted_devices_hash_key'),
    /** The browser and the system, as the request names them. */
    device: text('device'),
    /** The two-letter code of the country, from Cloudflare. */
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
    /**
     * The generation of the account when the first factor was checked. If the account has another one, the
     * sign-in has ended.
     */
    generation: integer('generation').notNull(),
    /** The organization whose provider the sign-in came from. */
    organizationId: bigint('organization_id', { mode: 'number' }),
    /** The methods by which the person has signed in so far, as in the claim `amr`. */
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

/** The challenges that authenticators sign, each once. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    /** The hash of the challenge. */
    hash: text('hash').primaryKey(),
    /** The account that gets a passkey. Null: somebody signs in with a passkey, or signs up. */
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id, { onDelete: 'cascade' }),
    /** The sign-in for which the passkey is the second factor. */
    signIn: uuid('sign_in').references(() => signInChallenges.id, { onDelete: 'cascade' }),
    /** The UUID of the future account of a person who signs up, for which the passkey is made. */
    handle: uuid('handle'),
    /** The host that requested the challenge. */
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
    userId: bigint('user_id', { mode: 'number' }).references(() => users.id, { onDelete: 'cascade' }),
    /** The site where the link was requested: its pages open the link. */
    siteId: bigint('site_id', { mode: 'number' }).references(() => sites.id, { onDelete: 'set null' }),
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

/**
 * The audit: who changed what, when and from where. It covers accounts, roles, permissions, keys, domains,
 * invitations, and the parts of a site other than its records. Triggers write it in the transaction of the
 * change (public.note_change); nothing changes it.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    at: moment('at').notNull().default(sql`clock_timestamp()`),
    /** Null: the change is of an account without an organization. */
    organizationId: bigint('organization_id', { mode: 'number' }),
    siteId: bigint('site_id', { mode: 'number' }),
    /** Null: the service itself, or somebody who is not signed in. The name is the one at that time. */
    actorId: bigint('actor_id', { mode: 'number' }),
    actor: text('actor'),
    requestId: text('request_id'),
    address: text('address'),
    /** The kind of the object, for example `user` or `domain`. */
    kind: text('kind').notNull(),
    action: text('action').notNull(),
    objectId: text('object_id').notNull(),
    object: text('object'),
    /** The names of the changed columns. */
    changed: text('changed').array().notNull(),
    /** The values before and after, of the columns whose values may be shown. */
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
 * The deleted datatables of all sites, so that one query finds those that are due to be dropped. Triggers
 * mirror the rows of the sites.
 */
export const deletedDatatables = pgTable(
  'deleted_datatables',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    datatableId: bigint('datatable_id', { mode: 'number' }).notNull(),
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
 * When the kept answers of a site are to be swept. Triggers of the sites' tables add at most one row per
 * hour, or a few if requests overlap.
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
 * What the schedule checks in each site from time to time: how much the site stores, and the logs of earlier
 * invocations. A trigger of `sites` adds the row.
 */
export const siteMeters = pgTable(
  'site_meters',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .primaryKey()
      .references(() => sites.id, { onDelete: 'cascade' }),
    dueAt: moment('due_at').notNull().defaultNow(),
    /** Null: the site was not measured yet. */
    measuredAt: moment('measured_at'),
    records: bigint('records', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** The numbers of failed and of waiting invocations at that time. */
    deadLetters: integer('dead_letters').notNull().default(0),
    waiting: integer('waiting').notNull().default(0),
    /** The logs of invocations before this time are removed. */
    logsUntil: moment('logs_until').notNull().default('-infinity'),
  },
  (t) => [index('site_meters_due_at_idx').on(t.dueAt)],
)

/** The use of each site in each calendar month, in UTC. */
export const siteUse = pgTable(
  'site_use',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    /** The first day of the month. */
    month: date('month').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull().default(0),
    invocations: bigint('invocations', { mode: 'number' }).notNull().default(0),
    emails: bigint('emails', { mode: 'number' }).notNull().default(0),
    /** The maximum that was measured in the month. */
    records: bigint('records', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ name: 'site_use_pkey', columns: [t.siteId, t.month] })],
)

/** The limits of a site, which superusers set. */
export const siteLimits = pgTable(
  'site_limits',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    measure: text('measure').notNull(),
    /** When the use reaches it, the site's managers get a notice. Null: no limit. */
    soft: bigint('soft', { mode: 'number' }),
    /** When the use reaches it, requests that need more are refused. Null: no limit. */
    hard: bigint('hard', { mode: 'number' }),
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
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    measure: text('measure').notNull(),
    month: date('month').notNull(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The limit; `used` is the use that reached it. */
    soft: bigint('soft', { mode: 'number' }).notNull(),
    used: bigint('used', { mode: 'number' }).notNull(),
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

/**
 * The keys with which the directory of an organization (Okta, Entra and others) calls SCIM. A key belongs to
 * the organization, not to its maker. Only the hash of a key is stored.
 */
export const scimKeys = pgTable(
  'scim_keys',
  {
    id: id(),
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The beginning of the key, by which people recognize it. */
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique('scim_keys_hash_key'),
    /** The maker of the key. Only the keys of owners can change owners. */
    createdBy: bigint('created_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Accurate to the minute. */
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [
    index('scim_keys_organization_id_idx').on(t.organizationId),
    index('scim_keys_created_by_idx').on(t.createdBy),
  ],
)

/**
 * The data of an organization's directory about an account: a member, an invited person, or a person whose
 * membership the directory has ended. Null: the directory has sent nothing, and the account's own data
 * counts.
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
    /** The ids of the groups that the account gets when it becomes a member, also again. */
    heldGroups: bigint('held_groups', { mode: 'number' }).array().notNull().default(sql`'{}'`),
    /** Whether the directory has ended the membership. It may then restore it without an invitation. */
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
 * Copies, exports and imports of sites, which jobs carry out in steps. The transaction of a step also saves
 * the progress.
 */
export const transfers = pgTable(
  'transfers',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    organizationId: bigint('organization_id', { mode: 'number' })
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The source site; for an import, the site that it creates. Null: it was erased. */
    siteId: bigint('site_id', { mode: 'number' }).references(() => sites.id, { onDelete: 'set null' }),
    /** The site that the transfer creates. Null: it creates none, or the site was erased. */
    targetId: bigint('target_id', { mode: 'number' }).references(() => sites.id, { onDelete: 'set null' }),
    /** The slug of the created or exported site. */
    slug: text('slug').notNull(),
    state: text('state').notNull(),
    /** Whether to include records and secrets, and the public key that encrypts secrets. */
    options: jsonb('options').notNull().default({}),
    /**
     * The encrypted private key that decrypts the secrets of an archive. Null after the transfer has ended.
     */
    sealed: text('sealed'),
    /** The tasks, in order. Null: the first step determines them. */
    tasks: json('tasks'),
    /** How many of the tasks are done. */
    position: integer('position').notNull().default(0),
    /** Where the current task continues. Null: at its start. */
    place: jsonb('place'),
    /** How many records, edges and secrets were read or created. */
    counts: jsonb('counts').notNull().default({}),
    /** The things that people must do by hand, one sentence each. */
    notes: jsonb('notes').notNull().default([]),
    /** Why the transfer has failed. */
    error: text('error'),
    /** The lease of the Worker that carries out the transfer; `leased_until` is its end. */
    lease: uuid('lease'),
    leasedUntil: moment('leased_until'),
    /** How many times a Worker has started since the last finished step. */
    attempts: integer('attempts').notNull().default(0),
    /** How many times the archive of an export was downloaded; null: never. */
    downloads: integer('downloads'),
    createdBy: bigint('created_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
    /**
     * The generation of the account when it requested the transfer. If the account's sign-ins are ended, the
     * transfer ends, too.
     */
    generation: integer('generation').notNull(),
    created: created(),
    endedAt: moment('ended_at'),
    /** When the transfer is removed, with its archive. */
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

/** The files of archives, in parts: the files that an export writes, and those that an import reads. */
export const transferParts = pgTable(
  'transfer_parts',
  {
    transferId: uuid('transfer_id')
      .notNull()
      .references(() => transfers.id, { onDelete: 'cascade' }),
    /** The file's path in the archive. Empty: the archive itself, as it was uploaded. */
    path: text('path').notNull(),
    number: integer('number').notNull(),
    /** For a file, compressed data: the parts in order are one compressed file. */
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
