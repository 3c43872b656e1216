/**
 * A deployment as docs/operate/deploy.md describes it. Runs its SQL word for word as a role like Neon's
 * default one, which is not a superuser; then `npm run db:migrate`; then the statements of the service with
 * the new roles.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSuperuser } from '../../dev/admin-links.ts'
import { onConnection } from '../../dev/connection.ts'
import { type PostgresServer, startPostgres } from '../../dev/postgres.ts'
import { callOf, type Runner } from '../../src/kernel/db/run.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { scaled } from '../support/scaled.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs', 'operate', 'deploy.md'), 'utf8')
const [asDefaultRole = '', asOwner = ''] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
)
/**
 * Splits SQL into statements. A message with several statements is one transaction, in which `create
 * database` fails.
 */
const statementsOf = (text: string) => text.split(';').filter((statement) => statement.trim() !== '')

let server: PostgresServer
const url = (role: string, password: string, database = 'tessera') =>
  `postgresql://${role}:${password}@127.0.0.1:${server.port}/${database}`
const urls = () => ({
  OWNER_DATABASE_URL: url('tessera', 'owner-password'),
  DATABASE_URL: url('tessera_service', 'service-password'),
  SCHEMA_DATABASE_URL: url('tessera_schema', 'schema-password'),
})
const query = (address: string, text: string, values: unknown[] = []) =>
  onConnection(
    address,
    async (client) => (await client.query(text, values)).rows as Record<string, unknown>[],
  )

const migrate = () =>
  promisify(execFile)(process.execPath, [join(root, 'dev', 'run.mjs'), 'migrate'], {
    cwd: root,
    env: { ...process.env, ...urls() },
  })

beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=off'] })
  for (const text of [
    'create role neon_superuser nologin createdb createrole bypassrls',
    'grant pg_read_all_data, pg_write_all_data to neon_superuser',
    `create role neondb_owner login createdb createrole bypassrls password 'default-password' in role neon_superuser`,
    'create database neondb owner neondb_owner',
  ])
    await query(server.superuserUrl(), text)
  for (const text of statementsOf(asDefaultRole))
    await query(url('neondb_owner', 'default-password', 'neondb'), text)
  for (const text of statementsOf(asOwner)) await query(urls().OWNER_DATABASE_URL, text)
})
afterAll(() => server?.stop())

/** Sends statements as the service does: one transaction with two calls. */
const asService = (platform: readonly Sql[], site: readonly Sql[] = []) =>
  onConnection(urls().DATABASE_URL, async (client) => {
    const calls: [Runner, readonly Sql[]][] = [
      ['run', platform],
      ...(site.length > 0 ? ([['run_in_site', site]] as [Runner, readonly Sql[]][]) : []),
    ]
    const rows: { n: number; answer: string }[] = []
    await client.query('begin')
    for (const [runner, statements] of calls) {
      const { text, values } = callOf(runner, statements)
      rows.push(...((await client.query(text, values)).rows as typeof rows))
    }
    await client.query('commit')
    return rows.filter(({ n }) => n > 0).map(({ answer }) => JSON.parse(answer) as Record<string, unknown>)
  })

describe('a database that follows docs/operate/deploy.md', () => {
  it('is made by two blocks of SQL, none of which creates a superuser', () => {
    expect([statementsOf(asDefaultRole).length, statementsOf(asOwner).length]).toEqual([3, 2])
  })

  it('is migrated, also repeatedly, and gets its superuser from npm run admin', {
    timeout: scaled(120_000),
  }, async () => {
    const first = await migrate()
    expect(first.stdout).toMatch(/^\d+ migrations were run\.$/m)
    expect((await migrate()).stdout).toContain('0 migrations were run.')
    await createSuperuser(urls().OWNER_DATABASE_URL, 'root@tidewater.io')
  })

  it.each([
    ['0000_tables.sql', "sql = sql || '-- otherwise'", 'with another text than in this version'],
    ['0009_later.sql', "name = '0009_later.sql'", 'which this version does not know'],
  ])('is refused if another version made it: %s', async (name, change, difference) => {
    const owner = urls().OWNER_DATABASE_URL
    const [before] = await query(
      owner,
      `select name, sql from schema_migrations where name = '0000_tables.sql'`,
    )
    await query(owner, `update schema_migrations set ${change} where name = '0000_tables.sql'`)
    await expect(migrate()).rejects.toMatchObject({
      stderr: `The database has had the migration ${name}, ${difference}: another version made it. Use an empty database.\n`,
    })
    await query(owner, `update schema_migrations set name = $1, sql = $2 where name = $3`, [
      before?.name,
      before?.sql,
      name,
    ])
    expect((await migrate()).stdout).toContain('0 migrations were run.')
  })

  it('works for the service, which creates a site and runs statements as the role of that site', async () => {
    const [site] = await asService([
      sql`insert into public.organizations (name, slug, created_by) select 'Acme', 'acme', u.id from public.users u`,
      sql`select s.id::int as id from public.organizations o, lateral public.create_site(o.id, o.created_by, 'Shop', 'shop', 'production') s`,
    ])
    expect(site).toEqual({ id: expect.any(Number) })
    const [entered] = (
      await asService(
        [sql`select public.enter_as_service(${site?.id as number}, 5000)`],
        [sql`select current_user::text as who`],
      )
    ).slice(-1)
    expect(entered).toEqual({ who: `site_${site?.id}` })
  })

  it('lends a site to the role that changes large tables, and takes it back', async () => {
    const enters = () =>
      query(
        urls().SCHEMA_DATABASE_URL,
        `select set_config('role', (select nspname from pg_namespace where nspname ~ '^site_[0-9]+$'), false)`,
      ).then(
        () => 'done',
        ({ code }: { code: string }) => code,
      )
    const [{ id } = { id: 0 }] = (await asService([sql`select id::int as id from public.sites`])) as {
      id: number
    }[]
    expect(await enters()).toBe('42501')
    await asService([sql`select public.lend_site_role(${id}, 'tessera_schema')`])
    expect(await enters()).toBe('done')
    await asService([sql`select public.return_site_role(${id}, 'tessera_schema')`])
    expect(await enters()).toBe('42501')
  })

  it('gives the roles of the service no other rights', async () => {
    for (const address of [urls().DATABASE_URL, urls().SCHEMA_DATABASE_URL]) {
      for (const text of [
        'select * from public.users',
        'create table public.x ()',
        'create schema x',
        'create temporary table x ()',
        'create role x',
      ]) {
        await expect(query(address, text)).rejects.toMatchObject({
          code: '42501',
        })
      }
    }
    await expect(
      query(urls().SCHEMA_DATABASE_URL, `select * from public.run('{}', '{}', null)`),
    ).rejects.toMatchObject({ code: '42501' })
    const roles = await query(
      server.superuserUrl(),
      `select rolname from pg_roles where rolname like 'tessera%' and (rolsuper or rolbypassrls or rolcreatedb or rolreplication
         or pg_has_role(oid, 'pg_read_all_data', 'member') or pg_has_role(oid, 'neon_superuser', 'member'))`,
    )
    expect(roles).toEqual([])
  })
})
