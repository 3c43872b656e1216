/** Organizations with their members, groups and invitations. */
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
import type { InvitationConfig } from '../../src/identity/invitations/schema.ts'
import type { Member } from '../../src/identity/organizations/members/schema.ts'
import type { Act } from '../../src/identity/organizations/sites/people/schema.ts'
import { bigNumber, id, moment } from '../columns.ts'
import { ofUser, users } from './accounts.ts'
import { created } from './columns.ts'

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
  createdBy: bigNumber('created_by').references(() => users.id, { onDelete: 'set null' }),
})

/** The organization of a row, which is deleted with its organization. */
export const ofOrganization = () =>
  bigNumber('organization_id')
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' })

export const memberships = pgTable(
  'memberships',
  {
    organizationId: ofOrganization(),
    userId: ofUser(),
    role: text('role').$type<Member['role']>().notNull(),
    joined: moment('joined').notNull().defaultNow(),
    /** The act of the person by which it began. Null: a manager or the founder made it, or it is older. X2. */
    joinedBy: text('joined_by').$type<Act>(),
  },
  (t) => [
    primaryKey({ name: 'memberships_pkey', columns: [t.organizationId, t.userId] }),
    index('memberships_user_id_idx').on(t.userId),
    check('memberships_role_check', sql`${t.role} in ('owner', 'admin', 'member')`),
    check('memberships_joined_by_check', sql`${t.joinedBy} in ('sign_up', 'invitation', 'directory')`),
  ],
)

/** The organization that made an account (POST /api/users/, SCIM), which is a tie to it. T11. */
export const madeAccounts = pgTable(
  'made_accounts',
  {
    userId: ofUser().primaryKey(),
    organizationId: ofOrganization(),
  },
  (t) => [index('made_accounts_organization_id_idx').on(t.organizationId)],
)

/** Named sets of an organization's members. T4. */
export const groups = pgTable(
  'groups',
  {
    id: id(),
    organizationId: ofOrganization(),
    name: text('name').notNull(),
    created: created(),
    /** The id of the group in the directory of the organization (SCIM). */
    externalId: text('external_id'),
    /** When the directory last changed the group. Null: never. */
    modified: moment('modified'),
  },
  (t) => [uniqueIndex('groups_organization_id_name_key').on(t.organizationId, sql`lower(${t.name})`)],
)

export const groupMembers = pgTable(
  'group_members',
  {
    groupId: bigNumber('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: ofUser(),
  },
  (t) => [
    primaryKey({ name: 'group_members_pkey', columns: [t.groupId, t.userId] }),
    index('group_members_user_id_idx').on(t.userId),
  ],
)

/** Invitations of people to organizations. The uuid is the token that accepts one. Spec: Invitation. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    uuid: uuid('uuid').notNull().unique('invitations_uuid_key'),
    organizationId: ofOrganization(),
    inviteeIdentifier: text('invitee_identifier').notNull(),
    invitedBy: bigNumber('invited_by').references(() => users.id, { onDelete: 'set null' }),
    invitee: bigNumber('invitee').references(() => users.id, { onDelete: 'set null' }),
    config: jsonb('config').$type<InvitationConfig>().notNull(),
    /**
     * The hash of the code in the link of the newest e-mail. A person who knows the code can read the
     * invitee's mail.
     */
    codeHash: text('code_hash'),
    /** The state of the e-mail: to be sent, sent, failed, or dropped because nobody is to get it. */
    mail: text('mail').notNull().default('wanted'),
    mailWantedAt: moment('mail_wanted_at').notNull().defaultNow(),
    /** How often the e-mail was requested. A message of the queue has one of these numbers. */
    mailVersion: integer('mail_version').notNull().default(1),
    created: created(),
    acceptedAt: moment('accepted_at'),
    /** Why it ended without being accepted: see public.end_invitations. Null: it did not. */
    ended: text('ended'),
    /**
     * The address of the notice to an account's owner that accepting has changed the account: the address
     * that the account had then. `notice` is the state of that e-mail.
     */
    noticeTo: text('notice_to'),
    notice: text('notice'),
  },
  (t) => [
    index('invitations_organization_id_created_idx').on(t.organizationId, t.created),
    // I8: an address has one pending invitation of an organization.
    uniqueIndex('invitations_pending_key')
      .on(t.organizationId, sql`lower(${t.inviteeIdentifier})`)
      .where(sql`${t.acceptedAt} is null and ${t.ended} is null`),
    index('invitations_invitee_idx').on(t.invitee),
    index('invitations_invited_by_idx').on(t.invitedBy),
    index('invitations_mail_wanted_at_idx').on(t.mailWantedAt).where(sql`${t.mail} = 'wanted'`),
    check(
      'invitations_ended_check',
      sql`${t.ended} in ('replaced', 'joined', 'removed', 'deactivated', 'address')`,
    ),
    check('invitations_mail_check', sql`${t.mail} in ('wanted', 'sent', 'failed', 'dropped')`),
    check('invitations_notice_check', sql`${t.notice} in ('wanted', 'sent', 'failed')`),
  ],
)
