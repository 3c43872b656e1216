/**
 * An upgrade in progress: the previous release serves requests while a migration of its database is killed and
 * repeated. upgrade.long.test.ts runs every operation of the previous release.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from '../../dev/client.ts'
import { migrate } from '../../dev/migrations.ts'
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import { generation } from '../../src/kernel/db/generation.ts'
import { type Run, runProgram } from '../support/processes.ts'
import { brokenPromises, readSnapshot, type Snapshot } from '../support/schema-snapshot.ts'
import { until } from '../support/until.ts'
import { startUpgrade, type Upgrade, writeFiles } from '../support/upgrade.ts'

const root = join(import.meta.dirname, '..', '..')
const apps = '/sites/one/api/apps/'
const notes = `${apps}shop/datatables/notes/data/`

/** A table of guests. */
const posts = {
  name: 'posts',
  schema: {
    fields: [{ name: 'id', type: 'integer' }, { name: 'text' }],
    primaryKey: 'id',
    history: true,
    hierarchy: true,
    access: { rules: [{ name: 'all', who: 'anyone', can: ['read', 'create', 'edges', 'history'] }] },
  },
}

let upgrade: Upgrade
let client: Client
let before: Snapshot

beforeAll(async () => {
  upgrade = await startUpgrade()
  client = await signIn(upgrade.before.url.origin, 'admin@example.com', demoPassword)
  await client.request('POST', '/api/cloud/organizations/', { name: 'Harbours' })
  await client.request('POST', '/api/cloud/organizations/harbours/sites/', { name: 'One', slug: 'one' })
  await client.request('POST', apps, { name: 'Shop' })
  const fields = ['id', 'text'].map((name) => ({ name, type: name === 'id' ? 'integer' : 'string' }))
  await client.request('POST', `${apps}shop/datatables/create_schema/?materialize=true`, {
    resources: [{ name: 'notes', schema: { fields, primaryKey: 'id' } }, posts],
  })
  before = await readSnapshot(upgrade.sql)
  // The migrations of this version with other texts of its types and triggers, and two more steps, so that
  // there is always something to migrate. A step fails if it has run before. The second one waits until it may
  // go on.
  cpSync(join(root, 'migrations'), upgrade.folders.now, { recursive: true })
  writeFiles(upgrade.folders.now, {
    ...rewritten('types', ' as (', ' as  ('),
    ...rewritten('triggers', ' for each ', ' for  each '),
    '9000_first.sql': `insert into public.seen_steps values ('first');
      alter table tenant._apps add column next_note text;
      create table tenant._next (site_id bigint not null default tessera.own_site(), id bigint);`,
    '9001_second.sql': `do $$ begin
        while not (select is_allowed from public.may_migrate) loop perform pg_sleep(0.02); end loop;
      end $$;
      insert into public.seen_steps values ('second');
      alter table public.sites add column next_note text;`,
  })
  await upgrade.sql('create table public.seen_steps (step text primary key)')
  await upgrade.sql('create table public.may_migrate as select false as is_allowed')
})

afterAll(() => upgrade?.stop())

/** Returns the files of a folder of migrations/ with another text. Every request needs some of them. */
function rewritten(folder: string, text: string, other: string): Record<string, string> {
  const files = readdirSync(join(root, 'migrations', folder), { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith('.sql'))
      .map((file): [string, string] => [
        `${folder}/${file.replaceAll('\\', '/')}`,
        readFileSync(join(root, 'migrations', folder, file), 'utf8').replaceAll(text, other),
      ]),
  )
}

/** Starts the migration as a separate process. */
const startMigration = (): Run =>
  runProgram(process.execPath, [join(root, 'test', 'support', 'migrate-program.ts'), upgrade.folders.now], {
    OWNER_DATABASE_URL: upgrade.urls.owner,
    DATABASE_URL: upgrade.urls.service,
    SCHEMA_DATABASE_URL: upgrade.urls.schema,
  })

/** Sends requests to the previous release, one after the other, until `work` is done. */
async function whileAsking(
  work: (asked: () => number) => Promise<void>,
): Promise<{ count: number; failures: string[] }> {
  const failures: string[] = []
  let count = 0
  let isDone = false
  const ask = async (): Promise<void> => {
    while (!isDone) {
      try {
        await client.request('POST', notes, { text: `note ${count}` })
        await client.request('GET', `${notes}?page_size=1`)
        await client.request('GET', apps)
        await client.request('PATCH', `${apps}shop/`, { description: `note ${count}` })
      } catch (error) {
        failures.push((error as Error).message)
      }
      count++
    }
  }
  const asking = ask()
  try {
    await work(() => count)
  } finally {
    isDone = true
    await asking
  }
  return { count, failures }
}

describe('a migration that is killed', () => {
  it('is completed by the next run, each step once, while the previous release answers every request', async () => {
    const { count, failures } = await whileAsking(async (asked) => {
      const killed = startMigration()
      const waits = `select from pg_stat_activity where wait_event = 'PgSleep'`
      await until(
        async () => killed.process.exitCode !== null || (await upgrade.sql(waits)).length > 0,
        () => 'the second step of the migration',
      )
      expect([killed.process.exitCode, killed.output()]).toEqual([null, ''])
      const before = asked()
      await until(
        () => asked() > before + 3,
        () => 'requests during the second step',
      )
      killed.process.kill('SIGKILL')
      await killed.exited
      await upgrade.sql('update public.may_migrate set is_allowed = true')
      const last = startMigration()
      expect([await last.exited, last.output()]).toEqual([0, '1 migrations were run.\n'])
    })
    expect(failures).toEqual([])
    expect(count).toBeGreaterThan(5)
    expect(await upgrade.sql('select step from public.seen_steps order by 1')).toEqual([
      { step: 'first' },
      { step: 'second' },
    ])
    expect(await migrate(upgrade.urls.owner, { folder: upgrade.folders.now })).toBe(0)
  })

  it('has given each new table of the schema `tenant` its policy and its rights', async () => {
    const [made] = await upgrade.sql(
      `select c.relrowsecurity as secured, p.polname as policy,
              (select string_agg(a.privilege_type, ' ' order by a.privilege_type) from aclexplode(c.relacl) a
                where a.grantee = 'tessera_site'::regrole) as rights,
              has_column_privilege('tessera_site', c.oid, 'id', 'update') as changes,
              has_column_privilege('tessera_site', c.oid, 'site_id', 'update') as moves
         from pg_class c left join pg_policy p on p.polrelid = c.oid where c.oid = 'tenant._next'::regclass`,
    )
    expect(made).toEqual({
      secured: true,
      policy: 'own',
      rights: 'INSERT SELECT',
      changes: true,
      moves: false,
    })
  })
})

describe('the schema of this version', () => {
  it('breaks nothing of the previous release: columns stay, and its calls still work', async () => {
    expect(brokenPromises(before, await readSnapshot(upgrade.sql), upgrade.code)).toEqual([])
  })

  it.each([
    [
      'a removed column',
      'alter table public.api_keys drop column name',
      'The column public.api_keys.name is gone.',
    ],
    [
      'a column with another type',
      'alter table tenant._functions alter column code type varchar(500)',
      'The column tenant._functions.code was text and is character varying(500).',
    ],
    [
      'a new required column',
      `alter table public.api_keys add column color text not null`,
      'The column public.api_keys.color has to be given, by a Worker that does not know of it.',
    ],
    [
      'a function with another parameter',
      'drop function public.note_run; create function public.note_run(p integer) returns void language sql as $$ $$',
      /^The function public\.note_run was \(.*\) returns .* and is \(p integer\) returns void\.$/,
    ],
  ])('would fail this test with %s', async (_what, change, sentence) => {
    const changed = await upgrade.changed(change, readSnapshot)
    expect(brokenPromises(before, changed, upgrade.code)).toEqual([
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ])
  })
})

describe('the views, functions and triggers that the previous release has made', () => {
  const textsOf = (site: string) =>
    upgrade.sql<{ text: string }>(
      `with made as (
         select format('%s %s', c.relname, pg_get_viewdef(c.oid)) as text, c.relnamespace as namespace from pg_class c
          where c.relkind = 'v'
         union all
         select format('%s %s', p.proname, p.prosrc), p.pronamespace from pg_proc p
         union all
         select pg_get_triggerdef(g.oid), c.relnamespace from pg_trigger g join pg_class c on c.oid = g.tgrelid
          where not g.tgisinternal)
       select regexp_replace(m.text, '[0-9]+', '#', 'g') as text from made m join public.sites s
           on m.namespace::regnamespace::text in ('site_' || s.id, 'site_' || s.id || '_guest')
        where s.slug = $1 and m.text not like '%notes%' order by 1`,
      [site],
    )

  it('are those of this version after its schedule, and guests read and write as before', async () => {
    const path = `${apps}shop/datatables/posts/data/`
    const ask = async (origin: string, text: string) => {
      const made = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      })
      const { data } = (await (await fetch(`${origin}${path}?fields=text`)).json()) as { data: unknown }
      return [made.status, data]
    }
    expect(await ask(upgrade.before.url.origin, 'a')).toEqual([201, [{ text: 'a' }]])
    const now = await upgrade.startNow()
    expect(await ask(now.url.origin, 'b')).toEqual([201, [{ text: 'a' }, { text: 'b' }]])
    await now.tick()
    const outdated = () => upgrade.sql('select from public.site_meters where generation < $1', [generation])
    await until(
      async () => (await outdated()).length === 0,
      () => 'the job of the site',
    )
    expect(await ask(now.url.origin, 'c')).toEqual([201, [{ text: 'a' }, { text: 'b' }, { text: 'c' }]])
    const other = await signIn(now.url.origin, 'admin@example.com', demoPassword)
    await other.request('POST', '/api/cloud/organizations/harbours/sites/', { name: 'Two', slug: 'two' })
    await other.request('POST', '/sites/two/api/apps/', { name: 'Shop' })
    const create = '/sites/two/api/apps/shop/datatables/create_schema/?materialize=true'
    await other.request('POST', create, { resources: [posts] })
    const texts = await textsOf('one')
    expect(texts.length).toBeGreaterThan(8)
    expect(texts).toEqual(await textsOf('two'))
  })
})
