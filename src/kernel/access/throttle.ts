/** Limits the rate of requests. A7. */
import { cacheName } from '../cache/caches.ts'
import type { RequestContext } from '../context.ts'
import { AppError, unavailable } from '../errors.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import { log } from '../lib/log.ts'
import { sha256 } from '../lib/sha256.ts'
import type { Lease, RateLimiter } from './rate-limiter.ts'

const windowMs = 60_000

interface Limit {
  /** The number of requests a minute. */
  perMinute(ctx: RequestContext): number
  /**
   * The share of the limit that an isolate leases at a time, so that most requests do not call the counter.
   * 0: every request calls the counter, and is rejected if the counter is unavailable.
   */
  leaseShare: number
}

const limits = {
  'signed-in': { perMinute: ({ config }) => config.RATE_LIMIT_SIGNED_IN, leaseShare: 0.02 },
  anonymous: { perMinute: ({ config }) => config.RATE_LIMIT_ANONYMOUS, leaseShare: 0.02 },
  password: { perMinute: ({ config }) => config.RATE_LIMIT_PASSWORD, leaseShare: 0 },
} satisfies Record<string, Limit>

type LimitName = keyof typeof limits

/** The remaining requests of a client that this isolate has leased. */
interface LocalLease {
  left: number
  /** True if the client has reached its limit until the window ends. */
  isExhausted: boolean
  endsAt: number
}

/** The id of this isolate. Made at the first request, because Workers allow no random values before. */
let isolateId: string | undefined
const leases = new IsolateCache<LocalLease>('rate_leases', { bytesOf: () => 40 })

function currentLease(key: string): LocalLease | undefined {
  const lease = leases.get(key)
  return lease && lease.endsAt > Date.now() ? lease : undefined
}

/** Counts one request of a client. Throws 429 if it exceeds the limit. */
export async function throttle(ctx: RequestContext, name: LimitName, client: string): Promise<void> {
  // A live list has limits of its own, and the request of its follower was counted.
  if (ctx.asks) return
  const limit: Limit = limits[name]
  const perMinute = Math.max(1, Math.round(limit.perMinute(ctx) * ctx.config.RATE_LIMIT_SCALE))
  const key = cacheName(ctx, `${name} ${client}`)
  const lease = currentLease(key)
  if (lease?.isExhausted) throw throttled(name, perMinute, lease.endsAt - Date.now())
  if (lease && lease.left > 0) {
    lease.left--
    return
  }
  const newLease = await requestLease(ctx, limit, key, perMinute)
  if (!newLease) return
  const { granted, endsInMs } = newLease
  // Another request may have got a lease in the meantime.
  const left = (currentLease(key)?.left ?? 0) + granted
  leases.set(key, { left: Math.max(0, left - 1), isExhausted: left === 0, endsAt: Date.now() + endsInMs })
  if (left === 0) throw throttled(name, perMinute, endsInMs)
}

/** Asks the client's counter for a lease. Returns undefined if the counter is unavailable. */
async function requestLease(
  ctx: RequestContext,
  limit: Limit,
  key: string,
  perMinute: number,
): Promise<Lease | undefined> {
  isolateId ??= crypto.randomUUID()
  const wanted = Math.max(1, Math.ceil(perMinute * limit.leaseShare))
  const limiter = (ctx.env.RATE_LIMITER as DurableObjectNamespace<RateLimiter>).getByName(key)
  try {
    return await limiter.lease(isolateId, perMinute, windowMs, wanted)
  } catch (error) {
    // A password must not be tried without its counter. Other requests continue.
    if (limit.leaseShare === 0) throw unavailable(error)
    log({ level: 'error', request_id: ctx.requestId, limiter: 'unavailable' })
    return undefined
  }
}

function throttled(name: LimitName, perMinute: number, endsInMs: number) {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  return new AppError(
    429,
    'rate_limited',
    { detail: `Request was throttled. Expected available in ${seconds} seconds.` },
    {
      headers: {
        'Retry-After': String(seconds),
        RateLimit: `"${name}";r=0;t=${seconds}`,
        'RateLimit-Policy': `"${name}";q=${perMinute};w=${windowMs / 1000}`,
      },
    },
  )
}

/** Counts one attempt to sign in by the client's address. Throws 429. */
export const throttleAddress = (ctx: RequestContext): Promise<void> =>
  throttle(ctx, 'password', `address ${ctx.address}`)

/** Counts one password that a signed-in caller sets for an account. Throws 429. */
export const throttleCaller = (ctx: RequestContext, userId: number): Promise<void> =>
  throttle(ctx, 'password', `caller ${userId}`)

/**
 * Counts one attempt to sign in by account. Throws 429. Operators see the name of the counter, so it contains
 * only a hash.
 */
export const throttleAccount = (ctx: RequestContext, account: string): Promise<void> =>
  throttle(ctx, 'password', `account ${sha256(account.normalize('NFKC').trim().toLowerCase())}`)
