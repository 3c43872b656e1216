import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { id, timestamp, uuid } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { slugPattern, slugRule } from '../../lib/slug.ts'
import { domainStatus } from './domains/schema.ts'
import { list } from './store.ts'

const environments = ['production', 'staging', 'development'] as const

export const site = z
  .object({
    id,
    uuid,
    name: z.string(),
    slug: z.string(),
    schema_name: z.string().meta({ description: 'Of the schema and of the role in Postgres.' }),
    environment: z.enum(environments),
    domains: z.array(z.object({ domain: z.string(), is_primary: z.boolean(), status: domainStatus })),
    created: timestamp,
  })
  .meta({ id: 'Site' })
export type Site = z.infer<typeof site>

export const siteInput = returnable(
  {
    name: z.string().trim().min(1).max(100),
    /** Omitted: made from the name. */
    slug: z.string().regex(slugPattern, slugRule).optional(),
    environment: z.enum(environments).default('production'),
  },
  site,
)
/** The slug stays: it stands in addresses. */
export const siteChange = returnable({ name: z.string().trim().min(1).max(100).optional(), environment: z.enum(environments).optional() }, site)
export type SiteChange = z.infer<typeof siteChange>

export type SiteInput = z.infer<typeof siteInput>

export const sitesQuery = listQuery(list, {})
export type SitesQuery = z.infer<typeof sitesQuery>
