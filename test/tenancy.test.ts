/** The wall between tenants is Postgres's: what follows runs what no code of the service would. T1–T5. */
import { beforeAll, describe, expect, it } from 'vitest'
import { DatabaseFailure } from '../src/db/failures.ts'
import { sql } from '../src/db/sql.ts'
import { CatalogMoved, inTenant } from '../src/db/tenant.ts'
import { createContext } from '../src/http/context.ts'
import { startApp, type TestApp, type User } from './support/app.ts'
import { createShop, grant, type Shop } from './support/fixtures.ts'
import { contextOf } from './support/tenant.ts'

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
  const created = await app.request('POST', theirs.data('makers'), { token: theirs.owner.token, body: { name: canary } })
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

/** Hostile SQL is no literal of a program: it comes here as the text of a fragment. */
const hostile = (text: string) => sql(Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray)

describe('a hostile statement that runs as the tenant', () => {
  it.each<[string, () => string]>([
    ["reads a neighbour's rows", () => `select * from ${theirs.schema}.shop_makers`],
    ["reads a neighbour's tables", () => `select * from ${theirs.schema}._datatables`],
    ["writes a neighbour's rows", () => `delete from ${theirs.schema}.shop_makers`],
    ['makes a table with a neighbour', () => `create table ${theirs.schema}.x (id int)`],
    ['reads the people', () => 'select * from public.users'],
    ['reads the sites', () => 'select * from public.sites'],
    ['gives itself a permission', () => `update public.memberships set role = 'owner'`],
    ['enters anew', () => `select public.enter(null, 'theirs', 1, now(), null, 0, null, null, 'read', 1000)`],
    ['makes a role', () => 'create role intruder'],
    ['makes a schema', () => 'create schema intruder'],
    ['changes its own site', () => `alter schema ${mine.schema} rename to other`],
    ['runs a program', () => `copy (select 1) to program 'true'`],
    ['reads a file', () => `select pg_read_file('/etc/passwd')`],
  ])('is refused by Postgres when it %s', async (_, text) => {
    expect(await sqlstateOf(inTenant(contextOf(app, mine, mine.owner), 'write', [hostile(text())]))).toBe('42501')
  })

  it('cannot write where the route only reads', async () => {
    expect(
      await sqlstateOf(inTenant(contextOf(app, mine, mine.owner), 'read', [hostile(`insert into ${mine.schema}.shop_makers (name) values ('x')`)])),
    ).toBe('25006')
  })

  it('leaves nothing behind on the connection: the next request is no tenant', async () => {
    await inTenant(contextOf(app, mine, mine.owner), 'write', [sql`select 1`])
    const { results } = await inTenant(contextOf(app, theirs, theirs.owner), 'read', [
      sql`select current_user as role, current_setting('search_path') as path`,
    ])
    expect(results.one()).toEqual({ role: theirs.schema, path: `${theirs.schema}, pg_temp` })
  })

  it('the service itself, outside a tenant, has no right to its tables', async () => {
    const ctx = createContext(app.env, new Request('http://localhost/'), 'test', () => undefined)
    expect(await sqlstateOf(ctx.database.batch([hostile(`select * from ${theirs.schema}.shop_makers`)], 5000))).toBe('42501')
  })

  it('is no superuser', async () => {
    const ctx = createContext(app.env, new Request('http://localhost/'), 'test', () => undefined)
    const results = await ctx.database.batch([sql`select rolsuper, rolbypassrls from pg_roles where rolname = current_user`], 5000)
    expect(results.one()).toEqual({ rolsuper: false, rolbypassrls: false })
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

  it('get 403 at every path, with nothing of the tenant in it', async () => {
    for (const path of paths()) {
      for (const user of [mine.owner, stranger]) {
        const answer = await app.request('GET', path, { token: user.token })
        expect([path, answer.status, answer.body]).toEqual([path, 403, { detail: 'You do not have permission to perform this action.' }])
      }
    }
  })

  it('get 403 before anybody tells them what is wrong with their request, or whether a thing exists', async () => {
    for (const path of [`${theirs.data('makers')}?nope=1`, theirs.data('nothing'), `${theirs.api}/apps/nothing/`]) {
      expect((await app.request('GET', path, { token: stranger.token })).status).toBe(403)
    }
    for (const path of [theirs.data('makers'), `${theirs.api}/apps/`, `${theirs.api}/apps/shop/datasources/`]) {
      expect((await app.request('POST', path, { token: stranger.token, body: { nope: 1 } })).status).toBe(403)
    }
  })

  it('cannot write', async () => {
    const before = await app.sql(`select * from ${theirs.schema}.shop_makers`)
    expect((await app.request('POST', theirs.data('makers'), { token: mine.owner.token, body: { name: 'x' } })).status).toBe(403)
    expect(await app.sql(`select * from ${theirs.schema}.shop_makers`)).toEqual(before)
  })

  it('never see a neighbour in their own lists, though names are the same', async () => {
    const answer = await app.request('GET', mine.data('makers'), { token: mine.owner.token })
    expect(answer.body).toMatchObject({ data: [], total: 0 })
    expect(JSON.stringify(answer.body)).not.toContain(canary)
  })
})

describe('site permissions', () => {
  const statuses = async (user: User) => [
    (await app.request('GET', mine.data('makers'), { token: user.token })).status,
    (await app.request('POST', mine.data('makers'), { token: user.token, body: { name: `m-${Math.random()}` } })).status,
    (await app.request('POST', `${mine.api}/apps/`, { token: user.token, body: { name: `app ${Math.random()}` } })).status,
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
  ])('%j: reading, writing, schema work answer %j', async (permissions, expected) => {
    await grant(app, mine, stranger, permissions)
    expect(await statuses(stranger)).toEqual(expected)
  })

  it('are read fresh: what is taken away is gone with the next request', async () => {
    await grant(app, mine, stranger, ['access_site'])
    expect((await app.request('GET', mine.data('makers'), { token: stranger.token })).status).toBe(200)
    await grant(app, mine, stranger, [])
    expect((await app.request('GET', mine.data('makers'), { token: stranger.token })).status).toBe(403)
  })

  it.each<[string, number[]]>([
    ['admin', [200, 201, 201]],
    ['member', [403, 403, 403]],
  ])('a role of the organization, %s, answers %j', async (role, expected) => {
    const user = await app.user(`org-${role}`)
    await app.sql('insert into memberships (organization_id, user_id, role) select organization_id, $1, $2 from sites where slug = $3', [
      user.id,
      role,
      'mine',
    ])
    expect(await statuses(user)).toEqual(expected)
  })

  it('a superuser holds all of them everywhere', async () => {
    expect(await statuses(await app.user('root', { superuser: true }))).toEqual([200, 201, 201])
  })
})

describe('the tenant of a request', () => {
  const read = (url: string, user = mine.owner) => app.request('GET', url, { token: user.token })

  it('404 where the request names none, or one that does not exist', async () => {
    for (const url of ['/api/apps/', '/sites/nowhere/api/apps/', 'http://nowhere.tessera.test/api/apps/']) {
      expect(await read(url)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    }
  })

  it('is the site that has the host as a verified domain; 404 where the path names another', async () => {
    await app.sql(`insert into site_domains (domain, site_id) select 'mine.example.org', id from sites where slug = 'mine'`)
    expect((await read('http://mine.example.org/api/apps/')).status).toBe(404)
    await app.sql(`update site_domains set verified_at = now() where domain = 'mine.example.org'`)
    expect((await read('http://mine.example.org/api/apps/')).status).toBe(200)
    expect((await read('http://mine.example.org/sites/mine/api/apps/')).status).toBe(200)
    expect(await read('http://mine.example.org/sites/theirs/api/apps/', theirs.owner)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    expect((await read('http://mine.example.org/api/apps/', theirs.owner)).status).toBe(403)
  })

  it('else the subdomain of BASE_DOMAIN, else the path prefix; 404 where they name two sites', async () => {
    expect((await read('http://mine.tessera.test/sites/theirs/api/apps/', theirs.owner)).status).toBe(404)
    expect((await read('http://mine.tessera.test/sites/mine/api/apps/')).status).toBe(200)
    expect((await read('http://mine.tessera.test/api/apps/')).status).toBe(200)
    expect((await read('http://a.mine.tessera.test/api/apps/')).status).toBe(404)
    expect((await read('http://localhost/sites/mine/api/apps')).status).toBe(200)
  })

  it('else DEFAULT_SITE', async () => {
    const local = await startApp({ DEFAULT_SITE: 'home' })
    const home = await createShop(local, 'home')
    expect((await local.request('GET', '/api/apps/shop/', { token: home.owner.token })).status).toBe(200)
  })

  it('is gone when the site is switched off', async () => {
    const off = await createShop(app, 'off')
    await app.sql(`update sites set is_active = false where slug = 'off'`)
    expect((await read(`${off.api}/apps/`, off.owner)).status).toBe(404)
  })
})

describe('a plan made with an old catalog', () => {
  it('is refused by Postgres', async () => {
    const ctx = contextOf(app, mine, mine.owner)
    const { site } = await inTenant(ctx, 'read', [])
    await expect(inTenant(ctx, 'read', [], { ...site, catalogVersion: site.catalogVersion - 1 })).rejects.toBeInstanceOf(CatalogMoved)
    await expect(inTenant(ctx, 'read', [], { ...site, siteId: site.siteId + 1 })).rejects.toBeInstanceOf(CatalogMoved)
  })

  it('is made again, so that no answer is stale: a table that another isolate made is there at once', async () => {
    const { token } = mine.owner
    expect((await app.request('GET', mine.data('late'), { token })).status).toBe(404)
    // What another isolate would have done: this one's memory knows nothing of it.
    await app.sql(
      `insert into ${mine.schema}._datatables (app_id, data_source_id, name, json_schema, schema_hash, physical_table_name, is_materialized, created_by)
       select app_id, data_source_id, 'late', '{"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]}', 'x', 'shop_makers', true, 1
         from ${mine.schema}._datatables where name = 'makers' limit 0`,
    )
    await app.sql(`create table ${mine.schema}.shop_late (id bigint primary key)`)
    await app.sql(`grant all on ${mine.schema}.shop_late to ${mine.schema}`)
    await app.sql(
      `insert into ${mine.schema}._datatables (app_id, data_source_id, name, json_schema, schema_hash, physical_table_name, is_materialized, created_by)
       select app_id, data_source_id, 'late', '{"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]}', 'x', 'shop_late', true, 1
         from ${mine.schema}._datatables where name = 'makers'`,
    )
    expect(await app.request('GET', mine.data('late'), { token })).toMatchObject({ status: 200, body: { data: [], total: 0 } })
    await app.sql(`update ${mine.schema}._apps set is_active = false where slug = 'shop'`)
    expect((await app.request('GET', mine.data('late'), { token })).status).toBe(404)
    await app.sql(`update ${mine.schema}._apps set is_active = true where slug = 'shop'`)
    expect((await app.request('GET', mine.data('late'), { token })).status).toBe(200)
  })
})
