/** Members: listing them, changing their roles and removing them. T4, T6. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireOwnSignIn } from '../../../kernel/db/caller.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { DatabaseFailure, sqlstates } from '../../../kernel/db/failures.ts'
import { inOrganization } from '../../../kernel/db/platform.ts'
import { requireSame } from '../../../kernel/http/fixed-members.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import { anyMember, managers } from '../roles.ts'
import { lastOwner } from './errors.ts'
import type { Member, MemberChange, MembersQuery } from './schema.ts'
import * as store from './store.ts'
import { asMember } from './views.ts'

/**
 * Returns a page of the members, for every member. Throws 403 for others, 404 if the organization does not
 * exist.
 */
export async function listMembers(
  ctx: RequestContext,
  organization: string,
  url: string,
  query: MembersQuery,
): Promise<Page<Member>> {
  const answers = await inOrganization(ctx, organization, anyMember, store.selectMembers(organization, query))
  return pageOf(answers, url, store.list, query, asMember)
}

/**
 * Changes a member's role, for owners and admins. Throws 400 for the last owner, 403 if an admin makes or
 * changes an owner, 404 if there is no such member.
 */
export async function changeMember(
  ctx: RequestContext,
  organization: string,
  userId: number,
  change: MemberChange,
): Promise<Member> {
  const caller = requireCaller(ctx)
  const { member } = await inOrganization(ctx, organization, managers, {
    isAllowed: caller.userId === userId ? requireOwnSignIn(caller) : undefined,
    same: requireSame(change, store.selectMember(organization, userId)),
    changed: store.changeRole({ organization, callerId: caller.userId, userId }, change.role),
    member: store.selectMember(organization, userId),
  }).catch(rejectLastOwner)
  return asMember(member.one)
}

/**
 * Removes a member, for owners and admins. Every member can leave. Throws 400 for the last owner, 403 if an
 * admin removes an owner, 404 if there is no such member.
 */
export async function removeMember(ctx: RequestContext, organization: string, userId: number): Promise<void> {
  const caller = requireCaller(ctx)
  const isLeaving = caller.userId === userId
  await inOrganization(ctx, organization, isLeaving ? anyMember : managers, {
    isAllowed: isLeaving ? requireOwnSignIn(caller) : undefined,
    removed: store.removeMember({ organization, callerId: caller.userId, userId }),
  }).catch(rejectLastOwner)
}

function rejectLastOwner(error: unknown): never {
  throw error instanceof DatabaseFailure && error.sqlstate === sqlstates.lastOwner ? lastOwner() : error
}
