/** The traces of a site: in the database, and in the Durable Object that caches its secrets. */
import { runInDurableObject } from 'cloudflare:test'
import { cacheName } from '../../src/kernel/cache/caches.ts'
import { configOf } from '../../src/kernel/env.ts'
import type { SecretCache } from '../../src/secrets/entries/cache/secret-cache.ts'
import type { TestApp } from './app.ts'

/** Returns the tables with rows of a site, and the names of its objects in Postgres. */
export async function tracesOf(app: TestApp, siteId: number): Promise<string[]> {
  const tables = await app.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace in ('public'::regnamespace, 'tenant'::regnamespace) and c.relkind = 'r' and a.attname = 'site_id'
        and c.relname <> 'audit_entries'`,
  )
  const counts = tables.map(({ name }) => `select '${name}' as name from ${name} where site_id = ${siteId}`)
  const found = await app.sql<{ name: string }>(
    [
      ...counts,
      `select 'sites' from sites where id = ${siteId}`,
      `select nspname::text from pg_namespace where nspname ~ '^site_${siteId}(_|$)'`,
      `select proname::text from pg_proc where pronamespace = 'runs'::regnamespace and proname ~ '^site_${siteId}(_|$)'`,
      `select rolname::text from pg_roles where rolname ~ '^site_${siteId}(_|$)'`,
    ].join(' union all '),
  )
  return found.map(({ name }) => name)
}

/** Returns the number of entries in the cache of a site's secrets. */
export const keptFor = (app: TestApp, slug: string) =>
  runInDurableObject<SecretCache, number>(
    app.env.SECRET_CACHES.getByName(
      cacheName({ env: app.env, config: configOf(app.env) }, `secrets ${slug}`),
    ) as never,
    async (_, { storage }) => (await storage.list()).size,
  )
