/** Makes slugs from names. It loads tables of letters, which few requests need. */
import slugify from '@sindresorhus/slugify'

/**
 * Returns the slug of a name: lower-case letters, digits and hyphens. Empty if the name has no such
 * characters.
 */
export const slugOf = (name: string): string => slugify(name, { decamelize: false })

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
