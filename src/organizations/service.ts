/** Organizations, and who is in them. T4, T6. */
import type { RequestContext } from '../context.ts'
import { isViolationOf } from '../db/failures.ts'
import { inOrganization, onPlatform, signedIn } from '../db/tenant.ts'
import { forbidden } from '../errors.ts'
import { type Page, pageOf } from '../http/lists/envelopes.ts'
import { chosenSlug } from '../lib/slug.ts'
import { nameGivesNoSlug, organizationExists } from './errors.ts'
import { anyMember, managers } from './roles.ts'
import type { NewOrganization, Organization, OrganizationInput, OrganizationsQuery } from './schema.ts'
import { insertOrganization, list, renameOrganization, roomForOrganization, selectOrganization, selectOrganizations } from './store.ts'
import { asOrganization } from './views.ts'

export { managers } from './roles.ts'

export async function listOrganizations(ctx: RequestContext, url: string, query: OrganizationsQuery): Promise<Page<Organization>> {
  const answers = await onPlatform(ctx, selectOrganizations(signedIn(ctx), query))
  return pageOf(answers, url, list, query, asOrganization)
}

export async function readOrganization(ctx: RequestContext, slug: string): Promise<Organization> {
  const { organization } = await inOrganization(ctx, slug, anyMember, { organization: selectOrganization(slug) })
  return asOrganization(organization.one)
}

export async function changeOrganization(ctx: RequestContext, slug: string, { name }: OrganizationInput): Promise<Organization> {
  const { organization } = await inOrganization(ctx, slug, managers, { organization: renameOrganization(slug, name) })
  return asOrganization(organization.one)
}

/** Any signed-in user may create one, and owns it. 403 for a sign-in by a provider, which counts in its own organization alone. */
export async function createOrganization(ctx: RequestContext, input: NewOrganization): Promise<Organization> {
  if (signedIn(ctx).organizationId !== undefined) throw forbidden()
  const { slug, field } = chosenSlug(input)
  if (!slug) throw nameGivesNoSlug()
  try {
    const { userId } = signedIn(ctx)
    const { organization } = await onPlatform(ctx, {
      room: roomForOrganization(ctx.config, userId),
      organization: insertOrganization(userId, input.name, slug),
    })
    return asOrganization(organization.one)
  } catch (error) {
    throw isViolationOf(error, 'organizations_slug_key') ? organizationExists(slug, field) : error
  }
}
