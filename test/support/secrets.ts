/** A site with apps, secret types, and users with different permissions. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { cacheName } from '../../src/kernel/cache/caches.ts'
import { configOf } from '../../src/kernel/env.ts'
import type { SecretCache } from '../../src/secrets/entries/cache/secret-cache.ts'
import { createSite, type Site, type TestApp, type User } from './app.ts'

type Answer = Awaited<ReturnType<TestApp['request']>>

export interface SecretSite extends Site {
  /** Has `access_site` only. */
  reader: User
  /** Has no access to the site. */
  stranger: User
  /** Sends a request as the owner, or as another user; null sends no credentials. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    by?: User | null,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Creates a secret; `type` is the slug of its type. */
  keep(key: string, type: string, value?: unknown, more?: Record<string, unknown>): Promise<Answer>
}

/**
 * Creates a site with the apps `shop` and `blog`, and the types `public`, `private` and `sensitive` for any
 * object.
 */
export async function createSecretSite(app: TestApp, name: string): Promise<SecretSite> {
  const site = await createSite(app, name)
  const [reader, stranger] = await Promise.all([app.user(`${name}-reader`), app.user(`${name}-stranger`)])
  const ask: SecretSite['ask'] = (method, path, body, by = site.owner, headers = {}) =>
    app.request(method, `${site.api}${path}`, {
      ...(by ? { token: by.token } : {}),
      ...(body === undefined ? {} : { body }),
      headers,
    })
  await app.request('PUT', `/api/cloud/sites/${name}/permissions/${reader.id}/`, {
    token: site.owner.token,
    body: { permissions: ['access_site'] },
  })
  for (const slug of ['shop', 'blog']) await ask('POST', '/apps/', { name: slug })
  for (const level of ['public', 'private', 'sensitive'])
    await ask('POST', '/secret-types/', { name: level, sensitivity_level: level })
  const keep: SecretSite['keep'] = async (key, type, value = { v: key }, more = {}) => {
    const answer = await ask('POST', '/secrets/', { secret_type: type, key, value, ...more })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer
  }
  return { ...site, reader, stranger, ask, keep }
}

/** Returns the number of round trips to Postgres. */
export const roundTrips = (answer: Answer): number =>
  Number(/desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1])

const cacheOf = (app: TestApp, site: Site): DurableObjectStub<SecretCache> =>
  (app.env.SECRET_CACHES as DurableObjectNamespace<SecretCache>).getByName(
    cacheName({ env: app.env, config: configOf(app.env) }, `secrets ${site.slug}`),
  )

/**
 * Moves the recorded reads from the cache to the database. Durable Objects have the variables of the whole
 * suite, so the database of the test file must be set.
 */
export async function moveReads(app: TestApp, site: Site): Promise<void> {
  const cache = cacheOf(app, site)
  await runInDurableObject(
    cache,
    (instance) => void Object.defineProperty(instance, 'env', { value: app.env, configurable: true }),
  )
  await runDurableObjectAlarm(cache)
}

/** Returns the whole content of the cache as text. */
export const cacheContents = (app: TestApp, site: Site): Promise<string> =>
  runInDurableObject(cacheOf(app, site), (_instance, state) => JSON.stringify([...state.storage.kv.list()]))
