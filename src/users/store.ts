import type { TenantLocator } from '../context.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Person, UserChange, UserInput } from './schema.ts'

export const columns = sql`u.id, u.uuid, u.username, u.email, u.first_name, u.last_name, u.is_active, u.is_superuser, u.date_joined, u.last_login`

export const selectUser = (id: number): Sql => sql`select ${columns} from public.users u where u.id = ${id}`

/** As `reach` has it, in a form that a list is quick with. */
const seenBy = (callerId: number) => sql`
  ((select c.is_superuser from public.users c where c.id = ${callerId})
   or u.id in (select theirs.user_id from public.memberships mine
                 join public.memberships theirs on theirs.organization_id = mine.organization_id
                where mine.user_id = ${callerId} and mine.role in ('owner', 'admin')))`

export const countUsers = (callerId: number): Sql => sql`select count(*) as count from public.users u where ${seenBy(callerId)}`

export const selectUsers = (callerId: number, limit: number, offset: number): Sql => sql`
  select ${columns} from public.users u where ${seenBy(callerId)} order by u.username limit ${limit} offset ${offset}`

/** The account, and how far the caller reaches into it. */
export const selectByName = (callerId: number, username: string): Sql => sql`
  select ${columns}, public.reach(${callerId}, u.id) as reach from public.users u where u.username = ${username}`

/** Where an account that the caller makes belongs: the organization of the request's site where the caller manages that, else the first that the caller manages. */
export const home = (callerId: number, tenant: TenantLocator): Sql => sql`
  select m.organization_id from public.memberships m
    left join public.sites s on s.organization_id = m.organization_id
     and s.slug = public.site_at(${tenant.host}, ${tenant.slug})
   where m.user_id = ${callerId} and m.role in ('owner', 'admin')
   order by s.id is null, m.organization_id limit 1`

/** Lets go of an address that somebody is only invited at, for an account of this name. See public.release_address. */
export const releaseAddress = ({ username, email }: UserInput): Sql => sql`
  select public.release_address(${email})
   where not exists (select from public.users o where o.username = ${username} and lower(o.email) <> lower(${email}))`

/** The account, and its membership. No user name may be somebody's e-mail: it would sign in in their place. */
export const insertUser = (callerId: number, tenant: TenantLocator, input: UserInput, passwordHash: string): Sql => sql`
  with u as (
    insert into public.users (username, email, password_hash, first_name, last_name)
    select ${input.username}, ${input.email}, ${passwordHash}, ${input.first_name}, ${input.last_name}
     where not exists (select from public.users o where lower(o.email) = lower(${input.username}) and lower(o.email) <> lower(${input.email}))
    returning *
  ), home as (
    ${home(callerId, tenant)}
  ), membership as (
    insert into public.memberships (organization_id, user_id, role) select home.organization_id, u.id, 'member' from home, u
  )
  select ${columns} from u`

/** Under the first of the names that nobody has, as user name or as e-mail. */
export const insertPerson = (person: Person): Sql => sql`
  insert into public.users as u (uuid, username, email, email_verified_at, first_name, last_name, last_login)
  select ${person.uuid}, c.name, ${person.email}, case when ${person.emailVerified} then now() end, ${person.firstName}, ${person.lastName}, now()
    from unnest(${person.usernames}::text[]) with ordinality c (name, position)
   where not exists (select from public.users o where o.username = c.name or lower(o.email) = lower(c.name))
   order by c.position limit 1
  returning ${columns}`

/** A new password, and being switched off, end every sign-in from before. */
export const updateUser = (callerId: number, username: string, change: UserChange, passwordHash: string | null): Sql => sql`
  update public.users u
     set email = coalesce(${change.email ?? null}, u.email),
         email_verified_at = case when lower(coalesce(${change.email ?? null}, u.email)) = lower(u.email) then u.email_verified_at end,
         first_name = coalesce(${change.first_name ?? null}, u.first_name),
         last_name = coalesce(${change.last_name ?? null}, u.last_name),
         is_active = coalesce(${change.is_active ?? null}, u.is_active),
         password_hash = coalesce(${passwordHash}, u.password_hash),
         tokens_valid_after = case when ${passwordHash !== null || change.is_active === false} then clock_timestamp() else u.tokens_valid_after end
   where u.username = ${username} and public.reach(${callerId}, u.id) = 'managed'
  returning ${columns}`

/** Whoever changes the owners of an organization takes its row first, so that two cannot together leave it without one. */
export const lockOwned = (username: string): Sql => sql`
  select o.id from public.organizations o
   where o.id in (select m.organization_id from public.memberships m join public.users u on u.id = m.user_id
                   where u.username = ${username} and m.role = 'owner')
   order by o.id for update`

/** No row for the only owner of an organization. `announcement` says so of it, `u.account`. */
export const deleteUser = (callerId: number, username: string, announcement: Sql): Sql => sql`
  with u as (delete from public.users u
   where u.username = ${username} and public.reach(${callerId}, u.id) = 'managed'
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

/** Says of an account, `u`, that it was changed, where the caller may. */
export const announceChanged = (callerId: number, username: string, announcement: Sql): Sql =>
  announced(announcement, sql`${named(username)} and public.reach(${callerId}, u.id) = 'managed'`)
