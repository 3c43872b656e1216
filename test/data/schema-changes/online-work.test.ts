/**
 * Changes of large tables go on beside the work: types are changed by a new column, a trigger and batches,
 * and a history begins with its triggers. D8, D9.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanUpTable } from '../../../src/data/schema-changes/jobs/continue.ts'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'
import { holdBatches } from '../../support/held-batches.ts'
import { scaled } from '../../support/scaled.ts'

let app: TestApp
let large: TestApp
let site: Site
let token: string

const at = (path: string) => `${site.api}/apps/shop/${path}`
const table = (name: string, query = '') => at(`datatables/${name}/${query}`)
const physical = (name: string) => `${site.schema}.shop_${name}`
const catalog = async (name: string) => JSON.stringify((await app.sql(catalogOf(physical(name))))[0])
const change = (name: string, json_schema: unknown, query = '') =>
  large.request('PUT', table(name, query), { token, body: { json_schema } })
const send = (method: string, path: string, body?: unknown, headers = {}) =>
  app.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) })

const id = { name: 'id', type: 'integer' }
const schema = (n: object, more = {}) => ({
  fields: [
    id,
    { name: 'n', ...n },
    { name: 'note', type: 'string' },
    { name: 'updated_at', type: 'datetime' },
  ],
  primaryKey: 'id',
  ...more,
})
const [text, integer] = [{ type: 'string' }, { type: 'integer' }]
const rows = 2_000

/** Creates a table without records. */
async function makeEmpty(name: string, json_schema: object): Promise<void> {
  const body = { resources: [{ name, schema: json_schema }] }
  const made = await send('POST', at('datatables/create_schema/?materialize=true'), body)
  expect([made.status, made.body.json_schema]).toEqual([201, undefined])
}

/** Creates a table with many records, whose field `n` is the text of their number. */
async function make(name: string, json_schema: object = schema(text)): Promise<void> {
  await makeEmpty(name, json_schema)
  await app.sql(
    `insert into ${physical(name)} (id, n, note) select i, i::text, 'note' from generate_series(1, ${rows}) i`,
  )
  await app.sql(`select setval(pg_get_serial_sequence('${physical(name)}', 'id'), ${rows})`)
}

/** Runs `work` while a change waits after its first batch, which has the first 200 records. */
async function during<Result>(
  name: string,
  changing: () => Promise<Result>,
  work: () => Promise<void>,
): Promise<Result> {
  const { untilHeld, letGo } = await holdBatches(app)
  const changed = changing()
  try {
    await untilHeld(name, changed)
    await work()
  } finally {
    await letGo()
  }
  return changed
}

beforeAll(async () => {
  app = await startApp()
  large = app.with({ LARGE_TABLE_BYTES: '0', CHANGE_WAIT_MS: '600000' })
  site = await createSite(app, 'beside')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
})

describe('while the type of a field of a large table is changed', () => {
  it('a value that does not fit the new type is 400 on its field, for one record and for many', async () => {
    await make('misfits')
    const said = (where: string, value: string) => ({
      error: 'Validation failed',
      details: {
        n: [
          `${where}The type of this field is being changed to integer, which ${JSON.stringify(value)} does not fit.`,
        ],
      },
    })
    const { status } = await during(
      'misfits',
      () => change('misfits', schema(integer)),
      async () => {
        const one = await send('PATCH', table('misfits', 'data/1/'), { n: 'one' })
        expect([one.status, one.body]).toEqual([400, { ...said('', 'one'), code: 'validation_failed' }])
        expect((await send('PATCH', table('misfits', 'data/1999/'), { n: '-7' })).status).toBe(200)
        const many = await send('POST', table('misfits', 'data/'), [{ n: '7' }, { n: '07' }])
        expect([many.status, many.body]).toEqual([
          400,
          { ...said('rows[1]: ', '07'), code: 'validation_failed' },
        ])
        expect((await send('PATCH', table('misfits', 'data/1/'), { n: '-1' })).status).toBe(200)
        expect((await send('PATCH', table('misfits', 'data/2/'), { note: 'x' })).body.data).toMatchObject({
          n: '2',
        })
        expect((await send('POST', table('misfits', 'data/'), { n: null })).status).toBe(201)
      },
    )
    expect(status).toBe(200)
    const { body } = await send('GET', table('misfits', 'data/?ordering=id&id__in=1,2,1999,2000'))
    expect(body.data.map(({ n }: { n: unknown }) => n)).toEqual([-1, 2, -7, 2000])
    expect((await send('GET', table('misfits', 'data/?n__null=true'))).body.total).toBe(1)
    await makeEmpty('made', schema(integer))
    expect(await catalog('misfits')).toBe((await catalog('made')).replaceAll('made', 'misfits'))
  })

  it('a plan counts the values that would be lost, as that of a small table does', async () => {
    await make('counted')
    await app.sql(`update ${physical('counted')} set n = n || 'e0' where id % 7 = 3`)
    const plan = { json_schema: schema({ type: 'number' }) }
    const [inBatches, atOnce] = await Promise.all(
      [large, app].map((one) =>
        one.request('PATCH', table('counted', '?dry_run=true'), { token, body: plan }),
      ),
    )
    const lost = (answer: typeof inBatches) =>
      answer?.body.changes.find((step: { lost?: unknown }) => step.lost)?.lost
    expect(lost(inBatches).count).toBe(Math.ceil((rows - 2) / 7))
    expect(lost(inBatches)).toEqual(lost(atOnce))
    expect((await large.request('PATCH', table('counted'), { token, body: plan })).status).toBe(422)
  })

  it('a plan says how long others would wait for a step, and keeps nothing of the sample', async () => {
    const datasource = { name: 'Papers', slug: 'papers', provider_type: 'jsonb' }
    expect((await send('POST', at('datasources/'), datasource)).status).toBe(201)
    const resources = [{ name: 'measured', schema: schema(text) }]
    const query = 'materialize=true&datasource=papers'
    expect((await send('POST', at(`datatables/create_schema/?${query}`), { resources })).status).toBe(201)
    await app.sql(
      `insert into ${physical('measured')} select jsonb_build_object('id', i, 'n', i::text) from generate_series(1, ${rows}) i`,
    )
    // As if there were a thousand times as many records.
    await app.sql(`update pg_class set reltuples = ${rows}e3 where oid = '${physical('measured')}'::regclass`)
    const { status, body } = await large.request('PATCH', table('measured', '?dry_run=true'), {
      token,
      body: { json_schema: schema(integer) },
    })
    expect([status, body.changes]).toEqual([
      200,
      [expect.objectContaining({ description: 'Convert field n from string to integer' })],
    ])
    expect(body.changes[0].blocks_ms).toBeGreaterThanOrEqual(500)
    expect(await app.sql(`select from pg_class where relname ~ '^_pending_.*_5000'`)).toEqual([])
  })

  it('no batch changes updated_at, and an ETag of before is 412 once', async () => {
    await make('tagged')
    const before = await send('GET', table('tagged', 'data/7/'))
    expect((await change('tagged', schema(integer))).status).toBe(200)
    const after = await send('GET', table('tagged', 'data/7/'))
    expect(after.body.data).toEqual({ ...before.body.data, n: 7 })
    const write = (etag: string | null) =>
      send('PATCH', table('tagged', 'data/7/'), { n: 8 }, { 'if-match': etag ?? '' })
    expect((await write(before.headers.get('etag'))).status).toBe(412)
    expect((await write(after.headers.get('etag'))).status).toBe(200)
  })

  it('readers and writers are never refused, and no write is lost', { timeout: scaled(60_000) }, async () => {
    await make('busy', schema(text, { indexes: [{ name: 'by_n', fields: ['n', 'note'] }] }))
    let working = true
    const seen = new Set<number>()
    const written = new Map<number, number>()
    const loop = async (request: () => Promise<{ status: number }>) => {
      while (working) seen.add((await request()).status)
    }
    const some = () => 1 + Math.floor(Math.random() * rows)
    const loops = [
      loop(() => send('GET', table('busy', `data/${some()}/`))),
      loop(() => send('GET', table('busy', 'data/?ordering=-id&page_size=5'))),
      loop(async () => {
        const [key, value] = [some(), some()]
        written.set(key, value)
        return send('PATCH', table('busy', `data/${key}/`), { n: String(value) })
      }),
    ]
    const wanted = schema(
      { ...integer, constraints: { required: true, minimum: 1 } },
      {
        indexes: [{ name: 'by_n', fields: ['n', 'note'] }],
      },
    )
    const changed = await change('busy', wanted)
    working = false
    await Promise.all(loops)
    expect([changed.status, changed.body.violations]).toEqual([200, undefined])
    // A writer that planned before the change and wrote after it has a text that the new type refuses.
    expect([...seen].filter((status) => status !== 200 && status !== 400)).toEqual([])
    const found = await app.sql<{ id: number; n: number }>(
      `select id::integer, n::integer from ${physical('busy')}`,
    )
    expect(found.length).toBe(rows)
    const wrong = found.filter(({ id: key, n }) => n !== key && !written.has(key))
    expect(wrong).toEqual([])
  })
})

describe('while the history of a large table begins', () => {
  const kept = schema(text, { history: true })
  const versions = async (name: string, record: number) =>
    (await send('GET', table(name, `data/${record}/history/?ordering=number`))).body.data.map(
      ({ number, operation, record: { n } }: Record<string, unknown> & { record: { n: string } }) => [
        number,
        operation,
        n,
      ],
    )

  it('versions and as_of are 409 with the progress, and a batch keeps what a write has made', async () => {
    await make('begun')
    const plan = await large.request('PATCH', table('begun', '?dry_run=true'), {
      token,
      body: { json_schema: kept },
    })
    expect(plan.body.changes).toMatchObject([{ description: 'Begin the history of begun', online: true }])
    const time = new Date().toISOString()
    const { status } = await during(
      'begun',
      () => change('begun', kept),
      async () => {
        for (const [method, path] of [
          ['GET', `data/?as_of=${time}`],
          ['GET', `data/1/?as_of=${time}`],
          ['GET', 'data/1/history/'],
          ['POST', 'data/1/restore/1/'],
          ['DELETE', 'data/1/history/?dry_run=true'],
        ] as const) {
          const refused = await send(method, table('begun', path))
          expect([path, refused.status, refused.body]).toEqual([
            path,
            409,
            {
              error: 'History is being built',
              detail: expect.stringMatching(
                /^The history of "begun" is being built: \d+ of about \d+ records have a version\. /,
              ),
              rows_done: expect.any(Number),
              rows_total: expect.any(Number),
              code: 'history_building',
            },
          ])
        }
        await send('PATCH', table('begun', 'data/1/'), { n: 'changed' })
        await send('DELETE', table('begun', 'data/2/'))
        expect((await send('POST', table('begun', 'data/'), { id: 5_000, n: 'new' })).status).toBe(201)
      },
    )
    expect(status).toBe(200)
    expect(await versions('begun', 1)).toEqual([
      [1, 'schema', '1'],
      [2, 'update', 'changed'],
    ])
    expect(await versions('begun', 3)).toEqual([[1, 'schema', '3']])
    expect(await versions('begun', 5_000)).toEqual([[1, 'create', 'new']])
    expect(await versions('begun', rows)).toEqual([[1, 'schema', String(rows)]])
    const all = await send('GET', table('begun', `data/?as_of=${new Date().toISOString()}`))
    expect(all.body.total).toBe(rows)
    await makeEmpty('kept', kept)
    expect(await catalog('begun')).toBe((await catalog('kept')).replaceAll('kept', 'begun'))
  })

  it('a record that is written before its batch begins with the version of the write', async () => {
    await make('early')
    const { status } = await during(
      'early',
      () => change('early', kept),
      async () => {
        expect((await send('PATCH', table('early', 'data/1999/'), { n: 'x' })).status).toBe(200)
      },
    )
    expect(status).toBe(200)
    expect(await versions('early', 1999)).toEqual([[1, 'update', 'x']])
    expect(await versions('early', 10)).toEqual([[1, 'schema', '10']])
  })
})

describe('a change of a large table that fails', () => {
  it('leaves the table as it was, and names the records that do not fit', async () => {
    await make('unfit')
    await app.sql(`update ${physical('unfit')} set n = 'none' where id = 1500`)
    const original = await catalog('unfit')
    const { status, body } = await change('unfit', schema(integer))
    expect([status, body.violations]).toEqual([
      422,
      [
        {
          fields: ['n'],
          rule: 'type',
          detail: 'In these records "n" cannot be converted to type integer.',
          records: [{ id: 1500 }],
        },
      ],
    ])
    expect(await catalog('unfit')).toBe(original)
  })

  /** Leaves in a table what an interrupted change has made. Returns how many tables that are. */
  async function interrupt(name: string): Promise<() => Promise<number>> {
    const relation = physical(name)
    const [row] = await app.sql<{ id: string }>(
      `select id from tenant._datatables where physical_table_name = 'shop_${name}'`,
    )
    const pending = `_pending_${row?.id}_0`
    await app.sql(`alter table ${relation} add column "${pending}" bigint`)
    await app.sql(
      `create trigger "${pending}" before insert or update of n on ${relation} for each row
       execute function tessera.convert_field('n', '${pending}', 'true', 'true', 'v::bigint', 'integer')`,
    )
    await app.sql(`create table ${site.schema}."${pending}$history" (number integer)`)
    await app.sql(`alter table ${site.schema}."${pending}$history" owner to ${site.schema}`)
    return async () => (await app.sql(`select from pg_class where relname = '${pending}$history'`)).length
  }

  it('leaves nothing in a table that is deleted, and then restored or dropped', async () => {
    for (const name of ['trashed', 'purged']) await make(name)
    const original = await catalog('trashed')
    const left = [await interrupt('trashed'), await interrupt('purged')]
    expect((await send('DELETE', table('trashed'))).status).toBe(204)
    expect((await send('DELETE', table('purged', '?purge=true'))).status).toBe(204)
    expect(await Promise.all(left.map((count) => count()))).toEqual([0, 0])
    expect((await send('POST', table('trashed', 'restore/'))).status).toBe(200)
    expect(await catalog('trashed')).toBe(original)
  })

  it('is cleaned up by a job if it was interrupted: its trigger, its column and its history', async () => {
    await make('cut')
    const original = await catalog('cut')
    const left = await interrupt('cut')
    const siteId = Number(site.schema.slice('site_'.length))
    await cleanUpTable(app.env, { kind: 'clean-up-table', siteId, table: 'shop_cut' })
    expect(await catalog('cut')).toBe(original)
    expect(await left()).toBe(0)
  })
})
