/**
 * The isolation of tenants, which Postgres enforces: the tests run statements that the service never sends.
 * T1–T5.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { CatalogMoved } from '../src/kernel/db/entering.ts'
import { DatabaseFailure } from '../src/kernel/db/failures.ts'
import { sql } from '../src/kernel/db/sql.ts'
import { requireAccess } from '../src/kernel/db/tenant.ts'
import { createContext } from '../src/kernel/http/request-context.ts'
import { siteIdOf, startApp, type TestApp, type User } from './support/app.ts'
import { createShop, grant, type Shop } from './support/fixtures.ts'
import { contextOf, runList, surroundings } from './support/tenant.ts'

let app: TestApp
let mine: Shop
let theirs: Shop
let stranger: User

const canary = 'CANARY-4711'

beforeAll(async () => {
  app = await startApp()
  mine = await createShop(app, 'mine')
  theirs = await createShop(app, 'theirs')
  stranger = await app.user('stranger')
  const created = await app.request('POST', theirs.data('makers'), {
    token: theirs.owner.token,
    body: { name: canary },
  })
  expect(created.status).toBe(201)
})

async function sqlstateOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof DatabaseFailure) return error.sqlstate
    throw error
  }
}

/** Makes a statement from a text, which the tag `sql` allows only for literals. */
const hostile = (text: string) =>
  sql(Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray)

describe('a hostile statement that runs as the tenant', () => {
  it.each<[string, () => string]>([
    ["reads a neighbour's rows", () => `select * from ${theirs.schema}.shop_makers`],
    ["writes a neighbour's rows", () => `delete from ${theirs.schema}.shop_makers`],
    ['creates a table in the schema of a neighbour', () => `create table ${theirs.schema}.x (id int)`],
    ['reads the users', () => 'select * from public.users'],
    ['reads the sites', () => 'select * from public.sites'],
    ['grants itself a role', () => `update public.memberships set role = 'owner'`],
    ['enters another tenant', () => `select public.enter(null, 'theirs', null, null, null)`],
    ['creates a role', () => 'create role intruder'],
    ['creates a schema', () => 'create schema intruder'],
    ['renames its own schema', () => `alter schema ${mine.schema} rename to other`],
    ['runs a program', () => `copy (select 1) to program 'true'`],
    ['reads a file', () => `select pg_read_file('/etc/passwd')`],
  ])('is rejected by Postgres if it %s', async (_, text) => {
    expect(await sqlstateOf(runList(contextOf(app, mine, mine.owner), 'write', [hostile(text())]))).toBe(
      '42501',
    )
  })

  it.each([
    'select * from tenant._datatables where site_id <> tessera.own_site()',
    "update tenant._apps set name = 'taken' where site_id <> tessera.own_site() returning id",
    'update tenant._functions set is_gone = true where site_id <> tessera.own_site() returning id',
  ])('finds no row of another site in the tables of the service: %s', async (text) => {
    const count = `select count(*) filter (where site_id <> tessera.own_site())::int as others, count(*) > 0 as any
                     from tenant._datatables`
    const results = await runList(contextOf(app, mine, mine.owner), 'write', [hostile(text), hostile(count)])
    expect(results.rows()).toEqual([])
    expect(results.one(1)).toEqual({ others: 0, any: true })
  })

  it('cannot insert a row for another site', async () => {
    const text = `insert into tenant._tags (site_id, name, slug, color) values (${siteIdOf(theirs)}, 'x', 'x', 'red')`
    expect(await sqlstateOf(runList(contextOf(app, mine, mine.owner), 'write', [hostile(text)]))).toBe(
      '42501',
    )
  })

  it('cannot write in a route that reads', async () => {
    expect(
      await sqlstateOf(
        runList(contextOf(app, mine, mine.owner), 'read', [
          hostile(`insert into ${mine.schema}.shop_makers (name) values ('x')`),
        ]),
      ),
    ).toBe('25006')
  })

  it('leaves nothing on the connection for the next request', async () => {
    await runList(contextOf(app, mine, mine.owner), 'write', [sql`select 1`])
    const results = await runList(contextOf(app, theirs, theirs.owner), 'read', [
      sql`select current_user as role, current_setting('search_path') as path`,
    ])
    expect(results.one()).toEqual({ role: theirs.schema, path: `tenant, ${theirs.schema}, pg_temp` })
  })

  it('has no rights on the tables of a tenant if it runs as the service', async () => {
    const ctx = createContext(app.env, new Request('http://localhost/'), surroundings)
    expect(
      await sqlstateOf(
        ctx.database.batch({ rows: hostile(`select * from ${theirs.schema}.shop_makers`) }, 5000),
      ),
    ).toBe('42501')
  })

  it('does not get superuser rights from the service’s database role', async () => {
    const ctx = createContext(app.env, new Request('http://localhost/'), surroundings)
    const { role } = await ctx.database.batch(
      { role: sql`select rolsuper, rolbypassrls from pg_roles where rolname = current_user` },
      5000,
    )
    expect(role.one).toEqual({ rolsuper: false, rolbypassrls: false })
  })
})

describe("another tenant's credentials", () => {
  const paths = () => [
    `${theirs.api}/apps/`,
    `${theirs.api}/apps/shop/`,
    `${theirs.api}/apps/shop/datasources/`,
    `${theirs.api}/apps/shop/datasources/main/`,
    `${theirs.api}/apps/shop/datatables/`,
    `${theirs.api}/apps/shop/datatables/makers/`,
    theirs.data('makers'),
    `${theirs.data('makers')}1/`,
  ]

  it('get 403 at every path, without any data', async () => {
    for (const path of paths()) {
      for (const user of [mine.owner, stranger]) {
        const answer = await app.request('GET', path, { token: user.token })
        expect([path, answer.status, answer.body]).toEqual([
          path,
          403,
          { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
        ])
      }
    }
  })

  it('get 403 before validation errors and before 404s', async () => {
    for (const path of [
      `${theirs.data('makers')}?nope=1`,
      theirs.data('nothing'),
      `${theirs.api}/apps/nothing/`,
    ]) {
      expect((await app.request('GET', path, { token: stranger.token })).status).toBe(403)
    }
    for (const path of [
      theirs.data('makers'),
      `${theirs.api}/apps/`,
      `${theirs.api}/apps/shop/datasources/`,
    ]) {
      expect((await app.request('POST', path, { token: stranger.token, body: { nope: 1 } })).status).toBe(403)
    }
  })

  it('cannot write', async () => {
    const before = await app.sql(`select * from ${theirs.schema}.shop_makers`)
    expect(
      (await app.request('POST', theirs.data('makers'), { token: mine.owner.token, body: { name: 'x' } }))
        .status,
    ).toBe(403)
    expect(await app.sql(`select * from ${theirs.schema}.shop_makers`)).toEqual(before)
  })

  it('do not get records in lists, even if the names are the same', async () => {
    const answer = await app.request('GET', mine.data('makers'), { token: mine.owner.token })
    expect(answer.body).toMatchObject({ data: [], total: 0 })
    expect(JSON.stringify(answer.body)).not.toContain(canary)
  })
})

describe('site permissions', () => {
  const statuses = async (user: User) => [
    (await app.request('GET', mine.data('makers'), { token: user.token })).status,
    (
      await app.request('POST', mine.data('makers'), {
        token: user.token,
        body: { name: `m-${Math.random()}` },
      })
    ).status,
    (
      await app.request('POST', `${mine.api}/apps/`, {
        token: user.token,
        body: { name: `app ${Math.random()}` },
      })
    ).status,
  ]

  it.each<[string[], number[]]>([
    [[], [403, 403, 403]],
    [
      ['view_site', 'manage_site_users'],
      [403, 403, 403],
    ],
    [['access_site'], [200, 403, 403]],
    [
      ['access_site', 'change_site'],
      [200, 201, 403],
    ],
    [['manage_site'], [403, 403, 201]],
    [['admin_site'], [200, 201, 201]],
  ])('%j give these statuses for reading, writing and schema changes: %j', async (permissions, expected) => {
    await grant(app, mine, stranger, permissions)
    expect(await statuses(stranger)).toEqual(expected)
  })

  it('are revoked from the next request on', async () => {
    await grant(app, mine, stranger, ['access_site'])
    expect((await app.request('GET', mine.data('makers'), { token: stranger.token })).status).toBe(200)
    await grant(app, mine, stranger, [])
    expect((await app.request('GET', mine.data('makers'), { token: stranger.token })).status).toBe(403)
  })

  it.each<[string, number[]]>([
    ['admin', [200, 201, 201]],
    ['member', [403, 403, 403]],
  ])('come from the role %s in the organization, with these statuses: %j', async (role, expected) => {
    const user = await app.user(`org-${role}`)
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, $2 from sites where slug = $3`,
      [user.id, role, 'mine'],
    )
    expect(await statuses(user)).toEqual(expected)
  })

  it('are complete for a superuser in every site', async () => {
    expect(await statuses(await app.user('root', { superuser: true }))).toEqual([200, 201, 201])
  })
})

describe('the tenant of a request', () => {
  const read = (url: string, user = mine.owner) => app.request('GET', url, { token: user.token })

  it('causes a 404 if it is missing or unknown', async () => {
    for (const url of ['/api/apps/', '/sites/nowhere/api/apps/', 'http://nowhere.tessera.test/api/apps/']) {
      expect(await read(url)).toMatchObject({
        status: 404,
        body: { detail: 'Not found.', code: 'not_found' },
      })
    }
  })

  it('is the site with the verified domain, and a path to another one returns 404', async () => {
    await app.sql(
      `insert into site_domains (domain, site_id)
       select 'mine.example.org', id from sites where slug = 'mine'`,
    )
    expect((await read('http://mine.example.org/api/apps/')).status).toBe(404)
    await app.sql(`update site_domains set verified_at = now() where domain = 'mine.example.org'`)
    expect((await read('http://mine.example.org/api/apps/')).status).toBe(200)
    expect((await read('http://mine.example.org/sites/mine/api/apps/')).status).toBe(200)
    expect(await read('http://mine.example.org/sites/theirs/api/apps/', theirs.owner)).toMatchObject({
      status: 404,
      body: { detail: 'Not found.', code: 'not_found' },
    })
    expect((await read('http://mine.example.org/api/apps/', theirs.owner)).status).toBe(403)
  })

  it('is the subdomain of BASE_DOMAIN or the path prefix, but not two sites', async () => {
    expect((await read('http://mine.tessera.test/sites/theirs/api/apps/', theirs.owner)).status).toBe(404)
    expect((await read('http://mine.tessera.test/sites/mine/api/apps/')).status).toBe(200)
    expect((await read('http://mine.tessera.test/api/apps/')).status).toBe(200)
    expect((await read('http://a.mine.tessera.test/api/apps/')).status).toBe(404)
    expect((await read('http://localhost/sites/mine/api/apps')).status).toBe(200)
  })

  it('is DEFAULT_SITE if the request names none', async () => {
    const local = await startApp({ DEFAULT_SITE: 'home' })
    const home = await createShop(local, 'home')
    expect((await local.request('GET', '/api/apps/shop/', { token: home.owner.token })).status).toBe(200)
  })

  it('causes a 404 if it is inactive', async () => {
    const off = await createShop(app, 'off')
    await app.sql(`update sites set is_active = false where slug = 'off'`)
    expect((await read(`${off.api}/apps/`, off.owner)).status).toBe(404)
  })
})

describe('a plan made with an old catalog', () => {
  it('is rejected by Postgres', async () => {
    const ctx = contextOf(app, mine, mine.owner)
    const site = await requireAccess(ctx)
    await expect(
      requireAccess(ctx, { ...site, catalogVersion: site.catalogVersion - 1 }),
    ).rejects.toBeInstanceOf(CatalogMoved)
    await expect(requireAccess(ctx, { ...site, siteId: site.siteId + 1 })).rejects.toBeInstanceOf(
      CatalogMoved,
    )
  })

  it('is replaced by a new one, so that a table of another isolate is visible immediately', async () => {
    const { token } = mine.owner
    expect((await app.request('GET', mine.data('late'), { token })).status).toBe(404)
    // These statements stand for another isolate, so the cache of this one does not contain their table.
    await app.sql(
      `insert into tenant._datatables (
         site_id, app_id, data_source_id, name, json_schema, schema_hash, physical_table_name,
         is_materialized, created_by
       )
       select site_id, app_id, data_source_id, 'late',
              '{"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]}', 'x',
              'shop_makers', true, 1
         from tenant._datatables where site_id = ${siteIdOf(mine)} and name = 'makers' limit 0`,
    )
    await app.sql(`create table ${mine.schema}.shop_late (id bigint primary key)`)
    await app.sql(`grant all on ${mine.schema}.shop_late to ${mine.schema}`)
    await app.sql(
      `insert into tenant._datatables (
         site_id, app_id, data_source_id, name, json_schema, schema_hash, physical_table_name,
         is_materialized, created_by
       )
       select site_id, app_id, data_source_id, 'late',
              '{"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]}', 'x',
              'shop_late', true, 1
         from tenant._datatables where site_id = ${siteIdOf(mine)} and name = 'makers'`,
    )
    expect(await app.request('GET', mine.data('late'), { token })).toMatchObject({
      status: 200,
      body: { data: [], total: 0 },
    })
    const switchApp = (isActive: boolean) =>
      app.sql(`update tenant._apps set is_active = $1 where site_id = $2 and slug = 'shop'`, [
        isActive,
        siteIdOf(mine),
      ])
    await switchApp(false)
    expect((await app.request('GET', mine.data('late'), { token })).status).toBe(404)
    await switchApp(true)
    expect((await app.request('GET', mine.data('late'), { token })).status).toBe(200)
  })
})
