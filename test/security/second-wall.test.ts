/**
 * The second wall: the effects of a hostile statement that runs with the role of a site, if an attacker could
 * ever inject one. It runs like the statements of requests (public.run_in_site), and leaves nothing on its
 * connection.
 */
import { beforeAll, describe, expect, it } from 'vitest'
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

async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof DatabaseFailure ? error.sqlstate : String(error)),
  )
}

/**
 * Returns the data of others that a statement could have reached. None of it may change. Roles belong to the
 * server: other test files lend those of their own sites at the same time.
 */
async function guarded() {
  const [state] = await app.sql(
    `select (select json_agg(t) from ${theirs.schema}.shop_makers t)::text as neighbour,
            (select json_agg(m order by m) from public.memberships m)::text as memberships,
            (select json_agg(u order by u.id) from (select id, is_superuser, generation from public.users) u)::text as users,
            (select count(*) from pg_roles where rolname in ('intruder', 'service_2'))::int as roles,
            (select json_agg(m::text order by m::text) from (select roleid::regrole, member::regrole from pg_auth_members
              where member::regrole::text in ('${mine.schema}', '${theirs.schema}', 'tessera_service')
                 or member::regrole::text = 'tessera_schema'
                and roleid::regrole::text in ('${mine.schema}', '${theirs.schema}', 'site_1')) m)::text as members,
            (select rolsuper or rolcreaterole or rolbypassrls from pg_roles where rolname = 'tessera_service') as power`,
  )
  return state
}

const define = (name: string, body: string, more = '') =>
  `create or replace function ${mine.schema}.${name}() returns ${more || 'integer'} language plpgsql as $f$ begin ${body} ${more === 'trigger' ? 'return null;' : 'return 1;'} end $f$`
describe('a statement that tries to leave its site', () => {
  const climbs: [what: string, texts: () => string[]][] = [
    // The role.
    ['sets the role to none', () => [`select set_config('role', 'none', true)`]],
    ['sets the role to none for the session', () => [`select set_config('role', 'none', false)`]],
    ['sets the role of another site', () => [`select set_config('role', '${theirs.schema}', true)`]],
    ['sets the role of the platform', () => [`select set_config('role', 'tessera', true)`]],
    ['resets the role', () => [`do $$ begin reset role; end $$`, `select 1 from public.users`]],
    ['sets the role in a block', () => [`do $$ begin execute 'set role none'; end $$`]],
    [
      'sets the role for the transaction in a block',
      () => [`do $$ begin execute 'set local role ${theirs.schema}'; end $$`],
    ],
    [
      'sets the session authorization',
      () => [`select set_config('session_authorization', 'postgres', false)`],
    ],
    [
      'resets the session authorization',
      () => [`do $$ begin execute 'reset session authorization'; end $$`, `select 1 from public.users`],
    ],
    [
      'has a function that sets a role',
      () => [define('climb', `set role none;`), `select ${mine.schema}.climb()`],
    ],
    [
      'has a function with a role of its own',
      () => [
        `create function ${mine.schema}.climb2() returns integer language sql set role = 'tessera' as 'select 1'`,
        `select ${mine.schema}.climb2()`,
      ],
    ],
    // Functions of the platform.
    ['calls the runner of the platform', () => [`select * from public.run(array['rselect 1'], '{}', null)`]],
    ['calls the dispatcher', () => [`select * from public.run_in_site(array['rselect 1'], '{}', null)`]],
    [
      "calls a neighbour's runner",
      () => [`select * from runs.${theirs.schema}(array['rselect 1'], '{}', null)`],
    ],
    ['enters anew', () => [`select public.enter(null, 'theirs', null, null, null)`]],
    ['enters as the service', () => [`select public.enter_as_service(1, 1000)`]],
    ['enters a replica', () => [`select public.enter_replica(row(0, 1, 1, 'read', 1000)::public.visit)`]],
    ['makes a site', () => [`select public.create_site(1, 1, 'x', 'x', 'production')`]],
    ['lends itself a role', () => [`select public.lend_site_role(1, 'tessera_schema')`]],
    [
      'reaches a function by its number',
      () => [
        `select (select p.oid from pg_proc p where p.proname = 'create_site')::regprocedure::text, public.site_at('a', 'b')`,
      ],
    ],
    // Tables and schemas of others.
    ["reads a neighbour's rows", () => [`select * from ${theirs.schema}.shop_makers`]],
    ["changes a neighbour's rows", () => [`update ${theirs.schema}.shop_makers set name = 'x'`]],
    ["deletes a neighbour's rows", () => [`delete from ${theirs.schema}.shop_makers`]],
    ["empties a neighbour's table", () => [`truncate ${theirs.schema}.shop_makers`]],
    ["drops a neighbour's table", () => [`drop table ${theirs.schema}.shop_makers`]],
    ["makes something in a neighbour's schema", () => [`create table ${theirs.schema}.x (id integer)`]],
    [
      "references a neighbour's table",
      () => [`create table ${mine.schema}.spy (id bigint references ${theirs.schema}.shop_makers)`],
    ],
    [
      "inherits from a neighbour's table",
      () => [`create table ${mine.schema}.heir () inherits (${theirs.schema}.shop_makers)`],
    ],
    [
      "has a view of a neighbour's table",
      () => [`create view ${mine.schema}.spy as select * from ${theirs.schema}.shop_makers`],
    ],
    ['reads the people', () => [`select * from public.users`]],
    ['gives itself a membership', () => [`insert into public.memberships values (1, 1, 'owner')`]],
    ['makes something in the schema of the platform', () => [`create table public.x (id integer)`]],
    ['makes a temporary table', () => [`create temporary table x (id integer)`]],
    ['makes a schema', () => [`create schema intruder`]],
    ['makes an extension', () => [`create extension citext`]],
    [
      'replaces a function of all sites',
      () => [
        `create or replace function tessera.as_date(p_text text) returns date language sql as 'select now()::date'`,
      ],
    ],
    [
      'makes a function for all sites',
      () => [`create function tessera.x() returns integer language sql as 'select 1'`],
    ],
    // Roles.
    ['makes a role', () => [`create role intruder`]],
    ['makes itself powerful', () => [`alter role ${mine.schema} superuser`]],
    ['lets itself sign in', () => [`alter role ${mine.schema} login`]],
    ['grants itself another role', () => [`grant ${theirs.schema} to ${mine.schema}`]],
    ['grants itself the role of the platform', () => [`grant tessera to ${mine.schema}`]],
    ['grants itself what predefined roles may', () => [`grant pg_read_all_data to ${mine.schema}`]],
    ['takes over what others own', () => [`reassign owned by tessera to ${mine.schema}`]],
    [
      'gives what it owns to another',
      () => [`alter table ${mine.schema}.shop_makers owner to ${theirs.schema}`],
    ],
    // The server.
    ['reads a file', () => [`select pg_read_file('/etc/passwd')`]],
    ['runs a program', () => [`copy (select 1) to program 'true'`]],
    ['writes a file', () => [`copy (select 1) to '/tmp/x'`]],
    [
      'loads a library',
      () => [`create function ${mine.schema}.c() returns integer language c as '/tmp/x', 'x'`],
    ],
    [
      'changes the configuration',
      () => [`do $$ begin execute 'alter system set work_mem = ''1GB'''; end $$`],
    ],
    ['reloads the configuration', () => [`select pg_reload_conf()`]],
    ['reads the passwords', () => [`select * from pg_authid`]],
    [
      "ends others' connections",
      () => [
        `select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and usename in ('tessera', 'postgres')`,
      ],
    ],
    ['pretends to be a replica', () => [`select set_config('session_replication_role', 'replica', true)`]],
    [
      'makes an event trigger',
      () => [
        define('ev', '', 'event_trigger').replace('return 1;', ''),
        `create event trigger x on ddl_command_start execute function ${mine.schema}.ev()`,
      ],
    ],
    ['makes a publication', () => [`create publication x for all tables`]],
    ['maps a server', () => [`create server x foreign data wrapper postgres_fdw`]],
  ]

  it('is tested in sixty variants, including those below', () =>
    expect(climbs.length).toBeGreaterThanOrEqual(52))

  it.each(climbs)('fails when it %s', async (_what, texts) => {
    const before = await guarded()
    expect(await outcome(run(texts()))).toMatch(
      /^(42501|42704|0LP01|0A000|58P01|25001|2F003|42P17|58000|42846|28000|42883|57014|22023|3F000)$/,
    )
    expect(await guarded()).toEqual(before)
  })
})

describe('a statement that waits for a role with more rights', () => {
  it('cannot leave a trigger that waits for the commit', async () => {
    const before = await guarded()
    await outcome(
      run([
        `create table ${mine.schema}.trap (id integer)`,
        define(
          'late',
          `if current_user <> '${mine.schema}' then raise exception 'ran as %', current_user using errcode = 'ZZ001'; end if;`,
          'trigger',
        ),
        `create constraint trigger late after insert on ${mine.schema}.trap deferrable initially deferred for each row execute function ${mine.schema}.late()`,
        `insert into ${mine.schema}.trap values (1)`,
        `set constraints all deferred`,
      ]),
    ).then((said) => expect(said).toBe('P0001'))
    expect(await guarded()).toEqual(before)
  })

  it('cannot run a held cursor with these rights at the commit', async () => {
    const said = await outcome(
      run([
        define(
          'whoever',
          `if current_user <> '${mine.schema}' then raise exception 'ran as %', current_user using errcode = 'ZZ001'; end if;`,
        ),
        `do $$ begin execute 'declare held cursor with hold for select ${mine.schema}.whoever()'; end $$`,
      ]),
    )
    expect(said).toBe('done')
    const open = await run(['select count(*)::integer as n from pg_cursors where is_holdable'])
    expect(open.one()).toEqual({ n: 0 })
  })

  it.each<[what: string, texts: () => string[], code?: string]>([
    [
      'runs as whoever calls it',
      () => [`alter function runs.${mine.schema}(text[], text[], text) security invoker`],
    ],
    [
      'has another search path',
      () => [`alter function runs.${mine.schema}(text[], text[], text) reset search_path`],
    ],
    ['is gone', () => [`drop function runs.${mine.schema}(text[], text[], text)`]],
    [
      'does something else',
      () => [
        `create or replace function runs.${mine.schema}(p_statements text[], p_values text[], p_large text) returns table (n integer, answer text)
         language plpgsql security definer set search_path = ${mine.schema}, pg_temp as $f$ begin end $f$`,
      ],
    ],
    ['is gone with all that its role owns', () => ['drop owned by current_user'], 'P0001'],
    [
      'is gone, in a transaction that then gives up its right to write',
      () => ['drop owned by current_user', 'set transaction read only'],
      'P0001',
    ],
  ])('cannot leave a changed runner of its site: one that %s', async (_what, texts, code = '42501') => {
    expect(await outcome(run(texts()))).toBe(code)
    expect((await app.request('GET', mine.data('makers'), { token: mine.owner.token })).status).toBe(200)
  })

  it('cannot have its own runner called instead of the real one', async () => {
    await run([
      ...[mine.schema, 'run', 'run_in_site'].map(
        (name) =>
          `create function ${mine.schema}.${name}(p_statements text[], p_values text[], p_large text) returns table (n integer, answer text)
           language plpgsql as $f$ begin raise exception 'called as %', current_user using errcode = 'ZZ001'; end $f$`,
      ),
    ])
    expect((await app.request('GET', mine.data('makers'), { token: mine.owner.token })).status).toBe(200)
  })

  it('cannot create names that statements of others would use', async () => {
    await run([
      `create domain ${mine.schema}.text as pg_catalog.text check (false)`,
      `create function ${mine.schema}.now() returns timestamptz language sql as 'select timestamptz ''1970-01-01'''`,
      `select set_config('search_path', '${mine.schema}, pg_catalog', false)`,
    ])
    for (const shop of [mine, theirs]) {
      expect((await app.request('GET', shop.data('makers'), { token: shop.owner.token })).status).toBe(200)
    }
  })
})

describe('a function that every site may call, compiled first by a statement of one of them', () => {
  const types = ['json', 'jsonb', 'refcursor', 'text', 'timestamptz']

  it('has no type of that site, whose checks would run with the rights of others', async () => {
    const drops = types.map((type) => `drop domain if exists ${mine.schema}.${type}`)
    const domains = types.map(
      (type) => `create domain ${mine.schema}.${type} as pg_catalog.${type} check (false)`,
    )
    await run([...drops, ...domains])
    const calls = await app.sql<{ call: string }>(
      `select format('select tessera.%I(%s)', p.proname, coalesce((
                select string_agg(format('null::%s.%I', y.typnamespace::regnamespace, y.typname), ', ' order by t.at)
                  from unnest(p.proargtypes) with ordinality t (id, at) join pg_type y on y.oid = t.id), '')) as call
         from pg_proc p join pg_language l on l.oid = p.prolang
        where p.pronamespace = 'tessera'::regnamespace and l.lanname = 'plpgsql' and not p.proisstrict
          and p.prorettype <> 'trigger'::regtype and has_function_privilege('${mine.schema}', p.oid, 'execute')`,
    )
    expect(calls.length).toBeGreaterThan(10)
    // Every session compiles a function anew that was replaced.
    await app.sql(
      `do $$ declare f record; begin
         for f in select pg_get_functiondef(p.oid) as text from pg_proc p join pg_language l on l.oid = p.prolang
                   where p.pronamespace = 'tessera'::regnamespace and l.lanname = 'plpgsql'
         loop execute f.text; end loop; end $$`,
    )
    const path = `select set_config('search_path', '${mine.schema}, pg_catalog', true)`
    for (const { call } of calls) await outcome(run([call.replace('select ', `${path}, `)]))
    for (const shop of [mine, theirs]) {
      const ask = (method: string, path: string, body?: object) =>
        app.request(method, `${shop.data('makers')}${path}`, { token: shop.owner.token, body })
      expect((await ask('GET', '?ordering=name&page_size=1')).status).toBe(200)
      expect((await ask('POST', '', { name: 'New' })).status).toBe(201)
      expect((await ask('POST', '?atomic=false', [{ name: 'One' }, { no: 1 }])).status).toBe(207)
    }
    await run(drops)
  })
})

describe('a statement that changes its session', () => {
  const settings: [name: string, value: string][] = [
    ['search_path', 'nowhere'],
    ['statement_timeout', '0'],
    ['lock_timeout', '0'],
    ['timezone', 'Asia/Tokyo'],
    ['datestyle', 'SQL, DMY'],
    ['standard_conforming_strings', 'off'],
    ['transform_null_equals', 'on'],
    ['gin_fuzzy_search_limit', '1'],
    ['work_mem', '64kB'],
    ['enable_seqscan', 'off'],
    ['extra_float_digits', '-5'],
    ['tessera.caller', '1'],
    ['tessera.role', 'site_1'],
  ]

  it('leaves no changed settings to the next user of the connection', async () => {
    const shown = `select ${settings.map(([name]) => `current_setting('${name}', true) as "${name}"`).join()}`
    const results = await run([shown])
    const before = results.one()
    for (let times = 0; times < 5; times++) {
      await run(settings.map(([name, value]) => `select set_config('${name}', '${value}', false)`))
      expect((await run([shown])).one()).toEqual(before)
    }
  })

  it('cannot raise its own time limit, nor that of later statements', async () => {
    const limited = { ...contextOf(app, mine, mine.owner) }
    await app.sql(`update sites set statement_timeout_ms = 300 where slug = 'mine'`)
    const endless = [`select set_config('statement_timeout', '0', false)`, `select pg_sleep(600)`]
    const began = Date.now()
    expect(await outcome(runList(limited, 'read', endless.map(hostile)))).toBe('57014')
    expect(Date.now() - began).toBeLessThan(await timeLimit(4_000))
    await app.sql(`update sites set statement_timeout_ms = null where slug = 'mine'`)
  })

  it('cannot write if the route only reads', async () => {
    const write = `insert into ${mine.schema}.shop_makers (name) values ('x')`
    expect(await outcome(run([write], 'read'))).toBe('25006')
    expect(
      await outcome(run([`select set_config('transaction_read_only', 'off', true)`, write], 'read')),
    ).toMatch(/^2500[16]$/)
  })
})

describe('the role of the platform', () => {
  it('has no rights of a site, and cannot take its role, once the site exists', async () => {
    const roles = [mine.schema, theirs.schema, 'tessera_guest'].map((role) => `'${role}'`)
    expect(
      await app.sql(
        `select r.rolname as role, pg_has_role('tessera', r.oid, 'usage') as has_rights,
                pg_has_role('tessera', r.oid, 'set') as may_take
           from pg_roles r where r.rolname in (${roles.join()}) and
                (pg_has_role('tessera', r.oid, 'usage') or pg_has_role('tessera', r.oid, 'set'))`,
      ),
    ).toEqual([])
    expect(await app.sql(`select from pg_roles r where r.rolname in (${roles.join()})`)).toHaveLength(3)
  })
})

describe('the role of the service', () => {
  it('owns nothing, is a member of no role, and can only call the functions that run statements and enter sites', async () => {
    const [row] = await app.sql(
      `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
              (select count(*) from pg_class where relowner = r.oid)::int as tables,
              (select count(*) from pg_proc where proowner = r.oid)::int as functions,
              (select count(*) from pg_auth_members where member = r.oid)::int as roles,
              (select array_agg(p.proname::text order by p.proname)
                 from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                where n.nspname = 'public' and has_function_privilege(r.oid, p.oid, 'execute')) as may_call,
              (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where (n.nspname in ('public', 'tenant') or n.nspname like 'site%') and c.relkind in ('r', 'v', 'p')
                  and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate, references, trigger'))::int as may_touch
         from pg_roles r where rolname = 'tessera_service'`,
    )
    expect(row).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      rolreplication: false,
      tables: 0,
      functions: 0,
      roles: 0,
      may_call: [
        'enter',
        'enter_as_guest',
        'enter_as_owner',
        'enter_as_service',
        'enter_replica',
        'enter_viewing',
        'enter_with_key',
        'run',
        'run_in_part',
        'run_in_site',
      ],
      may_touch: 0,
    })
  })
})
