/** What clients see of a site. T6. */
import type { Site } from './schema.ts'

export type SiteRow = Omit<Site, 'schema_name'>

export const asSite = ({ id, uuid, name, slug, environment, domains, created }: SiteRow): Site => ({
  id,
  uuid,
  name,
  slug,
  schema_name: `site_${id}`,
  environment,
  domains,
  created,
})
