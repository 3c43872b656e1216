/**
 * The parts of a read in several sites: what a site does, and what is wrong with it, has no effect on the
 * parts of the other sites.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { inSitesOf } from '../../src/kernel/db/site-parts.ts'
import type { Sql } from '../../src/kernel/db/sql.ts'
import { createSite, insist, type Site, siteIdOf, startApp, type TestApp } from '../support/app.ts'
import { addTables } from '../support/fixtures.ts'
import { written } from '../support/guests.ts'
import { hold } from '../support/locks.ts'
import { contextOf } from '../support/tenant.ts'
import { timeLimit } from '../support/time-limit.ts'

let app: TestApp
let mine: Site
let theirs: Site

const table = (type: string) => ({
  name: 'visits',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'amount', type },
    ],
    primaryKey: 'id',
  },
})

/** Adds a site to the organization of the first one. */
async function addSite(slug: string, type = 'number'): Promise<Site> {
  const { owner } = mine
  const path = '/api/cloud/organizations/mine-org/sites/'
  const made = await app.request('POST', path, { token: owner.token, body: { name: slug, slug } })
  const site = { slug, api: `/sites/${slug}/api`, schema: made.body.schema_name, owner }
  await addVisits(site, type)
  return site
}

async function addVisits(site: Site, type = 'number'): Promise<void> {
  const { token } = site.owner
  await insist(() => app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } }))
  await addTables(app, site, [table(type)])
  await app.request('POST', `${site.api}/apps/shop/datatables/visits/data/`, {
    token,
    body: { id: 1, amount: type === 'number' ? 5 : 'five' },
  })
}

beforeAll(async () => {
  app = await startApp()
  mine = await createSite(app, 'mine')
  await addVisits(mine)
  theirs = await addSite('theirs')
})

const listed = (query = '_sort=amount') =>
  app.request('GET', `/api/cloud/organizations/mine-org/records/?app=shop&table=visits&${query}`, {
    token: mine.owner.token,
  })

/** Runs statements of the first site, and then those of the second one, as parts of one request. */
async function parts(texts: readonly string[], after = 'select amount::int as amount from shop_visits') {
  const of = ({ slug, schema }: Site, statements: readonly Sql[]) => ({
    site: { siteId: siteIdOf({ schema }), slug, catalogVersion: null },
    statements: { all: statements },
  })
  const { parts } = await inSitesOf(
    contextOf(app, mine, mine.owner),
    ['mine-org', ['owner', 'admin']],
    {},
    [of(mine, texts.map(written)), of(theirs, [written(after)])],
    null,
  )
  return parts.map((part) => (typeof part === 'string' ? part : part.all.map(({ all }) => all)))
}
const utility = (text: string) => `do $attack$ begin execute $text$${text}$text$; end $attack$`
const rows = [[{ amount: 5 }]]

describe('a hostile statement in the part of one site', () => {
  it.each([
    ['reads the tables of the next site', () => `select * from ${theirs.schema}.shop_visits`, '42501'],
    ['raises the error that ends a part', () => `do $$ begin raise sqlstate 'TS207'; end $$`, 'TS207'],
    [
      'raises the error of a cancelled statement',
      () => `do $$ begin raise query_canceled using message = 'due to user request'; end $$`,
      '57014',
    ],
    ['raises a failed assertion', () => `do $$ begin assert false; end $$`, 'P0004'],
    ['calls the function of parts', () => `select public.limit_part('theirs', 1)`, '42501'],
    ['divides by zero', () => 'select 1 / 0', '22012'],
    ['writes', () => 'delete from shop_visits', '25006'],
    ['ends the transaction', () => utility('rollback'), '0A000'],
  ])('that %s fails that part alone', async (_, text, failure) => {
    expect(await parts([text()])).toEqual([failure, rows])
  })

  it('leaves no setting, name or lock to the next part', async () => {
    const shown = `select current_setting('search_path') as path, current_setting('tessera.role') as role,
      current_setting('work_mem') as memory, current_setting('transaction_read_only') as read_only,
      (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())::int as locks,
      (select count(*) from pg_listening_channels())::int as channels`
    const [, before] = await parts(['select 1 as one'], shown)
    const values = [
      ...['search_path', 'tessera.role', 'role'].map((name) => [name, mine.schema]),
      ['work_mem', '1GB'],
      ['statement_timeout', '0'],
    ]
    const hostile = values.flatMap(([name, value]) =>
      [true, false].map((isLocal) => `select set_config('${name}', '${value}', ${isLocal})`),
    )
    for (const text of [...hostile, 'select pg_advisory_lock(7283554002)', utility('listen spy')]) {
      const [, after] = await parts([text], shown)
      expect([text, after]).toEqual([text, before])
    }
    const [, after] = await parts(hostile.slice(0, 4), shown)
    expect(after).toEqual(before)
    await parts([utility('prepare "s_theirs" as select 4711')])
    expect((await listed()).body.data).toHaveLength(2)
  })

  it('has a limit of time, which the next part does not pay', async () => {
    const began = Date.now()
    const [first, second] = await parts([
      `select set_config('statement_timeout', '0', true)`,
      'select pg_sleep(60)',
    ])
    expect([first, second]).toEqual(['57014', rows])
    expect(Date.now() - began).toBeLessThan(await timeLimit(8_000))
  })

  it('cannot make its rows so long that others have no place', async () => {
    const [first, second] = await parts([`select repeat('x', 1000000) from generate_series(1, 13)`])
    expect([first, second]).toEqual(['TS425', rows])
  })
})

describe('a site with which something is wrong', () => {
  const skippedIn = async (query?: string) => (await listed(query)).body.skipped

  it('is skipped with the reason, and the others are listed', async () => {
    expect(await skippedIn()).toEqual([])
    const odd = await addSite('odd', 'string')
    await app.request('POST', '/api/cloud/organizations/mine-org/sites/', {
      token: mine.owner.token,
      body: { name: 'empty', slug: 'empty' },
    })
    const asleep = await addSite('asleep')
    await app.request('POST', '/api/cloud/sites/asleep/suspend/', { token: mine.owner.token })
    expect(asleep.slug).toBe('asleep')
    const answer = await listed()
    expect(answer.body).toMatchObject({
      data: [
        { site: 'mine', record: { id: 1, amount: 5 } },
        { site: 'theirs', record: { id: 1, amount: 5 } },
      ],
      total: 2,
      skipped: [
        {
          site: 'odd',
          reason: 'differs',
          detail: 'amount is of type string, and of type number in most sites.',
        },
        { site: 'empty', reason: 'missing', detail: 'There is no app "shop" in this site.' },
        { site: 'asleep', reason: 'suspended', detail: 'The site is suspended.' },
      ],
    })
    // A catalog that an isolate keeps is compared, too, where the query does not fit it.
    await addVisits({ slug: 'empty', api: '/sites/empty/api', schema: '', owner: mine.owner })
    expect((await listed()).body).toMatchObject({ total: 3, skipped: [{ site: 'odd' }, { site: 'asleep' }] })
    await app.request('DELETE', '/api/cloud/sites/empty/', { token: mine.owner.token })
    // The field is not named.
    expect((await listed('')).body.data.map(({ site }: { site: string }) => site)).toEqual([
      'mine',
      'theirs',
      odd.slug,
    ])
  })

  it('is skipped if it is late, in its own time, or does not admit the caller', async () => {
    await app.sql(`update sites set requires_factor = true where slug = 'theirs'`)
    expect(await skippedIn('sites=mine,theirs')).toEqual([
      {
        site: 'theirs',
        reason: 'refused',
        detail: 'The site does not admit the caller: it requires a second factor.',
      },
    ])
    await app.sql(
      `update sites set requires_factor = false, statement_timeout_ms = 100 where slug = 'theirs'`,
    )
    const release = await hold(app, `lock table ${theirs.schema}.shop_visits in access exclusive mode`)
    const answer = await listed('sites=mine,theirs')
    expect(answer.body).toMatchObject({
      data: [{ site: 'mine', record: { id: 1, amount: 5 } }],
      skipped: [
        {
          site: 'theirs',
          reason: 'late',
          detail: 'It took too long. Ask for fewer records, or for this site alone.',
        },
      ],
    })
    await release()
    await app.sql(`update sites set statement_timeout_ms = null where slug = 'theirs'`)
    expect(await skippedIn('sites=mine,theirs')).toEqual([])
  })

  it('is planned again if its tables changed, also one that is new', async () => {
    await listed('')
    await app.request('PATCH', `${theirs.api}/apps/shop/datatables/visits/`, {
      token: mine.owner.token,
      body: {
        json_schema: {
          fields: [...table('number').schema.fields, { name: 'note', type: 'string' }],
          primaryKey: 'id',
        },
      },
    })
    await addSite('late-comer')
    const answer = await listed('sites=mine,theirs,late-comer')
    expect(answer.body).toMatchObject({
      data: [
        { site: 'mine', record: { id: 1, amount: 5 } },
        { site: 'theirs', record: { id: 1, amount: 5, note: null } },
        { site: 'late-comer', record: { id: 1, amount: 5 } },
      ],
      skipped: [],
    })
  })
})
