/** What clients see of an organization. */
export interface OrganizationRow {
  id: number
  uuid: string
  name: string
  slug: string
  created: string
}

export const asOrganization = ({ id, uuid, name, slug, created }: OrganizationRow) => ({ id, uuid, name, slug, created })
