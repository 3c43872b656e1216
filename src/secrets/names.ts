/** Makes the slugs of types and tags from their names. */
import { slugOf } from '../kernel/lib/slug.ts'
import { nameGivesNoSlug } from './errors.ts'

/** Returns the slug of a name. Throws 400 if the name has only hyphens and underscores. */
export function slugFor(name: string): string {
  const slug = slugOf(name)
  if (!slug) throw nameGivesNoSlug()
  return slug
}
