/**
 * Rights that Postgres gives every role and that an owner of a database cannot revoke: the effects of a
 * hostile statement in a site, and their limits. docs/security.md lists each with its limit, and this file
 * tests them.
 */
import { neon } from '@neondatabase/serverless'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { Mode } from '../../src/kernel/db/entering.ts'
import { DatabaseFailure } from '../../src/kernel/db/failures.ts'
import { type Sql, sql } from '../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, type Shop } from '../support/fixtures.ts'
import { contextOf, runList } from '../support/tenant.ts'
import { timeLimit } from '../support/time-limit.ts'

let app: TestApp
let mine: Shop
let theirs: Shop

beforeAll(async () => {
  app = await startApp()
  mine = await createShop(app, 'mine')
  theirs = await createShop(app, 'theirs')
  await app.request('POST', theirs.data('makers'), {
    token: theirs.owner.token,
    body: { name: 'CANARY-4711' },
  })
})

/** Makes a fragment from a text that is not a literal in the program. */
const hostile = (text: string): Sql =>
  sql(Object.assign([text], { raw: [text] }) as unknown as TemplateStringsArray)
const run = (texts: readonly string[], mode: Mode = 'write') =>
  runList(contextOf(app, mine, mine.owner), mode, texts.map(hostile))
const utility = (text: string) => `do $$ begin execute '${text.replaceAll("'", "''")}'; end $$`

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DatabaseFailure ? error.sqlstate : String(error)),
  )
const served = async () => {
  for (const shop of [mine, theirs])
    expect((await app.request('GET', shop.data('makers'), { token: shop.owner.token })).status).toBe(200)
}

describe('an advisory lock that a statement takes', () => {
  const held = async () =>
    (
      await app.sql<{ n: number }>(`select count(*)::int as n from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`)
    )[0]

  it('ends with the request', async () => {
    expect(await outcome(run([`select pg_advisory_lock(7283554001)`]))).toBe('done')
    expect(await held()).toEqual({ n: 0 })
  })

  it('ends with the next request on its connection if its request fails', async () => {
    expect(await outcome(run([`select pg_advisory_lock(4711)`, 'select 1 / 0']))).toBe('22012')
    await served()
    expect(await held()).toEqual({ n: 0 })
  })
})

describe('a channel that a statement listens to', () => {
  it('is closed with the request; nobody receives its notifications', async () => {
    await run([utility('listen spy')])
    await run([utility(`notify spy, 'x'`)])
    for (let times = 0; times < 3; times++)
      expect((await run(['select count(*)::int as n from pg_listening_channels()'])).one()).toEqual({ n: 0 })
  })
})

describe('a prepared statement of a hostile statement', () => {
  it('stays on its connection, and no request uses its name', async () => {
    for (const name of ['s0', 's1', 'S_1', 'statement', 'PGBOUNCER_1'])
      await outcome(run([utility(`prepare "${name}" as select 4711`)]))
    for (let times = 0; times < 5; times++) await served()
  })
})

describe('a large object of a hostile statement', () => {
  it('can be created, but nobody else can read it unless its owner grants it', async () => {
    const [{ oid } = { oid: 0 }] = (await run([`select lo_from_bytea(0, 'mine')::bigint as oid`])).rows<{
      oid: number
    }>()
    const reading = runList(contextOf(app, theirs, theirs.owner), 'read', [hostile(`select lo_get(${oid})`)])
    expect(await outcome(reading)).toBe('42501')
    expect(
      (
        await app.sql<{ owner: string }>(
          `select lomowner::regrole::text as owner from pg_largeobject_metadata where oid = ${oid}`,
        )
      )[0],
    ).toEqual({
      owner: mine.schema,
    })
  })
})

describe('a setting that a statement changes', () => {
  it('is reset when the request ends, for example one for more memory', async () => {
    const shown = `select current_setting('work_mem') as work_mem, current_setting('temp_buffers') as temp_buffers`
    const before = (await run([shown])).one()
    expect((await run([`select set_config('work_mem', '1GB', false)`, shown])).one(1)).toMatchObject({
      work_mem: '1GB',
    })
    expect((await run([shown])).one()).toEqual(before)
  })

  it.each([
    'temp_file_limit',
    'log_statement',
    'session_preload_libraries',
    'lo_compat_privileges',
    'session_replication_role',
  ])('is refused if it is of the server: %s', async (name) =>
    expect(await outcome(run([`select set_config('${name}', '0', false)`]))).toMatch(/^(42501|22023)$/),
  )

  it('can be one of the service: it puts a false actor into the audit log of its own site, and gives no access', async () => {
    const app_ = `update tenant._apps set name = 'forged' where slug = 'shop'`
    await run([
      `select set_config('tessera.caller', '${theirs.owner.id}', true)`,
      `select set_config('tessera.role', '${theirs.schema}', true)`,
      app_,
    ])
    const [entry] = await app.sql(
      `select actor, s.slug as site from audit_entries e join sites s on s.id = e.site_id where e.kind = 'app' order by e.id desc limit 1`,
    )
    expect(entry).toEqual({ actor: 'theirs-owner', site: 'mine' })
    expect(
      await outcome(
        run([`select set_config('tessera.forgets', 'on', true)`, 'delete from public.audit_entries']),
      ),
    ).toBe('42501')
    await served()
  })
})

describe('the view of a statement on other sites', () => {
  it('contains names, definitions and estimates in the catalogs of Postgres, but no rows, statistics or statements', async () => {
    const schema = `'${theirs.schema}'`
    const seen = await run([
      `select count(*)::int as n from information_schema.tables where table_schema = ${schema}`,
      `select count(*)::int as n from pg_stats where schemaname = ${schema}`,
      `select count(*)::int as n from pg_class c where c.relnamespace = ${schema}::regnamespace and c.relname = 'shop_makers'`,
      `select count(*)::int as n from pg_stat_activity where usename = 'tessera_service' and query not in ('', '<insufficient privilege>')`,
    ])
    expect([0, 1, 2, 3].map((index) => seen.one<{ n: number }>(index).n)).toEqual([0, 0, 1, 0])
  })
})

describe('a slow statement', () => {
  it('is cancelled after the time limit of its kind, whatever it sets', async () => {
    const began = Date.now()
    expect(
      await outcome(
        run([`select set_config('statement_timeout', '0', true)`, 'select pg_sleep(600)'], 'single'),
      ),
    ).toBe('57014')
    expect(Date.now() - began).toBeLessThan(await timeLimit(6_000))
  })
})

describe('the role that changes large tables', () => {
  const asSchemaRole = (shop: Shop, text: string) => {
    const url = new URL(inject('schemaUrl'))
    url.pathname = new URL(app.databaseUrl).pathname
    const database = neon(url.href)
    return database
      .transaction([
        database.query(`select set_config('role', '${shop.schema}', true)`),
        database.query(text),
      ])
      .then(
        () => 'done',
        (error: { code?: string }) => error.code ?? String(error),
      )
  }
  const lend = (shop: Shop) =>
    app.sql(`select public.lend_site_role(${shop.schema.slice(5)}, 'tessera_schema')`)
  const giveBack = (shop: Shop) =>
    app.sql(`select public.return_site_role(${shop.schema.slice(5)}, 'tessera_schema')`)
  const reads = (shop: Shop) => asSchemaRole(shop, `select name from ${shop.schema}.shop_makers`)

  it('can enter only the sites whose role is lent to it, until it is returned', async () => {
    expect([await reads(mine), await reads(theirs)]).toEqual(['42501', '42501'])
    await lend(mine)
    expect([await reads(mine), await reads(theirs)]).toEqual(['done', '42501'])
    // Two sites whose large tables change at the same time: a hostile statement of one could take the role of
    // the other.
    await lend(theirs)
    expect([await reads(mine), await reads(theirs)]).toEqual(['done', 'done'])
    await giveBack(mine)
    await giveBack(theirs)
    expect([await reads(mine), await reads(theirs)]).toEqual(['42501', '42501'])
  })

  it('has no rights of its own', async () => {
    const [row] = await app.sql(
      `select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication or rolinherit as power,
              has_schema_privilege(oid, 'public', 'usage') as platform, has_database_privilege(oid, current_database(), 'create, temporary') as makes
         from pg_roles where rolname = 'tessera_schema'`,
    )
    expect(row).toEqual({ power: false, platform: false, makes: false })
  })
})

describe('the role in DATABASE_URL', () => {
  it('can run any statement with public.run, as the role that owns the tables, so the URL is as secret as the platform', async () => {
    const [row] = await neon(app.env.DATABASE_URL as string).query(
      `select answer from public.run(array['rselect current_user::text as who, session_user::text as by'], '{}', null)`,
    )
    expect(JSON.parse((row as { answer: string }).answer)).toEqual({ who: 'tessera', by: 'tessera_service' })
    await expect(
      neon(app.env.DATABASE_URL as string).query(`select * from public.users`),
    ).rejects.toMatchObject({ code: '42501' })
  })
})
