/** The JSON of an organization. */
import type { Organization } from './schema.ts'

/** An organization as the statements of store.ts select it. */
export type OrganizationRow = Organization

/** Returns the organization as clients see it. */
export const asOrganization = ({
  id,
  uuid,
  name,
  slug,
  deletes_at,
  requires_factor,
  created,
}: OrganizationRow): Organization => ({
  id,
  uuid,
  name,
  slug,
  deletes_at,
  requires_factor,
  created,
})
