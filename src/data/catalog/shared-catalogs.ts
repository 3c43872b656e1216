/**
 * The catalogs that the isolates of a data centre share, in its cache (the Cache API of Workers), so that the
 * first request of an isolate needs no round trip to load one. Nothing in it is trusted. An entry is
 * encrypted for its site and app with a key of the deployment, so that nobody else can read or make one; and
 * Postgres compares its version when the tenant is entered, as it does for the catalogs in memory. Where
 * there is no such cache, nothing is found.
 */
import { createHmac } from 'node:crypto'
import { derivedKeys, seal, unseal } from '../../kernel/access/derived-keys.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { render } from '../../kernel/db/sql.ts'
import type { Binding } from '../../kernel/lib/cipher.ts'
import { settlesWithin } from '../../kernel/lib/deadline.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { record } from '../../kernel/telemetry/metrics.ts'
import type { CatalogSource } from './load-catalog.ts'
import { selectCatalog, selectLoneCatalog } from './store.ts'

/** The part of a request's context that names the entry of an app. */
type Sharing = Pick<RequestContext, 'env' | 'config' | 'tenant'>

const cacheName = 'tessera-catalogs'
/** An erased site leaves the cache after this time at the latest. */
const secondsMax = 86_400
/** A longer catalog is not shared. */
const charactersMax = 1_048_576

/** How long a request waits for the cache, and how long the isolate does not ask it after that. */
const waitMs = 250
const restMs = 30_000
let restsUntil = 0

/** The statements that entries are made by. Others may return another form. */
let statements: string | undefined
const form = () =>
  (statements ??= sha256(render(selectLoneCatalog('')).text + render(selectCatalog('')).text))

/** What an entry is for: it can be decrypted for nothing else. A Worker of one version has one database. */
function bindingOf({ env, config, tenant: { host, slug } }: Sharing, appSlug: string): Binding {
  const { host: server, pathname } = new URL(config.DATABASE_URL)
  return [env.VERSION?.id ?? '', form(), server, pathname, host, slug ?? '', appSlug]
}

/** Returns the address of an entry, which nobody can guess. No request to a Worker has this host. */
export function addressOf(ctx: Sharing, appSlug: string): string {
  const [key] = derivedKeys(ctx.config, 'addresses of catalogs')
  if (!key) throw new Error('SIGNING_KEYS has no private key')
  const name = createHmac('sha256', key).update(JSON.stringify(bindingOf(ctx, appSlug)))
  return `https://catalogs.invalid/${name.digest('hex')}`
}

/** Opens the cache. Requests to servers never use it, unlike `caches.default`. */
export const openCatalogs = (): Promise<Cache> => caches.open(cacheName)

/** Looks for the source of an app's catalog. Undefined: there is none, or it does not come in time. */
export async function findSharedCatalog(ctx: Sharing, appSlug: string): Promise<CatalogSource | undefined> {
  if (Date.now() < restsUntil) return undefined
  const found = readEntry(ctx, appSlug).catch(() => undefined)
  const isInTime = await settlesWithin(waitMs, found)
  if (!isInTime) restsUntil = Date.now() + restMs
  const source = isInTime ? await found : undefined
  record('tessera.catalogs.shared', { found: source !== undefined }, 1)
  return source
}

async function readEntry(ctx: Sharing, appSlug: string): Promise<CatalogSource | undefined> {
  const entry = await (await openCatalogs()).match(addressOf(ctx, appSlug))
  const sealed = await entry?.text()
  const text = sealed && (await unseal(ctx.config, 'catalogs', bindingOf(ctx, appSlug), sealed))
  return text ? (JSON.parse(text) as CatalogSource) : undefined
}

/**
 * Shares the source of an app's catalog with the other isolates of the data centre, unless the app is
 * missing: guests may ask for any. Never rejects.
 */
export async function shareCatalog(ctx: Sharing, appSlug: string, source: CatalogSource): Promise<void> {
  const { json } = source
  if (json === null || json.length > charactersMax) return
  try {
    const sealed = await seal(ctx.config, 'catalogs', bindingOf(ctx, appSlug), JSON.stringify(source))
    const entry = new Response(sealed, { headers: { 'cache-control': `max-age=${secondsMax}` } })
    await (await openCatalogs()).put(addressOf(ctx, appSlug), entry)
  } catch {
    // Without it, the next isolate loads the catalog.
  }
}
