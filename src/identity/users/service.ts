/** Reads, creates, changes and deletes accounts. T7. */
import { hashNewPassword } from '../../kernel/access/new-passwords.ts'
import { throttleAddress, throttleCaller } from '../../kernel/access/throttle.ts'
import type { RequestContext, TenantLocator } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { DatabaseFailure, isViolationOf, sqlstates } from '../../kernel/db/failures.ts'
import { asManager, onPlatform } from '../../kernel/db/platform.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { forbidden, found, notFound } from '../../kernel/errors.ts'
import { requireSame } from '../../kernel/http/fixed-members.ts'
import { type Page, pageOf } from '../../kernel/http/lists/envelopes.ts'
import {
  type Listener,
  publishAccountEvent,
  runPreUserCreate,
  selectListeners,
} from '../../runtime/events/accounts/service.ts'
import { queueAfterAnswer, selectNotices } from '../mail/service.ts'
import { emailTaken, lastOwner, usernameTaken } from './errors.ts'
import type { ExternalUser, User, UserChange, UserInput, UsersQuery } from './schema.ts'
import * as store from './store.ts'
import { asUser, type UserRow } from './views.ts'

export type { Listener } from '../../runtime/events/accounts/service.ts'
export { lastOwner } from './errors.ts'
// Other areas select accounts in their own statements.
export type { OfferedSite } from './store.ts'
export { columns as userColumns, withFullName } from './store.ts'
export { asUser, type UserRow } from './views.ts'

/** Reads the caller's account. */
export async function readMe(ctx: RequestContext): Promise<User> {
  const { user } = await onPlatform(ctx, { user: selectMe(ctx) })
  return asUser(user.one)
}

/** Selects the caller's account. */
export const selectMe = (ctx: RequestContext): Sql<UserRow> => store.selectUser(requireCaller(ctx).userId)

/** Deletes the caller's permissions in a site, and the tie of a guest. Throws 404 if there are none. T7. */
export async function declinePermissions(ctx: RequestContext, site: string): Promise<void> {
  const { declined } = await onPlatform(ctx, { declined: store.leaveSite(requireCaller(ctx), site) })
  found(declined.first)
}

/** Selects the sites whose permissions the caller can accept. T11. */
export const selectOfferedSites = (ctx: RequestContext, limit: number) =>
  store.selectOffered(requireCaller(ctx), limit)

/** Accepts the caller's permissions in a site. Throws 404 if there are none. T11. */
export async function acceptPermissions(ctx: RequestContext, site: string): Promise<void> {
  const { accepted } = await onPlatform(ctx, { accepted: store.acceptSite(requireCaller(ctx), site) })
  found(accepted.first)
}

/** Lists the accounts that the caller can see. Throws 403 if the caller manages no organization. */
export async function listUsers(ctx: RequestContext, url: string, query: UsersQuery): Promise<Page<User>> {
  const answers = await asManager(ctx, store.selectUsers(requireCaller(ctx), query))
  return pageOf(answers, url, store.list, query, asUser)
}

/**
 * Reads an account. Throws 403 if the caller manages no organization, and 404 for an account out of reach.
 */
export async function readUser(ctx: RequestContext, username: string): Promise<User> {
  const { user } = await asManager(ctx, { user: store.selectByName(requireCaller(ctx), username) })
  return asUser(requireVisible(user.first))
}

/**
 * Creates an account. Before that, runs the functions that subscribe to PRE_USER_CREATE. A separate round
 * trip checks the caller's rights first, because hashing a password is expensive. Throws 400 for a name or an
 * e-mail that is taken and if a function fails, and 403 and 429.
 */
export async function createUser(ctx: RequestContext, input: UserInput): Promise<User> {
  const caller = requireCaller(ctx)
  const { creator, listeners } = await asManager(ctx, {
    creator: store.selectUser(caller.userId),
    listeners: selectListeners('PRE_USER_CREATE', ctx.tenant, store.homeOrganization(caller, ctx.tenant)),
  })
  await throttleCaller(ctx, caller.userId)
  const { password, ...account } = input
  const { username, email, first_name, last_name } = account
  const passwordHash = await hashNewPassword(ctx, password, [username, email, first_name, last_name])
  await runPreUserCreate(ctx, listeners.all, { ...account, phase: 'created' }, asCause(creator.one))
  const { created } = await asManager(ctx, {
    released: store.releaseAddress(input),
    created: store.insertUser(caller, ctx.tenant, input, passwordHash),
    event: store.publishCreated(
      input.username,
      publishAccountEvent(ctx, 'POST_USER_CREATE', sql`u`, 'created'),
    ),
  }).catch(rejectTaken)
  if (!created.first) throw usernameTaken()
  return asUser(created.first)
}

/**
 * Selects the functions to run before `createExternalUser`: only those of the request's site, because the new
 * account is in no organization.
 */
export const selectExternalUserListeners = (tenant: TenantLocator) =>
  selectListeners('PRE_USER_CREATE', tenant, sql`select o.id from public.organizations o where false`)

/**
 * Creates an account without a password for a person whom another service has identified. The caller needs no
 * permission. `listeners` run first. `link` runs in the same transaction, and finds the account by its uuid.
 * Returns undefined if another account has got the e-mail, or all of the user names, in the meantime.
 */
export async function createExternalUser<Row>(
  ctx: RequestContext,
  account: ExternalUser,
  listeners: readonly Listener[],
  link: Sql<Row>,
): Promise<{ user: User; link: Row } | undefined> {
  const payload = {
    username: account.usernames[0],
    email: account.email,
    first_name: account.firstName,
    last_name: account.lastName,
    phase: 'provider' as const,
  }
  await runPreUserCreate(ctx, listeners, payload, null)
  const published = publishAccountEvent(ctx, 'POST_USER_CREATE', sql`u`, payload.phase)
  const event = store.publishByUuid(account.uuid, published)
  const asService = { inserted: store.insertExternalUser(account), event, link }
  try {
    const created = await inTenant(ctx, 'write', {}, { asService })
    const row = created.inserted.first
    return row && { user: asUser(row), link: created.link.one }
  } catch (error) {
    if (isViolationOf(error, 'users_username_key') || isViolationOf(error, 'users_email_key'))
      return undefined
    throw error
  }
}

/**
 * Changes an account, and tells its owner of a new password or address. Throws 404 for an account out of
 * reach, 403 for one that the caller can see but not manage (public.reach), 400 for an e-mail that is taken
 * and for switching off the only owner of an organization who can sign in, and 429.
 */
export async function changeUser(ctx: RequestContext, username: string, change: UserChange): Promise<User> {
  const caller = requireCaller(ctx)
  const passwordHash =
    change.password === undefined ? null : await hashChangedPassword(ctx, username, change, change.password)
  const reaches = reachesFor(change)
  const event = publishAccountEvent(ctx, 'POST_USER_UPDATE', sql`changed.account`)
  const ends = change.is_active === false
  const { user, changed, notices } = await asManager(ctx, {
    lockedOrganizations: ends ? store.lockOwned(username) : undefined,
    locked: store.lockUser(username),
    kept: ends ? store.keepOwners(caller, username) : undefined,
    user: store.selectByName(caller, username),
    same: requireSame(change, store.selectChangeable(caller, username, reaches)),
    dropped: change.email === undefined ? undefined : store.dropProven(caller, username, change.email),
    changed: store.updateUser({ caller, username, change, reaches, passwordHash, event }),
    notices: selectNotices,
  }).catch(rejectTaken)
  requireReach(user.first, reaches)
  for (const { id } of notices.all) queueAfterAnswer(ctx, id)
  return asUser(changed.one)
}

/** Hashes a password, after a round trip that checks the caller's rights. */
async function hashChangedPassword(
  ctx: RequestContext,
  username: string,
  change: UserChange,
  password: string,
): Promise<string> {
  const caller = requireCaller(ctx)
  const { user } = await asManager(ctx, { user: store.selectByName(caller, username) })
  requireReach(user.first, store.managingReaches)
  await throttleAddress(ctx)
  await throttleCaller(ctx, caller.userId)
  const own = { ...user.first, ...change }
  return hashNewPassword(ctx, password, [username, own.email, own.first_name, own.last_name])
}

/**
 * Deletes an account. Throws 404 and 403 as `changeUser` does, and 400 for the only owner of an organization.
 */
export async function deleteUser(ctx: RequestContext, username: string): Promise<void> {
  const caller = requireCaller(ctx)
  const event = publishAccountEvent(ctx, 'POST_USER_DELETE', sql`u.account`)
  const { user, deleted } = await asManager(ctx, {
    lockedOrganizations: store.lockOwned(username),
    locked: store.lockUser(username),
    user: store.selectByName(caller, username),
    deleted: store.deleteUser(caller, username, event),
  })
  requireReach(user.first, store.endingReaches)
  if (!deleted.first) throw lastOwner()
}

const asCause = ({ id, username, email }: UserRow) => ({ id, username, email })

function requireVisible(row: store.ReachedRow | undefined): store.ReachedRow {
  if (!row || row.reach === 'none') throw notFound()
  return row
}

/** Returns the reaches that suffice for a change. Switching an account off or on ends or restores it. T11. */
const reachesFor = ({ is_active, ...others }: UserChange) =>
  is_active !== undefined && Object.values(others).every((value) => value === undefined)
    ? store.endingReaches
    : store.managingReaches

function requireReach(row: store.ReachedRow | undefined, reaches: readonly store.Reach[]): void {
  if (!reaches.includes(requireVisible(row).reach)) throw forbidden()
}

function rejectTaken(error: unknown): never {
  if (isViolationOf(error, 'users_username_key')) throw usernameTaken()
  if (isViolationOf(error, 'users_email_key')) throw emailTaken()
  if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.lastOwner) throw lastOwner()
  throw error
}
