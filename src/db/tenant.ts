/** Runs batches in a tenant, as its role, after Postgres has checked the permission of the caller. */
import type { RequestContext } from '../context.ts'
import {
  AppError,
  forbiddenToFunctions,
  invalidFields,
  notFound,
  unauthenticated,
  unavailable,
} from '../errors.ts'
import { validAddress } from '../lib/client-address.ts'
import { quoteValue } from '../lib/quote-value.ts'
import type { Permission } from '../permissions.ts'
import type { KnownScopes } from '../scopes.ts'
import { type Standing, standingText } from '../standing.ts'
import type { Batch, BatchRows } from './batch.ts'
import { callerOf } from './caller.ts'
import type { Database, EnteredRow } from './database.ts'
import { asRequestError, CatalogMoved, graceMs, type Mode, timeoutMs } from './entering.ts'
import { DatabaseFailure, sqlstates } from './failures.ts'
import { keepingBatch, type SentBatch } from './kept-answers.ts'
import { knownScopes, learnScopes } from './known-scopes.ts'
import { knownStanding, learnStanding } from './known-standing.ts'
import { tenantVersion } from './migrations.ts'
import { runAs, type Sql, sql } from './sql.ts'

/** The site, and the version of its catalog, that statements were planned for. */
export interface Planned {
  siteId: number
  catalogVersion: number
}

/** What statements were planned for. */
export interface PlannedFor {
  /** Null: for any site. */
  siteId: number | null
  /** Null: they do not depend on the catalog. */
  catalogVersion: number | null
  /** The scopes of the request's API key. Omitted: none. */
  scopes?: { known: KnownScopes }
  /** The standing of the guest who asks. The statements run as the role of guests. Omitted: it is no guest. */
  standing?: Standing | undefined
}

/**
 * The 404 of a request that names no tenant, or one that does not exist. It can only use the public schema.
 * T2.
 */
export class NoTenant extends AppError {
  /** `state` is that of a site that exists and does not answer, as public.site_state returns it. */
  constructor(ctx: RequestContext, state?: string) {
    super(404, notFound(siteHint(ctx, state)).body)
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

interface EnterOptions<AsService extends Batch> {
  /**
   * The site and the catalog that the statements were planned for. Throws CatalogMoved if the catalog has
   * changed since.
   */
  planned?: PlannedFor | undefined
  /** Whether the statements of a guest run as the role of the site: for reading the catalog only. */
  asSite?: boolean
  /**
   * Statements that run as the service, on tables of the platform, before the tenant is entered. They run
   * before the permission of the caller is checked: if it is missing, the whole transaction fails.
   */
  asService?: AsService
  /** Whether the answers are kept for repetitions of the request, if it has an Idempotency-Key. */
  keeps?: boolean
  /** Whether everything that the statements write is undone. Then no answer is kept. */
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
  const entered = enterTenant(ctx, mode, { planned, asSite })
  const key = keeps && !isDry ? ctx.requestKey : null
  const { sent, answersOf } = key
    ? keepingBatch(key, statements, planned?.catalogVersion ?? null, planned?.standing !== undefined)
    : plainBatch(statements, isDry)
  try {
    const { platform, site, notes } = await ctx.database.batchInSite(
      { ...(asService ?? ({} as AsService)), [enteredName]: entered },
      sent,
      timeoutMs[mode] + graceMs,
    )
    const { site_id, catalog_version } = platform[enteredName].one
    ctx.entered = { siteId: site_id, catalogVersion: catalog_version }
    noteAccess(ctx, planned)
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
 * Runs statements that read single rows by their keys, like `inTenant`: in one call, without a time limit of
 * their own, if the request has a token or a session.
 */
export async function readRowsInTenant<Of extends Batch>(
  ctx: RequestContext,
  statements: Of,
  planned: PlannedFor,
): Promise<BatchRows<Of>> {
  const { permission, caller, apiKeyHash, database } = ctx
  const isToken = caller && apiKeyHash === null && ctx.viewAs === null && !ctx.run
  const isUsual = isToken && permission && permission !== 'owner' && !planned.standing
  if (!isUsual || !database.readInSite) return inTenant(ctx, 'read', statements, { planned })
  const visit = sql`${locatorOf(ctx)}, ${callerOf(ctx)}, ${permission}, ${termsOf(ctx, 'read', planned)}`
  try {
    const { entered, site } = await database.readInSite(visit, statements, timeoutMs.read + graceMs)
    ctx.entered = { siteId: entered.site_id, catalogVersion: entered.catalog_version }
    noteAccess(ctx, planned)
    return site
  } catch (error) {
    throw movedOf(ctx, error) ?? asRequestError(error, (state) => missingTenant(ctx, state))
  }
}

/** Notes that the tenant was entered with `access_site`: not as a guest, and not as somebody else. */
function noteAccess(ctx: RequestContext, planned: PlannedFor | undefined): void {
  const { permission, viewAs, run } = ctx
  if (permission === 'access_site' && !planned?.standing && viewAs === null && !run) ctx.hasAccess = true
}

/** Keeps what Postgres told of the caller. Returns undefined for errors after which nothing is planned again. */
function movedOf(ctx: RequestContext, error: unknown): CatalogMoved | undefined {
  if (!(error instanceof DatabaseFailure)) return undefined
  const { sqlstate } = error
  if (sqlstate === sqlstates.scopesMoved) return learnScopes(ctx, error)
  const mayBeGuest = ctx.forGuests && ctx.apiKeyHash === null && ctx.viewAs === null
  const isMoved = sqlstate === sqlstates.standingMoved || (mayBeGuest && sqlstate === sqlstates.forbidden)
  return isMoved ? learnStanding(ctx, error) : undefined
}

/** Returns the 400 for a request that would see as somebody who is no person of the site. */
function unknownPerson({ viewAs }: RequestContext, error: unknown): AppError | undefined {
  const isUnknown = error instanceof DatabaseFailure && error.sqlstate === sqlstates.noSuchPerson
  return isUnknown && viewAs !== null
    ? invalidFields({ 'X-View-As': [`The site has no person with the id ${viewAs}.`] })
    : undefined
}

/** A guest without credentials is told as little of a site as of its tables. */
const missingTenant = (ctx: RequestContext, state?: string): AppError =>
  ctx.forGuests && isAnonymous(ctx) ? unauthenticated() : new NoTenant(ctx, state)

const isAnonymous = ({ caller, apiKeyHash, run }: RequestContext): boolean =>
  caller === null && apiKeyHash === null && run?.as !== 'service'

function plainBatch<Of extends Batch>(statements: Of, isDry: boolean): SentBatch<Of> {
  const sent = isDry ? { _dry: dryRun, ...statements } : statements
  return { sent, answersOf: (site) => site as BatchRows<Of> }
}

/** Only its place and its kind count. */
const dryRun = runAs('d', sql`select`)

/** The name of the statement that enters the tenant, which no other statement has. */
const enteredName = '_entered'

/**
 * Enters the tenant without running statements, on a route for guests also as a guest. Throws if there is no
 * tenant, or the caller lacks the route's permission.
 */
export async function requireAccess(ctx: RequestContext, planned?: PlannedFor): Promise<Planned> {
  if (planned) return (await inTenantWithSite(ctx, 'read', {}, { planned })).site
  // The scopes of a key, or the standing of a caller, are learned from a refusal.
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const standing = knownStanding(ctx)
    const known = standing && { siteId: null, catalogVersion: null, standing }
    try {
      return (await inTenantWithSite(ctx, 'read', {}, { planned: known })).site
    } catch (error) {
      if (!(error instanceof CatalogMoved)) throw error
    }
  }
  throw unavailable()
}

/** More are needed only if rights change meanwhile, again and again. */
const attemptsMax = 4

/**
 * Returns a statement that enters the tenant until the end of the transaction. It returns an EnteredRow or
 * fails.
 */
function enterTenant(
  ctx: RequestContext,
  mode: Mode,
  { planned, asSite = false }: Pick<EnterOptions<Batch>, 'planned' | 'asSite'>,
): Sql<EnteredRow> {
  const { apiKeyHash } = ctx
  const permission = neededPermission(ctx)
  const standing = planned?.standing
  if (permission !== null && !standing && isAnonymous(ctx)) throw unauthenticated()
  const terms = termsOf(ctx, mode, planned)
  const locator = locatorOf(ctx)
  const callerRow = callerOf(ctx)
  const columns = sql`select site_id, catalog_version`
  if (ctx.viewAs !== null)
    return sql<EnteredRow>`
      ${columns}
        from public.enter_viewing(${locator}, ${callerRow},
               row(${ctx.viewAs}, ${standing ? standingText(standing) : 'null'}, ${asSite})::public.viewing,
               ${terms})`
  if (standing)
    return sql<EnteredRow>`
      ${columns}
        from public.enter_as_guest(${locator}, ${callerRow}, ${standingText(standing)}, ${asSite}, ${terms})`
  if (permission === 'owner')
    return sql<EnteredRow>`${columns} from public.enter_as_owner(${locator}, ${callerRow}, ${terms})`
  if (apiKeyHash)
    return sql<EnteredRow>`
      ${columns}
        from public.enter_with_key(${locator}, ${callerRow}, ${presentedKey(ctx, planned)}, ${permission},
                                   ${terms})`
  return sql<EnteredRow>`${columns} from public.enter(${locator}, ${callerRow}, ${permission}, ${terms})`
}

const locatorOf = ({ tenant }: RequestContext): Sql => sql`${tenant.host}, ${tenant.slug}`

/** Returns the terms of a transaction as a value of the type public.visit. */
const termsOf = (ctx: RequestContext, mode: Mode, planned: PlannedFor | undefined): Sql =>
  sql`row(${tenantVersion}, ${planned?.siteId ?? null}, ${planned?.catalogVersion ?? null},
    ${visitMode(ctx, mode)}, ${timeoutMs[mode]})::public.visit`

/** Returns the mode of a visit. What adds records or runs a function is refused if the site may not have more. */
function visitMode({ adds }: RequestContext, mode: Mode): string {
  if (mode === 'try') return 'read'
  if (adds === undefined || mode === 'read' || mode === 'schema') return mode
  return adds === 'records' ? 'add' : 'invoke'
}

/**
 * Returns what the caller must hold. A function that runs as the service is nobody, and needs no permission
 * for what functions can do. Throws 403 for anything else.
 */
function neededPermission({ permission, run, keyUse }: RequestContext): Permission | 'owner' | null {
  if (permission === undefined) throw new Error('The route does not declare which permission it requires.')
  if (run && keyUse.scoped === null) throw forbiddenToFunctions()
  return run?.as === 'service' ? null : permission
}

/**
 * Returns the API key of a request as a value of the type public.presented_key. The revision is that of the
 * scopes that the statements were planned for: another request may have learned others since.
 */
function presentedKey(ctx: RequestContext, planned: PlannedFor | undefined): Sql {
  const { apiKeyHash, keyUse, ip } = ctx
  const scopes = planned ? planned.scopes?.known : knownScopes(ctx)
  const revision = scopes?.revision ?? null
  return sql`row(${apiKeyHash}, ${keyUse.plain}, ${keyUse.scoped !== null}, ${revision},
    ${validAddress(ip)})::public.presented_key`
}

/**
 * Runs statements in a site, as its role, for work of the service itself, such as jobs. Statements of
 * `before` run as the service, before the site is entered. Returns the rows of both, like `inTenant`.
 */
export async function asService<AsSite extends Batch, Before extends Batch = Record<never, never>>(
  database: Database,
  siteId: number,
  statements: AsSite,
  before?: Before,
): Promise<BatchRows<AsSite> & BatchRows<Before>> {
  const enter = sql`select public.enter_as_service(${siteId}, ${tenantVersion}, ${timeoutMs.schema})`
  const { platform, site } = await database.batchInSite(
    { ...(before ?? ({} as Before)), [enteredName]: enter },
    statements,
    timeoutMs.schema + graceMs,
  )
  return { ...platform, ...site }
}
