/** The sign-in providers of the site. */
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Settings } from '../../src/identity/login/social-apps/schema.ts'
import { bigNumber, moment } from '../columns.ts'
import { identity, isGone, provenance, siteId, tenant } from './columns.ts'

/**
 * Providers that people sign in with. The secret and the key are encrypted for exactly this row and version.
 */
export const socialApps = tenant.table(
  '_social_apps',
  {
    siteId: siteId(),
    id: identity(),
    /** The encrypted texts are bound to this id, which is known before the row is inserted. */
    uid: uuid('uid').notNull(),
    provider: text('provider').notNull(),
    providerId: text('provider_id').notNull().default(''),
    /** Its name in paths. */
    handle: text('handle').notNull().generatedAlwaysAs(sql`coalesce(nullif(provider_id, ''), provider)`),
    name: text('name').notNull(),
    clientId: text('client_id').notNull(),
    secret: text('secret').notNull(),
    /** Encrypted; empty if there is none. */
    key: text('key').notNull().default(''),
    /** Increases when the secret or the key changes. */
    version: integer('version').notNull().default(1),
    /** Increases with every change, so that a change applies only to the row that was read. */
    revision: integer('revision').notNull().default(1),
    settings: jsonb('settings').$type<Settings>().notNull().default({}),
    /** The issuer of the discovery document, after that was read and validated. */
    issuer: text('issuer'),
    ...provenance(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_social_apps_pkey', columns: [t.siteId, t.id] }),
    unique('_social_apps_handle_key').on(t.siteId, t.handle),
    check('_social_apps_handle_check', sql`${t.handle} not in ('', '.', '..')`),
  ],
)

/**
 * Started sign-ins at a provider: the values that were sent, to compare the response with. Each can be
 * finished once.
 */
export const socialAttempts = tenant.table(
  '_social_attempts',
  {
    siteId: siteId(),
    /** A hash, so that a reader of the table cannot finish somebody's sign-in. */
    state: text('state').notNull(),
    socialAppId: bigNumber('social_app_id').notNull(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** The path on this host to which the browser returns afterwards. */
    next: text('next').notNull(),
    /**
     * The account to link the provider to, and the sign-in that requested it. Null: the attempt is a sign-in.
     */
    linkUserId: bigNumber('link_user_id'),
    linkSignIn: uuid('link_sign_in'),
    /**
     * For SAML: a hash of the code that finishes the sign-in, and the person whom the provider has asserted.
     * Null until the response of the provider arrives.
     */
    codeHash: text('code_hash'),
    identity: jsonb('identity'),
    /** Whether the sign-in was started at the provider, without a request of ours. */
    isUnsolicited: boolean('is_unsolicited').notNull().default(false),
    expiresAt: moment('expires_at').notNull(),
    isGone: isGone(),
  },
  (t) => [
    primaryKey({ name: '_social_attempts_pkey', columns: [t.siteId, t.state] }),
    index('_social_attempts_expires_at_idx').on(t.siteId, t.expiresAt),
    index('_social_attempts_social_app_id_idx').on(t.siteId, t.socialAppId),
    foreignKey({
      name: '_social_attempts_social_app_id_fkey',
      columns: [t.siteId, t.socialAppId],
      foreignColumns: [socialApps.siteId, socialApps.id],
    }).onDelete('cascade'),
  ],
)
