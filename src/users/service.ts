/** Accounts. T7. */
import { hashInTurn } from '../access/hashing.ts'
import { throttleAddress, throttleCaller } from '../access/throttle.ts'
import type { RequestContext } from '../context.ts'
import { isViolationOf } from '../db/failures.ts'
import { type Sql, sql } from '../db/sql.ts'
import { asManager, inTenant, onPlatform, signedIn } from '../db/tenant.ts'
import { forbidden, found, notFound } from '../errors.ts'
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

export async function readMe(ctx: RequestContext): Promise<User> {
  const { user } = await onPlatform(ctx, { user: store.selectUser(signedIn(ctx).userId) })
  return asUser(user.one)
}

/** Gives up what others have granted to the caller in a site. 404 where that is nothing. T7. */
export async function declinePermissions(ctx: RequestContext, site: string): Promise<void> {
  const { declined } = await onPlatform(ctx, { declined: store.deletePermissions(signedIn(ctx), site) })
  found(declined.first)
}

export async function listUsers(ctx: RequestContext, url: string, query: UsersQuery): Promise<Page<User>> {
  const answers = await asManager(ctx, store.selectUsers(signedIn(ctx), query))
  return pageOf(answers, url, store.list, query, asUser)
}

export async function readUser(ctx: RequestContext, username: string): Promise<User> {
  const { user } = await asManager(ctx, { user: store.selectByName(signedIn(ctx), username) })
  return asUser(seen(user.first))
}

/** Whether the caller may is asked first, in a round trip of its own: hashing a password is too dear to be done for anybody. */
export async function createUser(ctx: RequestContext, input: UserInput): Promise<User> {
  const caller = signedIn(ctx)
  const { creator, listeners } = await asManager(ctx, {
    creator: store.selectUser(caller.userId),
    listeners: selectListeners('PRE_USER_CREATE', ctx.tenant, store.home(caller, ctx.tenant)),
  })
  await throttleCaller(ctx, caller.userId)
  const { password, ...account } = input
  await beforeUserCreate(ctx, listeners.all, account, asCause(creator.one))
  const passwordHash = await hashInTurn(ctx, password)
  const { created } = await asManager(ctx, {
    released: store.releaseAddress(input),
    created: store.insertUser(caller, ctx.tenant, input, passwordHash),
    announced: store.announceMade(input.username, announceAccount(ctx, 'POST_USER_CREATE', sql`u`)),
  }).catch(refuseTaken)
  if (!created.first) throw usernameTaken()
  return asUser(created.first)
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
    return row && { user: asUser(row), link: made.link.one }
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
    const { user } = await asManager(ctx, { user: select })
    managed(user.first)
    await throttleAddress(ctx)
    await throttleCaller(ctx, caller.userId)
    passwordHash = await hashInTurn(ctx, change.password)
  }
  const announcement = announceAccount(ctx, 'POST_USER_UPDATE', sql`changed.account`)
  const { user, changed } = await asManager(ctx, {
    locked: store.lockUser(username),
    user: select,
    changed: store.updateUser(caller, username, change, passwordHash, announcement),
  }).catch(refuseTaken)
  managed(user.first)
  return asUser(changed.one)
}

export async function deleteUser(ctx: RequestContext, username: string): Promise<void> {
  const caller = signedIn(ctx)
  const announced = announceAccount(ctx, 'POST_USER_DELETE', sql`u.account`)
  const { user, deleted } = await asManager(ctx, {
    lockedOrganizations: store.lockOwned(username),
    locked: store.lockUser(username),
    user: store.selectByName(caller, username),
    deleted: store.deleteUser(caller, username, announced),
  })
  managed(user.first)
  if (!deleted.first) throw lastOwner()
}

const asCause = ({ id, username, email }: UserRow) => ({ id, username, email })

function seen(row: store.ReachedRow | undefined): store.ReachedRow {
  if (!row || row.reach === 'none') throw notFound()
  return row
}

function managed(row: store.ReachedRow | undefined): void {
  if (seen(row).reach !== 'managed') throw forbidden()
}

function refuseTaken(error: unknown): never {
  if (isViolationOf(error, 'users_username_key')) throw usernameTaken()
  if (isViolationOf(error, 'users_email_key')) throw emailTaken()
  throw error
}
