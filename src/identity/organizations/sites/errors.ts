/** The errors of sites. */
import { DatabaseFailure, isViolationOf, sqlstates } from '../../../kernel/db/failures.ts'
import { AppError, invalidFields } from '../../../kernel/errors.ts'

/** The 400 for a slug that another site has. `field` is the field from which the slug was made. */
const siteExists = (field: 'slug' | 'name', slug: string) =>
  invalidFields({ [field]: [`A site with the slug "${slug}" already exists.`] }, 'already_exists')

/**
 * Returns the 400 for a slug that no new site can get; undefined for other errors. `field`: see `siteExists`.
 */
export function slugTaken(error: unknown, field: 'slug' | 'name', slug: string): AppError | undefined {
  if (!isViolationOf(error, 'sites_slug_key')) return undefined
  if (!(error instanceof DatabaseFailure && error.detail === 'held')) return siteExists(field, slug)
  const held = `Another organization had a site with the slug "${slug}" until recently. Choose another slug.`
  return invalidFields({ [field]: [held] }, 'already_exists')
}

/** The 400 for a name from which no DNS label can be made: the slug becomes a subdomain. */
export const nameGivesNoLabel = () =>
  invalidFields({
    name: ['This name cannot be converted to a slug of 1 to 63 characters. Also send a "slug".'],
  })

/** Why the state of a site does not allow a change, by the detail of public.set_site_state. */
const obstacles: Readonly<Record<string, readonly [status: 403 | 409, detail: string]>> = {
  deleted: [409, 'The site is deleted. Restore it first.'],
  erased: [409, 'The site is being erased. It can no longer be restored.'],
  organization: [409, 'The organization of the site is deleted. Restore it first.'],
  live: [
    409,
    'Only a site that has always been a preview or for development can be erased at once. ' +
      'Delete it without now.',
  ],
  service: [403, 'The operator of the service has suspended the site. Only the operator can resume it.'],
}

/** Returns the 400, 403 or 409 for a site whose state does not allow a change; undefined for other errors. */
export function siteStateError(error: unknown): AppError | undefined {
  if (!(error instanceof DatabaseFailure) || error.sqlstate !== sqlstates.wrongState) return undefined
  if (error.detail === 'unconfirmed')
    return invalidFields({ slug: ['To erase the site at once, send its slug again: now=true&slug=….'] })
  const [status, detail] = obstacles[error.detail ?? ''] ?? []
  return status === undefined ? undefined : new AppError(status, 'wrong_state', { detail: detail ?? '' })
}
