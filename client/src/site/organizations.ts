/** Organizations and their members. docs/guide/organizations-and-sites.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type AuditEntry, type AuditOptions, readAudit } from './audit.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

export interface Organization {
  id: number
  uuid: string
  name: string
  slug: string
  /** When the deleted organization will be erased. */
  deletes_at: string | null
  /** Whether members need a second factor, in the organization and in all of its sites. */
  requires_factor: boolean
  created: string
  [member: string]: unknown
}

/** The roles of members of an organization. */
type Role = 'owner' | 'admin' | 'member'

export interface Member {
  user: { id: number; username: string; email: string; full_name: string; [member: string]: unknown }
  role: Role
  groups: string[]
  joined: string
  [member: string]: unknown
}

const path = '/api/cloud/organizations/'

export const organizationPath = (slug: string): string => `${path}${encodeURIComponent(slug)}/`

export const organizationCalls = (transport: Transport) => ({
  list: (options?: ItemOptions): Promise<Items<Organization>> => readItems(transport, path, options),
  get: (slug: string, { signal }: CallOptions = {}): Promise<Organization> =>
    transport.json({ path: organizationPath(slug), signal }),
  /** Creates an organization whose owner is the caller. Without `slug`, the slug is made from the name. */
  create: (
    input: { name: string; slug?: string | undefined },
    { signal }: CallOptions = {},
  ): Promise<Organization> => transport.json({ method: 'POST', path, body: input, signal }),
  update: (
    slug: string,
    changes: { name?: string | undefined; requires_factor?: boolean | undefined },
    { signal }: CallOptions = {},
  ): Promise<Organization> =>
    transport.json({ method: 'PATCH', path: organizationPath(slug), body: changes, signal }),
  /** Deletes an organization whose sites are all deleted. It can be restored until `deletes_at`. */
  delete: (slug: string, { signal }: CallOptions = {}): Promise<Organization> =>
    transport.json({ method: 'DELETE', path: organizationPath(slug), signal }),
  restore: (slug: string, { signal }: CallOptions = {}): Promise<Organization> =>
    transport.json({ method: 'POST', path: `${organizationPath(slug)}restore/`, signal }),
  audit: (slug: string, options?: AuditOptions): Promise<Items<AuditEntry>> =>
    readAudit(transport, organizationPath(slug), options),
  /** The members of an organization, by its slug. */
  members: (slug: string) => memberCalls(transport, `${organizationPath(slug)}members/`),
})

/** Creates the calls of members, which use the ids of their accounts. */
function memberCalls(transport: Transport, members: string) {
  const one = (user: number) => `${members}${encodeURIComponent(user)}/`
  return {
    list: (options?: ItemOptions): Promise<Items<Member>> => readItems(transport, members, options),
    update: (user: number, changes: { role: Role }, { signal }: CallOptions = {}): Promise<Member> =>
      transport.json({ method: 'PATCH', path: one(user), body: changes, signal }),
    /** Ends the membership. The account stays. */
    delete: (user: number, { signal }: CallOptions = {}): Promise<void> =>
      transport.json({ method: 'DELETE', path: one(user), signal }),
  }
}
