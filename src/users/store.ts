import type { Caller, TenantLocator } from '../context.ts'
import { callerSql } from '../db/caller.ts'
import { moment } from '../db/moment.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type List, selectPage } from '../http/lists/list.ts'
import type { Person, UserChange, UserInput, UsersQuery } from './schema.ts'
import type { UserRow } from './views.ts'

export const columns = sql`u.id, u.uuid, u.username, u.email, u.first_name, u.last_name, u.is_active, u.is_superuser,
  ${moment(sql`u.date_joined`)} as date_joined, ${moment(sql`u.last_login`)} as last_login`

export const selectUser = (id: number) => sql<UserRow>`select ${columns} from public.users u where u.id = ${id}`

const isSuperuser = (caller: Caller) => sql`(select c.is_superuser from public.users c where c.id = ${caller.userId})`

/** As `reach` has it, in a form that a list is quick with. */
const seenBy = (caller: Caller) => sql`
  (${isSuperuser(caller)}
   or u.id in (select m.user_id from public.managed_by(${callerSql(caller)}) o join public.memberships m on m.organization_id = o.organization_id))`

export const list: List = {
  orderings: new Map<string, Sql | { nullable: Sql }>([
    ['username', sql`u.username`],
    ['email', sql`u.email`],
    ['first_name', sql`u.first_name`],
    ['last_name', sql`u.last_name`],
    ['date_joined', sql`u.date_joined`],
    ['last_login', { nullable: sql`u.last_login` }],
    ['id', sql`u.id`],
  ]),
  ordering: 'username',
  last: sql`u.id`,
  search: { texts: [sql`u.username`, sql`u.email`, sql`u.first_name`, sql`u.last_name`], in: 'the user name, the e-mail or the names' },
}

export const selectUsers = (caller: Caller, query: UsersQuery) =>
  selectPage<UserRow>(list, query, {
    columns,
    from: sql`public.users u`,
    where: [seenBy(caller), ...(query.is_active === undefined ? [] : [sql`u.is_active = ${query.is_active}`])],
  })

/** An account, and how far the caller reaches into it: public.reach. */
export interface ReachedRow extends UserRow {
  reach: 'none' | 'seen' | 'managed'
}

export const selectByName = (caller: Caller, username: string) => sql<ReachedRow>`
  select ${columns}, public.reach(${callerSql(caller)}, u.id) as reach from public.users u where u.username = ${username}`

/**
 * Where an account that the caller makes belongs: the organization of the site that the request names. Without one, or where
 * the caller does not manage that, the first that the caller manages; for a superuser, who manages all accounts, none.
 */
export const home = (caller: Caller, tenant: TenantLocator): Sql => sql`
  select h.organization_id
    from (select s.organization_id, 0 as place from public.sites s
           where s.slug = public.site_at(${tenant.host}, ${tenant.slug})
             and (${isSuperuser(caller)} or s.organization_id in (select m.organization_id from public.managed_by(${callerSql(caller)}) m))
          union all
          select m.organization_id, 1 from public.managed_by(${callerSql(caller)}) m where not ${isSuperuser(caller)}) h
   order by h.place, h.organization_id limit 1`

/** Lets go of an address that somebody is only invited at, for an account of this name. See public.release_address. */
export const releaseAddress = ({ username, email }: UserInput): Sql => sql`
  select public.release_address(${email})
   where not exists (select from public.users o where o.username = ${username} and lower(o.email) <> lower(${email}))`

/** The account, and its membership. */
export const insertUser = (caller: Caller, tenant: TenantLocator, input: UserInput, passwordHash: string) => sql<UserRow>`
  with u as (
    insert into public.users (username, email, password_hash, first_name, last_name)
    values (${input.username}, ${input.email}, ${passwordHash}, ${input.first_name}, ${input.last_name})
    returning *
  ), home as (
    ${home(caller, tenant)}
  ), membership as (
    insert into public.memberships (organization_id, user_id, role) select home.organization_id, u.id, 'member' from home, u
  )
  select ${columns} from u`

/** Under the first of the user names that nobody has. */
export const insertPerson = (person: Person) => sql<UserRow>`
  insert into public.users as u (uuid, username, email, first_name, last_name, last_login)
  select ${person.uuid}, c.name, ${person.email}, ${person.firstName}, ${person.lastName}, now()
    from unnest(${person.usernames}::text[]) with ordinality c (name, position)
   where not exists (select from public.users o where o.username = c.name)
   order by c.position limit 1
  returning ${columns}`

/** Takes an account, so that nobody ties it to an organization while it is changed or deleted. */
export const lockUser = (username: string): Sql => sql`select u.id from public.users u where u.username = ${username} for update`

/**
 * A new password, and being switched off, end every sign-in from before. The password is not the person's own: whoever
 * changes the account knows it; with a new e-mail, nothing of the account is (public.forget_proofs). A user name that is the
 * e-mail follows it. `announcement` says so of `changed.account`.
 */
export const updateUser = (caller: Caller, username: string, change: UserChange, passwordHash: string | null, announcement: Sql) => sql<UserRow>`
  with changed as (
    update public.users u
     set email = coalesce(${change.email ?? null}, u.email),
         username = case when strpos(u.username, '@') > 0 then coalesce(${change.email ?? null}, u.username) else u.username end,
         first_name = coalesce(${change.first_name ?? null}, u.first_name),
         last_name = coalesce(${change.last_name ?? null}, u.last_name),
         is_active = coalesce(${change.is_active ?? null}, u.is_active),
         password_hash = coalesce(${passwordHash}, u.password_hash),
         password_is_own = u.password_is_own and ${passwordHash === null},
         generation = u.generation + ${passwordHash === null ? 0 : 1}
   where u.username = ${username} and public.reach(${callerSql(caller)}, u.id) = 'managed'
  returning u as account)
  select ${columns}, ${announcement} as announced from changed, lateral (select (changed.account).*) u`

/** Whoever changes the owners of an organization takes its row first, so that two cannot together leave it without one. */
export const lockOwned = (username: string): Sql => sql`
  select o.id from public.organizations o
   where o.id in (select m.organization_id from public.memberships m join public.users u on u.id = m.user_id
                   where u.username = ${username} and m.role = 'owner')
   order by o.id for update`

/** One row for an account that was deleted, none for the only owner of an organization. `announcement` says so of it, `u.account`. */
export const deleteUser = (caller: Caller, username: string, announcement: Sql): Sql => sql`
  with u as (delete from public.users u
   where u.username = ${username} and public.reach(${callerSql(caller)}, u.id) = 'managed'
     and not exists (
       select from public.memberships m
        where m.user_id = u.id and m.role = 'owner'
          and not exists (select from public.memberships o where o.organization_id = m.organization_id and o.role = 'owner' and o.user_id <> u.id))
  returning u as account) select ${announcement} from u`

const announced = (announcement: Sql, where: Sql): Sql => sql`select ${announcement} from public.users u where ${where}`
const named = (username: string) => sql`u.username = ${username}`

/** Says of an account, `u`, that it was made: by this very transaction. */
export const announceMade = (username: string, announcement: Sql): Sql => announced(announcement, sql`${named(username)} and u.date_joined = now()`)

/** The same by its uuid. */
export const announcePerson = (uuid: string, announcement: Sql): Sql => announced(announcement, sql`u.uuid = ${uuid}`)

/** Of a sign-in by a provider, in the sites of its organization alone. */
export const deletePermissions = ({ userId, organizationId }: Caller, site: string) => sql<{ site_id: number }>`
  delete from public.site_permissions p using public.sites s
   where p.user_id = ${userId} and s.id = p.site_id and s.slug = ${site} and s.organization_id = coalesce(${organizationId ?? null}::bigint, s.organization_id)
  returning p.site_id`
