/** A batch that begins by entering: a tenant, the platform, or an organization. Postgres decides whether the caller may. */
import type { Permission } from '../access/permissions.ts'
import { clearStale } from '../cache/caches.ts'
import type { RequestContext } from '../context.ts'
import { AppError, forbidden, invalidCredentials, notFound, unauthenticated, unavailable } from '../errors.ts'
import type { Database } from './client.ts'
import { queueNoted } from './deliveries.ts'
import { DatabaseFailure } from './failures.ts'
import { tenantVersion } from './migrations.ts'
import type { Results } from './results.ts'
import { type Sql, sql } from './sql.ts'

/** `single`: writes one record. */
export type Mode = 'read' | 'single' | 'write' | 'schema'

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
const timeoutMs: Record<Mode, number> = { read: 5_000, single: 2_000, write: 15_000, schema: 30_000 }
/** How much longer the answer is waited for. */
const graceMs = 3_000

export interface Visit {
  site: Planned
  /** What the statements of `before` answered. */
  before: Results
  results: Results
}

/**
 * Runs statements in the request's tenant, as its role, after Postgres has checked the caller's permission. T2, T5. What
 * they need of the platform's own tables, statements of `before` find out, as the service, in the same transaction.
 */
export async function inTenant(
  ctx: RequestContext,
  mode: Mode,
  statements: readonly Sql[],
  planned?: PlannedFor,
  before: readonly Sql[] = [],
): Promise<Visit> {
  const enter = enterTenant(ctx, mode, timeoutMs[mode], planned)
  const results = await run(ctx, mode, [...before, enter, ...statements], tenantRefusals)
  const { site_id, catalog_version } = results.one<EnteredRow>(before.length)
  return {
    site: { siteId: site_id, catalogVersion: catalog_version },
    before: results.slice(0, before.length),
    results: results.slice(before.length + 1),
  }
}

export interface EnteredRow {
  site_id: number
  catalog_version: number
}

/** Enters the request's tenant until the end of the transaction: answers an EnteredRow, or fails (`refusalOf`). */
export function enterTenant({ tenant, caller, apiKeyHash, permission }: RequestContext, mode: Mode, timeout: number, planned?: PlannedFor): Sql {
  if (permission === undefined) throw new Error('the route has not said what it asks of its callers')
  if (permission !== null && caller === null && apiKeyHash === null) throw unauthenticated()
  const plan = sql`${tenantVersion}, ${planned?.siteId ?? null}, ${planned?.catalogVersion ?? null}, ${mode}, ${timeout}`
  const place = sql`${tenant.host}, ${tenant.slug}`
  const who = sql`${caller?.userId ?? null}, ${caller?.issuedAt.toISOString() ?? null}`
  const entry =
    permission === 'owner'
      ? sql`public.enter_as_owner(${place}, ${who}, ${plan})`
      : apiKeyHash
        ? sql`public.enter_with_key(${place}, ${apiKeyHash}, ${permission}, ${plan})`
        : sql`public.enter(${place}, ${who}, ${permission}, ${plan})`
  return sql`select site_id, catalog_version from ${entry}`
}

/** Runs statements on the platform's own tables for a signed-in caller. */
export const onPlatform = (ctx: RequestContext, statements: readonly Sql[]): Promise<Results> =>
  entering(ctx, 'write', (caller) => sql`public.enter_platform(${caller})`, statements)

/** The same for anybody, signed in or not: what they may, the statements find out. */
export const openly = async (ctx: RequestContext, mode: Mode, statements: readonly Sql[]): Promise<Results> =>
  (
    await run(ctx, mode, [
      sql`select set_config('statement_timeout', ${String(timeoutMs[mode])}, true), set_config('timezone', 'UTC', true)`,
      ...statements,
    ])
  ).rest()

/** The same for whoever manages accounts: superusers, and owners and admins of an organization. */
export const asManager = (ctx: RequestContext, statements: readonly Sql[]): Promise<Results> =>
  entering(ctx, 'write', (caller) => sql`public.enter_managers(${caller})`, statements)

/** The same for a resource of an organization, for its members with one of `roles` and for superusers. */
export const inOrganization = (ctx: RequestContext, slug: string, roles: readonly string[], statements: readonly Sql[]): Promise<Results> =>
  entering(ctx, 'schema', (caller) => sql`public.enter_organization(${caller}, ${slug}, ${roles})`, statements)

/** The same for the management of a site, for holders of a permission there; null: for whoever has to do with it. */
export const onSite = (ctx: RequestContext, slug: string, permission: Permission | null, statements: readonly Sql[]): Promise<Results> =>
  entering(ctx, 'write', (caller) => sql`public.enter_site(${caller}, ${slug}, ${permission})`, statements)

/** The same for the site that the request names. */
export const onTenantSite = (ctx: RequestContext, permission: Permission | null, statements: readonly Sql[]): Promise<Results> =>
  entering(
    ctx,
    'write',
    (caller) => sql`public.enter_site(${caller}, public.site_at(${ctx.tenant.host}, ${ctx.tenant.slug}), ${permission})`,
    statements,
  )

/** `enter` calls a function of migrations/platform whose first arguments are the caller: who, since when, for how long. */
async function entering(ctx: RequestContext, mode: Mode, enter: (caller: Sql) => Sql, statements: readonly Sql[]): Promise<Results> {
  const { userId, issuedAt } = signedIn(ctx)
  const caller = sql`${userId}, ${issuedAt.toISOString()}, ${timeoutMs[mode]}`
  return (await run(ctx, mode, [sql`select ${enter(caller)}`, ...statements])).rest()
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

/**
 * Sends statements as one transaction. What it makes stale of what is kept outside of the database, its triggers have
 * noted by its end: that is emptied before anybody hears that the transaction was done. What it has put into the outbox
 * they have noted, too: that is queued while the answer goes out.
 */
async function run(ctx: RequestContext, mode: Mode, statements: readonly Sql[], refused = refusals): Promise<Results> {
  const guards = guardsOf(ctx)
  const notes = mode === 'read' ? [] : [triggerNotes]
  try {
    const results = await ctx.database.batch([...guards, ...statements, ...notes], timeoutMs[mode] + graceMs)
    const { stale, deliveries } = notes.length > 0 ? results.one<TriggerNotes>(-1) : nothingNoted
    if (deliveries) queueNoted(ctx, deliveries)
    if (stale) await clearStale(ctx, stale.split('\n'))
    return results.slice(guards.length, guards.length + statements.length)
  } catch (error) {
    throw refusalOf(error, refused)
  }
}

interface TriggerNotes {
  stale: string | null
  deliveries: string | null
}

const triggerNotes = sql`select current_setting('tessera.stale', true) as stale, current_setting('tessera.deliveries', true) as deliveries`
const nothingNoted: TriggerNotes = { stale: null, deliveries: null }

/** Runs statements in a site, as its role, for work of the service's own; those of `before` as the service. Answers both. */
export async function asService(database: Database, siteId: number, statements: readonly Sql[], before: readonly Sql[] = []): Promise<Results> {
  const enter = sql`select public.enter_as_service(${siteId}, ${tenantVersion}, ${timeoutMs.schema})`
  const results = await database.batch([...before, enter, ...statements], timeoutMs.schema + graceMs)
  return results.without(before.length)
}

/** What is asked before anything else is: that a session, where one is shown, still holds. */
export const guardsOf = ({ caller }: RequestContext): Sql[] =>
  caller?.session === undefined ? [] : [sql`select public.require_session(${caller.session})`]

/** What a failure to enter means; any other failure is itself. */
export function refusalOf(error: unknown, refused = refusals): unknown {
  const refusal = error instanceof DatabaseFailure ? refused[error.sqlstate] : undefined
  return refusal ? refusal(error) : error
}
