import { z } from 'zod'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'
import { slugPattern, slugRule } from '../lib/slug.ts'

export const organizationInput = z.strictObject({ name: z.string().trim().min(1).max(100) })
export type OrganizationInput = z.infer<typeof organizationInput>

/** D16 */
export const newOrganization = organizationInput.extend({
  slug: z.string().regex(slugPattern, slugRule).optional().meta({ description: 'Omitted: what the name gives.' }),
})
export type NewOrganization = z.infer<typeof newOrganization>

export const organization = z.object({ id, uuid, name: z.string(), slug: z.string(), created: timestamp }).meta({ id: 'Organization' })
export type Organization = z.infer<typeof organization>
