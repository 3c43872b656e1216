/** What every layer shares of a request. Types only. */
import type { Permission } from './access/permissions.ts'
import type { Database } from './db/client.ts'
import type { Share } from './db/shares.ts'
import type { Config, Env } from './env.ts'

/** Who calls, as a verified token names them. Whether they still may, Postgres checks in the request's own round trip. */
export interface Caller {
  userId: number
  /** The account's when the sign-in was made: it counts as long as it is the account's still. */
  generation: number
  /** Of a sign-in by an organization's provider, which counts in that organization alone; undefined for the platform's own. */
  organizationId?: number | undefined
  /** The id of the session whose cookie the request shows in the place of a token. */
  session?: string
}

/** Where the request says its tenant is (T2): by host, else by slug. Which site that is, Postgres says. */
export interface TenantLocator {
  /** In lower-case punycode, without its port and a final dot. */
  host: string
  slug: string | null
  /** The slug that the path names: no other site than this may answer. */
  prefix: string | null
}

export interface RequestContext {
  env: Env
  config: Config
  requestId: string
  /** The client's, as it is counted: of IPv6 its network. */
  address: string
  tenant: TenantLocator
  caller: Caller | null
  /** Of the API key that the request shows in the place of a token. Whether there is such a key, Postgres says. */
  apiKeyHash: string | null
  /** What the route asks of the caller in the tenant: a permission, or to own its organization. Null: nothing. Undefined: the route has not said, so nothing may run. */
  permission: Permission | 'owner' | null | undefined
  database: Database
  share: Share
  /** Work that goes on after the response. */
  waitUntil(work: Promise<unknown>): void
}
