/** Users of an organization's directory: listing, reading, creating, changing and deleting them. RFC 7644 §3. */

import { throttleAccount } from '../../../kernel/access/throttle.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { asDirectory } from '../../../kernel/db/platform.ts'
import { found } from '../../../kernel/errors.ts'
import { runPreUserCreate } from '../../../runtime/events/accounts/service.ts'
import { queueInvitation } from '../../invitations/service.ts'
import { finishInBackground, queueAfterAnswer, selectNotices } from '../../mail/service.ts'
import { rejectRefused } from '../errors.ts'
import { type Directory, pageOf, type ResourcesQuery } from '../messages.ts'
import type { PatchBody } from '../patch/operations.ts'
import { saidOfPatch } from './patch.ts'
import { type Said, saidOfNew, saidOfWhole } from './said.ts'
import type { ScimUser, UserBody } from './schema.ts'
import * as store from './store.ts'
import { asUser } from './views.ts'

/** Returns a page of the users. Throws 400 for a wrong filter or order. */
export async function listUsers(
  ctx: RequestContext,
  { organization, base }: Directory,
  query: ResourcesQuery,
) {
  const { total, page } = await asDirectory(ctx, organization, store.selectUsers(organization, query))
  return pageOf(
    query,
    total.one.total,
    page.all.map((row) => asUser(row, base)),
  )
}

/** Returns a user. Throws 404 for an account that the directory cannot see. */
export async function readUser(ctx: RequestContext, { organization, base }: Directory, id: number) {
  const { user } = await asDirectory(ctx, organization, { user: store.selectUser(organization, id) })
  return asUser(found(user.first), base)
}

/**
 * Creates a user: an account without a password and its membership, or an invitation if the address has an
 * account. The answer is the same. Functions of PRE_USER_CREATE run first, which takes a second round trip.
 * Throws 409 for a name or an address of another user of the organization, 400 if a function fails, and 429.
 */
export async function createUser(ctx: RequestContext, { organization, base }: Directory, body: UserBody) {
  const said = saidOfNew(body)
  await throttleAccount(ctx, `invitations to ${said.email} by ${ctx.directoryKeyHash}`)
  const create = (username: string | null) =>
    asDirectory(ctx, organization, {
      result: store.createUser(ctx, organization, said, username),
      user: store.selectUserNamed(organization, said.user_name),
    }).catch(rejectRefused)
  let made = await create(null)
  const { one: first } = made.result
  if (first.outcome === 'asks') {
    const { username, listeners } = first
    const { email, given_name, family_name } = said
    const account = { username, email, first_name: given_name ?? '', last_name: family_name ?? '' }
    await runPreUserCreate(ctx, listeners, { ...account, phase: 'created' }, null)
    made = await create(username)
  }
  const { one: result } = made.result
  if (result.outcome === 'made') sendWanted(ctx, result)
  return asUser(made.user.one, base)
}

/** Replaces the directory's data about a user. Throws the errors of `changeUser`. */
export const replaceUser = (ctx: RequestContext, directory: Directory, id: number, body: UserBody) =>
  changeUser(ctx, directory, id, saidOfWhole(body))

/** Changes a user by operations. Throws 400 for a wrong one, and the errors of `changeUser`. */
export const patchUser = (ctx: RequestContext, directory: Directory, id: number, body: PatchBody) =>
  changeUser(ctx, directory, id, saidOfPatch(body))

/**
 * Changes a user. Throws 404 for an account that the directory cannot see, 403 for a superuser and for a
 * member who ranks above the creator of the key, 400 for the last owner, 409 as `createUser` does, and 429.
 */
async function changeUser(
  ctx: RequestContext,
  { organization, base }: Directory,
  id: number,
  said: Said,
): Promise<ScimUser> {
  if (said.is_active) await throttleAccount(ctx, `invitations to user ${id} by ${ctx.directoryKeyHash}`)
  const { result, user, notices } = await asDirectory(ctx, organization, {
    result: store.changeUser(ctx, organization, id, said),
    notices: selectNotices,
    user: store.selectUser(organization, id),
  }).catch(rejectRefused)
  sendWanted(ctx, result.one)
  for (const notice of notices.all) queueAfterAnswer(ctx, notice.id)
  return asUser(user.one, base)
}

/**
 * Deletes a user: the account if the organization manages it, otherwise its membership. Throws as
 * `changeUser` does.
 */
export async function deleteUser(
  ctx: RequestContext,
  { organization }: Directory,
  id: number,
): Promise<void> {
  await asDirectory(ctx, organization, { deleted: store.deleteUser(ctx, organization, id) }).catch(
    rejectRefused,
  )
}

function sendWanted(
  ctx: RequestContext,
  { invitation_id: id, mail_version, first_password }: store.WantedEmail,
) {
  if (id !== null && mail_version !== null)
    finishInBackground(ctx, queueInvitation(ctx.env, { id, mailVersion: mail_version }, ctx.client.language))
  if (first_password !== null) queueAfterAnswer(ctx, first_password)
}
