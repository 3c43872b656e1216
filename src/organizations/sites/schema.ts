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
    id: id.describe('The id of the site.'),
    uuid: uuid.describe('The UUID of the site.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, which stands in paths and in its subdomain.'),
    schema_name: z.string().meta({ description: 'Of the schema and of the role in Postgres.' }),
    environment: z.enum(environments).describe('What the site is for.'),
    domains: z
      .array(
        z.object({
          domain: z.string().describe('The host name.'),
          is_primary: z.boolean().describe('Whether addresses of the site are made with it.'),
          status: domainStatus,
        }),
      )
      .describe('Its domains.'),
    created: timestamp.describe('When it was created.'),
  })
  .meta({ id: 'Site', description: 'A site: a tenant with data of its own.' })
export type Site = z.infer<typeof site>

export const siteInput = returnable(
  {
    name: z.string().trim().min(1).max(100),
    slug: z.string().regex(slugPattern, slugRule).optional().describe('Omitted: made from the name.'),
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
