import { z } from 'zod'
import { listQuery } from '../http/lists/list.ts'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'
import { returnable } from '../http/returnable.ts'
import { slugPattern, slugRule } from '../lib/slug.ts'
import { list } from './store.ts'

export const organization = z
  .object({
    id: id.describe('The id of the organization.'),
    uuid: uuid.describe('The UUID of the organization.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, made from the name, which stands in paths.'),
    created: timestamp.describe('When it was created.'),
  })
  .meta({ id: 'Organization', description: 'An organization: people and their sites.' })
export type Organization = z.infer<typeof organization>

const name = z.string().trim().min(1).max(100)
const slug = z.string().regex(slugPattern, slugRule).meta({ description: 'Omitted: what the name gives.' })

/** D16 */
export const newOrganization = returnable({ name, slug: slug.optional() }, organization)
export type NewOrganization = z.infer<typeof newOrganization>

export const organizationInput = returnable({ name }, organization)
export type OrganizationInput = z.infer<typeof organizationInput>

export const organizationsQuery = listQuery(list, {})
export type OrganizationsQuery = z.infer<typeof organizationsQuery>
