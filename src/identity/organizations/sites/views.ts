/** The JSON of a site. T6. */
import type { Site } from './schema.ts'

/** A site as the statements of store.ts select it. */
export type SiteRow = Omit<Site, 'schema_name'>

/** A site that somebody may enter, and the name of its organization. */
export interface NamedSite {
  name: string
  slug: string
  organization: string
}

/** Returns the site as clients see it. */
export const asSite = ({
  id,
  uuid,
  name,
  slug,
  environment,
  paused,
  state,
  deletes_at,
  domains,
  created,
  ...settings
}: SiteRow): Site => ({
  id,
  uuid,
  name,
  slug,
  schema_name: `site_${id}`,
  environment,
  paused,
  state,
  deletes_at,
  domains,
  ...settings,
  created,
})
