/**
 * An upgrade in progress: the previous release serves requests while processes that are killed migrate its
 * database to this version. The long run has 500 sites; upgrade.long.test.ts runs every operation of the
 * previous release.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from '../../dev/client.ts'
import { onConnection } from '../../dev/connection.ts'
import { migrate } from '../../dev/migrations.ts'
import { demoPassword } from '../../src/access/demo-password.ts'
import { eachAtOnce } from '../../src/lib/each-at-once.ts'
import { type Run, runProgram } from '../support/processes.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { brokenPromises, readSnapshot, type Snapshot } from '../support/schema-snapshot.ts'
import { until } from '../support/until.ts'
import { startUpgrade, type Upgrade, writeFiles } from '../support/upgrade.ts'

const root = join(import.meta.dirname, '..', '..')
const siteCount = runs(12, 500)
const atOnce = runs(1, 8)
/** The number of sites that are migrated before each kill. */
const third = Math.floor(siteCount / 3)
/** Creating a site takes half a second, and migrating it a tenth. */
const timeout = scaled(120_000 + siteCount * 1_000)

const createSite = `select public.create_site(o.id, o.created_by, $1, $1, 'production') from public.organizations o`

let upgrade: Upgrade
let client: Client
let before: Snapshot
/** The sites that get requests. The migration waits in none of them. */
let askedSlugs: string[]
/** The schema of the first site. */
let schema: string

beforeAll(async () => {
  upgrade = await startUpgrade()
  client = await signIn(upgrade.before.url.origin, 'admin@example.com', demoPassword)
  await client.request('POST', '/api/cloud/organizations/', { name: 'Harbours' })
  await client.request('POST', '/api/cloud/organizations/harbours/sites/', { name: 'One', slug: 'one' })
  await client.request('POST', '/sites/one/api/apps/', { name: 'Shop' })
  await client.request('POST', '/sites/one/api/apps/shop/datatables/create_schema/?materialize=true', {
    resources: [
      {
        name: 'notes',
        schema: {
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'text', type: 'string' },
          ],
          primaryKey: 'id',
        },
      },
    ],
  })
  // Each site is a separate transaction, because Postgres holds a lock for each table until its end.
  const slugs = Array.from({ length: siteCount - 1 }, (_, index) => `site-${index + 2}`)
  await eachAtOnce(slugs, 4, async (slug) => {
    await upgrade.sql(createSite, [slug])
  })
  const [first] = await upgrade.sql<{ schema: string }>(
    `select 'site_' || id as schema from public.sites where slug = 'one'`,
  )
  schema = first?.schema as string
  before = await readSnapshot(upgrade.sql, schema)
  // The migrations of this version with other texts of its types, and one more step, so that there is always
  // something to migrate. The step records its site, and fails if it has run before. Beyond the sites that
  // may be migrated, it waits until the migration is killed.
  cpSync(join(root, 'migrations'), upgrade.folders.now, { recursive: true })
  writeFiles(upgrade.folders.now, {
    'tenant/9000_next.sql': `alter table _apps add column next_note text; create table _next (id bigint);
      insert into public.seen_steps values (current_schema());
      do $$ begin
        while (select count(*) from public.sites where id <= substr(current_schema(), 6)::bigint)
              > (select sites from public.may_migrate) loop
          perform pg_sleep(0.02);
        end loop;
      end $$;`,
    ...replacedTypes(),
    'platform/9000_next.sql': `alter table public.sites add column next_note text; create table public.next (id bigint);`,
  })
  await upgrade.sql('create table public.seen_steps (site text primary key)')
  await upgrade.sql(`create table public.may_migrate as select ${third} as sites`)
  askedSlugs = (
    await upgrade.sql<{ slug: string }>(
      `select slug from public.sites order by id offset 1 limit ${third - 1}`,
    )
  ).map(({ slug }) => slug)
}, timeout)

afterAll(() => upgrade?.stop())

/** Returns the types of the platform with other texts. Every request needs some of them. */
function replacedTypes(): Record<string, string> {
  const folder = join(root, 'migrations', 'platform', 'types')
  const texts = readdirSync(folder).map((file): [string, string] => [
    `platform/types/${file}`,
    readFileSync(join(folder, file), 'utf8').replace(' as (', ' as  ('),
  ])
  return Object.fromEntries(texts)
}

/** Starts the migration as a separate process. */
const startMigration = (): Run =>
  runProgram(
    process.execPath,
    [join(root, 'test', 'support', 'migrate-program.ts'), upgrade.folders.now, String(atOnce)],
    {
      OWNER_DATABASE_URL: upgrade.urls.owner,
      DATABASE_URL: upgrade.urls.service,
      SCHEMA_DATABASE_URL: upgrade.urls.schema,
    },
  )

const sitesDone = async (): Promise<number> => {
  const [row] = await upgrade.sql<{ n: number }>(
    `select count(*)::int as n from public.sites where id not in (select public.outdated_sites())`,
  )
  return row?.n as number
}

/** Makes a site that cannot be migrated. Returns its schema, and a function that repairs it. */
async function breakSite(slug: string) {
  const [site] = await upgrade.sql<{ schema: string }>(
    `select 'site_' || id as schema from public.sites where slug = $1`,
    [slug],
  )
  const own = `${site?.schema}.own`
  await upgrade.sql(`create function ${own}() returns integer language sql as 'select 1'`)
  return { schema: site?.schema, repair: () => upgrade.sql(`drop function ${own}`) }
}

/** Kills a migration after it has migrated some sites. */
async function killAfter(sites: number): Promise<void> {
  const migration = startMigration()
  const count = () => migration.output().match(/"done"/g)?.length ?? 0
  await until(
    async () => count() >= sites,
    () => migration.output(),
  )
  migration.process.kill('SIGKILL')
  await migration.exited
}

/**
 * Sends requests to the previous release, one after the other, until `work` is done. Returns their number and
 * the failures.
 */
async function whileAsking(
  work: () => Promise<void>,
): Promise<{ count: number; failures: string[]; slowestMs: number }> {
  const failures: string[] = []
  let count = 0
  let slowestMs = 0
  let isDone = false
  const tables = '/sites/one/api/apps/shop/datatables/notes/data/'
  const ask = async (): Promise<void> => {
    while (!isDone) {
      const began = Date.now()
      const site = askedSlugs[count % askedSlugs.length]
      try {
        await client.request('POST', tables, { text: `note ${count}` })
        await client.request('GET', `${tables}?page_size=1`)
        await client.request('GET', `/sites/${site}/api/apps/`)
        await client.request('POST', `/sites/${site}/api/apps/`, { name: `App ${count}` })
      } catch (error) {
        failures.push((error as Error).message)
      }
      count++
      slowestMs = Math.max(slowestMs, Date.now() - began)
    }
  }
  const asking = ask()
  try {
    await work()
  } finally {
    isDone = true
    await asking
  }
  return { count, failures, slowestMs }
}

describe('a migration of all sites that is killed twice', () => {
  it('is completed by the third run, each step once, while the previous release answers every request', {
    timeout,
  }, async () => {
    const allow = (sites: number) => upgrade.sql('update public.may_migrate set sites = $1', [sites])
    const { count, failures } = await whileAsking(async () => {
      await killAfter(third)
      const afterFirst = await sitesDone()
      expect(afterFirst).toBeGreaterThanOrEqual(third)
      expect(afterFirst).toBeLessThan(siteCount)
      await allow(2 * third)
      // Postgres ends the waiting steps, so the second run does not migrate those sites.
      await killAfter(third - atOnce)
      expect(await sitesDone()).toBeLessThan(siteCount)
      await allow(siteCount)
      const last = startMigration()
      expect([await last.exited, last.output()]).toEqual([
        0,
        expect.stringMatching(/\d+ sites were migrated\.\n$/),
      ])
    })
    expect(failures).toEqual([])
    expect(count).toBeGreaterThan(5)
    expect(await sitesDone()).toBe(siteCount)
    expect(await upgrade.sql('select count(*)::int as sites from public.seen_steps')).toEqual([
      { sites: siteCount },
    ])
  })

  it('has nothing to do when it is repeated', async () => {
    expect(await migrate(upgrade.urls.owner, { folder: upgrade.folders.now })).toEqual({
      platform: 0,
      sites: 0,
    })
  })
})

describe('the schema of this version', () => {
  it('breaks nothing of the previous release: columns stay, and its calls still work', async () => {
    expect(brokenPromises(before, await readSnapshot(upgrade.sql, schema), upgrade.code)).toEqual([])
  })

  it.each([
    [
      'a removed column',
      'alter table public.api_keys drop column name',
      'The column public.api_keys.name is gone.',
    ],
    [
      'a column with another type',
      'alter table public.organizations alter column name type varchar(500)',
      'The column public.organizations.name was text and is character varying(500).',
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
    const changed = await upgrade.changed(change, (sql) => readSnapshot(sql, schema))
    expect(brokenPromises(before, changed, upgrade.code)).toEqual([
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ])
  })
})

describe('a site that cannot be migrated', () => {
  it('is named with the error of Postgres after all others were migrated; the next run migrates it', {
    timeout,
  }, async () => {
    writeFiles(upgrade.folders.now, { 'tenant/9001_later.sql': 'create table _later (id bigint)' })
    const broken = await breakSite('site-3')
    const failed = startMigration()
    expect(await failed.exited).toBe(1)
    expect(failed.output()).toMatch(
      new RegExp(
        `The site site-3 was not migrated: the schema ${broken.schema} has functions, operators or types that the service has not made: drop them\\.\n` +
          `${siteCount - 1} other sites were migrated\\. Remove the causes and repeat the command\\. Until then, sites that lack a migration answer 503\\.\n$`,
      ),
    )
    expect(await sitesDone()).toBe(siteCount - 1)
    await broken.repair()
    const last = startMigration()
    expect([await last.exited, last.output()]).toEqual([
      0,
      expect.stringMatching(/\n1 sites were migrated\.\n$/),
    ])
  })
})

describe('a new text of the function that runs statements', () => {
  const runFile = 'platform/functions/run/run.sql'
  /** Returns the slugs of the sites whose functions have the earlier text. */
  const earlier = async () =>
    (
      await upgrade.sql<{ slug: string }>(
        `select distinct s.slug from public.sites s
           join pg_proc p on p.proname in ('run_site_' || s.id, 'run_site_' || s.id || '_guest')
          where p.prosrc not like '%-- A new text.%' order by 1`,
      )
    ).map(({ slug }) => slug)
  const kept = async () =>
    (await upgrade.sql<{ n: number }>('select count(*)::int as n from public.earlier_runs'))[0]?.n

  it('replaces the earlier one in one site after the other, and both run statements meanwhile', {
    timeout,
  }, async () => {
    const text = readFileSync(join(upgrade.folders.now, runFile), 'utf8')
    writeFiles(upgrade.folders.now, {
      [runFile]: text.replace('set constraints all', '-- A new text.\n  set constraints all'),
    })
    const broken = await breakSite('site-4')
    await onConnection(upgrade.urls.owner, async (owner) => {
      await owner.query('begin')
      await owner.query('update public.may_migrate set sites = sites + 1')
      await owner.query(createSite, ['late'])
      const migration = startMigration()
      expect([await migration.exited, migration.output()]).toEqual([
        1,
        expect.stringContaining(`${siteCount - 1} other sites were migrated.`),
      ])
      await owner.query('commit')
    })
    // A site that cannot be migrated gets the text as well.
    expect(await earlier()).toEqual(['late'])
    for (const slug of ['late', 'site-4', 'one'])
      await client.request('POST', `/sites/${slug}/api/apps/`, { name: 'Written meanwhile' })

    await broken.repair()
    const last = startMigration()
    expect([await last.exited, last.output()]).toEqual([
      0,
      expect.stringMatching(/\n2 sites were migrated\.\n$/),
    ])
    expect(await earlier()).toEqual([])
    for (const slug of ['late', 'site-4'])
      await client.request('POST', `/sites/${slug}/api/apps/`, { name: 'Written afterwards' })
  })

  it('is the only one that the next migration leaves', async () => {
    expect(await kept()).toBe(2)
    await migrate(upgrade.urls.owner, { folder: upgrade.folders.now })
    expect(await kept()).toBe(1)
  })
})
