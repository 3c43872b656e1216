/**
 * The callers whom this isolate has seen enter a site with a permission. They are never trusted: each batch
 * enters the site again. It only says for whom a large body may be scanned without asking Postgres first.
 */
import { type RequestContext, siteName } from '../context.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import { principalOf } from './caller.ts'
import { isAnonymous } from './enter-tenant.ts'

/** By caller, site and permission. */
const entries = new IsolateCache<true>('known_entries', { bytesOf: () => 0 })

const keyOf = (ctx: RequestContext): string => {
  const principal = isAnonymous(ctx) ? 'anyone' : principalOf(ctx)
  return `${siteName(ctx)} ${ctx.permission} ${principal}`
}

/** Records that the caller of a request has entered its site. */
export function noteEntry(ctx: RequestContext): void {
  entries.set(keyOf(ctx), true, siteName(ctx))
}

/** Tells whether the caller of a request has entered its site with the permission of the route. */
export const hasEntered = (ctx: RequestContext): boolean => entries.get(keyOf(ctx)) !== undefined
