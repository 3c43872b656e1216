/** The errors of apps. */
import { invalidFields } from '../../errors.ts'

/** Another app has the slug. 400. `field` is the one that the slug came from. D1. */
export const appExists = (slug: string, field: 'name' | 'slug') =>
  invalidFields({ [field]: [`An app with the slug "${slug}" already exists.`] })
