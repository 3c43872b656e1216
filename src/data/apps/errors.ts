/** The errors of apps. */
import { invalidFields } from '../../kernel/errors.ts'

/** The 400 for a slug that another app has. `field` is the field from which the slug was made. D1. */
export const appExists = (slug: string, field: 'name' | 'slug') =>
  invalidFields({ [field]: [`An app with the slug "${slug}" already exists.`] }, 'already_exists')
