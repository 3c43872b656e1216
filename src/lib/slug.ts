/** Slugs: lower case, digits, hyphens; underscores become hyphens. '' when nothing of the name can stand in one. */
import slugify from '@sindresorhus/slugify'

export const slugOf = (name: string): string => slugify(name, { decamelize: false })

/** A slug that a client chooses: at most a DNS label, as it may become a subdomain. */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** What a new thing's slug is, and the field that it comes from: what was chosen, or what the name gives; '' where that gives none. D16. */
export const chosenSlug = ({ name, slug }: { name: string; slug?: string | undefined }): { slug: string; field: 'name' | 'slug' } =>
  slug === undefined ? { slug: slugOf(name), field: 'name' } : { slug, field: 'slug' }
export const slugRule = 'A slug has 1 to 63 lower-case letters, digits and hyphens, and neither begins nor ends with a hyphen.'
