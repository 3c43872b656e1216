/** Refuses a client that asks too often. A7. */
import type { RequestContext } from '../context.ts'
import { AppError, unavailable } from '../errors.ts'
import { sha256 } from '../lib/hash.ts'
import { log } from '../lib/log.ts'
import { LruCache } from '../lib/lru-cache.ts'
import type { Lease, RateLimiter } from './rate-limiter.ts'

const windowMs = 60_000

interface Limit {
  perMinute(ctx: RequestContext): number
  /**
   * The share of the limit that an isolate takes at a time, so that the common request asks nobody. 0: every request
   * is counted by itself, and refused when it cannot be counted.
   */
  leaseShare: number
}

const limits = {
  'signed-in': { perMinute: ({ config }) => config.RATE_LIMIT_SIGNED_IN, leaseShare: 0.02 },
  anonymous: { perMinute: ({ config }) => config.RATE_LIMIT_ANONYMOUS, leaseShare: 0.02 },
  password: { perMinute: ({ config }) => config.RATE_LIMIT_PASSWORD, leaseShare: 0 },
} satisfies Record<string, Limit>

type LimitName = keyof typeof limits

/** What this isolate may let through of a client, and until when. */
interface Held {
  left: number
  /** There is nothing left until then: nobody need be asked. */
  exhausted: boolean
  endsAt: number
}

/** Made at the first request: nothing random may be made before. */
let isolate: string | undefined
const leases = new LruCache<string, Held>(20_000)

function holding(key: string): Held | undefined {
  const lease = leases.get(key)
  return lease && lease.endsAt > Date.now() ? lease : undefined
}

/** Counts one request of a client; throws the 429. */
export async function throttle(ctx: RequestContext, name: LimitName, client: string): Promise<void> {
  const limit: Limit = limits[name]
  const perMinute = Math.max(1, Math.round(limit.perMinute(ctx) * ctx.config.RATE_LIMIT_SCALE))
  const key = `${name} ${client}`
  const lease = holding(key)
  if (lease?.exhausted) throw throttled(name, perMinute, lease.endsAt - Date.now())
  if (lease && lease.left > 0) {
    lease.left--
    return
  }
  const taken = await take(ctx, limit, key, perMinute)
  if (!taken) return
  // What other requests were given meanwhile counts, too.
  const left = (holding(key)?.left ?? 0) + taken.granted
  leases.set(key, { left: Math.max(0, left - 1), exhausted: left === 0, endsAt: Date.now() + taken.endsInMs })
  if (left === 0) throw throttled(name, perMinute, taken.endsInMs)
}

async function take(ctx: RequestContext, limit: Limit, key: string, perMinute: number): Promise<Lease | undefined> {
  isolate ??= crypto.randomUUID()
  const wanted = Math.max(1, Math.ceil(perMinute * limit.leaseShare))
  const limiter = (ctx.env.RATE_LIMITER as DurableObjectNamespace<RateLimiter>).getByName(key)
  try {
    return await limiter.lease(isolate, perMinute, windowMs, wanted)
  } catch (error) {
    // Without its counter a password may not be tried; anything else goes on.
    if (limit.leaseShare === 0) throw unavailable(error)
    log({ level: 'error', request_id: ctx.requestId, limiter: 'unavailable' })
    return undefined
  }
}

function throttled(name: LimitName, perMinute: number, endsInMs: number) {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  return new AppError(
    429,
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

/** Counts one attempt at signing in, for the address it comes from. */
export const throttleAddress = (ctx: RequestContext): Promise<void> => throttle(ctx, 'password', `address ${ctx.address}`)

/** Counts one hashing of a password that a signed-in caller sets for an account. */
export const throttleCaller = (ctx: RequestContext, userId: number): Promise<void> => throttle(ctx, 'password', `caller ${userId}`)

/** Counts one attempt at signing in, for the account it is at. The name of a counter is seen by operators: who is meant is not. */
export const throttleAccount = (ctx: RequestContext, account: string): Promise<void> =>
  throttle(ctx, 'password', `account ${sha256(account.normalize('NFKC').trim().toLowerCase())}`)
