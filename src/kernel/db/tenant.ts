/** Runs batches in a tenant, as its role, after Postgres has checked the permission of the caller. */
import type { RequestContext } from '../context.ts'
import { AppError, invalidFields, notFound, unauthenticated, unavailable } from '../errors.ts'
import { quoteValue } from '../lib/quote-value.ts'
import type { Batch, BatchRows } from './batch.ts'
import type { Database } from './database.ts'
import { type Entering, enterTenant, isAnonymous, type Planned, type PlannedFor } from './enter-tenant.ts'
import { asRequestError, CatalogMoved, graceMs, type Mode, timeoutMs } from './entering.ts'
import { DatabaseFailure, sqlstates } from './failures.ts'
import { generation } from './generation.ts'
import { keepingBatch, type SentBatch } from './kept-answers.ts'
import { noteEntry } from './known-entries.ts'
import { learnScopes } from './known-scopes.ts'
import { knownStanding, learnStanding } from './known-standing.ts'
import { inOneCall } from './one-call.ts'
import { runAs, type Sql, sql } from './sql.ts'

/**
 * The 404 of a request that names no tenant, or one that does not exist. Such a request can use only the
 * public schema. T2.
 */
export class NoTenant extends AppError {
  /** `state` is the state of an existing site that does not answer, as public.site_state returns it. */
  constructor(ctx: RequestContext, state?: string) {
    super(404, 'not_found', notFound(siteHint(ctx, state)).body)
  }
}

/** Tells a signed-in caller which part of the request should have named the site. */
function siteHint(
  { caller, apiKeyHash, tenant: { slug, prefix, host } }: RequestContext,
  state?: string,
): string | undefined {
  if (!caller && !apiKeyHash) return undefined
  if (slug !== null && (state === 'suspended' || state === 'deleted'))
    return `The site ${quoteValue(slug)} is ${state}.`
  if (prefix !== null) return `There is no site ${quoteValue(prefix)}.`
  return slug === null
    ? `${quoteValue(host)} is not the host of a site. Put /sites/{site} before /api in the path.`
    : `There is no site ${quoteValue(slug)}.`
}

interface EnterOptions<AsService extends Batch> extends Entering {
  /**
   * Statements that run as the service, on tables of the platform, before the tenant is entered. They run
   * before the permission of the caller is checked: if it is missing, the whole transaction fails.
   */
  asService?: AsService
  /** Whether the answers are kept for repetitions of the request, if it has an Idempotency-Key. */
  keeps?: boolean
  /** Whether everything that the statements write is rolled back. In that case no answer is stored. */
  isDry?: boolean
}

/**
 * Runs statements in the tenant of the request, as its role, after Postgres has checked the permission of the
 * caller. T2, T5. Returns the rows of each statement, including those of `asService`, under its name. Throws
 * 401, 403, 404 or 503 if the tenant cannot be entered.
 */
export async function inTenant<AsTenant extends Batch, AsService extends Batch = Record<never, never>>(
  ctx: RequestContext,
  mode: Mode,
  statements: AsTenant,
  options?: EnterOptions<AsService>,
): Promise<BatchRows<AsTenant> & BatchRows<AsService>> {
  return (await inTenantWithSite(ctx, mode, statements, options)).answers
}

/**
 * Runs statements like `inTenant`, and also returns the site that was entered and the version of its catalog.
 */
export async function inTenantWithSite<
  AsTenant extends Batch,
  AsService extends Batch = Record<never, never>,
>(
  ctx: RequestContext,
  mode: Mode,
  statements: AsTenant,
  { planned, asSite = false, asService, keeps = false, isDry = false }: EnterOptions<AsService> = {},
): Promise<{ site: Planned; answers: BatchRows<AsTenant> & BatchRows<AsService> }> {
  const key = keeps && !isDry ? ctx.requestKey : null
  const { sent, answersOf } = key
    ? keepingBatch(key, statements, planned?.catalogVersion ?? null, planned?.standing !== undefined)
    : plainBatch(statements, isDry)
  const send = (isOneCall: boolean) =>
    ctx.database.batchInSite(
      {
        ...(asService ?? ({} as AsService)),
        _generation: mode === 'schema' ? noteGeneration(ctx) : undefined,
        [enteredName]: enterTenant(ctx, mode, { planned, asSite, isOneCall }),
      },
      sent,
      timeoutMs[isOneCall ? 'read' : mode] + graceMs,
      isOneCall ? { keeps: mode === 'read' ? plannedSite(ctx, planned) : null } : undefined,
    )
  try {
    const { platform, site, notes } = await (asService ? send(false) : inOneCall(ctx, mode, send))
    const { site_id, catalog_version } = platform[enteredName].one
    ctx.entered = { siteId: site_id, catalogVersion: catalog_version }
    noteAccess(ctx, planned)
    noteEntry(ctx)
    if (notes) await ctx.afterCommit.handle(ctx, notes)
    return { site: ctx.entered, answers: { ...platform, ...answersOf(site) } }
  } catch (error) {
    throw (
      movedOf(ctx, error) ??
      unknownPerson(ctx, error) ??
      asRequestError(error, (state) => missingTenant(ctx, state))
    )
  }
}

/**
 * Returns the site and the version of its catalog for which a session of Postgres may keep a plan. Null: the
 * statements are those of a guest, or depend on no site or no catalog.
 */
function plannedSite({ viewAs }: RequestContext, planned: PlannedFor | undefined): Planned | null {
  const { siteId = null, catalogVersion = null, standing } = planned ?? {}
  if (siteId === null || catalogVersion === null || standing !== undefined || viewAs !== null) return null
  return { siteId, catalogVersion }
}

/**
 * Notes that a schema change makes objects of this release in a site whose objects a later release has made,
 * before it was rolled back. When that release is back, it makes them again.
 */
const noteGeneration = ({ tenant: { host, slug } }: RequestContext): Sql => sql`
  update public.site_meters m set generation = ${generation}
   where m.generation > ${generation}
     and m.site_id = (select s.id from public.sites s where s.slug = public.site_at(${host}, ${slug}))`

/**
 * Records that the caller entered the tenant with `access_site`: not as a guest, and not as another person.
 */
function noteAccess(ctx: RequestContext, planned: PlannedFor | undefined): void {
  const { permission, viewAs, run } = ctx
  if (permission === 'access_site' && !planned?.standing && viewAs === null && !run) ctx.hasAccess = true
}

/**
 * Stores the scopes or the standing that Postgres returned with a refusal. Returns undefined for errors after
 * which nothing is planned again.
 */
function movedOf(ctx: RequestContext, error: unknown): CatalogMoved | undefined {
  if (!(error instanceof DatabaseFailure)) return undefined
  const { sqlstate } = error
  if (sqlstate === sqlstates.scopesMoved) return learnScopes(ctx, error)
  const mayBeGuest = ctx.forGuests && ctx.apiKeyHash === null && ctx.viewAs === null
  const isMoved = sqlstate === sqlstates.standingMoved || (mayBeGuest && sqlstate === sqlstates.forbidden)
  return isMoved ? learnStanding(ctx, error) : undefined
}

/** Returns the 400 for a request to see as an account that does not belong to the site. */
function unknownPerson({ viewAs }: RequestContext, error: unknown): AppError | undefined {
  const isUnknown = error instanceof DatabaseFailure && error.sqlstate === sqlstates.noSuchPerson
  return isUnknown && viewAs !== null
    ? invalidFields({ 'X-View-As': [`The site has no person with the id ${viewAs}.`] })
    : undefined
}

/**
 * Returns the error for a missing tenant. A guest without credentials gets the same 401 as for a missing
 * table, and so learns nothing about the site.
 */
const missingTenant = (ctx: RequestContext, state?: string): AppError =>
  ctx.forGuests && isAnonymous(ctx) ? unauthenticated() : new NoTenant(ctx, state)

function plainBatch<Of extends Batch>(statements: Of, isDry: boolean): SentBatch<Of> {
  const sent = isDry ? { _dry: dryRun, ...statements } : statements
  return { sent, answersOf: (site) => site as BatchRows<Of> }
}

/** Only the place and the kind of this statement matter. */
const dryRun = runAs('dryRun', sql`select`)

/** The name of the statement that enters the tenant, which no other statement has. */
const enteredName = '_entered'

/**
 * Enters the tenant without running statements, on a route for guests also as a guest. Throws if there is no
 * tenant, or if the caller lacks the route's permission.
 */
export async function requireAccess(ctx: RequestContext, planned?: PlannedFor): Promise<Planned> {
  // Without statements, nothing is read as a guest or as another person, so nothing is noted about either.
  const asSite = true
  if (planned) return (await inTenantWithSite(ctx, 'read', {}, { planned, asSite })).site
  // The first refusal returns the scopes of a key, or the standing of a caller.
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const standing = knownStanding(ctx)
    const known = standing && { siteId: null, catalogVersion: null, standing }
    try {
      return (await inTenantWithSite(ctx, 'read', {}, { planned: known, asSite })).site
    } catch (error) {
      if (!(error instanceof CatalogMoved)) throw error
    }
  }
  throw unavailable()
}

/** More attempts are needed only if rights change repeatedly at the same time. */
const attemptsMax = 4

/**
 * Runs statements in a site, as its role, for work of the service itself, for example a job. Statements of
 * `before` run as the service, before the site is entered. Returns the rows of both, as `inTenant` does.
 */
export async function asService<AsSite extends Batch, Before extends Batch = Record<never, never>>(
  database: Database,
  siteId: number,
  statements: AsSite,
  before?: Before,
): Promise<BatchRows<AsSite> & BatchRows<Before>> {
  const enter = sql`select public.enter_as_service(${siteId}, ${timeoutMs.schema})`
  const { platform, site } = await database.batchInSite(
    { ...(before ?? ({} as Before)), [enteredName]: enter },
    statements,
    timeoutMs.schema + graceMs,
  )
  return { ...platform, ...site }
}
