/**
 * The catalog of an app: its datasources and tables, for planning statements. Each isolate caches it, and the
 * isolates of a data centre share it. A stale catalog does no harm: statements carry its version, Postgres
 * compares the version when the tenant is entered, and statements that were planned with an older one are
 * planned again.
 */
import { type RequestContext, siteName } from '../../kernel/context.ts'
import type { Batch, BatchRows } from '../../kernel/db/batch.ts'
import type { Planned } from '../../kernel/db/enter-tenant.ts'
import { CatalogMoved, type Mode } from '../../kernel/db/entering.ts'
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { findAnswer, keptRows } from '../../kernel/db/kept-answers.ts'
import { ScopesMoved } from '../../kernel/db/known-scopes.ts'
import { knownStanding, StandingMoved } from '../../kernel/db/known-standing.ts'
import { readInTenant } from '../../kernel/db/replica.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { inTenant, requireAccess } from '../../kernel/db/tenant.ts'
import { AppError, appNotFound, schemaChanging, unavailable } from '../../kernel/errors.ts'
import { contentionDelayMs, pause } from '../../kernel/lib/retry.ts'
import { ScopeMissing } from '../../kernel/scopes.ts'
import type { Standing } from '../../kernel/standing.ts'
import { isTableConstraint } from '../model/names.ts'
import { forgetCatalog, isOutdated, keepCatalog, keptCatalog } from './catalog-cache.ts'
import { follow } from './follow.ts'
import { guestCatalog, refuseGuest, withStanding } from './guests.ts'
import { historyBuilding } from './history-building.ts'
import { type CachedCatalog, type Catalog, compileCatalog, loadCatalog } from './load-catalog.ts'
import { scopedCatalog, withScopes } from './scoped.ts'
import { findSharedCatalog, shareCatalog } from './shared-catalogs.ts'

/** The statements of a request, and the function that turns their answers into its result. */
export interface Plan<Of extends Batch, Result> {
  statements: Of
  /**
   * Statements that could run for a very long time. They run first, in a separate transaction with a short
   * time limit.
   */
  tries?: readonly Sql[]
  /** Omitted: the mode given to `withCatalog`. */
  mode?: Mode
  /** True if the statements may take seconds. A tenant runs few of these at a time. */
  heavy?: boolean
  /** How many places of heavy statements they take. Omitted: one. */
  places?: number
  /** Whether everything that the statements write is rolled back. */
  isDry?: boolean
  /** Whether the plan itself keeps its answers for repetitions of the request. */
  keepsItself?: boolean
  /** Statements that run as the service before the site is entered. Their rows are not returned. */
  asService?: Batch
  finish(answers: BatchRows<Of>): Result | Promise<Result>
  /**
   * Returns how to plan the request instead, after this failure of the database. Omitted, or its result is
   * undefined: the request has failed.
   */
  instead?(failure: DatabaseFailure): ((catalog: Catalog) => Plan<Of, Result>) | undefined
  /** Returns the error for a failure of the database; undefined if the client did not cause it. */
  errorOf?(failure: DatabaseFailure): AppError | undefined | Promise<AppError | undefined>
}

/**
 * Creates the result of a request from the rows that its statements returned for an earlier request. Returns
 * undefined if that needs the plan.
 */
export type Again<Kept, Result> = (kept: Kept) => { result: Result } | undefined

/** Returns the plan itself. It lets the compiler derive the type of the answers from the statements. */
export const planOf = <Of extends Batch, Result>(plan: Plan<Of, Result>): Plan<Of, Result> => plan

/** How long a request plans again while other requests keep changing the catalog. */
const planningMsMax = 8_000

/**
 * Plans statements with the catalog of an app, and runs them in the tenant: in one round trip if the isolate
 * or its data centre has the catalog. An error of `plan` reaches the client only after Postgres has confirmed
 * the caller's permission and the version of the catalog. With `again`, the answers are kept for repetitions
 * of a request that has an Idempotency-Key. Throws 404 if the app does not exist, and 503 if the catalog does
 * not stop changing, or if a schema change of the site waits too long for another one.
 */
export async function withCatalog<Of extends Batch, Result, Kept = BatchRows<Of>>(
  ctx: RequestContext,
  appSlug: string,
  mode: Mode,
  plan: (catalog: Catalog) => Plan<Of, Result>,
  again?: Again<Kept, Result>,
): Promise<Result> {
  const key = keyOf(ctx, appSlug)
  for (const deadline = Date.now() + planningMsMax; Date.now() < deadline; ) {
    const standing = knownStanding(ctx)
    const kept = keptCatalog(key) ?? (await sharedCatalog(ctx, key, appSlug))
    try {
      const cached = kept ?? (await freshCatalog(ctx, key, appSlug, standing))
      const outcome = await planAndRun(ctx, mode, { appSlug, cached, standing, isFresh: !kept, plan, again })
      if ('result' in outcome) {
        // Otherwise the next request of this isolate would use an outdated catalog, and need a second round
        // trip.
        if (mode === 'schema') forgetCatalog(key)
        return outcome.result
      }
      const { failure, planned } = outcome
      if (mayBeOutdated(failure, cached)) {
        const newest = await freshCatalog(ctx, key, appSlug, standing)
        if (newest.siteId !== cached.siteId || newest.catalogVersion !== cached.catalogVersion) continue
        if (standing && lacksView(failure)) throw refuseGuest(ctx)
      }
      const otherPlan = planned.instead?.(failure)
      if (otherPlan) return await withCatalog(ctx, appSlug, mode, otherPlan, again)
      throw (await planned.errorOf?.(failure)) ?? failure
    } catch (error) {
      // Both are kinds of CatalogMoved, but the catalog is right. What noticed the change has already stored
      // the new scopes or standing.
      if (error instanceof ScopesMoved || error instanceof StandingMoved) continue
      if (!(error instanceof CatalogMoved)) throw error
      forgetCatalog(key)
      await pause(contentionDelayMs())
    }
  }
  throw mode === 'schema' ? schemaChanging() : unavailable()
}

/** Returns the catalog that another isolate of the data centre has loaded, and caches it. */
async function sharedCatalog(
  ctx: RequestContext,
  key: string,
  appSlug: string,
): Promise<CachedCatalog | undefined> {
  if (isOutdated(key)) return undefined
  const source = await findSharedCatalog(ctx, appSlug)
  // Another request may have loaded a newer one meanwhile.
  return keptCatalog(key) ?? (source && !isOutdated(key) ? keepCatalog(key, source) : undefined)
}

/** Loads the catalog, and caches it. */
async function freshCatalog(
  ctx: RequestContext,
  key: string,
  appSlug: string,
  standing: Standing | undefined,
): Promise<CachedCatalog> {
  const source = await loadCatalog(ctx, appSlug, standing)
  ctx.waitUntil(shareCatalog(ctx, appSlug, source))
  // Guests can ask for any app. Names of missing apps must not evict catalogs that others need.
  return standing && source.json === null ? compileCatalog(source) : keepCatalog(key, source)
}

interface Planning<Of extends Batch, Result, Kept> {
  appSlug: string
  cached: CachedCatalog
  /** The standing of the guest. Undefined: the caller is not a guest. */
  standing: Standing | undefined
  /** Whether Postgres has confirmed the catalog and the caller's permission for this request. */
  isFresh: boolean
  plan: (catalog: Catalog) => Plan<Of, Result>
  again: Again<Kept, Result> | undefined
}

/** The result of a plan, or the failure of its statements. */
type Outcome<Of extends Batch, Result> =
  | { result: Result }
  | { failure: DatabaseFailure; planned: Plan<Of, Result> }

async function planAndRun<Of extends Batch, Result, Kept>(
  ctx: RequestContext,
  mode: Mode,
  { appSlug, cached, standing, isFresh, plan, again }: Planning<Of, Result, Kept>,
): Promise<Outcome<Of, Result>> {
  const seen = seenBy(ctx, cached, standing)
  let planned: Plan<Of, Result>
  try {
    if (seen.app === null) throw standing ? refuseGuest(ctx) : appNotFound(appSlug)
    planned = plan(seen)
  } catch (error) {
    const kept = again && !(error instanceof ScopeMissing) && (await keptFor(ctx, seen))
    const replayed = kept && again(kept as Kept)
    if (replayed) return replayed
    if (!isFresh) await requireAccess(ctx, seen)
    throw (await historyBuilding(ctx, seen, error)) ?? error
  }
  if (ctx.follows && cached.app) await follow(ctx, cached, seen, planned.statements)
  const { isDry = false, keepsItself = false, asService } = planned
  const keeps = again !== undefined && !keepsItself
  const options = { planned: seen, keeps, isDry, ...(asService ? { asService } : {}) }
  const runMode = planned.mode ?? mode
  const run = () =>
    runMode === 'read' && !asService
      ? readInTenant(ctx, planned.statements, seen)
      : inTenant(ctx, runMode, planned.statements, options)
  try {
    if (planned.tries?.length) await inTenant(ctx, 'try', { tries: planned.tries }, { planned: seen })
    const { heavy, places } = planned
    return { result: await planned.finish(await (heavy ? ctx.share.runHeavy(run, places) : run())) }
  } catch (failure) {
    if (!(failure instanceof DatabaseFailure)) throw failure
    return { failure, planned }
  }
}

/**
 * Returns the part of a catalog that the request may see, by the scopes of its API key or by the rules for
 * guests.
 */
function seenBy(ctx: RequestContext, cached: CachedCatalog, standing: Standing | undefined): CachedCatalog {
  if (standing)
    return withStanding(ctx, cached.app === null ? cached : guestCatalog(cached, standing), standing)
  return cached.app === null ? withScopes(ctx, cached) : scopedCatalog(ctx, cached)
}

/**
 * Runs a change of several steps, of which only the last one writes. If an earlier request with the same key
 * has made the change, returns its result instead. If a step fails, looks for such a request again, because
 * it may have ended in the meantime.
 */
export async function unlessKept<Kept, Result>(
  ctx: RequestContext,
  appSlug: string,
  again: Again<Kept, Result>,
  change: () => Promise<Result>,
): Promise<Result> {
  const { requestKey } = ctx
  if (!requestKey) return change()
  const findKept = () =>
    withCatalog(ctx, appSlug, 'read', () =>
      planOf({
        statements: { found: findAnswer(requestKey, false) },
        finish({ found }) {
          const kept = keptRows(requestKey, found)
          return kept && again(kept as Kept)
        },
      }),
    )
  const before = await findKept()
  if (before) return before.result
  try {
    return await change()
  } catch (error) {
    const meanwhile = error instanceof AppError && !requestKey.isReplayed ? await findKept() : undefined
    if (meanwhile) return meanwhile.result
    throw error
  }
}

/** Returns the rows of an earlier request with the same key, for one that can no longer be planned. */
async function keptFor(
  ctx: RequestContext,
  planned: Planned & Pick<Catalog, 'standing'>,
): Promise<BatchRows<Batch> | undefined> {
  const { requestKey } = ctx
  if (!requestKey) return undefined
  const statements = { found: findAnswer(requestKey, planned.standing !== undefined) }
  const { found } = await inTenant(ctx, 'read', statements, { planned })
  return keptRows(requestKey, found)
}

const keyOf = (ctx: RequestContext, appSlug: string) => `${siteName(ctx)} ${appSlug}`

/**
 * Tells whether a guest asked for a table without views and functions. They are missing if the table's rules
 * do not fit the app; then guests may do nothing with the table.
 */
const lacksView = ({ sqlstate }: DatabaseFailure): boolean =>
  sqlstate === sqlstates.undefinedTable || sqlstate === sqlstates.undefinedFunction

/**
 * Returns whether a failure may come from a table that changed after the tenant was entered, while the
 * statement waited for its lock: the statement is no longer valid SQL, does not fit the new types, or
 * violates an unknown constraint.
 */
function mayBeOutdated({ sqlstate, constraint }: DatabaseFailure, cached: CachedCatalog): boolean {
  if (sqlstate.startsWith('42') || sqlstate.startsWith('22'))
    return sqlstate !== sqlstates.insufficientPrivilege
  return (
    constraint !== undefined &&
    isTableConstraint(constraint) &&
    cached.app !== null &&
    ![...cached.tables.values()].some((table) => table.constraints.has(constraint))
  )
}
