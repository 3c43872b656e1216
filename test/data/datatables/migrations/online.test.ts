/** Changes of large tables: what takes long is done ahead, without locks that others wait for. D8. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../../../src/worker.ts'
import { createSite, type Site, startApp, type TestApp } from '../../../support/app.ts'
import { catalogOf } from '../../../support/catalog.ts'

let app: TestApp
let site: Site
let token: string

const table = (name: string, query = '') => `${site.api}/apps/shop/datatables/${name}/${query}`
const relation = (name: string) => `${site.schema}.shop_${name}`
const change = (name: string, json_schema: unknown, query = '') => app.request('PUT', table(name, query), { token, body: { json_schema } })
const read = async (name: string) => (await app.request('GET', table(name), { token })).body
const operations = async (name: string, query = '') => (await app.request('GET', table(name, `operation-history/${query}`), { token })).body
const catalog = async (name: string) => (await app.sql(catalogOf(relation(name))))[0]
const job = (name: string) => ({ kind: 'tidy-table', siteId: Number(site.schema.slice('site_'.length)), table: `shop_${name}` })

const id = { name: 'id', type: 'integer' }
const schema = (...fields: unknown[]) => ({ fields: [id, ...fields], primaryKey: 'id' })
const text = (name: string, more = {}) => ({ name, type: 'string', ...more })

async function make(name: string, json_schema: unknown, ...data: unknown[]) {
  const body = { resources: [{ name, schema: json_schema }] }
  const made = await app.request('POST', `${site.api}/apps/shop/datatables/create_schema/?materialize=true`, { token, body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  if (data.length > 0) expect((await app.request('POST', table(name, 'data/'), { token, body: data })).status).toBe(201)
}

beforeAll(async () => {
  app = (await startApp()).with({ LARGE_TABLE_BYTES: '0' })
  site = await createSite(app, 'large')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
}, 30_000)

describe('a change of a large table', () => {
  it('leads where that of a small one does, and back; the history has what was run', async () => {
    await make('makers', schema(text('name')), { name: 'Ostra' })
    const old = schema(text('sku'), { name: 'price', type: 'number' }, { name: 'parent', type: 'integer' })
    const next = {
      fields: [
        id,
        text('code', { 'x-rename-from': 'sku', constraints: { required: true, unique: true, pattern: '^[A-Z]' } }),
        { name: 'price', type: 'number', constraints: { minimum: 0 } },
        { name: 'parent', type: 'integer' },
        { name: 'maker', type: 'integer', default: 1 },
        text('note'),
      ],
      primaryKey: 'id',
      foreignKeys: [
        { fields: 'maker', reference: { resource: 'makers', fields: 'id' } },
        { fields: 'parent', reference: { resource: '', fields: 'id' } },
      ],
      indexes: [{ name: 'dear', fields: ['price', 'maker'], where: { price__gt: 100 } }],
    }
    await make('goods', old, { sku: 'A-1', price: 1 }, { sku: 'A-2', parent: 1 })
    const before = { schema: (await read('goods')).schema_hash, catalog: await catalog('goods') }
    const dry = await change('goods', next, '?dry_run=true')
    expect(dry.status).toBe(200)
    expect((await change('goods', next)).status).toBe(200)

    const { 'x-rename-from': _, ...code } = next.fields[1] as Record<string, unknown>
    await make('goods_made', { ...next, fields: next.fields.with(1, code as never) })
    const named = (found: unknown) => JSON.parse(JSON.stringify(found).replaceAll('shop_goods_made', 'shop_goods'))
    expect(await catalog('goods')).toEqual(named(await catalog('goods_made')))
    expect((await app.request('GET', table('goods', 'data/'), { token })).body.data).toEqual([
      { id: 1, code: 'A-1', price: 1, parent: null, maker: 1, note: null },
      { id: 2, code: 'A-2', price: null, parent: 1, maker: 1, note: null },
    ])

    const steps = (await operations('goods')).data.slice(0, -1).toReversed()
    const sqlOf = (list: { description: string; sql: string }[]) => list.map(({ description, sql }) => [description, sql])
    expect(sqlOf(steps)).toEqual(sqlOf(dry.body.changes))
    const ran = new Map<string, string>(sqlOf(steps) as [string, string][])
    expect(ran.get('Require code')).toMatch(/not valid;\n.*validate constraint "_pending_\d+_\d+";\n.*"code" set not null;\n.*drop constraint/)
    expect(ran.get('Add the rule minimum of price')).toMatch(
      /not valid;\n.*validate constraint.*;\n.*rename constraint "_pending_\d+_\d+" to "shop_goods\$price\$minimum";/,
    )
    expect(ran.get('Add the rule unique of code')).toMatch(
      /^create unique index concurrently .*;\n.*add constraint "shop_goods\$code\$key" unique using index/,
    )
    expect(ran.get('Add the index dear')).toMatch(/^create index concurrently .*;\nalter index .* rename to "shop_goods\$dear\$idx";/)
    expect(ran.get('Add the foreign key maker to makers')).toMatch(/not valid;\n.*validate constraint/s)
    expect(ran.get('Add field note')).toMatch(/^alter table \S+ add column "note" text;$/)

    expect((await app.request('POST', table('goods', 'rollback/'), { token, body: { revision_id: steps[0].id } })).body.schema_hash).toBe(
      before.schema,
    )
    expect(await catalog('goods')).toEqual(before.catalog)
  })

  it.each([
    ['a rule', text('a', { constraints: { maxLength: 2 } }), 'maxLength'],
    ['that it is required', text('a', { constraints: { required: true } }), 'required'],
    ['that it is unique', text('a', { constraints: { unique: true } }), 'unique'],
  ])('422 names the records that break %s, and leaves nothing behind', async (what, field, rule) => {
    const name = what.replaceAll(' ', '_')
    await make(name, schema(text('a'), text('b')), { a: 'abc' }, { a: 'x' }, { a: 'x' }, { a: null })
    const before = [await read(name), await catalog(name)]
    const indexes = [{ name: 'by_b', fields: 'b' }]
    expect(await change(name, { ...schema(field, text('b')), indexes })).toMatchObject({
      status: 422,
      body: { error: 'Existing records break the schema', violations: [{ fields: ['a'], rule }] },
    })
    expect([await read(name), await catalog(name)]).toEqual(before)
    expect(await operations(name, '?status=failed')).toMatchObject({
      total: 1,
      data: [{ sql: expect.stringContaining('create index concurrently') }],
    })
  })

  it('409 while another one is being made', async () => {
    await make('claimed', schema(text('a')))
    const held = app.sql(`select pg_advisory_lock(${0x7e55e4a}, '${relation('claimed')}'::regclass::oid::integer), pg_sleep(1.5)`)
    await new Promise((done) => setTimeout(done, 300))
    expect(await change('claimed', schema(text('a', { constraints: { required: true } })))).toMatchObject({
      status: 409,
      body: { error: 'Schema change under way', detail: 'Another change of "claimed" is being made.' },
    })
    await held
    // A lock of a session outlives its statement: its connection goes.
    await app.sql(
      'select pg_terminate_backend(pid) from pg_locks where locktype = $1 and database = (select oid from pg_database where datname = current_database())',
      ['advisory'],
    )
    expect((await change('claimed', schema(text('a', { constraints: { required: true } })))).status).toBe(200)
  })
})

describe('what a change that was cut off has left', () => {
  const leave = async (name: string) => {
    await app.sql(`alter table ${relation(name)} add constraint _pending_1_0 check (a <> 'bad') not valid`)
    await app.sql(`alter table ${relation(name)} add column _pending_1_1 text`)
    await app.sql(`create unique index _pending_1_2 on ${relation(name)} (a)`)
  }
  const consume = async (...bodies: unknown[]) => {
    const batch = createMessageBatch(
      'tessera-jobs',
      bodies.map((body, index) => ({ id: String(index), timestamp: new Date(), attempts: 1, body })),
    )
    const sent: unknown[] = []
    await worker.queue(batch, { ...app.env, JOBS: { send: async (body: unknown) => void sent.push(body) } as never })
    return { ...(await getQueueResult(batch, createExecutionContext())), sent }
  }

  it('refuses writes that break it with 409, not with a 5xx', async () => {
    await make('refusing', schema(text('a')), { a: 'x' })
    await leave('refusing')
    for (const a of ['bad', 'x']) {
      const refused = await app.request('POST', table('refusing', 'data/'), { token, body: { a } })
      expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([409, 'Schema change under way', '5'])
    }
    expect((await app.request('POST', table('refusing', 'data/'), { token, body: { a: 'y' } })).status).toBe(201)
  })

  it('is taken away by the next change', async () => {
    await make('next', schema(text('a')))
    await leave('next')
    expect((await change('next', schema(text('a'), text('b')))).status).toBe(200)
    expect(JSON.stringify(await catalog('next'))).not.toContain('_pending')
  })

  it('is taken away by the job that the change has queued, once nobody makes one any more', async () => {
    await make('left', schema(text('a')))
    const before = await catalog('left')
    await leave('left')
    const held = app.sql(`select pg_advisory_lock(${0x7e55e4a}, '${relation('left')}'::regclass::oid::integer), pg_sleep(1)`)
    await new Promise((done) => setTimeout(done, 200))
    expect(await consume(job('left'))).toMatchObject({ explicitAcks: ['0'], sent: [job('left')] })
    expect(JSON.stringify(await catalog('left'))).toContain('_pending')
    await held
    await app.sql(
      'select pg_terminate_backend(pid) from pg_locks where locktype = $1 and database = (select oid from pg_database where datname = current_database())',
      ['advisory'],
    )
    expect(await consume(job('left'), job('none'))).toMatchObject({ explicitAcks: ['0', '1'], sent: [] })
    expect(await catalog('left')).toEqual(before)
  })
})
