/** Second factors and passkeys. */
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'
import { ofUser, users } from './accounts.ts'
import { created } from './columns.ts'
import { masterKeys } from './keys.ts'
import { organizations } from './organizations.ts'

/** The secret of an account's authenticator app (TOTP). One for each account. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: bigNumber('user_id')
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
  lastStep: bigNumber('last_step').notNull().default(0),
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
    userId: ofUser(),
  },
  (t) => [index('recovery_codes_user_id_idx').on(t.userId)],
)

/** Passkeys: public keys of authenticators that sign in to accounts by WebAuthn. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: ofUser(),
    /** The id that the authenticator gave the passkey, in base64url. */
    credentialId: text('credential_id').notNull().unique('passkeys_credential_id_key'),
    /** The public key as COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** How often the authenticator has signed. Always 0 for authenticators that do not count. */
    counter: bigNumber('counter').notNull(),
    /** The host that the passkey belongs to. */
    rpId: text('rp_id').notNull(),
    /** The organization in which its sign-ins count: the organization of the domain. Null: everywhere. */
    organizationId: bigNumber('organization_id').references(() => organizations.id, {
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
    userId: ofUser(),
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
    userId: ofUser(),
    /**
     * The generation of the account when the first factor was checked. If the account has another one, the
     * sign-in has ended.
     */
    generation: integer('generation').notNull(),
    /** The only organization in which the sign-in counts. Null: it counts everywhere. */
    organizationId: bigNumber('organization_id'),
    /** The tenant's host at which it began. Null: a host of the platform. */
    host: text('host'),
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
    userId: bigNumber('user_id').references(() => users.id, { onDelete: 'cascade' }),
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
