/** The types of the database and its share of the isolate, as one request uses them. */
import type { Batch, BatchRows } from './batch.ts'
import type { CommitNotes, PartCall } from './run.ts'

/** The database, as one request uses it. */
export interface Database {
  /**
   * Runs statements of the platform as one transaction. Throws DatabaseFailure, or DatabaseUnavailable if
   * there is no answer within `deadlineMs` or probes fail (probe.ts).
   */
  batch<Of extends Batch>(statements: Of, deadlineMs: number): Promise<BatchRows<Of>>
  /**
   * Runs statements of the platform, of which the last one enters a site, and then statements of that site,
   * as one transaction. `oneCall`: if only the entry comes first, all statements are one call. Postgres
   * ends it after the default time of the role (`timeoutMs.read`), even if the entry sets another limit.
   */
  batchInSite<OfPlatform extends Batch, OfSite extends Batch>(
    platform: OfPlatform,
    site: OfSite,
    deadlineMs: number,
    oneCall?: OneCall,
  ): Promise<SiteBatchRows<OfPlatform, OfSite>>
  /**
   * Runs statements of the platform, and then those of each part in its site, as one transaction. A part that
   * fails has an SQLSTATE instead of rows, and the others have theirs.
   */
  batchInParts<OfPlatform extends Batch, OfPart extends Batch>(
    platform: OfPlatform,
    parts: readonly (PartCall & { statements: OfPart })[],
    deadlineMs: number,
  ): Promise<{ platform: BatchRows<OfPlatform>; parts: (BatchRows<OfPart> | string)[] }>
  /** The number of round trips of this request so far, and the time that it has waited for them. */
  readonly spent: { roundTrips: number; milliseconds: number }
}

/** How statements are sent in one call with the entry. */
export interface OneCall {
  /**
   * The site and the version of its catalog, for which a session of Postgres may keep the plan of a single
   * statement (kept-plans.ts). Null: it may not.
   */
  keeps: { siteId: number; catalogVersion: number } | null
}

/** The rows of a batch in a site. */
interface SiteBatchRows<OfPlatform extends Batch, OfSite extends Batch> {
  platform: BatchRows<OfPlatform>
  site: BatchRows<OfSite>
  /** Null if the transaction could have no notes. */
  notes: CommitNotes | null
}

/** The part of its tenant's share that one request uses. */
export interface Share {
  /** Reserves memory for a body. Throws 503 if bodies from the same address use too much memory. */
  reserveBody(bytes: number): Promise<void>
  /**
   * Runs work that may take Postgres seconds, such as aggregations. Throws 503 if the tenant has too much of
   * it running. `places`: how much it counts; by default 1.
   */
  runHeavy<Result>(work: () => Promise<Result>, places?: number): Promise<Result>
  /**
   * Takes a place for an answer that is sent while it is read, for `ms` at most. Throws 503 if the tenant has
   * too many of them.
   */
  openStream(ms: number): Promise<Leave>
  /** Releases everything that the request has reserved, except the place of a stream. */
  release(): void
}

/** Gives back a place. Calling it again has no effect. */
type Leave = () => void
