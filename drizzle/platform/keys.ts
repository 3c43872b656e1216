/** API keys, and the keys that encrypt and sign. */
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { ApiKey } from '../../src/kernel/access/api-keys/schema.ts'
import { id, moment } from '../columns.ts'
import { ofUser } from './accounts.ts'
import { bytes } from './columns.ts'
import { ofSite } from './sites.ts'

/** API keys, each of a user and for a site. Only the hash of a key is stored. A4. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    userId: ofUser(),
    siteId: ofSite(),
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
     * The actions that the key may do with each table, as src/kernel/access/api-keys/scopes.ts reads them. Null: the
     * rights of A4.
     */
    scopes: json('scopes').$type<ApiKey['scopes']>(),
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
    siteId: ofSite(),
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
