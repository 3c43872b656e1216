/** The errors of sites. */
import { invalidFields } from '../../errors.ts'

/** Another site has the slug. 400. `field` is the one that the slug came from. */
export const siteExists = (field: 'slug' | 'name', slug: string) =>
  invalidFields({ [field]: [`A site with the slug "${slug}" already exists.`] })

/** The name gives no slug that can be a DNS label, as the slug becomes a subdomain. 400. */
export const nameGivesNoLabel = () =>
  invalidFields({
    name: ['A slug of 1 to 63 characters cannot be made from this name. Send a "slug" as well.'],
  })
