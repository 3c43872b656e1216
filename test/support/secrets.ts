/** A site with an app, and somebody of each kind who may or may not do something with its secrets. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { cacheName } from '../../src/cache/caches.ts'
import { configOf } from '../../src/env.ts'
import type { SecretCache } from '../../src/secrets/cache/secret-cache.ts'
import { createSite, type Site, type TestApp, type User } from './app.ts'

type Answer = Awaited<ReturnType<TestApp['request']>>

export interface Vault extends Site {
  /** Holds `access_site`, and nothing else. */
  reader: User
  /** Has nothing to do with the site. */
  stranger: User
  /** As the owner, unless somebody else is named; null: as nobody. */
  ask(method: string, path: string, body?: unknown, by?: User | null, headers?: Record<string, string>): Promise<Answer>
  /** Creates a secret, of a type by its slug. */
  keep(key: string, type: string, value?: unknown, more?: Record<string, unknown>): Promise<Answer>
}

/** With the types `public`, `private` and `sensitive` of that sensitivity, which take any object, and the apps `shop` and `blog`. */
export async function createVault(app: TestApp, name: string): Promise<Vault> {
  const site = await createSite(app, name)
  const [reader, stranger] = await Promise.all([app.user(`${name}-reader`), app.user(`${name}-stranger`)])
  const ask: Vault['ask'] = (method, path, body, by = site.owner, headers = {}) =>
    app.request(method, `${site.api}${path}`, { ...(by ? { token: by.token } : {}), ...(body === undefined ? {} : { body }), headers })
  await app.request('PUT', `/api/cloud/sites/${name}/permissions/${reader.id}/`, { token: site.owner.token, body: { permissions: ['access_site'] } })
  for (const slug of ['shop', 'blog']) await ask('POST', '/apps/', { name: slug })
  for (const level of ['public', 'private', 'sensitive']) await ask('POST', '/secret-types/', { name: level, sensitivity_level: level })
  const keep: Vault['keep'] = async (key, type, value = { v: key }, more = {}) => {
    const answer = await ask('POST', '/secrets/', { secret_type: type, key, value, ...more })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer
  }
  return { ...site, reader, stranger, ask, keep }
}

/** How many times Postgres was asked for an answer. */
export const roundTrips = (answer: Answer): number => Number(/desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1])

const cacheOf = (app: TestApp, site: Site): DurableObjectStub<SecretCache> =>
  (app.env.SECRET_CACHES as DurableObjectNamespace<SecretCache>).getByName(
    cacheName({ env: app.env, config: configOf(app.env) }, `secrets ${site.slug}`),
  )

/** Has the reads that were answered from the cache written down now. Objects are made with the variables of the whole suite, not with the file's own database. */
export async function handOverReads(app: TestApp, site: Site): Promise<void> {
  const cache = cacheOf(app, site)
  await runInDurableObject(cache, (instance) => void Object.defineProperty(instance, 'env', { value: app.env, configurable: true }))
  await runDurableObjectAlarm(cache)
}

/** All that the object keeps, as text. */
export const keptIn = (app: TestApp, site: Site): Promise<string> =>
  runInDurableObject(cacheOf(app, site), (_instance, state) => JSON.stringify([...state.storage.kv.list()]))
