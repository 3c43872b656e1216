/** The directories of organizations, which use SCIM. */
import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'
import { ofUser, users } from './accounts.ts'
import { created } from './columns.ts'
import { ofOrganization } from './organizations.ts'

/**
 * The keys with which the directory of an organization (Okta, Entra and others) calls SCIM. A key belongs to
 * the organization, not to its maker. Only the hash of a key is stored.
 */
export const scimKeys = pgTable(
  'scim_keys',
  {
    id: id(),
    organizationId: ofOrganization(),
    name: text('name').notNull(),
    /** The beginning of the key, by which people recognize it. */
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique('scim_keys_hash_key'),
    /** The maker of the key. Only the keys of owners can change owners. */
    createdBy: bigNumber('created_by').references(() => users.id, { onDelete: 'set null' }),
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
    organizationId: ofOrganization(),
    userId: ofUser(),
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    givenName: text('given_name'),
    familyName: text('family_name'),
    displayName: text('display_name'),
    email: text('email'),
    preferredLanguage: text('preferred_language'),
    /** The ids of the groups that the account gets when it becomes a member, also again. */
    heldGroups: bigNumber('held_groups').array().notNull().default(sql`'{}'`),
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
