/**
 * The standings of guests that this isolate knows. They are never trusted: when the site is entered, Postgres
 * compares the standing for which the request was planned, and returns the current one if it differs.
 */
import { type Caller, type RequestContext, siteName } from '../context.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import { anyone, readStanding, type Standing } from '../standing.ts'
import { CatalogMoved } from './entering.ts'
import { type DatabaseFailure, sqlstates } from './failures.ts'

/** The statements were planned for another standing of the caller. They must be planned again. */
export class StandingMoved extends CatalogMoved {}

/** A parsed value takes about so many times as many bytes as its JSON has characters. */
const bytesPerCharacter = 3
/** By caller (or the person as whom the caller reads) and site. */
const cache = new IsolateCache<Standing>('standings', {
  bytesOf: (standing) => bytesPerCharacter * JSON.stringify(standing).length,
})

const keyOf = (ctx: RequestContext, { userId, organizationId }: Caller): string => {
  const whose = ctx.viewAs === null ? [userId, organizationId] : ['viewed', ctx.viewAs]
  return [siteName(ctx), ...whose].join(' ')
}

/**
 * Returns the standing for which a request is planned. Undefined for a caller with `access_site` or the
 * permission of the route, for an API key, for a function that runs as the service, and on a route that does
 * not admit guests.
 */
export function knownStanding(ctx: RequestContext): Standing | undefined {
  const { forGuests, apiKeyHash, caller, permission, run } = ctx
  if (!forGuests || apiKeyHash !== null || run?.as === 'service') return undefined
  if (!caller) return anyone
  const standing = cache.get(keyOf(ctx, caller))
  return standing?.permissions.some((held) => held === permission) ? undefined : standing
}

/**
 * Stores the standing that an entry returned when it refused a signed-in caller, or a viewed person. Returns
 * undefined if the caller lacks the permission of the route and is not a guest.
 */
export function learnStanding(
  ctx: RequestContext,
  { sqlstate, detail }: DatabaseFailure,
): StandingMoved | undefined {
  if (ctx.caller) {
    const key = keyOf(ctx, ctx.caller)
    const standing = readStanding(detail ?? 'null')
    if (standing) cache.set(key, standing, siteName(ctx))
    else cache.delete(key)
    if (!standing && sqlstate === sqlstates.forbidden) return undefined
  }
  return new StandingMoved()
}
