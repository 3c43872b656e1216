/** Who is in an organization, and in which role. T4, T6. */
import type { RequestContext } from '../../context.ts'
import { requireOwnSignIn } from '../../db/caller.ts'
import { DatabaseFailure, sqlstates } from '../../db/failures.ts'
import { inOrganization, signedIn } from '../../db/tenant.ts'
import { type Page, pageOf } from '../../http/lists/envelopes.ts'
import { anyMember, managers } from '../roles.ts'
import { lastOwner } from './errors.ts'
import type { Member, MemberInput, MembersQuery } from './schema.ts'
import * as store from './store.ts'
import { asMember } from './views.ts'

export async function listMembers(ctx: RequestContext, organization: string, url: string, query: MembersQuery): Promise<Page<Member>> {
  const answers = await inOrganization(ctx, organization, anyMember, store.selectMembers(organization, query))
  return pageOf(answers, url, store.list, query, asMember)
}

/** Only an owner makes or unmakes an owner, and one remains. */
export async function changeMember(ctx: RequestContext, organization: string, userId: number, { role }: MemberInput): Promise<Member> {
  const caller = signedIn(ctx)
  const { member } = await inOrganization(ctx, organization, managers, {
    isAllowed: caller.userId === userId ? requireOwnSignIn(caller) : undefined,
    changed: store.changeRole(organization, caller.userId, userId, role),
    member: store.selectMember(organization, userId),
  }).catch(refuseLastOwner)
  return asMember(member.one)
}

/** Managers remove members; everybody may leave. */
export async function removeMember(ctx: RequestContext, organization: string, userId: number): Promise<void> {
  const caller = signedIn(ctx)
  const leaves = caller.userId === userId
  await inOrganization(ctx, organization, leaves ? anyMember : managers, {
    isAllowed: leaves ? requireOwnSignIn(caller) : undefined,
    removed: store.removeMember(organization, caller.userId, userId),
  }).catch(refuseLastOwner)
}

function refuseLastOwner(error: unknown): never {
  throw error instanceof DatabaseFailure && error.sqlstate === sqlstates.lastOwner ? lastOwner() : error
}
