/** The JSON of a group. RFC 7643 §4.2. */
import { urn } from '../messages.ts'
import type { ScimGroup } from './schema.ts'

/** A group as the statements of store.ts select it. */
export interface GroupRow {
  id: number
  name: string
  external_id: string | null
  /** Null: they were not selected. */
  members: { value: string; display: string }[] | null
  created: string
  modified: string
}

/** Returns a group as directories see it. `base` is the URL of SCIM. */
export const asGroup = (row: GroupRow, base: string): ScimGroup => ({
  schemas: [urn.group],
  id: String(row.id),
  ...(row.external_id === null ? {} : { externalId: row.external_id }),
  displayName: row.name,
  ...(row.members === null
    ? {}
    : {
        members: row.members.map((member) => ({ ...member, type: 'User' })),
      }),
  meta: {
    resourceType: 'Group',
    created: row.created,
    lastModified: row.modified,
    location: `${base}/Groups/${row.id}`,
  },
})
