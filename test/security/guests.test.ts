/**
 * The role of a site's guests: the effects of a hostile statement that runs with this role, if an attacker
 * could ever inject one. It cannot pretend to be another caller: the claims that views read are signed, for
 * one transaction.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { DatabaseFailure } from '../../src/kernel/db/failures.ts'
import { anyone, type Standing } from '../../src/kernel/standing.ts'
import { siteIdOf, startApp, type TestApp, type User } from '../support/app.ts'
import { addTables, createShop, type Shop } from '../support/fixtures.ts'
import { asGuest, guestContext, guestOf, written } from '../support/guests.ts'
import type { Results } from '../support/results.ts'
import { runInSite } from '../support/tenant.ts'

let app: TestApp
let mine: Shop
let theirs: Shop
let visitor: User

const signedIn: Standing = { ...anyone, signedIn: true }

beforeAll(async () => {
  app = await startApp()
  mine = await createShop(app, 'mine')
  theirs = await createShop(app, 'theirs')
  visitor = await app.user('visitor')
  for (const shop of [mine, theirs]) {
    await app.request('POST', shop.data('makers'), {
      token: shop.owner.token,
      body: [{ name: 'Ostra' }, { name: `visitor@${shop.slug}` }],
    })
    // As for an access rule: a view of the site's role that reads the claims of the caller.
    await runInSite(app, shop, [
      written(`create view ${guestOf(shop)}.shop_makers with (security_barrier) as
                 select id, name from ${shop.schema}.shop_makers
                  where tessera.is_here(${siteIdOf(shop)}) and (select tessera.is_here_now(${siteIdOf(shop)}))
                    and (name = 'Ostra' or ((select tessera.claims()) ->> 'signed_in')::boolean)`),
      written(`grant select on ${guestOf(shop)}.shop_makers to tessera_guest`),
    ])
  }
})

const run = (
  texts: readonly string[],
  user?: User,
  site: Shop = mine,
  mode: 'read' | 'write' = 'read',
): Promise<Results> =>
  asGuest(guestContext(app, site, user), user ? signedIn : anyone, texts.map(written), mode)

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof DatabaseFailure ? error.sqlstate : String(error)),
  )

/** Returns the protected state: the rows, the rights and the roles of the site and of its neighbour. */
async function guarded() {
  const [state] = await app.sql(
    `select (select json_agg(m) from ${mine.schema}.shop_makers m)::text as mine,
            (select json_agg(m) from ${theirs.schema}.shop_makers m)::text as theirs,
            (select encode(sha256(inner_pad || outer_pad), 'hex') from claim_keys) as key,
            (select json_agg(p.oid::text || p.prosrc || p.proacl::text order by p.oid) from pg_proc p
              where p.pronamespace = '${guestOf(mine)}'::regnamespace)::text as functions,
            (select json_agg(c.oid::text || c.relacl::text order by c.oid) from pg_class c
              where c.relnamespace = '${guestOf(mine)}'::regnamespace)::text as relations`,
  )
  return state
}

describe('a statement of a guest that tries to read more than the views', () => {
  const climbs: [what: string, texts: () => string[], codes: RegExp][] = [
    ['reads a table of its site', () => [`select * from ${mine.schema}.shop_makers`], /^42501$/],
    ['reads a table of the platform', () => [`select * from public.users`], /^42501$/],
    ['reads the key of claims', () => [`select * from public.claim_keys`], /^42501$/],
    ['reads the secrets of its site', () => [`select * from tenant._secrets`], /^42501$/],
    ['reads the views of a neighbour', () => [`select * from ${guestOf(theirs)}.shop_makers`], /^42501$/],
    ['signs claims', () => [`select public.sign_claims('{}')`], /^42501$/],
    ['makes another key', () => [`select public.make_claim_key()`], /^42501$/],
    ['asks for the standing of others', () => [`select public.standing_of(1, null)`], /^42501$/],
    ['enters anew', () => [`select public.enter_as_guest(null, 'mine', null, '{}', true, null)`], /^42501$/],
    [
      'calls the runner of the platform',
      () => [`select * from public.run(array['rselect 1'], '{}', null)`],
      /^42501$/,
    ],
    [
      'calls the dispatcher',
      () => [`select * from public.run_in_site(array['rselect 1'], '{}', null)`],
      /^42501$/,
    ],
    [
      'calls the runner of its site',
      () => [`select * from runs.${mine.schema}(array['rselect 1'], '{}', null)`],
      /^42501$/,
    ],
    [
      'calls the runner of guests',
      () => [`select * from runs.tessera_guest(array['rselect 1'], '{}', null)`],
      /^42501$/,
    ],
    ['sets the role of its site', () => [`select set_config('role', '${mine.schema}', true)`], /^42501$/],
    ['resets the role', () => [`do $$ begin reset role; end $$`], /^42501$/],
    [
      'sets the session authorization',
      () => [`select set_config('session_authorization', 'tessera', false)`],
      /^42501$/,
    ],
    [
      'grants itself the role of its site',
      () => [`grant ${mine.schema} to tessera_guest`],
      /^(42501|25006)$/,
    ],
    ['writes by a view', () => [`update ${guestOf(mine)}.shop_makers set name = 'x'`], /^(42501|25006)$/],
    [
      'writes to a table',
      () => [`insert into ${mine.schema}.shop_makers (name) values ('x')`],
      /^(42501|25006)$/,
    ],
    [
      'lifts the limit to reading',
      () => [`select set_config('transaction_read_only', 'off', true)`],
      /^25001$/,
    ],
    ['makes a table', () => [`create table ${guestOf(mine)}.x (id integer)`], /^(42501|25006)$/],
    ['makes a temporary table', () => [`create temporary table x (id integer)`], /^(42501|25006)$/],
    [
      'makes a function',
      () => [`create function ${guestOf(mine)}.f() returns integer language sql as 'select 1'`],
      /^(42501|25006)$/,
    ],
    [
      'changes the function that runs its statements',
      () => [`alter function runs.tessera_guest(text[], text[], text) security invoker`],
      /^(42501|25006)$/,
    ],
    [
      'shares the function that runs its statements',
      () => [`grant execute on function runs.tessera_guest(text[], text[], text) to public`],
      /^(42501|25006)$/,
    ],
    ['locks a table', () => [`lock table ${mine.schema}.shop_makers in share mode`], /^(42501|25006)$/],
  ]

  it.each(climbs)('fails when it %s', async (_what, texts, codes) => {
    const before = await guarded()
    expect(await outcome(run(texts(), visitor))).toMatch(codes)
    expect(await guarded()).toEqual(before)
  })

  it.each(climbs.filter(([what]) => what !== 'lifts the limit to reading'))(
    'fails in a transaction that writes, too, when it %s',
    async (_what, texts) => {
      const before = await guarded()
      expect(await outcome(run(texts(), visitor, mine, 'write'))).toMatch(/^(42501|P0001)$/)
      expect(await guarded()).toEqual(before)
    },
  )
})

describe('the role of guests', () => {
  it('can only use its schema and that of shared functions, read the views there, and execute its own runner', async () => {
    const [rights] = await app.sql(
      `with namespaces as (
         select n.* from pg_namespace n
          where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)')
       select (select array_agg(n.nspname::text order by n.nspname::text collate "C") from namespaces n
                where has_schema_privilege(r.oid, n.oid, 'usage')) as uses,
              (select array_agg(n.nspname::text order by n.nspname::text collate "C") from namespaces n
                where has_schema_privilege(r.oid, n.oid, 'create')) as makes,
              (select array_agg(c.oid::regclass::text order by c.oid::regclass::text collate "C") from pg_class c
                 join namespaces n on n.oid = c.relnamespace
                where c.relkind in ('r', 'v', 'm', 'p', 'f')
                  and has_table_privilege(r.oid, c.oid, 'select')) as reads,
              (select array_agg(c.oid::regclass::text order by c.oid::regclass::text collate "C") from pg_class c
                 join namespaces n on n.oid = c.relnamespace
                where c.relkind in ('r', 'v', 'm', 'p', 'f')
                  and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate, references, trigger')) as writes,
              (select array_agg(p.oid::regprocedure::text order by p.oid::regprocedure::text collate "C") from pg_proc p
                 join namespaces n on n.oid = p.pronamespace
                where n.nspname <> 'tessera' and p.prorettype <> 'trigger'::regtype
                  and has_schema_privilege(r.oid, n.oid, 'usage')
                  and has_function_privilege(r.oid, p.oid, 'execute')) as executes,
              (select count(*)::int from pg_auth_members m where m.member = r.oid) as roles,
              rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication or rolcanlogin as power
         from pg_roles r where r.rolname = 'tessera_guest'`,
    )
    expect(rights).toEqual({
      uses: [guestOf(mine), guestOf(theirs), 'tessera'].toSorted(),
      makes: null,
      reads: [mine, theirs].map((shop) => `${guestOf(shop)}.shop_makers`).toSorted(),
      writes: null,
      executes: null,
      roles: 0,
      power: false,
    })
  })

  it('can call only the claims and the kept answers of guests with the rights of another role', async () => {
    const names = ['claim_answer', 'claims', 'find_answer', 'keep_answer', 'keep_error']
    expect(
      await app.sql(`select p.proname as name, p.proconfig as settings from pg_proc p
                      where p.pronamespace = 'tessera'::regnamespace and p.prosecdef order by p.proname`),
    ).toEqual(names.map((name) => ({ name, settings: ['search_path=pg_catalog, pg_temp'] })))
  })

  it('runs the statements of a guest, which name the schema of everything', async () => {
    const seen = await run([`select current_user::text as who, current_setting('search_path') as path`])
    expect(seen.one()).toEqual({ who: 'tessera_guest', path: 'pg_catalog, pg_temp' })
  })

  it('is refused by the views of another site, whatever operators mean in its own', async () => {
    await runInSite(app, mine, [
      written(`create function ${guestOf(mine)}.yes(bigint, bigint) returns boolean
                 immutable language sql return true`),
      written(
        `create operator ${guestOf(mine)}.= (function = ${guestOf(mine)}.yes, leftarg = bigint, rightarg = bigint)`,
      ),
    ])
    const steals = [
      `select set_config('search_path', '${guestOf(mine)}, pg_catalog', true)`,
      `select * from ${guestOf(theirs)}.shop_makers`,
    ]
    expect(await outcome(run(steals, visitor))).toBe('42501')
    await runInSite(app, mine, [
      written(`drop operator ${guestOf(mine)}.= (bigint, bigint)`),
      written(`drop function ${guestOf(mine)}.yes(bigint, bigint)`),
    ])
  })

  it('calls no function of a view whose names depend on its search path', async () => {
    expect(
      await app.sql(
        `select p.proname as name from pg_proc p
          where p.pronamespace = 'tessera'::regnamespace and p.proname ~ '^(as|read)_'
            and p.prosqlbody is null and p.proconfig is null`,
      ),
    ).toEqual([])
  })

  it('cannot drop its runner, in a transaction that then gives up its right to write', async () => {
    const texts = ['drop owned by current_user', 'set transaction read only']
    expect(await outcome(run(texts, visitor, mine, 'write'))).toBe('P0001')
    expect((await run(['select 1 as one'])).one()).toEqual({ one: 1 })
  })

  it('sees the rows of a view that the claims allow', async () => {
    const names = async (user?: User, site = mine) =>
      (await run([`select name from ${guestOf(site)}.shop_makers order by name`], user, site)).rows()
    expect(await names()).toEqual([{ name: 'Ostra' }])
    expect(await names(visitor)).toEqual([{ name: 'Ostra' }, { name: 'visitor@mine' }])
    expect(await names(visitor, theirs)).toEqual([{ name: 'Ostra' }, { name: 'visitor@theirs' }])
  })
})

describe('a function that writes for guests', () => {
  const create = (site: Shop, record: object) =>
    `select written, data from ${guestOf(site)}."shop_goods$create"('[${JSON.stringify(record)}]', '{id}')`

  beforeAll(async () => {
    for (const shop of [mine, theirs]) {
      const { api, owner } = shop
      const fields = ['sku', 'name'].map((name) => ({ name, type: 'string' }))
      const schema = { fields: [{ name: 'id', type: 'integer' }, ...fields], primaryKey: 'id' }
      await addTables(app, shop, [{ name: 'goods', schema }])
      const path = `${api}/apps/shop/datatables/goods/access/`
      const set = { name: { $: 'user.uuid' } }
      const rules = [
        { name: 'make', who: 'signed-in', can: ['create'], set, fields: { write: ['sku'] } },
        { name: 'own', who: 'signed-in', can: ['read', 'update', 'delete'], where: set },
      ]
      const { status, body } = await app.request('PUT', path, { token: owner.token, body: { rules } })
      expect([status, body.rules]).toEqual([200, rules])
    }
  })

  it('writes as the rules allow for the caller in the signed claims, and nothing in a read-only transaction', async () => {
    expect(await outcome(run([create(mine, { sku: 'r' })], visitor))).toBe('25006')
    const made = await run([create(mine, { sku: 'w' })], visitor, mine, 'write')
    expect(made.one()).toEqual({ written: 1, data: expect.stringMatching(/^\[\{"id":\d+\}\]$/) })
    const [row] = await app.sql(
      `select p.name, u.uuid::text from ${mine.schema}.shop_goods p, users u
                                  where p.sku = 'w' and u.id = $1`,
      [visitor.id],
    )
    expect(row?.name).toBe(row?.uuid)
    for (const more of [{ name: 'x' }, { colour: 5 }, { id: 5 }]) {
      const refused = await run([create(mine, { sku: 'x', ...more })], visitor, mine, 'write')
      expect(refused.one()).toEqual({ written: 0, data: '[]' })
    }
    const anonymous = await run([create(mine, { sku: 'y' })], undefined, mine, 'write')
    expect(anonymous.one()).toEqual({ written: 0, data: '[]' })
  })

  it('can be executed only by the guests of its site', async () => {
    expect(await outcome(run([create(theirs, { sku: 'x' })], visitor, mine, 'write'))).toBe('42501')
    expect(await outcome(runInSite(app, theirs, [written(create(mine, { sku: 'x' }))]))).toBe('42501')
    const functions = await app.sql<{ name: string; executors: string }>(
      `select p.proname as name, p.proowner::regrole::text as owner, p.prosecdef as definer, p.proacl::text as executors,
              p.proconfig as settings
         from pg_proc p where p.pronamespace = '${guestOf(mine)}'::regnamespace
        order by p.proname collate "C"`,
    )
    const { schema } = mine
    const executors = `{${schema}=X/${schema},tessera_guest=X/${schema}}`
    expect(functions).toEqual(
      ['create', 'delete', 'update'].map((action) => ({
        name: `shop_goods$${action}`,
        owner: schema,
        definer: true,
        executors,
        settings: [`search_path=tenant, ${schema}, pg_temp`, 'TimeZone=UTC'],
      })),
    )
  })

  it('is dropped with its rule', async () => {
    const body = { rules: [{ name: 'all', who: 'anyone', can: ['read'], fields: ['id'] }] }
    const path = `${mine.api}/apps/shop/datatables/goods/access/`
    expect((await app.request('PUT', path, { token: mine.owner.token, body })).status).toBe(200)
    expect(
      await app.sql(`select from pg_proc p where p.pronamespace = '${guestOf(mine)}'::regnamespace
                       and p.proname like 'shop%'`),
    ).toEqual([])
  })
})

/** The pads of a key, as in public.claim_keys: SQL of two bytea values. */
type Pads = [inner: string, outer: string]

/** Returns claims as an attacker could make them who has the pads, and knows the process and the time. */
const forged = (
  [inner, outer]: Pads,
  { process = 'pg_backend_pid()', time = 'transaction_timestamp()' } = {},
) => {
  const claims = `{"id": 1, "signed_in": true, "user": true, "groups": ["agents"], "permissions": [], "roles": []}`
  const signed = `convert_to(${process} || ' ' || extract(epoch from ${time}) || ' ' || '${claims}', 'UTF8')`
  return `select set_config('tessera.claims',
            encode(sha256(${outer} || sha256(${inner} || ${signed})), 'hex') || '${claims}', true)`
}

describe('signed claims', () => {
  const ask = `select tessera.claims() as claims`
  const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))
  const bytes = (hex: string) => `'\\x${hex}'::bytea`
  const realPads = async (): Promise<Pads> => {
    const [row] = await app.sql<{ inner: string; outer: string }>(
      `select encode(inner_pad, 'hex') as inner, encode(outer_pad, 'hex') as outer from claim_keys`,
    )
    return [bytes(row?.inner ?? ''), bytes(row?.outer ?? '')]
  }

  it('have a random key, and HMAC with SHA-256 as its definition says', async () => {
    const [row] = await app.sql<{ inner: string; outer: string }>(
      `select encode(inner_pad, 'hex') as inner, encode(outer_pad, 'hex') as outer from claim_keys`,
    )
    const [inner, outer] = [bytesOf(row?.inner ?? ''), bytesOf(row?.outer ?? '')]
    const secret = inner.map((byte) => byte ^ 0x36)
    expect([secret.length, [...secret.subarray(32)]]).toEqual([64, Array(32).fill(0)])
    expect(new Set(secret.subarray(0, 32)).size).toBeGreaterThan(16)
    expect([...outer.map((byte) => byte ^ 0x5c)]).toEqual([...secret])
    const seen = await run(
      [
        `select current_setting('tessera.claims') as setting,
                pg_backend_pid() || ' ' || extract(epoch from transaction_timestamp()) as bound`,
      ],
      visitor,
    )
    const { setting, bound } = seen.one<{ setting: string; bound: string }>()
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ])
    const data = new TextEncoder().encode(`${bound} ${setting.slice(64)}`)
    const mac = Buffer.from(await crypto.subtle.sign('HMAC', key, data)).toString('hex')
    expect(setting.slice(0, 64)).toBe(mac)
  })

  it('are refused without the setting: as the site, as its guest that unsets it, or empty', async () => {
    expect(await outcome(runInSite(app, mine, [written(ask)]))).toBe('42501')
    for (const value of ['', '{}', `${'0'.repeat(64)}`, `${'0'.repeat(64)}null`])
      expect(
        await outcome(run([`select set_config('tessera.claims', '${value}', true)`, ask], visitor)),
      ).toBe('42501')
  })

  it('are refused with another key, another process, or another time, and accepted with all three', async () => {
    const real = await realPads()
    const other: Pads = [bytes('36'.repeat(64)), bytes('5c'.repeat(64))]
    expect(await outcome(run([forged(other), ask]))).toBe('42501')
    expect(await outcome(run([forged(real, { process: '(pg_backend_pid() + 1)' }), ask]))).toBe('42501')
    const later = `(transaction_timestamp() + interval '1 microsecond')`
    expect(await outcome(run([forged(real, { time: later }), ask]))).toBe('42501')
    expect((await run([forged(real), ask])).one(1)).toMatchObject({ claims: { id: 1, user: true } })
  })

  it('are refused if one word is changed', async () => {
    const changed = `select set_config('tessera.claims',
      replace(current_setting('tessera.claims'), '"user": false', '"user": true'), true)`
    expect(await outcome(run([changed, ask], visitor))).toBe('42501')
  })

  it('of one transaction are refused in all others, also on the same connection', async () => {
    const own = `select current_setting('tessera.claims') as setting, pg_backend_pid() as process`
    const stolen = (await run([own], visitor)).one<{ setting: string; process: number }>()
    const processes = new Set<number>()
    for (let times = 0; times < 20 && !processes.has(stolen.process); times++) {
      const replayed = [`select set_config('tessera.claims', '${stolen.setting}', true)`, ask]
      expect(await outcome(run(replayed))).toBe('42501')
      processes.add((await run([`select pg_backend_pid() as process`])).one<{ process: number }>().process)
    }
    expect(processes).toContain(stolen.process)
  })

  it('are the same for any settings of a statement: dates, time zone, digits', async () => {
    const settings = [
      'datestyle=SQL, DMY',
      'timezone=Asia/Tokyo',
      'extra_float_digits=-5',
      'bytea_output=escape',
    ]
    const set = settings.map((one) => {
      const [name, value] = one.split('=')
      return `select set_config('${name}', '${value}', true)`
    })
    expect((await run([...set, ask], visitor)).one(set.length)).toMatchObject({ claims: { id: visitor.id } })
  })

  it('are removed from the connection when the request ends', async () => {
    const before = await run([ask], visitor)
    expect(before.one()).toMatchObject({ claims: { id: visitor.id } })
    for (let times = 0; times < 5; times++) {
      const seen = await runInSite(app, mine, [
        written(`select coalesce(current_setting('tessera.claims', true), '') as setting`),
      ])
      expect(seen.one()).toEqual({ setting: '' })
    }
  })

  it('are verified once per statement', async () => {
    const explained = await run(
      [`explain (format json) select name from ${guestOf(mine)}.shop_makers`],
      visitor,
    )
    expect(JSON.stringify(explained.rows())).toContain('InitPlan')
  })
})
