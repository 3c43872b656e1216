/** A batch that begins by entering: a tenant, the platform, or an organization. Postgres decides whether the caller may. */
import type { Permission } from '../access/permissions.ts'
import { clearStale } from '../cache/caches.ts'
import type { RequestContext } from '../context.ts'
import { AppError, forbidden, invalidCredentials, notFound, unauthenticated, unavailable } from '../errors.ts'
import { type Answers, answersTo, type Batch, isList, statementsOf } from './batch.ts'
import { callerOf } from './caller.ts'
import type { Database } from './client.ts'
import { queueNoted } from './deliveries.ts'
import { DatabaseFailure } from './failures.ts'
import { tenantVersion } from './migrations.ts'
import type { Results } from './results.ts'
import { type Sql, sql } from './sql.ts'

/** `try`: reads what may take too long. `single`: writes one record. */
export type Mode = 'read' | 'try' | 'single' | 'write' | 'schema'

/** For which site, and which version of its catalog, statements were planned. */
export interface Planned {
  siteId: number
  catalogVersion: number
}

/** The same where the catalog is of no account. */
type PlannedFor = Planned | { siteId: number; catalogVersion: null }

/** The catalog is not the one the statements were planned with: plan again. */
export class CatalogMoved extends Error {}

/** The 404 of a request that names no tenant, or none that there is: for it there is the public schema alone. T2. */
export class NoTenant extends AppError {
  constructor() {
    super(404, notFound().body)
  }
}

/** What one statement may take: Postgres ends it. */
const timeoutMs: Record<Mode, number> = { read: 5_000, try: 500, single: 2_000, write: 15_000, schema: 30_000 }
/** How much longer the answer is waited for. */
const graceMs = 3_000

export interface Visit {
  site: Planned
  /** What the statements of `before` answered. */
  before: Results
  results: Results
}

interface Terms<AsService extends Batch> {
  /** What the statements were planned with. If the catalog has moved since, CatalogMoved is thrown. */
  planned?: PlannedFor | undefined
  /**
   * Statements that run before the tenant is entered, as the service, on the platform's own tables. They run before
   * the caller's permission is checked: if it is missing, the transaction fails as a whole.
   */
  asService?: AsService
}

/**
 * Runs statements in the request's tenant, as its role, after Postgres has checked the caller's permission. T2, T5.
 * Returns the rows of each statement under its name, those of `asService` included.
 */
export async function inTenant<AsTenant extends Batch, AsService extends Batch = Record<never, never>>(
  ctx: RequestContext,
  mode: Mode,
  statements: AsTenant,
  terms?: Terms<AsService>,
): Promise<Answers<AsTenant> & Answers<AsService>>
export async function inTenant(
  ctx: RequestContext,
  mode: Mode,
  statements: readonly Sql[],
  planned?: PlannedFor,
  before?: readonly Sql[],
): Promise<Visit>
export async function inTenant(
  ctx: RequestContext,
  mode: Mode,
  statements: Batch | readonly Sql[],
  more?: Terms<Batch> | PlannedFor,
  before: readonly Sql[] = [],
): Promise<unknown> {
  if (isList(statements)) return visit(ctx, mode, statements, more as PlannedFor | undefined, before)
  const { planned, asService = {} } = (more ?? {}) as Terms<Batch>
  const visited = await visit(ctx, mode, statementsOf(statements), planned, statementsOf(asService))
  return { ...answersTo(asService, visited.before), ...answersTo(statements, visited.results) }
}

/** Throws unless the request has a tenant and the caller has the permission that the route asks for. */
export async function requireAccess(ctx: RequestContext, planned?: PlannedFor): Promise<Planned> {
  return (await visit(ctx, 'read', [], planned, [])).site
}

async function visit(
  ctx: RequestContext,
  mode: Mode,
  statements: readonly Sql[],
  planned: PlannedFor | undefined,
  before: readonly Sql[],
): Promise<Visit> {
  const enter = enterTenant(ctx, mode, timeoutMs[mode], planned)
  try {
    const { platform, site } = await ctx.database.visit([...before, enter], statements, timeoutMs[mode] + graceMs)
    if (site.notes) await heed(ctx, site.notes as unknown as TriggerNotes)
    const { site_id, catalog_version } = platform.one<EnteredRow>(-1)
    return {
      site: { siteId: site_id, catalogVersion: catalog_version },
      before: platform.slice(0, -1),
      results: site.results,
    }
  } catch (error) {
    throw refusalOf(error, tenantRefusals)
  }
}

interface EnteredRow {
  site_id: number
  catalog_version: number
}

/** Enters the request's tenant until the end of the transaction: answers an EnteredRow, or fails (`refusalOf`). */
function enterTenant(ctx: RequestContext, mode: Mode, timeout: number, planned?: PlannedFor): Sql {
  const { tenant, caller, apiKeyHash, permission } = ctx
  if (permission === undefined) throw new Error('the route has not said what it asks of its callers')
  if (permission !== null && caller === null && apiKeyHash === null) throw unauthenticated()
  const plan = sql`${tenantVersion}, ${planned?.siteId ?? null}, ${planned?.catalogVersion ?? null}, ${mode === 'try' ? 'read' : mode}, ${timeout}`
  const place = sql`${tenant.host}, ${tenant.slug}`
  const who = callerOf(ctx)
  const entry =
    permission === 'owner'
      ? sql`public.enter_as_owner(${place}, ${who}, ${plan})`
      : apiKeyHash
        ? sql`public.enter_with_key(${place}, ${who}, ${apiKeyHash}, ${permission}, ${plan})`
        : sql`public.enter(${place}, ${who}, ${permission}, ${plan})`
  return sql`select site_id, catalog_version from ${entry}`
}

/** Runs statements on the platform's own tables for a signed-in caller. */
export const onPlatform = entry<[]>('write', (caller) => sql`public.enter_platform(${caller})`)

/** The same for owners and admins of an organization, and superusers: those who manage accounts. */
export const asManager = entry<[]>('write', (caller) => sql`public.enter_managers(${caller})`)

/** The same for a resource of an organization, for its members with one of the roles and for superusers. */
export const inOrganization = entry<[slug: string, roles: readonly string[]]>(
  'schema',
  (caller, slug, roles) => sql`public.enter_organization(${caller}, ${slug}, ${roles})`,
)

/** The same for the management of a site, for holders of a permission there; null: for anyone with any role or permission there. */
export const onSite = entry<[slug: string, permission: Permission | null]>(
  'write',
  (caller, slug, permission) => sql`public.enter_site(${caller}, ${slug}, ${permission})`,
)

/** The same for the site that the request names. */
export async function onTenantSite<Of extends Batch>(ctx: RequestContext, permission: Permission | null, statements: Of): Promise<Answers<Of>>
export async function onTenantSite(ctx: RequestContext, permission: Permission | null, statements: readonly Sql[]): Promise<Results>
export async function onTenantSite(ctx: RequestContext, permission: Permission | null, statements: Batch | readonly Sql[]): Promise<unknown> {
  const site = sql`public.site_at(${ctx.tenant.host}, ${ctx.tenant.slug})`
  return enterAndRun(ctx, 'write', sql`public.enter_site(${callerOf(ctx)}, ${site}, ${permission})`, statements)
}

/** Runs statements on the platform's own tables for anybody, signed in or not. The statements themselves check what the caller may. */
export async function openly<Of extends Batch>(ctx: RequestContext, mode: Mode, statements: Of): Promise<Answers<Of>>
export async function openly(ctx: RequestContext, mode: Mode, statements: readonly Sql[]): Promise<Results>
export async function openly(ctx: RequestContext, mode: Mode, statements: Batch | readonly Sql[]): Promise<unknown> {
  return runAfter(ctx, mode, sql`public.note_caller(${callerOf(ctx)})`, statements)
}

/** A function that runs statements after one of migrations/platform/functions/entry has let the caller pass. */
interface Entry<Where extends unknown[]> {
  <Of extends Batch>(ctx: RequestContext, ...rest: [...Where, statements: Of]): Promise<Answers<Of>>
  (ctx: RequestContext, ...rest: [...Where, statements: readonly Sql[]]): Promise<Results>
}

function entry<Where extends unknown[]>(mode: Mode, enter: (caller: Sql, ...where: Where) => Sql): Entry<Where> {
  const run = (ctx: RequestContext, ...rest: [...Where, statements: Batch | readonly Sql[]]): Promise<unknown> => {
    const where = rest.slice(0, -1) as Where
    return enterAndRun(ctx, mode, enter(callerOf(ctx), ...where), rest.at(-1) as Batch | readonly Sql[])
  }
  return run as Entry<Where>
}

async function enterAndRun(ctx: RequestContext, mode: Mode, enter: Sql, statements: Batch | readonly Sql[]): Promise<unknown> {
  signedIn(ctx)
  return runAfter(ctx, mode, enter, statements)
}

async function runAfter(ctx: RequestContext, mode: Mode, first: Sql, statements: Batch | readonly Sql[]): Promise<unknown> {
  const results = (await run(ctx, mode, [sql`select ${first}`, ...(isList(statements) ? statements : statementsOf(statements))])).rest()
  return isList(statements) ? results : answersTo(statements, results)
}

export function signedIn(ctx: RequestContext) {
  if (!ctx.caller) throw unauthenticated()
  return ctx.caller
}

type Refusals = Record<string, (cause: unknown) => AppError | CatalogMoved>

/** What the enter functions of migrations/platform refuse, by their SQLSTATEs. */
const refusals: Refusals = {
  TS401: invalidCredentials,
  TS403: forbidden,
  TS404: notFound,
  TS409: () => new CatalogMoved(),
  TS503: unavailable,
}

/** The same, where a request names no tenant. */
const tenantRefusals: Refusals = { ...refusals, TS404: () => new NoTenant() }

/** Sends statements of the platform as one transaction. */
async function run(ctx: RequestContext, mode: Mode, statements: readonly Sql[]): Promise<Results> {
  const notes = mode === 'read' ? [] : [triggerNotes]
  try {
    const results = await ctx.database.batch([...statements, ...notes], timeoutMs[mode] + graceMs)
    if (notes.length > 0) await heed(ctx, results.one<TriggerNotes>(-1))
    return results.slice(0, statements.length)
  } catch (error) {
    throw refusalOf(error)
  }
}

/**
 * What a transaction makes stale of what is kept outside of the database, its triggers have noted: that is emptied before
 * anybody hears that the transaction was done. What it has put into the outbox is queued while the answer goes out.
 */
async function heed(ctx: RequestContext, { stale, deliveries }: TriggerNotes): Promise<void> {
  if (deliveries) queueNoted(ctx, deliveries)
  if (stale) await clearStale(ctx, stale.split('\n'))
}

interface TriggerNotes {
  stale: string | null
  deliveries: string | null
}

const triggerNotes = sql`select current_setting('tessera.stale', true) as stale, current_setting('tessera.deliveries', true) as deliveries`

/**
 * Runs statements in a site, as its role, for work of the service's own; those of `before` as the service, before the
 * site is entered. Returns the rows of both, as `inTenant` does.
 */
export async function asService<AsSite extends Batch, Before extends Batch = Record<never, never>>(
  database: Database,
  siteId: number,
  statements: AsSite,
  before?: Before,
): Promise<Answers<AsSite> & Answers<Before>>
export async function asService(database: Database, siteId: number, statements: readonly Sql[]): Promise<Results>
export async function asService(database: Database, siteId: number, statements: Batch | readonly Sql[], before: Batch = {}): Promise<unknown> {
  const enter = sql`select public.enter_as_service(${siteId}, ${tenantVersion}, ${timeoutMs.schema})`
  const list = isList(statements) ? statements : statementsOf(statements)
  const { platform, site } = await database.visit([...statementsOf(before), enter], list, timeoutMs.schema + graceMs)
  if (isList(statements)) return site.results
  return { ...answersTo(before, platform), ...answersTo(statements, site.results) }
}

/** What a failure to enter means; any other failure is itself. */
function refusalOf(error: unknown, refused = refusals): unknown {
  const refusal = error instanceof DatabaseFailure ? refused[error.sqlstate] : undefined
  return refusal ? refusal(error) : error
}
