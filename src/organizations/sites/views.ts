/** What clients see of a site. T6. */
export interface SiteRow {
  id: number
  uuid: string
  name: string
  slug: string
  environment: string
  domains: { domain: string; is_primary: boolean }[]
  created: string
}

export const asSite = ({ id, uuid, name, slug, environment, domains, created }: SiteRow) => ({
  id,
  uuid,
  name,
  slug,
  schema_name: `site_${id}`,
  environment,
  domains,
  created,
})
