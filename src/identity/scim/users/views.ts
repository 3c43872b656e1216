/** The JSON of a user. RFC 7643 §4.1, §8.1. */
import { urn } from '../messages.ts'
import type { ScimUser } from './schema.ts'

/** A user as the statements of store.ts select it. */
export interface UserRow {
  id: number
  user_name: string
  external_id: string | null
  given_name: string | null
  family_name: string | null
  full_name: string | null
  display_name: string
  email: string | null
  preferred_language: string | null
  is_active: boolean
  groups: { value: string; display: string }[]
  created: string
  modified: string
}

/** Returns a user as directories see it. `base` is the URL of SCIM. */
export function asUser(row: UserRow, base: string): ScimUser {
  const name = {
    ...(row.full_name === null ? {} : { formatted: row.full_name }),
    ...(row.given_name === null ? {} : { givenName: row.given_name }),
    ...(row.family_name === null ? {} : { familyName: row.family_name }),
  }
  return {
    schemas: [urn.user],
    id: String(row.id),
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name,
    ...(row.full_name === null ? {} : { name }),
    displayName: row.display_name,
    ...(row.preferred_language === null ? {} : { preferredLanguage: row.preferred_language }),
    active: row.is_active,
    emails: row.email === null ? [] : [{ value: row.email, type: 'work', primary: true }],
    groups: row.groups,
    meta: {
      resourceType: 'User',
      created: row.created,
      lastModified: row.modified,
      location: `${base}/Users/${row.id}`,
    },
  }
}
