/** Accounts. T7. */
import { hashInTurn } from '../access/hashing.ts'
import { throttleAddress, throttleCaller } from '../access/throttle.ts'
import type { RequestContext } from '../context.ts'
import { isViolationOf } from '../db/failures.ts'
import { type Sql, sql } from '../db/sql.ts'
import { asManager, inTenant, onPlatform, signedIn } from '../db/tenant.ts'
import { forbidden, notFound } from '../errors.ts'
import { announceAccount, beforeUserCreate, type Listener, selectListeners } from '../events/accounts/service.ts'
import { type Page, pageOf } from '../http/lists/envelopes.ts'
import { emailTaken, lastOwner, usernameTaken } from './errors.ts'
import type { Person, User, UserChange, UserInput, UsersQuery } from './schema.ts'
import * as store from './store.ts'
import { asUser, type UserRow } from './views.ts'

export type { Listener } from '../events/accounts/service.ts'
/** For statements of others that answer an account: its columns, of `public.users u`, and what is shown of such a row. */
export { columns as userColumns } from './store.ts'
export { asUser, type UserRow } from './views.ts'

/** How far a caller reaches into an account: public.reach. */
interface Reached extends UserRow {
  reach: 'none' | 'seen' | 'managed'
}

export async function readMe(ctx: RequestContext): Promise<User> {
  const results = await onPlatform(ctx, [store.selectUser(signedIn(ctx).userId)])
  return asUser(results.one<UserRow>())
}

/** Gives up what others have granted to the caller in a site. 404 where that is nothing. T7. */
export async function declinePermissions(ctx: RequestContext, site: string): Promise<void> {
  const results = await onPlatform(ctx, [store.deletePermissions(signedIn(ctx), site)])
  if (!results.row()) throw notFound()
}

export async function listUsers(ctx: RequestContext, url: string, query: UsersQuery): Promise<Page<User>> {
  const results = await asManager(ctx, store.selectUsers(signedIn(ctx), query))
  return pageOf(results, url, store.list, query, asUser)
}

export async function readUser(ctx: RequestContext, username: string): Promise<User> {
  const results = await asManager(ctx, [store.selectByName(signedIn(ctx), username)])
  return asUser(seen(results.row<Reached>()))
}

/** Whether the caller may is asked first, in a round trip of its own: hashing a password is too dear to be done for anybody. */
export async function createUser(ctx: RequestContext, input: UserInput): Promise<User> {
  const caller = signedIn(ctx)
  const before = await asManager(ctx, [
    store.selectUser(caller.userId),
    selectListeners('PRE_USER_CREATE', ctx.tenant, store.home(caller, ctx.tenant)),
  ])
  await throttleCaller(ctx, caller.userId)
  const { password, ...account } = input
  await beforeUserCreate(ctx, before.rows<Listener>(1), account, asCause(before.one<UserRow>(0)))
  const passwordHash = await hashInTurn(ctx, password)
  const results = await asManager(ctx, [
    store.releaseAddress(input),
    store.insertUser(caller, ctx.tenant, input, passwordHash),
    store.announceMade(input.username, announceAccount(ctx, 'POST_USER_CREATE', sql`u`)),
  ]).catch(refuseTaken)
  const row = results.row<UserRow>(1)
  if (!row) throw usernameTaken()
  return asUser(row)
}

/** The functions that run before an account of `createPerson` is made: those of the site that the request names, as it is in no organization. */
export const selectPersonListeners = ({ tenant }: RequestContext) =>
  selectListeners('PRE_USER_CREATE', tenant, sql`select o.id from public.organizations o where false`)

/**
 * Creates an account without a password for somebody whom another service has identified. The caller needs no permission.
 * `listeners` run before. `link` runs in the same transaction, and knows the account by the uuid in `person`. Returns
 * undefined if somebody else has got an account with this e-mail, or with each of these user names, in the meantime.
 */
export async function createPerson<Row>(
  ctx: RequestContext,
  person: Person,
  listeners: readonly Listener[],
  link: Sql<Row>,
): Promise<{ user: User; link: Row } | undefined> {
  const account = { username: person.usernames[0], email: person.email, first_name: person.firstName, last_name: person.lastName }
  await beforeUserCreate(ctx, listeners, account, null)
  const announced = store.announcePerson(person.uuid, announceAccount(ctx, 'POST_USER_CREATE', sql`u`))
  try {
    const made = await inTenant(ctx, 'write', {}, { asService: { person: store.insertPerson(person), announced, link } })
    const row = made.person.first
    return row && { user: asUser(row), link: made.link.one as Row }
  } catch (error) {
    if (isViolationOf(error, 'users_username_key') || isViolationOf(error, 'users_email_key')) return undefined
    throw error
  }
}

/** Owners and admins change the accounts of their members that are tied to no other organization. */
export async function changeUser(ctx: RequestContext, username: string, change: UserChange): Promise<User> {
  const caller = signedIn(ctx)
  const select = store.selectByName(caller, username)
  let passwordHash: string | null = null
  if (change.password !== undefined) {
    managed((await asManager(ctx, [select])).row<Reached>())
    await throttleAddress(ctx)
    await throttleCaller(ctx, caller.userId)
    passwordHash = await hashInTurn(ctx, change.password)
  }
  const announcement = announceAccount(ctx, 'POST_USER_UPDATE', sql`changed.account`)
  const results = await asManager(ctx, [
    store.lockUser(username),
    select,
    store.updateUser(caller, username, change, passwordHash, announcement),
  ]).catch(refuseTaken)
  managed(results.row<Reached>(1))
  return asUser(results.one<UserRow>(2))
}

export async function deleteUser(ctx: RequestContext, username: string): Promise<void> {
  const caller = signedIn(ctx)
  const announced = announceAccount(ctx, 'POST_USER_DELETE', sql`u.account`)
  const results = await asManager(ctx, [
    store.lockOwned(username),
    store.lockUser(username),
    store.selectByName(caller, username),
    store.deleteUser(caller, username, announced),
  ])
  managed(results.row<Reached>(2))
  if (!results.row(3)) throw lastOwner()
}

const asCause = ({ id, username, email }: UserRow) => ({ id, username, email })

function seen(row: Reached | undefined): Reached {
  if (!row || row.reach === 'none') throw notFound()
  return row
}

function managed(row: Reached | undefined): void {
  if (seen(row).reach !== 'managed') throw forbidden()
}

function refuseTaken(error: unknown): never {
  if (isViolationOf(error, 'users_username_key')) throw usernameTaken()
  if (isViolationOf(error, 'users_email_key')) throw emailTaken()
  throw error
}
