/**
 * The scopes of API keys that this isolate knows. They are never trusted: when the site is entered, Postgres
 * compares their revision, and returns the current scopes if the revision differs. X1.
 */
import { type RequestContext, siteName } from '../context.ts'
import { unavailable } from '../errors.ts'
import { IsolateCache } from '../lib/isolate-cache.ts'
import { abilities, type KnownScopes } from '../scopes.ts'
import { CatalogMoved } from './entering.ts'
import type { DatabaseFailure } from './failures.ts'

/** The statements were planned without the scopes of the key, or with others. They must be planned again. */
export class ScopesMoved extends CatalogMoved {}

/** A parsed value takes about so many times as many bytes as its JSON has characters. */
const bytesPerCharacter = 4
const bytesOf = ({ scopes }: KnownScopes): number => bytesPerCharacter * JSON.stringify(scopes).length
const cache = new IsolateCache<KnownScopes>('scopes', { bytesOf })

const keyOf = ({ config, apiKeyHash }: RequestContext) => `${config.DATABASE_URL} ${apiKeyHash}`

/**
 * Returns the scopes of the request's API key, or of the function that makes the request. Undefined: they are
 * unknown, or the request has neither.
 */
export function knownScopes(ctx: RequestContext): KnownScopes | undefined {
  if (ctx.run) return scopesOfApp(ctx.run.app)
  return ctx.apiKeyHash === null ? undefined : cache.get(keyOf(ctx))
}

/** By app, so that requests share the same objects. */
const ofApps = new IsolateCache<KnownScopes>('scopes_of_apps', { bytesOf: () => 100 })

/** Returns the scopes of all functions of an app: all records and edges of the app. */
function scopesOfApp(app: string): KnownScopes {
  const known = ofApps.get(app)
  if (known) return known
  const made = { revision: 0, scopes: [{ app, tables: ['*'], can: abilities }] }
  ofApps.set(app, made)
  return made
}

/** Stores the scopes that public.enter_with_key returned when it refused the statements. */
export function learnScopes(ctx: RequestContext, { detail }: DatabaseFailure): ScopesMoved {
  cache.set(keyOf(ctx), JSON.parse(detail ?? '') as KnownScopes, siteName(ctx))
  return new ScopesMoved()
}

/** The most times that statements are planned for one request, if others change the scopes meanwhile. */
const plansMax = 5

/**
 * Runs statements that depend on the scopes of the request's API key, and on no catalog. Runs them again if
 * Postgres has other scopes. Throws 503 if the scopes do not stop changing.
 */
export async function withKnownScopes<Result>(
  ctx: RequestContext,
  run: (known: KnownScopes | undefined) => Promise<Result>,
): Promise<Result> {
  for (let plans = 0; plans < plansMax; plans++) {
    try {
      return await run(knownScopes(ctx))
    } catch (error) {
      if (!(error instanceof ScopesMoved)) throw error
    }
  }
  throw unavailable()
}
