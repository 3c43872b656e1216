/** The statements on public.invitations. */

import type { invitations, organizations } from '../../../drizzle/platform/organizations.ts'
import type { Caller, TenantLocator } from '../../kernel/context.ts'
import { callerSql } from '../../kernel/db/caller.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Config } from '../../kernel/env.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import type { InvocationUser, Listener } from '../../runtime/events/accounts/service.ts'
import { type LetterSender, senderColumns } from '../mail/service.ts'
import type { InvitationState } from './errors.ts'
import { type InvitationConfig, type InvitationsQuery, type ListedInvitation, listForm } from './schema.ts'
import type { InvitationRow } from './views.ts'

const i = of<typeof invitations>('i')
const o = of<typeof organizations>('o')

export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    created: sql`i.created`,
  },
  last: sql`i.id desc`,
  texts: [sql`public.shown_address(i.invitee_identifier)`],
}

/** A user as JSON; null if the join found none. */
const person = (user: Sql) => sql`
  case when ${user}.id is not null then json_build_object(
    'id', ${user}.id, 'uuid', ${user}.uuid, 'username', ${user}.username,
    'email', public.shown_address(${user}.email),
    'first_name', ${user}.first_name, 'last_name', ${user}.last_name) end`

const listColumns = columnsOf(
  i('id', 'uuid', 'organization_id as organization'),
  o('name as organization_name'),
  computed<Pick<InvitationRow, 'invitee_identifier'>>({
    invitee_identifier: sql`public.shown_address(i.invitee_identifier)`,
  }),
  i('invited_by', 'config'),
  i.times('created'),
)
const columns = columnsOf(
  listColumns,
  computed<Pick<InvitationRow, 'invited_by_user'>>({ invited_by_user: person(sql`b`) }),
  i('invitee'),
  computed<Pick<InvitationRow, 'invitee_user'>>({ invitee_user: person(sql`u`) }),
)
const from = sql`
  from public.invitations i join public.organizations o on o.id = i.organization_id
  left join public.users b on b.id = i.invited_by left join public.users u on u.id = i.invitee`

/** An invitation to create. `organization` is a slug, `callerId` the inviter, `email` the invitee. */
export interface InvitationToCreate {
  uuid: string
  organization: string
  callerId: number
  email: string
  config: InvitationConfig
}

/**
 * The result of public.invite. `made`: the invitation exists, and has replaced a pending one if
 * `is_replaced`. `member`: the invitee is a member, and nothing was changed. `asks`: nothing was changed yet,
 * because `listeners` must run before an account with the name `username` is created.
 */
export type InviteResult =
  | { outcome: 'made'; is_replaced: boolean }
  | { outcome: 'member' }
  | { outcome: 'asks'; username: string; listeners: Listener[] }

/**
 * Creates an invitation, and an inactive account if the address has none. `username` is null in the first
 * call; after the result `asks` and a run of the listeners, it is the name in that result.
 */
export const invite = (
  { uuid, organization, callerId, email, config }: InvitationToCreate,
  { host, slug }: TenantLocator,
  username: string | null,
) => sql<InviteResult>`
  select outcome, username, listeners, is_replaced
    from public.invite(
      row(${uuid}, ${organization}, ${callerId}, ${email}, ${JSON.stringify(config)})::public.new_invitation,
      ${host}, ${slug}, ${username})`

/** Selects the inviter, on whose behalf functions run. */
export const selectInviter = (callerId: number) =>
  sql<InvocationUser>`select u.id, u.username, u.email from public.users u where u.id = ${callerId}`

/** Selects an invitation of an organization. No row if the organization does not have it. */
export const selectInvitation = (organization: string, uuid: string) => sql`
  select ${columns} ${from} where o.slug = ${organization} and i.uuid = ${uuid}`

/** An invitation that was found by its token. */
export interface TokenRow extends InvitationRow {
  /** `pending` if it can be accepted. */
  state: InvitationState
  /** Whether the invitee's address has an account that was ever used. */
  is_known: boolean
  /** The slugs of those sites in `config` that belong to the organization and are not deleted. */
  own_sites: string[]
}

/** Selects an invitation by its token. `maxAgeDays` is null if invitations do not expire. */
export const selectByToken = (token: string, maxAgeDays: number | null) => sql<TokenRow>`
  select ${columns}, public.invitation_state(i, ${maxAgeDays}) as state, ${isKnown} as is_known,
         array(select s.slug from public.sites s
                where s.organization_id = i.organization_id and s.deletes_at is null
                  and s.slug in (select c.site ->> 'slug'
                                   from jsonb_array_elements(i.config -> 'site') c (site))) as own_sites
    ${from} where i.uuid = ${token}`

/**
 * The condition that the address of the invitation `i` has an account that was ever used. Accepting changes
 * that account, even if another account had the address when the invitation was made.
 */
const isKnown = sql`
  exists (select from public.users k where lower(k.email) = lower(i.invitee_identifier)
             and public.is_used(k))`

/**
 * Selects the user name and the address of the account that accepting an invitation changes or creates, and
 * whether it exists.
 */
export const selectAccount = (token: string) => sql<{ username: string; email: string; exists: boolean }>`
  select coalesce(u.username, public.placeholder_name(i.invitee_identifier)) as username,
         i.invitee_identifier as email, u.id is not null as exists
    from public.invitations i
    left join public.users u on lower(u.email) = lower(i.invitee_identifier)
   where i.uuid = ${token}`

/** A query for the id of an invitation's organization. */
export const organizationOf = (token: string): Sql =>
  sql`select i.organization_id from public.invitations i where i.uuid = ${token}`

/** Publishes an event of the account `u` that has just accepted. */
export const publishAccepted = (token: string, event: Sql): Sql => sql`
  select ${event} from public.invitations i join public.users u on u.id = i.invitee where i.uuid = ${token}`

/** Selects a page of an organization's invitations: the pending and the accepted ones. */
export const selectInvitations = (organization: string, query: InvitationsQuery) =>
  selectPage<ListedInvitation>(list, query, {
    columns: listColumns,
    from: sql`public.invitations i join public.organizations o on o.id = i.organization_id`,
    where: [
      sql`o.slug = ${organization} and i.ended is null`,
      ...(query.invitee__is_active === undefined
        ? []
        : [sql`(i.accepted_at is not null) = ${query.invitee__is_active}`]),
    ],
  })

/**
 * Deletes an invitation and the account that exists only for it. Fails if it does not exist or was accepted.
 */
export const cancelInvitation = (uuid: string, organization: string): Sql =>
  sql`select public.cancel_invitation(${uuid}, ${organization})`

/** Requests the e-mail of the invitee's newest pending invitation again. No row if there is none. */
export const requestEmail = (organization: string, inviteeId: number) => sql<RequestedEmail>`
  update public.invitations i set mail = 'wanted', mail_wanted_at = now(), mail_version = i.mail_version + 1
   where i.id = (select n.id from public.invitations n join public.organizations o on o.id = n.organization_id
                  where o.slug = ${organization} and n.invitee = ${inviteeId} and public.is_pending(n)
                  order by n.created desc, n.id desc limit 1)
  returning i.id, i.mail_version as "mailVersion"`

/** The person who accepts. `codeHash` is the hash of the code in the link, or null without one. */
export interface Acceptor {
  passwordHash: string
  firstName: string
  lastName: string
  codeHash: string | null
}

/**
 * The conditions for accepting. `maxAgeDays` is null if invitations do not expire, `caller` is null without
 * credentials.
 */
interface AcceptanceRules {
  mode: Config['INVITATION_EXISTING_ACCOUNTS']
  maxAgeDays: number | null
  caller: Caller | null
}

/**
 * Accepts an invitation. Returns whether its account is `new`, `existing`, or the caller's `own`, whose
 * password stays. Fails with the SQLSTATEs of accept_invitation.sql. `selectAccepted` selects the account
 * afterwards.
 */
export const accept = (
  token: string,
  { passwordHash, firstName, lastName, codeHash }: Acceptor,
  { mode, maxAgeDays, caller }: AcceptanceRules,
) => sql<{ account: 'new' | 'existing' | 'own' }>`
  select account from public.accept_invitation(
    ${token}, row(${passwordHash}, ${firstName}, ${lastName}, ${codeHash})::public.accepted_person,
    ${mode}, ${maxAgeDays}, ${callerSql(caller)})`

/** An accepted invitation with its account and its organization. */
export interface AcceptedRow {
  invitation_id: number
  user_id: number
  email: string
  first_name: string
  last_name: string
  organization_id: number
  slug: string
  name: string
}

export const selectAccepted = (token: string) => sql<AcceptedRow>`
  select i.id as invitation_id, u.id as user_id, public.shown_address(u.email) as email,
         u.first_name, u.last_name, o.id as organization_id, o.slug, o.name
    from public.invitations i
    join public.users u on u.id = i.invitee
    join public.organizations o on o.id = i.organization_id
   where i.uuid = ${token}`

/** An e-mail that is due: the id of its invitation, and a number that each request increments. */
export interface RequestedEmail {
  id: number
  mailVersion: number
}

const isDue = ({ id, mailVersion }: RequestedEmail) =>
  sql`i.id = ${id} and i.mail = 'wanted' and i.mail_version = ${mailVersion}`

/** The name of an e-mail in public.letters. */
const referenceOf = ({ id, mailVersion }: RequestedEmail): string => `invitation ${id} ${mailVersion}`

/** Counts an e-mail that is due: public.admit_invitation_email. `budget`: the organization's for a day. */
export const admitEmail = (email: RequestedEmail, budget: number): Sql => sql`
  select public.admit_invitation_email(
    ${email.id}, ${email.mailVersion}, ${referenceOf(email)}, ${budget})`

/**
 * Stores the hash of a new code, and returns the data of the e-mail. No row if the e-mail is no longer due,
 * or was not admitted.
 */
export const setCode = (email: RequestedEmail, codeHash: string) => sql<EmailRow>`
  update public.invitations i set code_hash = ${codeHash}
    from public.organizations o, public.invitations n left join public.users b on b.id = n.invited_by
   where ${isDue(email)} and public.is_pending(i) and o.id = i.organization_id and n.id = i.id
     and exists (select from public.letters l where l.reference = ${referenceOf(email)})
  returning i.uuid, i.invitee_identifier as "to", ${senderColumns(sql`i.invitee_identifier`)},
            b.first_name, b.last_name, ${isKnown} as "isKnown",
            (select k.preferred_language from public.users k
              where lower(k.email) = lower(i.invitee_identifier)) as preferred`

/**
 * The data of an invitation e-mail. The members about the inviter are null if the account no longer exists.
 */
export interface EmailRow extends LetterSender {
  uuid: string
  to: string
  first_name: string | null
  last_name: string | null
  /** The language that the invited account prefers. Null: none, or there is no account. */
  preferred: string | null
  isKnown: boolean
}

/** Records that an e-mail was sent or has failed, unless it was requested again since. */
export const markEmail = (email: RequestedEmail, state: 'sent' | 'failed'): Sql => sql`
  update public.invitations i set mail = ${state} where ${isDue(email)}`

/** Selects up to 100 e-mails that have been due for this long. */
export const selectOverdue = (minutes: number) => sql<RequestedEmail>`
  select i.id, i.mail_version as "mailVersion" from public.invitations i
   where i.mail = 'wanted' and public.is_pending(i)
     and i.mail_wanted_at < now() - make_interval(mins => ${minutes})
   order by i.id limit 100`

/**
 * Selects the recipient of a password notice that is due: the address that the account had when it was
 * changed.
 */
export const selectNotice = (id: number) => sql<{
  to: string
  organization: string
  preferred: string | null
}>`
  select i.notice_to as "to", o.name as organization, u.preferred_language as preferred
    from public.invitations i join public.organizations o on o.id = i.organization_id
    left join public.users u on u.id = i.invitee
   where i.id = ${id} and i.notice = 'wanted'`

/** Records that a password notice was sent or has failed. */
export const markNotice = (id: number, state: 'sent' | 'failed'): Sql => sql`
  update public.invitations i set notice = ${state} where i.id = ${id} and i.notice = 'wanted'`

/** Selects up to 100 password notices that have been due for this long. */
export const selectOverdueNotices = (minutes: number) => sql<{ id: number }>`
  select i.id from public.invitations i
   where i.notice = 'wanted' and i.accepted_at < now() - make_interval(mins => ${minutes})
   order by i.id limit 100`
