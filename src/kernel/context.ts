/** The types of the context of a request, which every layer shares. */

import type { Database, Share } from './db/database.ts'
import type { CommitNotes } from './db/run.ts'
import type { Sql } from './db/sql.ts'
import type { Config, Env } from './env.ts'
import type { Language } from './lib/languages.ts'
import type { Method } from './lib/sign-in-methods.ts'
import type { Permission } from './permissions.ts'
import type { KeyUse } from './scopes.ts'
import type { Standing } from './standing.ts'
import type { Trace } from './telemetry/trace.ts'

/** What every token of a sign-in carries: whose it is, and where it counts. */
export interface SignIn {
  userId: number
  /**
   * The account's generation at the time of the sign-in. The sign-in is valid while the account still has it.
   */
  generation: number
  /**
   * The only organization in which the sign-in counts: that of the provider, or of the tenant's host.
   * Undefined: it counts everywhere. S7, A8.
   */
  organizationId?: number | undefined
  /** The tenant's host at which it was issued. Undefined: a host of the platform. A8 */
  host?: string | undefined
  /** How the person signed in: the claim `amr`. Undefined for tokens of earlier versions. */
  methods?: readonly Method[] | undefined
}

/**
 * The caller, according to a verified token. Postgres checks in the request's first round trip whether the
 * account is active.
 */
export interface Caller extends SignIn {
  /**
   * The id of the sign-in: that of the session, or of the family of refresh tokens. Older tokens have none.
   */
  session?: string | undefined
  /** When the person signed in. */
  signedInAt: Date
}

/** Who asks: a person, an API key by its hash, or nobody. */
export interface Asker {
  caller: (SignIn & Pick<Caller, 'session'>) | null
  apiKeyHash: string | null
  /** The address of a request with a key, which may be for some addresses alone. */
  ip: string | null
}

/** What the plan of a list reads. */
export interface ListReads {
  siteId: number
  /** The standing of the guest. Null: the caller is a member or an API key. */
  standing: Standing | null
  /** The access rules that it depends on, as JSON. */
  rules: string
  /** The physical names of the tables. */
  tables: readonly string[]
  /** Returns the names of a table's primary key; none if the app has no such table. */
  keyOf(table: string): readonly string[]
}

/** How a request for a list is a part of following it. */
interface Following {
  /** Gets what the list reads, before it is read. */
  reads(found: ListReads): void
  /** Gets the uuid of the site, instead of the list. Omitted: the list is read. */
  joins?(siteUuid: string): void
}

/** The request's site: found by its host, or else by its slug. Postgres looks it up. T2. */
export interface TenantLocator {
  /** The host in lower-case punycode, without a port and a final dot. */
  host: string
  /** The host, if it can be the domain of a site. Null: it is a host of the platform. T8, A8. */
  domain: string | null
  slug: string | null
  /** The slug in the path. If the host belongs to another site, the request is rejected. */
  prefix: string | null
}

/**
 * A run of a function that calls the API of its site. It can read and write records and edges of its own app:
 * as the service, or with the rights of the person who caused it.
 */
export interface FunctionRun {
  siteId: number
  /** The slug of the site. */
  site: string
  /** The slug of the app. */
  app: string
  functionId: number
  invocationId: number
  attempt: number
  /**
   * Whether the invocation is stored while it runs. Invocations that the creation of an account waits for are
   * stored afterwards.
   */
  isStored: boolean
  /** The number of the run in its chain of causes: 1 if no function caused it. */
  depth: number
  as: 'service' | 'caller'
  /** The account that caused it, with its state in Postgres when the run began. Null: no account. */
  caller: SignIn | null
}

/** The Idempotency-Key of a request, as its site keeps it. */
export interface RequestKey {
  /** The hash of the caller, the method, the path and the key. */
  hash: string
  /** The hash of the query string and the body. */
  request: string
  /** A UUID of this request. */
  writer: string
  /** Whether the answer is a stored answer to an earlier request. */
  isReplayed: boolean
  /** The version of the catalog for which the statements of that request were planned. */
  replayedCatalog?: number | null
}

/**
 * The work outside the database that follows a committed transaction. outbox/after-commit.ts implements it.
 */
export interface AfterCommit {
  /**
   * Selects the notes of triggers. It is sent as the last statement of a transaction, so that it needs no
   * round trip of its own.
   */
  readonly selectNotes: Sql<CommitNotes>
  /**
   * Runs before the transaction is acknowledged to the client. Rejects with 503 if a stale cache cannot be
   * emptied.
   */
  handle(ctx: RequestContext, notes: CommitNotes): Promise<void>
}

export interface RequestContext {
  env: Env
  config: Config
  requestId: string
  /** The id that the client gave the request. Null: none, or not a valid one. */
  clientRequestId: string | null
  /** The client's address for rate limits: for IPv6, its /64 network. */
  address: string
  /** The client's address according to the header; null without the header. */
  ip: string | null
  /** The device, the country and the language of the request, for the owner of the account. Null: unknown. */
  client: { device: string | null; country: string | null; language: Language | null }
  tenant: TenantLocator
  caller: Caller | null
  /**
   * The hashes of the browser's trust tokens, for a sign-in. Undefined: it has none, or signs in again.
   * (access/second-factor)
   */
  trustHashes?: readonly string[]
  /** The hash of the API key that the request has instead of a token. Postgres looks it up. */
  apiKeyHash: string | null
  /** The hash of the key of an organization's directory (SCIM). Postgres looks it up. */
  directoryKeyHash: string | null
  /** The run of a function that makes the request. Null: a client makes it. */
  run: FunctionRun | null
  /**
   * The requirement of the route for the caller in the tenant: a permission, or to own the organization.
   * Null: none. Undefined: the route has not set it, and no statement may run.
   */
  permission: Permission | 'owner' | null | undefined
  /**
   * The kinds of use that the request may add to its site, for which the site may have limits. Omitted: none.
   */
  adds?: 'records' | 'invocations' | undefined
  /**
   * Whether the route also serves guests: requests without credentials, and callers without `access_site`.
   * Access rules define what they see.
   */
  forGuests: boolean
  /**
   * The id of the person as whom the caller reads, which requires `admin_site`. Null: the caller reads as
   * themselves.
   */
  viewAs: number | null
  /** Whom a live list asks for. Undefined: the request has credentials of its own, or needs none. */
  asks?: Asker
  /** Gets what the plan of a list reads before it runs, and who follows instead of reading. */
  follows?: Following
  /** The uuid of the site that was written to, if somebody follows lists of it. */
  followed?: string
  /**
   * Each returns the physical names of tables that are written; null: it may be any. Undefined: nothing says
   * which tables are written.
   */
  writes?: (() => readonly string[] | null)[]
  /** How the route accepts API keys. */
  keyUse: KeyUse
  /** The site that was entered last, and the version of its catalog then. Undefined: none was. */
  entered?: { siteId: number; catalogVersion: number }
  /** Whether the caller has `access_site`, according to Postgres. Undefined: not checked. */
  hasAccess?: boolean
  /** The hash of the schema of the table whose records are read. Undefined: none are. */
  readSchema?: string
  /** Null without the header Idempotency-Key, and on operations that do not take it. */
  requestKey: RequestKey | null
  database: Database
  /** A replica of the database. Null: there is none. */
  replica: Database | null
  /** The maximum age in seconds of the data that the request reads. 0: it reads from the primary. */
  ageMax: number
  /**
   * The age in seconds of the data that the request has read. Undefined: nothing was read from the replica.
   */
  age?: number
  share: Share
  afterCommit: AfterCommit
  /** The trace of the request. Undefined: telemetry is off. */
  trace?: Trace | undefined
  /** Keeps the isolate alive for work after the response. */
  waitUntil(work: Promise<unknown>): void
}

/** Returns the name of a request's site in the maps of an isolate, which may serve several databases. */
export const siteName = ({ config, tenant }: Pick<RequestContext, 'config' | 'tenant'>): string =>
  [config.DATABASE_URL, tenant.host, tenant.slug].join(' ')
