/**
 * Reads a secret without the database. Three coherent caches contain the site of the host, the rights of the
 * caller, and the secret. A change of any of these invalidates its cache before the change is acknowledged.
 * If something is missing, one query reads everything, and its result fills the caches.
 */
import { type CacheContext, cacheAt, type RemoteCache } from '../../../kernel/cache/caches.ts'
import type { Found } from '../../../kernel/cache/fenced-entries.ts'
import type { Caller, RequestContext } from '../../../kernel/context.ts'
import { describeFailure, log } from '../../../kernel/lib/log.ts'
import type { SensitivityLevel } from '../../schema.ts'
import type { TenantWithKeys } from '../../tenant-keys/service.ts'
import type { Access } from '../decide.ts'
import type { SecretRow } from '../store.ts'
import { dataKeyOf } from '../values.ts'
import type {
  CacheAnswer,
  CachedSecret,
  CacheHit,
  Reader,
  SecretCache,
  SecretRequest,
} from './secret-cache.ts'

const minuteMs = 60_000

/** Spec: Limits, secret cache lifetime. */
const secretLifetimeMs: Readonly<Record<SensitivityLevel, number>> = {
  public: 10 * minuteMs,
  private: 5 * minuteMs,
  sensitive: 0,
}
const hostLifetimeMs = 10 * minuteMs
/** The milliseconds for which rights may stay cached that were changed directly in the database. */
const rightsLifetimeMs = minuteMs

/** The rights of a caller in a site. */
interface Rights {
  username: string
  mayRead: boolean
}

/** The entries of the caches for a request. */
export interface Lookup {
  request: SecretRequest
  /** Null: the database must be asked. */
  hit: CacheHit | null
  /** The tokens to fill in missing entries; null if nothing is missing or the cache cannot be filled. */
  fillTokens: {
    host: string | null
    rights: string | null
    secret: { siteSlug: string; fillToken: string } | null
  }
}

/** Looks for a secret in the caches. A cache that is not available counts as empty. */
export async function lookUp(ctx: RequestContext, request: SecretRequest): Promise<Lookup> {
  const { caller, tenant } = ctx
  const [ofHost, ofCaller] = await Promise.all([
    entriesOf(ctx, hostCacheOf(ctx)),
    isCacheable(caller) ? entriesOf(ctx, rightsCacheOf(ctx, caller)) : undefined,
  ])
  const knownSlug = ofHost?.entries.get(tenant.slug ?? '')
  const rights =
    caller && knownSlug !== undefined ? ofCaller?.entries.get(rightsQualifier(knownSlug, caller)) : undefined
  const access = knownSlug === undefined ? null : accessOf(caller, rights)
  // The slug in the request is probably that of its site. That site's cache provides a fill token.
  const siteSlug = knownSlug ?? tenant.slug
  const answer = siteSlug === null ? undefined : await askSecretCache(ctx, siteSlug, request, access, rights)
  return {
    request,
    hit: answer && answer.decision !== null ? answer : null,
    fillTokens: {
      host: knownSlug === undefined ? (ofHost?.fillToken ?? null) : null,
      rights: rights === undefined ? (ofCaller?.fillToken ?? null) : null,
      secret: secretTokenOf(siteSlug, answer),
    },
  }
}

/**
 * Fills the caches with the result of the database. `row` is the secret that was shown; null: it is not
 * cached.
 */
export function fillCaches(
  ctx: RequestContext,
  { request, fillTokens: { host, rights, secret } }: Lookup,
  tenant: TenantWithKeys,
  row: SecretRow | null,
): void {
  const fills: Promise<unknown>[] = []
  if (host !== null) fills.push(fillHost(ctx, tenant, host))
  if (isCacheable(ctx.caller) && rights !== null) fills.push(fillRights(ctx, ctx.caller, tenant, rights))
  if (secret !== null && secret.siteSlug === tenant.siteSlug && row)
    fills.push(fillSecret(ctx, request, { tenant, row, fillToken: secret.fillToken }))
  ctx.waitUntil(ifAvailable(ctx, () => Promise.all(fills)))
}

/** Returns the slug of the request's site, if it is cached. */
export async function cachedSiteSlug(ctx: RequestContext): Promise<string | undefined> {
  const ofHost = await entriesOf(ctx, hostCacheOf(ctx))
  return ofHost?.entries.get(ctx.tenant.slug ?? '')
}

/** The remote interface of a SecretCache. */
type RemoteSecretCache = RemoteCache<CachedSecret> & {
  read(...parameters: Parameters<SecretCache['read']>): Promise<CacheAnswer>
}

export const secretCacheOf = (ctx: RequestContext, siteSlug: string): RemoteSecretCache =>
  cacheAt(ctx, `secrets ${siteSlug}`) as RemoteSecretCache

/** Permanently empties the cache with the secrets of a site. */
export const eraseSecretCache = (ctx: CacheContext, siteSlug: string): Promise<void> =>
  (cacheAt(ctx, `secrets ${siteSlug}`) as unknown as { erase(): Promise<void> }).erase()

/**
 * Returns the cache that knows the slug of the site at the request's host. It has one entry for each slug
 * that requests name themselves, and one for requests that name none ('').
 */
const hostCacheOf = (ctx: RequestContext) => cacheAt<string>(ctx, `host ${ctx.tenant.host}`)

/**
 * Tells whether the rights of a caller may be cached. Those of a sign-in at a tenant's host end when the
 * domain does, which makes no cache of callers stale. A8
 */
const isCacheable = (caller: Caller | null): caller is Caller => caller !== null && caller.host === undefined

const rightsCacheOf = (ctx: RequestContext, { userId }: Caller) => cacheAt<Rights>(ctx, `caller ${userId}`)

/**
 * Returns the qualifier of the caller's rights. Rights belong to a sign-in, so a different generation,
 * organization or session has a different qualifier.
 */
const rightsQualifier = (siteSlug: string, { generation, organizationId, session }: Caller) =>
  [siteSlug, generation, organizationId ?? '', session ?? ''].join(' ')

/** The only key in the caches of hosts and callers. So a change invalidates all of their entries. */
const onlyKey = ''

const entriesOf = <Value>(
  ctx: RequestContext,
  cache: RemoteCache<Value>,
): Promise<Found<Value> | undefined> => ifAvailable(ctx, () => cache.get(onlyKey))

/** Returns undefined, and logs the failure, if a cache is not available. */
async function ifAvailable<Answer>(
  ctx: RequestContext,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    log({ level: 'error', request_id: ctx.requestId, cache: 'unavailable', ...describeFailure(error, false) })
    return undefined
  }
}

function askSecretCache(
  ctx: RequestContext,
  siteSlug: string,
  request: SecretRequest,
  access: Access | null,
  rights: Rights | undefined,
): Promise<CacheAnswer | undefined> {
  const { caller, requestId } = ctx
  const reader: Reader | null =
    caller && rights ? { userId: caller.userId, username: rights.username, requestId } : null
  return ifAvailable(ctx, () => secretCacheOf(ctx, siteSlug).read(request, access, reader))
}

function secretTokenOf(
  siteSlug: string | null,
  answer: CacheAnswer | undefined,
): Lookup['fillTokens']['secret'] {
  if (siteSlug === null || answer?.decision !== null || answer.fillToken === null) return null
  return { siteSlug, fillToken: answer.fillToken }
}

function accessOf(caller: Caller | null, rights: Rights | undefined): Access | null {
  if (!caller) return 'anonymous'
  if (!rights) return null
  return rights.mayRead ? 'reader' : 'noAccess'
}

function fillHost(ctx: RequestContext, { siteSlug }: TenantWithKeys, fillToken: string): Promise<unknown> {
  const fill = { key: onlyKey, qualifier: ctx.tenant.slug ?? '', value: siteSlug, fillToken }
  return hostCacheOf(ctx).fill(fill, hostLifetimeMs)
}

function fillRights(
  ctx: RequestContext,
  caller: Caller,
  { siteSlug, username, mayRead }: TenantWithKeys,
  fillToken: string,
): Promise<unknown> {
  const value: Rights = { username: username ?? '', mayRead }
  const fill = { key: onlyKey, qualifier: rightsQualifier(siteSlug, caller), value, fillToken }
  return rightsCacheOf(ctx, caller).fill(fill, rightsLifetimeMs)
}

async function fillSecret(
  ctx: RequestContext,
  { key, app }: SecretRequest,
  { tenant, row, fillToken }: { tenant: TenantWithKeys; row: SecretRow; fillToken: string },
): Promise<void> {
  const { siteSlug, keys } = tenant
  const lifetimeMs = secretLifetimeMs[row.sensitivity_level]
  if (lifetimeMs === 0) return
  const value: CachedSecret = { siteId: keys.siteId, row, dataKey: dataKeyOf(keys, row) }
  await secretCacheOf(ctx, siteSlug).fill({ key, qualifier: app ?? '', value, fillToken }, lifetimeMs)
}
