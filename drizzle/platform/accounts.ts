/** The accounts of people. */
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bigNumber, id, moment } from '../columns.ts'

/**
 * The accounts of people, for the whole platform. Their rights are in `memberships` and `site_permissions`.
 */
export const users = pgTable(
  'users',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('users_uuid_key').defaultRandom(),
    username: text('username').notNull(),
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
    uniqueIndex('users_username_key').on(sql`lower(${t.username})`),
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

/** The account of a row, which is deleted with its account. */
export const ofUser = () =>
  bigNumber('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
