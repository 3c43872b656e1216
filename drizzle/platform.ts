/** The platform's own tables, in schema `public`: people, organizations and sites. One copy per database. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

const id = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
const created = () => moment('created').notNull().defaultNow()

/** People. They are platform-wide; what they may do stands in `memberships` and `site_permissions`. */
export const users = pgTable(
  'users',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('users_uuid_key').defaultRandom(),
    username: text('username').notNull().unique('users_username_key'),
    email: text('email').notNull(),
    /** When it was shown that whoever signs in here reads this e-mail's letters. Null: never. */
    emailVerifiedAt: moment('email_verified_at'),
    passwordHash: text('password_hash'),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    isSuperuser: boolean('is_superuser').notNull().default(false),
    /** Tokens issued before this moment are refused. */
    tokensValidAfter: moment('tokens_valid_after').notNull().default(sql`'-infinity'`),
    dateJoined: moment('date_joined').notNull().defaultNow(),
    lastLogin: moment('last_login'),
  },
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email})`), check('users_username_check', sql`${t.username} not in ('', '.', '..')`)],
)

export const organizations = pgTable('organizations', {
  id: id(),
  uuid: uuid('uuid').notNull().unique('organizations_uuid_key').defaultRandom(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique('organizations_slug_key'),
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
    isActive: boolean('is_active').notNull().default(true),
    /** How many tenant migrations the site's schema has had. */
    schemaVersion: integer('schema_version').notNull().default(0),
    /** Moves with every change of the site's apps, datasources and datatables; what was planned with an older one is refused. */
    catalogVersion: bigint('catalog_version', { mode: 'number' }).notNull().default(0),
    /** How long a statement that reads may take here, where that is less than anywhere. Set by whoever operates the service. */
    statementTimeoutMs: integer('statement_timeout_ms'),
    created: created(),
    createdBy: bigint('created_by', { mode: 'number' }).references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [index('sites_organization_id_idx').on(t.organizationId), check('sites_statement_timeout_ms_check', sql`${t.statementTimeoutMs} > 0`)],
)

export const siteDomains = pgTable(
  'site_domains',
  {
    domain: text('domain').primaryKey(),
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    isPrimary: boolean('is_primary').notNull().default(false),
    created: created(),
  },
  (t) => [index('site_domains_site_id_idx').on(t.siteId), check('site_domains_domain_check', sql`${t.domain} = lower(${t.domain})`)],
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
 * Refresh tokens by family: all that came of one sign-in. A family has a row from its first refresh on; of its tokens
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
  },
  (t) => [index('refresh_families_user_id_idx').on(t.userId), index('refresh_families_expires_at_idx').on(t.expiresAt)],
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
  (t) => [primaryKey({ name: 'group_members_pkey', columns: [t.groupId, t.userId] }), index('group_members_user_id_idx').on(t.userId)],
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
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
  },
  (t) => [index('api_keys_user_id_site_id_idx').on(t.userId, t.siteId), index('api_keys_site_id_idx').on(t.siteId)],
)

/** The master keys that data keys are wrapped by: of each a proof, by which the Worker's own is known to be the same. */
export const masterKeys = pgTable('master_keys', {
  kid: text('kid').primaryKey(),
  /** A text that the key encrypted. */
  proof: text('proof').notNull(),
})

/** The keys that the secrets of a site are encrypted with. The newest encrypts; an older one stays until nothing needs it. */
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
  (t) => [primaryKey({ name: 'data_keys_pkey', columns: [t.siteId, t.version] }), index('data_keys_master_kid_idx').on(t.masterKid)],
)

/**
 * Who is whom at a site's social apps: whom a provider calls `subject` is this user. It stands here, out of a tenant's
 * reach, because a row of it is a way to sign in. The app itself is a row of the site's own `_social_apps`.
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
    created: created(),
    lastLogin: moment('last_login').notNull().defaultNow(),
  },
  (t) => [unique('social_accounts_identity_key').on(t.siteId, t.socialAppId, t.issuer, t.subject), index('social_accounts_user_id_idx').on(t.userId)],
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
    /** Where the owner of an account is told that accepting has changed it: the address that it had then; and what has become of that letter. */
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

/** The deliveries of all sites that are not done, so that one look finds what was forgotten. Triggers keep it as the sites' own rows are. */
export const outbox = pgTable(
  'outbox',
  {
    siteId: bigint('site_id', { mode: 'number' })
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
    dueAt: moment('due_at').notNull(),
  },
  (t) => [primaryKey({ name: 'outbox_pkey', columns: [t.siteId, t.deliveryId] }), index('outbox_due_at_idx').on(t.dueAt)],
)

/**
 * The deleted datatables of all sites, so that one look finds those whose time is over. Triggers keep it as the sites'
 * own rows are.
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
  (t) => [primaryKey({ name: 'deleted_datatables_pkey', columns: [t.siteId, t.datatableId] }), index('deleted_datatables_due_at_idx').on(t.dueAt)],
)
