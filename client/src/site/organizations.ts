/** Organizations and their members. docs/guide/organizations-and-sites.md. */
import type { CallOptions, Query, Transport } from '../connection/transport.ts'
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

/** A table in all sites of an organization. */
export interface TableOfSites {
  app: string
  table: string
  /** The slugs of sites. Omitted: all. */
  sites?: readonly string[] | undefined
  environment?: string | undefined
  /** Filters, `_sort`, `page_size`, `after` and the other parameters of a list, as the API takes them. */
  query?: Query | undefined
}

/** A site that has no part in the answer, with the reason. */
interface SkippedSite {
  site: string
  reason: string
  detail: string
}

/** A page of the records of several sites. */
export interface RecordsOfSites {
  data: { site: string; record: Record<string, unknown> }[]
  total: number | null
  /** `next`: the cursor of the next page, for `after`; null on the last. */
  meta: { limit: number; has_more: boolean; total_is: string; next: string | null }
  skipped: SkippedSite[]
}

/** The aggregates of several sites: of each, and of all together where they follow from these. */
export interface AggregatesOfSites {
  data: { site: string; aggregates: Record<string, unknown> }[]
  aggregates: Record<string, unknown>
  skipped: SkippedSite[]
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
  /** Lists the records of a table in all sites as one list. */
  records: (slug: string, table: TableOfSites, options: CallOptions = {}): Promise<RecordsOfSites> =>
    readSites(transport, slug, table, options),
  /** Computes `_aggregate` of the records of a table in all sites: `count(*),sum(amount)`. */
  aggregate: (
    slug: string,
    _aggregate: string,
    { query, ...table }: TableOfSites,
    options: CallOptions = {},
  ): Promise<AggregatesOfSites> =>
    readSites(transport, slug, { ...table, query: { ...query, _aggregate } }, options),
  /** The members of an organization, by its slug. */
  members: (slug: string) => memberCalls(transport, `${organizationPath(slug)}members/`),
})

const readSites = <Answer>(
  transport: Transport,
  slug: string,
  { app, table, sites, environment, query }: TableOfSites,
  { signal }: CallOptions,
): Promise<Answer> =>
  transport.json({
    path: `${organizationPath(slug)}records/`,
    query: { ...query, app, table, sites: sites?.join(','), environment },
    signal,
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
