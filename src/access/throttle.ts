/** Refuses a client that asks too often. A7: password, token and invitation-accept endpoints, by address and by account. */
import type { RequestContext } from '../context.ts'
import { AppError } from '../errors.ts'
import type { RateLimiter } from './rate-limiter.ts'

const windowMs = 60_000
const passwordLimit = 10

function throttled(endsInMs: number) {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  return new AppError(
    429,
    { detail: `Request was throttled. Expected available in ${seconds} seconds.` },
    { headers: { 'Retry-After': String(seconds) } },
  )
}

/** Counts one attempt at a password, for each of the names it is counted under; throws the 429. */
export async function throttlePassword(ctx: RequestContext, address: string, account: string): Promise<void> {
  const limit = Math.max(1, Math.round(passwordLimit * ctx.config.RATE_LIMIT_SCALE))
  const namespace = ctx.env.RATE_LIMITER as DurableObjectNamespace<RateLimiter>
  const names = [`password address ${address}`, `password account ${account.normalize('NFKC').trim().toLowerCase()}`]
  const verdicts = await Promise.all(names.map((name) => namespace.getByName(name).take(limit, windowMs)))
  const refusals = verdicts.filter((verdict) => !verdict.allowed)
  if (refusals.length > 0) throw throttled(Math.max(...refusals.map((verdict) => verdict.endsInMs)))
}

/** The client's address as Cloudflare saw it; an IPv6 client is its /64, as it may have all of that. */
export function clientAddress(header: string | undefined): string {
  if (!header) return 'unknown'
  if (!header.includes(':')) return header
  const [head = '', tail] = header.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
