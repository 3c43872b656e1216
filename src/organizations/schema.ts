import { z } from 'zod'
import { listQuery } from '../http/lists/list.ts'
import { id, timestamp, uuid } from '../http/openapi/bodies.ts'
import { returnable } from '../http/returnable.ts'
import { list } from './store.ts'

export const organization = z.object({ id, uuid, name: z.string(), slug: z.string(), created: timestamp }).meta({ id: 'Organization' })
export type Organization = z.infer<typeof organization>

export const organizationInput = returnable({ name: z.string().trim().min(1).max(100) }, organization)
export type OrganizationInput = z.infer<typeof organizationInput>

export const organizationsQuery = listQuery(list, {})
export type OrganizationsQuery = z.infer<typeof organizationsQuery>
