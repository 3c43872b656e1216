/** The context of a request, which every layer shares. Types only. */

import type { Database, Share } from './db/database.ts'
import type { CommitNotes } from './db/run.ts'
import type { Sql } from './db/sql.ts'
import type { Config, Env } from './env.ts'
import type { Language } from './lib/languages.ts'
import type { Method } from './lib/sign-in-methods.ts'
import type { Permission } from './permissions.ts'
import type { KeyUse } from './scopes.ts'
import type { Trace } from './telemetry/trace.ts'

/**
 * The caller, as a verified token says. Postgres checks in the request's first round trip whether the account
 * is active.
 */
export interface Caller {
  userId: number
  /**
   * The account's generation at the time of the sign-in. The sign-in is valid while the account still has it.
   */
  generation: number
  /**
   * The organization whose provider signed the caller in: only there the sign-in counts. Undefined for other
   * sign-ins.
   */
  organizationId?: number | undefined
  /** The id of the sign-in: of the session, or of the family of refresh tokens. Older tokens have none. */
  session?: string | undefined
  /** When the person proved who they are. */
  signedInAt: Date
  /** How they did: the claim `amr`. Undefined: not known, since the token is of an earlier version. */
  methods?: readonly Method[] | undefined
}

/** The request's site: found by its host, else by its slug. Postgres looks it up. T2. */
export interface TenantLocator {
  /** The host in lower-case punycode, without a port and a final dot. */
  host: string
  slug: string | null
  /** The slug in the path. If the host belongs to another site, the request is rejected. */
  prefix: string | null
}

/**
 * A run of a function that calls the API of its site. It reads and writes records and edges of its own app:
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
  /** Whether the invocation is stored while it runs. Those that an account waits for are stored afterwards. */
  isStored: boolean
  /** The number of the run in its chain of causes: 1 if no function caused it. */
  depth: number
  as: 'service' | 'caller'
  /** Who caused it, as Postgres knew them when it began. Null: nobody who signed in. */
  caller: Pick<Caller, 'userId' | 'generation' | 'organizationId'> | null
}

/** The Idempotency-Key of a request, as its site keeps it. */
export interface RequestKey {
  /** The hash of the caller, the method, the path and the key. */
  hash: string
  /** The hash of the query string and the body. */
  request: string
  /** A UUID of this request. */
  writer: string
  /** Whether the answer is that of an earlier request. */
  isReplayed: boolean
  /** The version of the catalog that the statements of that request were planned for. */
  replayedCatalog?: number | null
}

/**
 * The work outside the database that follows a committed transaction. outbox/after-commit.ts implements it.
 */
export interface AfterCommit {
  /**
   * Selects what triggers noted. It is sent as the last statement of a transaction, so that it costs no round
   * trip.
   */
  readonly selectNotes: Sql<CommitNotes>
  /**
   * Runs before the transaction is acknowledged to the client. Rejects with 503 if a stale cache cannot be
   * emptied.
   */
  handle(ctx: RequestContext, notes: CommitNotes): Promise<void>
}

/** The context of one request. */
export interface RequestContext {
  env: Env
  config: Config
  requestId: string
  /** The client's address for rate limits: for IPv6, its /64 network. */
  address: string
  /** The client's address as the header says; null without one. */
  ip: string | null
  /** Where the request comes from, for the owner of the account. Null: not known. */
  client: { device: string | null; country: string | null; language: Language | null }
  tenant: TenantLocator
  caller: Caller | null
  /**
   * What the browser that signs in has been trusted with: the hashes of its tokens. Undefined: it has none,
   * or signs in again. (access/second-factor)
   */
  trustHashes?: readonly string[]
  /** The hash of the API key that the request has in the place of a token. Postgres looks it up. */
  apiKeyHash: string | null
  /** The hash of the key of an organization's directory (SCIM). Postgres looks it up. */
  directoryKeyHash: string | null
  /** The run of a function that makes the request in the place of a client. Null: a client makes it. */
  run: FunctionRun | null
  /**
   * The requirement of the route for the caller in the tenant: a permission, or to own the organization.
   * Null: none. Undefined: the route has not set it, and no statement may run.
   */
  permission: Permission | 'owner' | null | undefined
  /** What the request may add to what its site uses: the site may have a limit. Omitted: neither. */
  adds?: 'records' | 'invocations' | undefined
  /**
   * Whether the route also serves guests: requests without credentials, and callers who do not hold
   * `access_site`. Access rules say what they see.
   */
  forGuests: boolean
  /** The id of the person as whom the caller, who must hold `admin_site`, reads. Null: the caller reads. */
  viewAs: number | null
  /** How the route takes API keys. */
  keyUse: KeyUse
  /** The site that was entered last, and the version of its catalog then. Undefined: none was. */
  entered?: { siteId: number; catalogVersion: number }
  /** Whether Postgres has said that the caller holds `access_site` there. Undefined: it was not asked. */
  hasAccess?: boolean
  /** The hash of the schema of the table whose records are read. Undefined: none are. */
  readSchema?: string
  /** Null without the header Idempotency-Key, and on operations that do not take it. */
  requestKey: RequestKey | null
  database: Database
  /** A replica of the database. Null: there is none. */
  replica: Database | null
  /** How old what the request reads may be, in seconds. 0: it reads from the primary. */
  ageMax: number
  /** How old what the request has read is, in seconds. Undefined: it has read nothing from the replica. */
  age?: number
  share: Share
  afterCommit: AfterCommit
  /** The trace of the request. Undefined: telemetry is off. */
  trace?: Trace | undefined
  /** Keeps the isolate alive for work after the response. */
  waitUntil(work: Promise<unknown>): void
}
