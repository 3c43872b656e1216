/** Groups of an organization's directory: listing, reading, creating, changing and deleting them. RFC 7644 §3. */
import type { RequestContext } from '../../../kernel/context.ts'
import { isViolationOf } from '../../../kernel/db/failures.ts'
import { asDirectory } from '../../../kernel/db/platform.ts'
import { found } from '../../../kernel/errors.ts'
import { groupNameTaken, rejectRefused } from '../errors.ts'
import { type Directory, pageOf, type ResourcesQuery, type Selection } from '../messages.ts'
import type { PatchBody } from '../patch/operations.ts'
import { wants } from '../projection.ts'
import type { GroupBody, ScimGroup } from './schema.ts'
import { idsOf, type Step, stepsOfPatch, stepsOfWhole } from './steps.ts'
import * as store from './store.ts'
import { asGroup } from './views.ts'

/** Returns a page of the groups. Throws 400 for a wrong filter or order. */
export async function listGroups(
  ctx: RequestContext,
  { organization, base }: Directory,
  query: ResourcesQuery,
) {
  const statements = store.selectGroups(organization, query, wants('members', query))
  const { total, page } = await asDirectory(ctx, organization, statements)
  return pageOf(
    query,
    total.one.total,
    page.all.map((row) => asGroup(row, base)),
  )
}

/** Returns a group. Throws 404 if the organization does not have it. */
export async function readGroup(
  ctx: RequestContext,
  { organization, base }: Directory,
  id: number,
  selection: Selection,
): Promise<ScimGroup> {
  const { group } = await asDirectory(ctx, organization, {
    group: store.selectGroup(organization, id, wants('members', selection)),
  })
  return asGroup(found(group.first), base)
}

/**
 * Creates a group. Throws 409 if another group has the name, 400 for a member that is not a user, and 403 for
 * one who ranks above the creator of the key.
 */
export async function createGroup(
  ctx: RequestContext,
  { organization, base }: Directory,
  body: GroupBody,
): Promise<ScimGroup> {
  const { group } = await asDirectory(
    ctx,
    organization,
    store.createGroup(ctx, organization, body, idsOf(body.members ?? [])),
  ).catch(rejectWrong)
  return asGroup(group.one, base)
}

/** Replaces a group with its members. Throws the errors of `changeGroup`. */
export const replaceGroup = (ctx: RequestContext, directory: Directory, id: number, body: GroupBody) =>
  changeGroup(ctx, directory, id, stepsOfWhole(body))

/** Changes a group by operations. Throws 400 for a wrong one, and the errors of `changeGroup`. */
export const patchGroup = (ctx: RequestContext, directory: Directory, id: number, body: PatchBody) =>
  changeGroup(ctx, directory, id, stepsOfPatch(body))

/**
 * Changes a group. Throws 404 if the organization does not have it, and 400, 403 and 409 as `createGroup`
 * does.
 */
async function changeGroup(
  ctx: RequestContext,
  { organization, base }: Directory,
  id: number,
  steps: readonly Step[],
): Promise<ScimGroup> {
  const { group } = await asDirectory(ctx, organization, {
    locked: store.requireGroup(organization, id),
    changed: steps.map((step) => store.statementOf(ctx, organization, id, step)),
    group: store.selectGroup(organization, id, true),
  }).catch(rejectWrong)
  return asGroup(group.one, base)
}

/**
 * Deletes a group. Its members stay users. Throws 404 if the organization does not have it, and 403 for a
 * member who ranks above the creator of the key.
 */
export async function deleteGroup(
  ctx: RequestContext,
  { organization }: Directory,
  id: number,
): Promise<void> {
  await asDirectory(ctx, organization, {
    locked: store.requireGroup(organization, id),
    ...store.deleteGroup(ctx, organization, id),
  }).catch(rejectWrong)
}

function rejectWrong(error: unknown): never {
  if (isViolationOf(error, 'groups_organization_id_name_key')) throw groupNameTaken()
  return rejectRefused(error)
}
