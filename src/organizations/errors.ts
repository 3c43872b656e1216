/** The errors of organizations. */
import { invalidFields } from '../errors.ts'

/** Another organization has the slug. 400. `field` is the one that the slug came from. */
export const organizationExists = (slug: string, field: 'name' | 'slug') =>
  invalidFields({ [field]: [`An organization with the slug "${slug}" already exists.`] })
