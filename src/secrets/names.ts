/** What types and tags have of a name. */
import { slugOf } from '../lib/slug.ts'
import { nameGivesNoSlug } from './errors.ts'

/** Fails for a name of hyphens and underscores alone. */
export function slugFor(name: string): string {
  const slug = slugOf(name)
  if (!slug) throw nameGivesNoSlug()
  return slug
}
