/** The bodies and query parameters of organizations. T6. */
import * as z from 'zod'
import { identities } from '../../kernel/http/fixed-members.ts'
import { type ListForm, listQuery } from '../../kernel/http/lists/list.ts'
import { id, timestamp, uuid } from '../../kernel/http/openapi/bodies.ts'
import { withFixed, withReadOnly } from '../../kernel/http/with-read-only.ts'
import { slugPattern, slugRule } from '../../kernel/lib/slug-rule.ts'

/** The orderings and the search of the list of organizations. */
export const listForm = {
  orderings: ['name', 'slug', 'created'],
  ordering: 'name',
  searched: 'the name or the slug',
} as const satisfies ListForm

const requiresFactor = z
  .boolean()
  .describe('Whether members need a second factor, in the organization and in all of its sites.')

/** An organization in an answer. */
export const organization = z
  .object({
    id: id.describe('The id of the organization.'),
    uuid: uuid.describe('The UUID of the organization.'),
    name: z.string().describe('The name.'),
    slug: z.string().describe('The slug, which identifies the organization in URLs. It never changes.'),
    deletes_at: timestamp
      .nullable()
      .describe(
        'When the deleted organization will be erased. Until then it can be restored. Null: it is ' +
          'not deleted.',
      ),
    requires_factor: requiresFactor,
    created: timestamp.describe('The time of creation.'),
  })
  .meta({ id: 'Organization', description: 'An organization: its members and their sites.' })
export type Organization = z.infer<typeof organization>

const name = z.string().trim().min(1).max(100)
const slug = z
  .string()
  .regex(slugPattern, slugRule)
  .meta({ description: 'If omitted, the slug is made from the name.' })

/** The body that creates an organization. D16. */
export const newOrganization = withReadOnly({ name, slug: slug.optional() }, organization)
export type NewOrganization = z.infer<typeof newOrganization>

/** The body that changes an organization. */
export const organizationChange = withFixed(
  { ...identities, slug: 'Paths contain it: create another organization with the new slug.' },
  { name: name.optional(), requires_factor: requiresFactor.optional() },
  organization,
)
export type OrganizationChange = z.infer<typeof organizationChange>

/** The query parameters of the list of organizations. */
export const organizationsQuery = listQuery(listForm, {})
export type OrganizationsQuery = z.infer<typeof organizationsQuery>
