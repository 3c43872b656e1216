/** What clients see of an organization. */
import type { Organization } from './schema.ts'

export type OrganizationRow = Organization

export const asOrganization = ({ id, uuid, name, slug, created }: OrganizationRow): Organization => ({ id, uuid, name, slug, created })
