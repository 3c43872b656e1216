/**
 * The migrations on every supported version of Postgres: the catalogs equal that of the project's own
 * version.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { onConnection } from '../../dev/connection.ts'
import { migrate } from '../../dev/migrations.ts'
import { type PostgresServer, startPostgres } from '../../dev/postgres.ts'
import { createRoles } from '../../dev/roles.ts'
import { catalogLines } from './catalog.ts'
import { otherVersions, ownVersion, programsOf } from './versions.ts'

/** Migrates a new database of a version and creates a site. Returns the lines of its catalog. */
async function catalogOf(version: number): Promise<string[]> {
  const server: PostgresServer = await startPostgres({
    settings: ['fsync=off'],
    programs: await programsOf(version),
  })
  try {
    const urlsOf = await createRoles(server, 'password')
    await onConnection(urlsOf('postgres').owner, (client) => client.query('create database tessera'))
    const urls = urlsOf('tessera')
    await migrate(urls.owner, { roles: urls })
    // Migrating again, as in each deployment, changes nothing.
    expect(await migrate(urls.owner, { roles: urls })).toBe(0)
    return await onConnection(urls.owner, async (client) => {
      const { rows: found } = await client.query<{ version: string }>('show server_version_num')
      expect(Math.floor(Number(Object.values(found[0] ?? {})[0]) / 10_000)).toBe(version)
      await client.query(`insert into organizations (name, slug) values ('Acme', 'acme')`)
      await client.query(`select public.create_site(1, null, 'Shop', 'shop', 'production')`)
      const { rows } = await client.query<{ line: string }>(catalogLines('site_1'))
      return rows.map(({ line }) => line)
    })
  } finally {
    await server.stop()
  }
}

let own: string[]
beforeAll(async () => {
  own = await catalogOf(ownVersion)
})

describe('the schema of the database', () => {
  it('has tables, constraints, indexes, triggers and functions in all namespaces', () => {
    const counted = Object.fromEntries(
      ['schema', 'relation r', 'column', 'constraint', 'index', 'policy', 'trigger', 'function'].map(
        (kind) => [kind, own.filter((line) => line.startsWith(`${kind} `)).length > 0],
      ),
    )
    expect(Object.values(counted)).not.toContain(false)
    for (const namespace of ['public', 'tessera', 'tenant', 'runs'])
      expect(own.filter((line) => line.includes(`${namespace}.`)).length).toBeGreaterThan(0)
  })

  it.each(otherVersions)(`on Postgres %i equals that on Postgres ${ownVersion}`, async (version) => {
    expect(await catalogOf(version)).toEqual(own)
  })
})
