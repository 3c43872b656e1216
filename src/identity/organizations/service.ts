/** Organizations: listing, reading, changing and creating them. T4, T6. */
import { requireStepUp } from '../../kernel/access/fresh-sign-in.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { callerOf } from '../../kernel/db/caller.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import { asOwner, inOrganization, onPlatform } from '../../kernel/db/platform.ts'
import { forbidden, nameGivesNoSlug, partNotFound } from '../../kernel/errors.ts'
import { requireSame } from '../../kernel/http/fixed-members.ts'
import { type Page, pageOf } from '../../kernel/http/lists/envelopes.ts'
import { chooseSlug } from '../../kernel/lib/slug.ts'
import { organizationExists, organizationStateError } from './errors.ts'
import { anyMember, managers } from './roles.ts'
import type { NewOrganization, Organization, OrganizationChange, OrganizationsQuery } from './schema.ts'
import {
  setOrganizationState as changeState,
  checkOrganizationQuota,
  insertOrganization,
  list,
  requireOwnFactor,
  selectOrganization,
  selectOrganizations,
  updateOrganization,
} from './store.ts'
import { asOrganization } from './views.ts'

export { managers } from './roles.ts'
export { runAndClearCaches } from './run-and-clear-caches.ts'
// Other areas select rows of an organization in their own statements.
export { asRoleError } from './sites/roles/errors.ts'
export { requireRolesOf } from './sites/roles/store.ts'
export { organizationId } from './store.ts'

/** Returns a page of the organizations that the caller can see. */
export async function listOrganizations(
  ctx: RequestContext,
  url: string,
  query: OrganizationsQuery,
): Promise<Page<Organization>> {
  const answers = await onPlatform(ctx, selectOrganizations(requireCaller(ctx), query))
  return pageOf(answers, url, list, query, asOrganization)
}

/** Returns an organization to one of its members. Throws 403 for others, 404 if it does not exist. */
export async function readOrganization(ctx: RequestContext, slug: string): Promise<Organization> {
  const { organization } = await inOrganization(ctx, slug, anyMember, {
    organization: selectOrganization(slug),
  })
  return asOrganization(organization.one)
}

/**
 * Changes an organization, for its owners and admins. Throws 403 for others, and for callers who would
 * require a second factor without having one; 404 if it does not exist.
 */
export async function changeOrganization(
  ctx: RequestContext,
  slug: string,
  change: OrganizationChange,
): Promise<Organization> {
  const { organization } = await inOrganization(ctx, slug, managers, {
    hasFactor: change.requires_factor ? requireOwnFactor(requireCaller(ctx)) : undefined,
    same: requireSame(change, selectOrganization(slug)),
    organization: updateOrganization(slug, change),
  })
  return asOrganization(organization.one)
}

/**
 * Creates an organization with the caller as its owner. Throws 400 if the slug is taken or cannot be made,
 * 422 if the quota is used up, and 403 for a caller who signed in through a provider, because that sign-in is
 * limited to the provider's organization.
 */
export async function createOrganization(ctx: RequestContext, input: NewOrganization): Promise<Organization> {
  const { userId, organizationId } = requireCaller(ctx)
  if (organizationId !== undefined) throw forbidden()
  const { slug, field } = chooseSlug(input)
  if (!slug) throw nameGivesNoSlug()
  try {
    const { organization } = await onPlatform(ctx, {
      quota: checkOrganizationQuota(ctx.config, userId),
      organization: insertOrganization(userId, input.name, slug),
    })
    return asOrganization(organization.one)
  } catch (error) {
    throw isViolationOf(error, 'organizations_slug_key') ? organizationExists(slug, field) : error
  }
}

/**
 * Deletes an organization whose sites are all deleted, for its owners. It is erased after TRASH_DAYS. Throws
 * 403 for others, 404 if it does not exist, 409 if it has sites that are not deleted.
 */
export async function deleteOrganization(ctx: RequestContext, slug: string): Promise<Organization> {
  requireStepUp(ctx)
  return setOrganizationState(ctx, slug, 'delete')
}

/**
 * Restores a deleted organization. Throws 403 and 404 as `deleteOrganization` does, 409 if it is being
 * erased.
 */
export const restoreOrganization = (ctx: RequestContext, slug: string): Promise<Organization> =>
  setOrganizationState(ctx, slug, 'restore')

async function setOrganizationState(
  ctx: RequestContext,
  slug: string,
  action: 'delete' | 'restore',
): Promise<Organization> {
  try {
    const { organization } = await asOwner(ctx, partNotFound('organization', slug, ''), {
      organization: changeState(callerOf(ctx), slug, action, ctx.config.TRASH_DAYS),
    })
    return asOrganization(organization.one)
  } catch (error) {
    throw organizationStateError(error) ?? error
  }
}
