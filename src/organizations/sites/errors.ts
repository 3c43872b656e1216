import { invalidFields } from '../../errors.ts'

/** `field` is where the slug came from: given as `slug`, or made from `name`. */
export const siteExists = (field: 'slug' | 'name', slug: string) => invalidFields({ [field]: [`A site with the slug "${slug}" exists already.`] })
export const slugIsNoLabel = () => invalidFields({ name: ['No slug of 1 to 63 characters can be made from the name: give a "slug".'] })
