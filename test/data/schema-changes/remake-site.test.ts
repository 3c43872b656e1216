/** The job that makes the views, functions and triggers of sites again after a release that changes them. */
import { beforeEach, describe, expect, it } from 'vitest'
import {
  queueOutdatedSites,
  type RemakeSite,
  remakeSite,
} from '../../../src/data/schema-changes/remake-site.ts'
import { generation } from '../../../src/kernel/db/generation.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { type HeldQueue, heldQueue } from '../../support/queue.ts'

const makers = {
  name: 'makers',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string' },
      { name: 'is_public', type: 'boolean' },
    ],
    primaryKey: 'id',
    history: true,
    graph: { enabled: true, types: [{ name: 'to', constraints: { max_outgoing: 1 } }] },
    access: {
      rules: [
        { name: 'shown', who: 'anyone', can: ['read', 'history'], where: { is_public: true } },
        { name: 'new', who: 'anyone', can: ['create', 'edges'] },
      ],
    },
  },
}
const products = {
  name: 'products',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'maker_id', type: 'integer' },
    ],
    primaryKey: 'id',
    foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
  },
}

let app: TestApp
let queue: HeldQueue
let shop: Shop
let papers: (table: string) => string

beforeEach(async () => {
  app = await startApp()
  queue = heldQueue()
  app.env.JOBS = queue.binding
  shop = await createShop(app, 'old', { resources: [makers, products] })
  papers = await addDocuments(app, shop, [makers, products])
  for (const path of [shop.data('makers'), papers('makers')]) {
    const known = [1, 2, 3].map((id) => ({ id, name: `Maker ${id}`, is_public: id < 3 }))
    await app.request('POST', path, { token: shop.owner.token, body: known })
  }
})

/** Selects the text of everything that the service has generated in the schemas of the site. */
const texts = async (): Promise<string[]> => {
  const rows = await app.sql<{ text: string }>(
    `select format('%s %s', c.oid::regclass, pg_get_viewdef(c.oid)) as text
       from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'v'
     union all
     select format('%s %s', p.oid::regprocedure, p.prosrc) from pg_proc p
      where p.pronamespace = $1::regnamespace
     union all
     select pg_get_triggerdef(g.oid) from pg_trigger g join pg_class c on c.oid = g.tgrelid
      where c.relnamespace = $2::regnamespace and not g.tgisinternal
      order by text`,
    [`${shop.schema}_guest`, shop.schema],
  )
  return rows.map(({ text }) => text)
}

/** A text that every view, function and trigger gets that a release before this one has made. */
const earlier = (site: string): string => `
  do $$ declare one record; begin
    for one in select c.oid::regclass as name, pg_get_viewdef(c.oid) as text from pg_class c
                where c.relnamespace = '${site}_guest'::regnamespace and c.relkind = 'v' loop
      execute format('create or replace view %s with (security_barrier) as select * from (%s) earlier',
                     one.name, rtrim(one.text, ';'));
    end loop;
    -- Functions had other parameters.
    for one in select p.oid::regprocedure as signature, p.pronamespace::regnamespace as schema, p.proname
                 from pg_proc p where p.pronamespace = '${site}_guest'::regnamespace loop
      execute format('drop function %s', one.signature);
      execute format('create function %s.%I(jsonb) returns text language sql as $_$ select ''earlier'' $_$',
                     one.schema, one.proname);
      execute format('alter function %s.%I owner to %I', one.schema, one.proname, '${site}');
    end loop;
    for one in select g.tgname, c.oid::regclass as relation, g.tgfoid::regproc as called,
                      replace(pg_get_triggerdef(g.oid), 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER') as text
                 from pg_trigger g join pg_class c on c.oid = g.tgrelid
                where c.relnamespace = '${site}'::regnamespace and not g.tgisinternal loop
      execute replace(one.text, one.called || '(', 'tessera.check_earlier(');
    end loop;
  end $$`

/** Makes the site one of an earlier release. */
async function makeEarlier(): Promise<void> {
  await app.sql(`create or replace function tessera.check_earlier() returns trigger language plpgsql as
                 'begin return null; end'`)
  await app.sql(earlier(shop.schema))
  await app.sql('update site_meters set generation = $1, remake_at = $2', [generation - 1, '-infinity'])
}

const siteId = () => Number(shop.schema.slice('site_'.length))
const job = (after: number): RemakeSite => ({ kind: 'remake-site', siteId: siteId(), after })

/** Returns the sites of an earlier generation. */
const outdated = async (): Promise<number[]> => {
  const rows = await app.sql<{ id: number }>(
    'select site_id::float8 as id from site_meters where generation < $1',
    [generation],
  )
  return rows.map(({ id }) => id)
}

/** Returns what a guest reads. */
const readByGuest = async (): Promise<unknown[]> => {
  const makersOf = [shop.data('makers'), papers('makers')]
  const paths = makersOf.flatMap((path) => [path, path.replace('data/', 'edges/'), `${path}1/history/`])
  const answers = await Promise.all(paths.map((path) => app.request('GET', path)))
  return answers.map(({ status, body }) => [status, body])
}

/** Returns the statuses of the writes of a guest. The last edge of each table breaks the rule of its type. */
async function writeAsGuest(): Promise<number[]> {
  const statuses = []
  for (const path of [shop.data('makers'), papers('makers')]) {
    const made = await app.request('POST', path, { body: { name: 'New', is_public: true } })
    const edge = (to_id: number) => ({ from_id: made.body.data.id, to_id, type: 'to' })
    const edges = path.replace('data/', 'edges/')
    const linked = await app.request('POST', edges, { body: [edge(1)] })
    const refused = await app.request('POST', edges, { body: [edge(2)] })
    statuses.push(made.status, linked.status, refused.status)
  }
  return statuses
}

/** Sets the activity of an app and of a datasource. */
async function setActive(isActive: boolean): Promise<void> {
  await app.sql(`update tenant._apps set is_active = $1 where slug = 'papers'`, [isActive])
  await app.sql('update tenant._datasources set is_active = $1', [isActive])
}

const messages = () => queue.waiting.map(({ body }) => body)
const statusOf = async () => {
  const root = await app.user(`root-${Math.random()}`.replace('.', ''), { superuser: true })
  return (await app.request('GET', '/api/cloud/status/', { token: root.token })).body.sites
}

describe('the job that makes the objects of sites again', () => {
  it('is refused if the catalog has changed since the statements were planned', async () => {
    const [row] = await app.sql<{ catalog_version: string }>('select catalog_version from sites')
    const version = Number(row?.catalog_version)
    const hold = (planned: number) => app.sql('select public.hold_catalog($1, $2, 1000)', [siteId(), planned])
    await expect(hold(version - 1)).rejects.toMatchObject({ code: 'TS409' })
    expect(await hold(version)).toHaveLength(1)
  })

  it('leaves sites of this release alone', async () => {
    await queueOutdatedSites(app.env)
    expect(messages()).toEqual([])
    expect(await statusOf()).toMatchObject({ count: 1, outdated: 0 })
  })

  it('is due again for a site of a later release if this one, after a rollback, changes its schema', async () => {
    const { token } = shop.owner
    const numbers = () => app.sql('select generation from site_meters')
    await app.sql('update site_meters set generation = $1', [generation + 1])
    expect((await app.request('GET', shop.data('makers'), { token })).status).toBe(200)
    expect(await numbers()).toEqual([{ generation: generation + 1 }])
    const body = { resources: [{ ...products, name: 'others' }] }
    const path = `${shop.api}/apps/shop/datatables/create_schema/?materialize=true`
    expect((await app.request('POST', path, { token, body })).status).toBe(201)
    expect(await numbers()).toEqual([{ generation }])
  })

  it('gives all objects the text of this release, also those of inactive apps, and guests see the same', async () => {
    const made = await texts()
    const seen = await readByGuest()
    await makeEarlier()
    expect(await texts()).not.toEqual(made)
    expect(await readByGuest()).toEqual(seen)
    await setActive(false)
    await queueOutdatedSites(app.env)
    expect(messages()).toEqual([job(0)])
    // It is not queued again while the message waits.
    await queueOutdatedSites(app.env)
    expect(messages()).toEqual([job(0)])
    await queue.drain(app.env, { copies: 2 })
    expect(await texts()).toEqual(made)
    expect(await statusOf()).toMatchObject({ count: 1, outdated: 0 })
    await setActive(true)
    expect(await readByGuest()).toEqual(seen)
    expect(await writeAsGuest()).toEqual([201, 201, 422, 201, 201, 422])
  })

  it('fails for one site without stopping others, is shown in the status, and continues later', async () => {
    const made = await texts()
    await makeEarlier()
    await createShop(app, 'other', { resources: [makers] })
    await app.sql('update site_meters set generation = 0')
    const table = `"${shop.schema}".papers_makers`
    await app.sql(`alter table ${table} rename to elsewhere`)
    await queueOutdatedSites(app.env)
    const results = await Promise.allSettled(messages().map((one) => remakeSite(app.env, one as RemakeSite)))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await outdated()).toEqual([siteId()])
    expect(await statusOf()).toMatchObject({ count: 2, outdated: 1 })
    // The first app is done.
    const isOfShop = (text: string) => text.includes('shop_') && !text.includes('papers_')
    expect((await texts()).filter(isOfShop)).toEqual(made.filter(isOfShop))
    await app.sql(`alter table "${shop.schema}".elsewhere rename to papers_makers`)
    await app.sql(`update site_meters set remake_at = now() - interval '1 second'`)
    queue.waiting.splice(0)
    await queueOutdatedSites(app.env)
    await queue.drain(app.env)
    expect(await texts()).toEqual(made)
    expect(await outdated()).toEqual([])
  })

  it('changes twenty apps for one message, and queues the next one', async () => {
    await app.sql(
      `insert into tenant._apps (site_id, name, slug, created_by, modified_by)
       select $1, 'app ' || n, 'app-' || n, 1, 1 from generate_series(1, 20) n`,
      [siteId()],
    )
    await app.sql('update site_meters set generation = 0')
    await remakeSite(app.env, job(0))
    const [row] = await app.sql<{ id: string }>('select id from tenant._apps order by id offset 19 limit 1')
    expect(messages()).toEqual([job(Number(row?.id))])
    expect(await outdated()).toEqual([siteId()])
    await queue.drain(app.env)
    expect(await outdated()).toEqual([])
  })
})

describe('the functions of guests that are made together with their table', () => {
  it('announce writes to functions that subscribe to this table only', async () => {
    const { token } = shop.owner
    const post = (path: string, body: object) => app.request('POST', `${shop.api}${path}`, { token, body })
    const code = 'export default () => ({})'
    const made = await post('/apps/shop/functions/', { name: 'heard', code })
    const subscribed = await post('/cloud/events/RECORD_CREATE/subscribe/', {
      function_id: made.body.id,
      tables: ['makers'],
    })
    expect(subscribed.status).toBe(201)
    expect((await app.request('POST', shop.data('makers'), { body: { name: 'New' } })).status).toBe(201)
    expect(await app.sql('select app_slug, datatable from tenant._deliveries')).toEqual([
      { app_slug: 'shop', datatable: 'makers' },
    ])
  })
})
