/** Makes slugs from names, and validates slugs that clients choose. */
import slugify from '@sindresorhus/slugify'

/**
 * Returns the slug of a name: lower-case letters, digits and hyphens. Empty if the name has no such
 * characters.
 */
export const slugOf = (name: string): string => slugify(name, { decamelize: false })

/** Matches a valid slug. It is a DNS label, because it may become a subdomain. */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns the slug of a new resource and the field from which it was made: the client's own slug, or else the
 * name. The slug may be ''. D16.
 */
export const chooseSlug = ({
  name,
  slug,
}: {
  name: string
  slug?: string | undefined
}): { slug: string; field: 'name' | 'slug' } =>
  slug === undefined ? { slug: slugOf(name), field: 'name' } : { slug, field: 'slug' }
/** The rule for slugs, for messages. */
export const slugRule =
  'A slug has 1 to 63 lower-case letters, digits and hyphens, and does not begin or end with a hyphen.'
