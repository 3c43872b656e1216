/** The statements that enter a tenant, and the facts about the request that they need. */
import type { RequestContext } from '../context.ts'
import { forbiddenToFunctions, unauthenticated } from '../errors.ts'
import { validAddress } from '../lib/client-address.ts'
import type { Permission } from '../permissions.ts'
import type { KnownScopes } from '../scopes.ts'
import { type Standing, standingText } from '../standing.ts'
import { callerOf } from './caller.ts'
import { type Mode, timeoutMs } from './entering.ts'
import { knownScopes } from './known-scopes.ts'
import { EntrySql } from './run.ts'
import { type Sql, sql } from './sql.ts'

/** The site, and the version of its catalog, for which statements were planned. */
export interface Planned {
  siteId: number
  catalogVersion: number
}

/** The versions for which statements were planned. */
export interface PlannedFor {
  /** Null: for any site. */
  siteId: number | null
  /** Null: they do not depend on the catalog. */
  catalogVersion: number | null
  /** The scopes of the request's API key. Omitted: none. */
  scopes?: { known: KnownScopes }
  /**
   * The standing of the guest. The statements run as the role of guests. Omitted: the caller is not a guest.
   */
  standing?: Standing | undefined
}

/** How a tenant is entered. */
export interface Entering {
  /**
   * The site and the catalog for which the statements were planned. Throws CatalogMoved if the catalog has
   * changed since.
   */
  planned?: PlannedFor | undefined
  /** Whether the statements of a guest run as the role of the site, to read the catalog. */
  asSite?: boolean
  /** Whether the statements are sent in one call with the entry (one-call.ts). */
  isOneCall?: boolean
}

/**
 * Tells whether the request has no caller. A function that runs as the service has no caller and needs no
 * credentials.
 */
export const isAnonymous = ({ caller, apiKeyHash, run }: RequestContext): boolean =>
  caller === null && apiKeyHash === null && run?.as !== 'service'

/** Returns the statement that enters the tenant until the end of the transaction, or fails. */
export function enterTenant(
  ctx: RequestContext,
  mode: Mode,
  { planned, asSite = false, isOneCall = false }: Entering,
): EntrySql {
  const { apiKeyHash } = ctx
  const permission = neededPermission(ctx)
  const standing = planned?.standing
  if (permission !== null && !standing && isAnonymous(ctx)) throw unauthenticated()
  const terms = termsOf(ctx, mode, planned, isOneCall)
  const locator = locatorOf(ctx)
  const callerRow = callerOf(ctx)
  if (ctx.viewAs !== null)
    return new EntrySql(sql`
      public.enter_viewing(${locator}, ${callerRow},
        row(${ctx.viewAs}, ${standing ? standingText(standing) : 'null'}, ${asSite})::public.viewing,
        ${terms})`)
  if (standing)
    return new EntrySql(
      sql`public.enter_as_guest(${locator}, ${callerRow}, ${standingText(standing)}, ${asSite}, ${terms})`,
    )
  if (permission === 'owner')
    return new EntrySql(sql`public.enter_as_owner(${locator}, ${callerRow}, ${terms})`)
  if (apiKeyHash)
    return new EntrySql(sql`
      public.enter_with_key(${locator}, ${callerRow}, ${presentedKey(ctx, planned)}, ${permission},
        ${terms})`)
  return new EntrySql(sql`public.enter(${locator}, ${callerRow}, ${permission}, ${terms})`)
}

/** Returns the host and the slug that identify the site of a request. */
const locatorOf = ({ tenant }: RequestContext): Sql => sql`${tenant.host}, ${tenant.slug}`

/** Returns the terms of a transaction as a value of the type public.visit. */
const termsOf = (ctx: RequestContext, mode: Mode, planned: PlannedFor | undefined, isOneCall: boolean): Sql =>
  sql`row(${planned?.siteId ?? null}, ${planned?.catalogVersion ?? null},
    ${visitMode(ctx, mode, isOneCall)}, ${timeoutMs[mode]})::public.visit`

/**
 * Returns the mode of a transaction. A site that has reached a limit refuses statements that add records or
 * run a function.
 */
function visitMode({ adds }: RequestContext, mode: Mode, isOneCall: boolean): string {
  if (mode === 'try') return 'read'
  if (mode === 'read' && isOneCall) return 'brief'
  if (adds === undefined || mode === 'read' || mode === 'schema') return mode
  return adds === 'records' ? 'add' : 'invoke'
}

/**
 * Returns the permission that the caller must have. A function that runs as the service has no caller, and
 * needs no permission for the operations that functions may use. Throws 403 for all other operations.
 */
function neededPermission({ permission, run, keyUse }: RequestContext): Permission | 'owner' | null {
  if (permission === undefined) throw new Error('The route does not declare which permission it requires.')
  if (run && keyUse.scoped === null) throw forbiddenToFunctions()
  return run?.as === 'service' ? null : permission
}

/**
 * Returns the API key of a request as a value of the type public.presented_key. The revision is that of the
 * scopes for which the statements were planned, because another request may have loaded other scopes since.
 */
function presentedKey(ctx: RequestContext, planned: PlannedFor | undefined): Sql {
  const { apiKeyHash, keyUse, ip } = ctx
  const scopes = planned ? planned.scopes?.known : knownScopes(ctx)
  const revision = scopes?.revision ?? null
  return sql`row(${apiKeyHash}, ${keyUse.plain}, ${keyUse.scoped !== null}, ${revision},
    ${validAddress(ip)})::public.presented_key`
}
