import type { Caller, TenantLocator } from '../context.ts'
import { callerSql } from '../db/caller.ts'
import { moment } from '../db/moment.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Config } from '../env.ts'
import type { Listener, RunUser } from '../events/accounts/service.ts'
import { type List, selectPage } from '../http/lists/list.ts'
import type { InvitationConfig, InvitationsQuery, ListedInvitation } from './schema.ts'
import type { InvitationRow } from './views.ts'

export const list: List = {
  orderings: new Map([['created', sql`i.created`]]),
  ordering: '-created',
  last: sql`i.id desc`,
  search: { texts: [sql`i.invitee_identifier`], in: 'the address of the invitee' },
}

const person = (of: Sql) => sql`
  case when ${of}.id is not null then json_build_object('id', ${of}.id, 'uuid', ${of}.uuid, 'username', ${of}.username, 'email', ${of}.email,
    'first_name', ${of}.first_name, 'last_name', ${of}.last_name) end`

const listed = sql`
  i.id, i.uuid, i.organization_id as organization, o.name as organization_name, i.invitee_identifier, i.invited_by, i.config, ${moment(sql`i.created`)} as created`
const columns = sql`${listed}, ${person(sql`b`)} as invited_by_user, i.invitee, ${person(sql`u`)} as invitee_user`
const from = sql`
  from public.invitations i join public.organizations o on o.id = i.organization_id
  left join public.users b on b.id = i.invited_by left join public.users u on u.id = i.invitee`

/** An invitation that is to be made. */
export interface NewInvitation {
  uuid: string
  organization: string
  callerId: number
  email: string
  config: InvitationConfig
}

/** What has come of it. `asks`: `listeners` run before an account with this name is made for it. See public.invite. */
export type Invited = { outcome: 'made' | 'member' } | { outcome: 'asks'; username: string; listeners: Listener[] }

/** `username`: the name that the listeners were told of; null before they were asked. */
export const invite = (
  { uuid, organization, callerId, email, config }: NewInvitation,
  { host, slug }: TenantLocator,
  username: string | null,
) => sql<Invited>`
  select outcome, username, listeners
    from public.invite(${uuid}, ${organization}, ${callerId}, ${email}, ${JSON.stringify(config)}::jsonb, ${host}, ${slug}, ${username})`

/** Whoever invites, as the cause of what functions are run for. */
export const selectInviter = (callerId: number) => sql<RunUser>`select u.id, u.username, u.email from public.users u where u.id = ${callerId}`

export const selectInvitation = (organization: string, uuid: string) => sql<InvitationRow>`
  select ${columns} ${from} where o.slug = ${organization} and i.uuid = ${uuid}`

/** An invitation as its token shows it. */
export interface TokenRow extends InvitationRow {
  /** Whether it can still be accepted. */
  is_pending: boolean
  /** Whether its address has an account that somebody has used. */
  is_known: boolean
  /** The slugs of its sites that belong to the organization. */
  own_sites: string[]
}

/** `maxAgeDays` null: it can be accepted at any age. */
export const selectByToken = (token: string, maxAgeDays: number | null) => sql<TokenRow>`
  select ${columns}, ${isPending(maxAgeDays)} as is_pending, ${isKnown} as is_known,
         array(select s.slug from public.sites s where s.organization_id = i.organization_id
                  and s.slug in (select c.site ->> 'slug' from jsonb_array_elements(i.config -> 'site') c (site))) as own_sites ${from} where i.uuid = ${token}`

/** Whether there is an account with its address that somebody has used: accepting is about that one, whoever was invited then. */
const isKnown = sql`
  exists (select from public.users k where lower(k.email) = lower(i.invitee_identifier)
             and public.is_used(k))`

/** What the account that it makes is, or would be, called. */
export const selectName = (token: string) => sql<{ username: string; email: string }>`
  select coalesce(u.username, public.placeholder_name(i.invitee_identifier)) as username, i.invitee_identifier as email
    from public.invitations i left join public.users u on lower(u.email) = lower(i.invitee_identifier) where i.uuid = ${token}`

export const organizationOf = (token: string): Sql => sql`select i.organization_id from public.invitations i where i.uuid = ${token}`

/** Says of the account, `u`, that has just accepted that it was made (its date is that of this transaction), or changed. */
export const announceAccepted = (token: string, made: Sql, changed: Sql): Sql => sql`
  select case when u.date_joined = now() then ${made} else ${changed} end
    from public.invitations i join public.users u on u.id = i.invitee where i.uuid = ${token}`

const isPending = (maxAgeDays: number | null) => sql`
  (i.accepted_at is null and public.still_invites(i) and (${maxAgeDays}::integer is null or i.created >= now() - make_interval(days => ${maxAgeDays}::integer)))`

export const selectInvitations = (organization: string, query: InvitationsQuery) =>
  selectPage<ListedInvitation>(list, query, {
    columns: listed,
    from: sql`public.invitations i join public.organizations o on o.id = i.organization_id`,
    where: [
      sql`o.slug = ${organization}`,
      ...(query.invitee__is_active === undefined ? [] : [sql`(i.accepted_at is not null) = ${query.invitee__is_active}`]),
    ],
  })

export const cancelInvitation = (uuid: string, organization: string): Sql => sql`select public.cancel_invitation(${uuid}, ${organization})`

/** The newest pending one of an invitee wants its letter again. A row where there is one. */
export const wantLetter = (organization: string, inviteeId: number) => sql<WantedLetter>`
  update public.invitations i set mail = 'wanted', mail_wanted_at = now(), mail_version = i.mail_version + 1
   where i.id = (select n.id from public.invitations n join public.organizations o on o.id = n.organization_id
                  where o.slug = ${organization} and n.invitee = ${inviteeId} and n.accepted_at is null order by n.created desc, n.id desc limit 1)
  returning i.id, i.mail_version as "mailVersion"`

export interface AcceptedPerson {
  passwordHash: string
  firstName: string
  lastName: string
  codeHash: string | null
}

/** Answers which kind of account it is now of: `new`, `existing`, or the caller's `own`. Who accepted, `selectAccepted` answers after it. */
export const accept = (
  token: string,
  { passwordHash, firstName, lastName, codeHash }: AcceptedPerson,
  mode: Config['INVITATION_EXISTING_ACCOUNTS'],
  maxAgeDays: number | null,
  caller: Caller | null,
) => sql<{ account: 'new' | 'existing' | 'own' }>`
  select account from public.accept_invitation(${token}, ${passwordHash}, ${firstName}, ${lastName}, ${codeHash}, ${mode}, ${maxAgeDays},
    ${callerSql(caller)})`

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
  select i.id as invitation_id, u.id as user_id, u.email, u.first_name, u.last_name, o.id as organization_id, o.slug, o.name
    from public.invitations i join public.users u on u.id = i.invitee join public.organizations o on o.id = i.organization_id where i.uuid = ${token}`

/** A letter that is to be sent: the invitation, and which of the times it was wanted. */
export interface WantedLetter {
  id: number
  mailVersion: number
}

const isWanted = ({ id, mailVersion }: WantedLetter) => sql`i.id = ${id} and i.mail = 'wanted' and i.mail_version = ${mailVersion}`

/** What its letter says; with a new code, of which the database keeps the hash. No row for one that is not wanted any more. */
export const writeLetter = (letter: WantedLetter, codeHash: string) => sql<LetterRow>`
  update public.invitations i set code_hash = ${codeHash}
    from public.organizations o, public.invitations n left join public.users b on b.id = n.invited_by
   where ${isWanted(letter)} and i.accepted_at is null and o.id = i.organization_id and n.id = i.id
  returning i.uuid, i.invitee_identifier as "to", o.name as organization, b.first_name, b.last_name, b.email as "inviterEmail",
            ${isKnown} as "isKnown"`

export interface LetterRow {
  uuid: string
  to: string
  organization: string
  first_name: string | null
  last_name: string | null
  inviterEmail: string | null
  isKnown: boolean
}

export const noteLetter = (letter: WantedLetter, state: 'sent' | 'failed'): Sql => sql`
  update public.invitations i set mail = ${state} where ${isWanted(letter)}`

/** Letters that should have been sent by now. */
export const selectForgotten = (minutes: number) => sql<WantedLetter>`
  select i.id, i.mail_version as "mailVersion" from public.invitations i
   where i.mail = 'wanted' and i.accepted_at is null and i.mail_wanted_at < now() - make_interval(mins => ${minutes}) order by i.id limit 100`

/** Whom to tell that accepting has changed an account: at the address that it had then. */
export const selectNotice = (id: number) => sql<{ to: string; organization: string }>`
  select i.notice_to as "to", o.name as organization from public.invitations i join public.organizations o on o.id = i.organization_id
   where i.id = ${id} and i.notice = 'wanted'`

export const noteNotice = (id: number, state: 'sent' | 'failed'): Sql => sql`
  update public.invitations i set notice = ${state} where i.id = ${id} and i.notice = 'wanted'`

export const selectForgottenNotices = (minutes: number) => sql<{ id: number }>`
  select i.id from public.invitations i where i.notice = 'wanted' and i.accepted_at < now() - make_interval(mins => ${minutes}) order by i.id limit 100`
