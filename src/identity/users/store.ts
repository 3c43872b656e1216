/** The SQL of accounts. */

import type { users } from '../../../drizzle/platform/accounts.ts'
import type { Caller, TenantLocator } from '../../kernel/context.ts'
import { callerSql } from '../../kernel/db/caller.ts'
import { columnsOf, computed, of } from '../../kernel/db/columns.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type List, selectPage } from '../../kernel/http/lists/list.ts'
import { storedAddress } from '../../kernel/lib/mail-address.ts'
import { type ExternalUser, listForm, type UserChange, type UserInput, type UsersQuery } from './schema.ts'
import type { UserRow } from './views.ts'

const u = of<typeof users>('u')

/** The columns of a UserRow, from `public.users u`. */
export const columns = columnsOf(
  u('id', 'uuid', 'username'),
  computed<Pick<UserRow, 'email'>>({ email: sql`public.shown_address(u.email)` }),
  u('first_name', 'last_name', 'is_active', 'is_superuser'),
  u.times('date_joined', 'last_login'),
)

/** Selects an account. The caller's rights are not checked. */
export const selectUser = (id: number) => sql`select ${columns} from public.users u where u.id = ${id}`

const isSuperuser = (caller: Caller) =>
  sql`(select c.is_superuser from public.users c where c.id = ${caller.userId})`

/** The condition that `public.reach` is not 'none', in a form that is fast for a list. */
const isVisibleTo = (caller: Caller) => sql`
  (${isSuperuser(caller)}
   or u.id in (select m.user_id from public.managed_by(${callerSql(caller)}) o
                 join public.memberships m on m.organization_id = o.organization_id))`

/** The list of accounts. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    username: sql`u.username`,
    email: sql`u.email`,
    first_name: sql`u.first_name`,
    last_name: sql`u.last_name`,
    date_joined: sql`u.date_joined`,
    last_login: { nullable: sql`u.last_login` },
    id: sql`u.id`,
  },
  last: sql`u.id`,
  texts: [sql`u.username`, sql`public.shown_address(u.email)`, sql`u.first_name`, sql`u.last_name`],
}

/** Selects a page of the accounts that the caller can see. */
export const selectUsers = (caller: Caller, query: UsersQuery) =>
  selectPage(list, query, {
    columns,
    from: sql`public.users u`,
    where: [
      isVisibleTo(caller),
      ...(query.is_active === undefined ? [] : [sql`u.is_active = ${query.is_active}`]),
    ],
  })

/** What a caller can do with an account: see public.reach. */
export type Reach = 'none' | 'seen' | 'ending' | 'managed'

/** The reaches that suffice to change the activity or to delete. T11. */
export const endingReaches: readonly Reach[] = ['ending', 'managed']
/** The reaches that suffice to change anything else. */
export const managingReaches: readonly Reach[] = ['managed']

/** An account, and what the caller can do with it. */
export interface ReachedRow extends UserRow {
  reach: Reach
}

/** Adds the full name to rows of accounts, for `requireSame`. */
export const withFullName = (accounts: Sql): Sql => sql`
  select a.*, btrim(concat(a.first_name, ' ', a.last_name)) as full_name from (${accounts}) a`

/** The condition that an account `u` has a user name. User names are compared without case. T12. */
const isNamed = (username: string): Sql => sql`lower(u.username) = lower(${storedAddress(username)})`

/** Selects an account by its user name. */
export const selectByName = (caller: Caller, username: string) => sql<ReachedRow>`
  select ${columns}, public.reach(${callerSql(caller)}, u.id) as reach
    from public.users u where ${isNamed(username)}`

/** Selects an account that the caller may change, with the full name. */
export const selectChangeable = (caller: Caller, username: string, reaches: readonly Reach[]): Sql => sql`
  select a.* from (${withFullName(selectByName(caller, username))}) a
   where a.reach = any (${reaches}::text[])`

/**
 * Selects the organization that a new account of the caller joins: the organization of the request's site. If
 * the request has no site, or the caller does not manage its organization, it is the first organization that
 * the caller manages. Returns no row for a superuser in that case, because a superuser manages the accounts
 * of all organizations.
 */
export const homeOrganization = (caller: Caller, tenant: TenantLocator): Sql => sql`
  select h.organization_id
    from (select s.organization_id, 0 as place from public.sites s
           where s.slug = public.site_at(${tenant.host}, ${tenant.slug})
             and (${isSuperuser(caller)} or s.organization_id in (
                   select m.organization_id from public.managed_by(${callerSql(caller)}) m))
          union all
          select m.organization_id, 1 from public.managed_by(${callerSql(caller)}) m
           where not ${isSuperuser(caller)}) h
   order by h.place, h.organization_id limit 1`

/**
 * Frees an e-mail that only an invited account has, so that a new account can use it: public.release_address.
 * Does nothing if the user name is taken by another e-mail.
 */
export const releaseAddress = ({ username, email }: UserInput): Sql => sql`
  select public.release_address(${email})
   where not exists (select from public.users o
                      where lower(o.username) = lower(${username}) and lower(o.email) <> lower(${email}))`

/** Inserts an account and its membership in the home organization. */
export const insertUser = (
  caller: Caller,
  tenant: TenantLocator,
  input: UserInput,
  passwordHash: string,
) => sql`
  with u as (
    insert into public.users (username, email, password_hash, first_name, last_name)
    values (${input.username}, ${input.email}, ${passwordHash}, ${input.first_name}, ${input.last_name})
    returning *
  ), home as (
    ${homeOrganization(caller, tenant)}
  ), membership as (
    insert into public.memberships (organization_id, user_id, role)
    select home.organization_id, u.id, 'member' from home, u
  ), maker as (
    insert into public.made_accounts (user_id, organization_id)
    select u.id, home.organization_id from home, u
  )
  select ${columns} from u`

/** Inserts an account with the first user name that is free. Returns no row if all are taken. */
export const insertExternalUser = (account: ExternalUser) => sql`
  insert into public.users as u (uuid, username, email, first_name, last_name, last_login)
  select ${account.uuid}, c.name, ${account.email}, ${account.firstName}, ${account.lastName}, now()
    from unnest(${account.usernames}::text[]) with ordinality c (name, position)
   where not exists (select from public.users o where lower(o.username) = lower(c.name))
   order by c.position limit 1
  returning ${columns}`

/** Locks an account, so that nobody ties it to an organization while it is changed or deleted. */
export const lockUser = (username: string): Sql =>
  sql`select u.id from public.users u where ${isNamed(username)} for update`

/** A change of an account. `event` puts the event of `changed.account` into the outbox. */
interface UserUpdate {
  caller: Caller
  username: string
  change: UserChange
  /** The reaches that suffice. */
  reaches: readonly Reach[]
  /** Null: the password is kept. */
  passwordHash: string | null
  event: Sql
}

/**
 * Updates an account that the caller may change so, and returns it. A new password or a deactivation ends all
 * earlier sign-ins. A password that is set here does not count as the person's own, because the caller knows
 * it. After a new e-mail address, no earlier proof counts (public.forget_proofs). If the user name is the
 * e-mail address, it changes with the address.
 */
export const updateUser = ({ caller, username, change, reaches, passwordHash, event }: UserUpdate) => sql`
  with changed as (
    update public.users u
     set email = coalesce(${change.email ?? null}, u.email),
         username = case when strpos(u.username, '@') > 0 then coalesce(${change.email ?? null}, u.username)
                         else u.username end,
         first_name = coalesce(${change.first_name ?? null}, u.first_name),
         last_name = coalesce(${change.last_name ?? null}, u.last_name),
         is_active = coalesce(${change.is_active ?? null}, u.is_active),
         password_hash = coalesce(${passwordHash}, u.password_hash),
         password_is_own = u.password_is_own and ${passwordHash === null},
         generation = u.generation + ${passwordHash === null ? 0 : 1}
   where ${isNamed(username)} and public.reach(${callerSql(caller)}, u.id) = any (${reaches}::text[])
  returning u as account)
  select ${columns}, ${event} as event from changed, lateral (select (changed.account).*) u`

/**
 * Removes what opens an account that the caller manages, before the caller replaces its proved e-mail
 * address: public.drop_proven. Does nothing for the caller's own account and for superusers.
 */
export const dropProven = (caller: Caller, username: string, email: string): Sql => sql`
  select public.drop_proven(u.id, ${email}) from public.users u
   where ${isNamed(username)} and u.id <> ${caller.userId} and not ${isSuperuser(caller)}
     and public.reach(${callerSql(caller)}, u.id) = 'managed'`

/** Locks the organizations that an account owns: public.lock_owned. */
export const lockOwned = (username: string): Sql =>
  sql`select public.lock_owned(u.id) from public.users u where ${isNamed(username)}`

/**
 * Fails with TS400 (public.keep_an_owner) before the caller switches off an account without which an
 * organization has no owner who can sign in. Superusers may switch off every account. `lockOwned` comes
 * first.
 */
export const keepOwners = (caller: Caller, username: string): Sql => sql`
  select public.keep_an_owner(m.organization_id, u.id)
    from public.users u join public.memberships m on m.user_id = u.id and m.role = 'owner'
   where ${isNamed(username)} and u.is_active and not ${isSuperuser(caller)}
     and public.reach(${callerSql(caller)}, u.id) = any (${endingReaches}::text[])`

/**
 * Deletes an account that the caller may end. Returns no row for the only owner of an organization. `event`
 * puts the event of `u.account` into the outbox.
 */
export const deleteUser = (caller: Caller, username: string, event: Sql): Sql => sql`
  with u as (delete from public.users u
   where ${isNamed(username)}
     and public.reach(${callerSql(caller)}, u.id) = any (${endingReaches}::text[])
     and not public.is_only_owner(u.id)
  returning u as account) select ${event} from u`

/**
 * Puts the event of a new account, `u`, into the outbox, if this transaction has inserted it: `date_joined`
 * is the time of its transaction.
 */
export const publishCreated = (username: string, event: Sql): Sql =>
  sql`select ${event} from public.users u where ${isNamed(username)} and u.date_joined = now()`

/** Puts the event of an account, `u`, into the outbox. */
export const publishByUuid = (uuid: string, event: Sql): Sql =>
  sql`select ${event} from public.users u where u.uuid = ${uuid}`

/**
 * Deletes the caller's permissions and roles in a site, and the tie of a guest of the site. A sign-in through
 * a provider can delete only those in the sites of the provider's organization.
 */
export const leaveSite = ({ userId, organizationId }: Caller, site: string) => sql<{ site_id: number }>`
  with site as (
    select s.id from public.sites s
     where s.slug = ${site}
       and s.organization_id = coalesce(${organizationId ?? null}::bigint, s.organization_id)
  ), permission as (
    delete from public.site_permissions p using site
     where p.user_id = ${userId} and p.site_id = site.id returning p.site_id
  ), guest as (
    delete from public.site_guests g using site
     where g.user_id = ${userId} and g.site_id = site.id and g.blocked_at is null returning g.site_id
  )
  select site_id from permission union select site_id from guest`

/** A site in which an organization has given the caller rights that the caller has not accepted. */
export interface OfferedSite {
  slug: string
  name: string
  /** The name of the organization. */
  organization: string
}

/**
 * Selects sites with such rights, of organizations that the caller is not a member of, at most `limit`.
 * A sign-in through a provider sees only those of the provider's organization.
 */
export const selectOffered = ({ userId, organizationId }: Caller, limit: number) => sql<OfferedSite>`
  select s.slug, s.name, o.name as organization
    from public.site_permissions p join public.sites s on s.id = p.site_id
    join public.organizations o on o.id = s.organization_id
   where p.user_id = ${userId} and (p.permissions <> '{}' or p.roles <> '{}')
     and o.id = coalesce(${organizationId ?? null}::bigint, o.id)
     and s.deletes_at is null and o.deletes_at is null
     and not exists (select from public.site_guests g where g.user_id = p.user_id and g.site_id = s.id)
     and not exists (select from public.memberships m
                      where m.user_id = p.user_id and m.organization_id = o.id)
   order by o.name, s.name, s.id limit ${limit}`

/**
 * Notes that the caller has accepted the permissions and roles in a site: public.note_guest. Returns no row
 * if there are none. A sign-in through a provider can accept only those in the sites of the provider's
 * organization.
 */
export const acceptSite = ({ userId, organizationId }: Caller, site: string): Sql => sql`
  select public.note_guest(s.id, p.user_id, ${organizationId ?? null})
    from public.sites s join public.site_permissions p on p.site_id = s.id
   where s.slug = ${site} and p.user_id = ${userId} and (p.permissions <> '{}' or p.roles <> '{}')
     and s.organization_id = coalesce(${organizationId ?? null}::bigint, s.organization_id)`
