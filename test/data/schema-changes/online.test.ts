/** Changes of large tables: slow work runs before the transaction, and failures leave nothing behind. D8. */
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanUpTable } from '../../../src/data/schema-changes/jobs/continue.ts'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'

let app: TestApp
let large: TestApp
let site: Site
let token: string

const at = (path: string) => `${site.api}/apps/shop/${path}`
const table = (name: string, query = '') => at(`datatables/${name}/${query}`)
const physical = (name: string) => `${site.schema}.shop_${name}`
const catalog = async (name: string) => JSON.stringify((await app.sql(catalogOf(physical(name))))[0])
const change = (name: string, json_schema: unknown) =>
  large.request('PUT', table(name, '?allow_data_loss=true'), { token, body: { json_schema } })

const id = { name: 'id', type: 'integer' }
const before = {
  fields: [id, { name: 'a', type: 'string' }, { name: 'n', type: 'integer' }],
  primaryKey: 'id',
}
const after = {
  fields: [
    id,
    { name: 'a', type: 'string', constraints: { required: true, unique: true } },
    { name: 'n', type: 'integer', constraints: { minimum: 0 } },
    { name: 'fresh', type: 'string', default: 'x' },
    { name: 'top', type: 'integer' },
  ],
  primaryKey: 'id',
  exclusions: [{ name: 'apart', elements: [{ field: 'a' }, { range: ['n', 'top'] }] }],
  indexes: [
    { name: 'by_n', fields: ['n', 'a'] },
    { name: 'some', fields: 'n', where: { n__gt: 5 } },
  ],
}

beforeAll(async () => {
  app = await startApp()
  large = app.with({ LARGE_TABLE_BYTES: '0', CHANGE_WAIT_MS: '600000' })
  site = await createSite(app, 'large')
  token = site.owner.token
  await app.request('POST', `${site.api}/apps/`, { token, body: { name: 'shop' } })
  await app.request('POST', at('datasources/'), {
    token,
    body: { name: 'Papers', slug: 'papers', provider_type: 'jsonb' },
  })
})

describe.each([
  ['flat_table', 'main'],
  ['jsonb', 'papers'],
])('a change of a large %s table', (_, datasource) => {
  const make = async (name: string, json_schema: unknown, data: unknown[] = []) => {
    const query = datasource === 'main' ? '' : `&datasource=${datasource}`
    const body = { resources: [{ name, schema: json_schema }] }
    expect(
      (await app.request('POST', at(`datatables/create_schema/?materialize=true${query}`), { token, body }))
        .status,
    ).toBe(201)
    if (data.length > 0)
      expect((await app.request('POST', table(name, 'data/'), { token, body: data })).status).toBe(201)
  }
  const records = Array.from({ length: 30 }, (_, index) => ({ a: `a${index}`, n: index }))

  it('gives a table that equals a new one, and keeps the records', async () => {
    const [name, other] = [`${datasource}_changed`, `${datasource}_made`]
    await make(name, before, records)
    await make(other, after)
    expect((await change(name, after)).status).toBe(200)
    expect(await catalog(name)).toBe((await catalog(other)).replaceAll(other, name))
    const { body } = await app.request('GET', table(name, 'data/?ordering=id&page_size=100'), { token })
    expect(body.data).toEqual(
      records.map((record, index) => ({ id: index + 1, ...record, fresh: 'x', top: null })),
    )
  })

  it('records each step in the history, with the work before the transaction and its duration', async () => {
    const { body } = await app.request(
      'GET',
      table(`${datasource}_changed`, 'operation-history/?page_size=100'),
      { token },
    )
    const steps = body.data.filter(
      ({ operation_type }: { operation_type: string }) => operation_type === 'alter_table',
    )
    const index = steps.find(
      ({ description }: { description: string }) => description === 'Add the index by_n',
    )
    expect(index.sql).toMatch(
      /^create index concurrently "_pending_\d+_\d+" on [^;]+;\nalter index [^;]+ rename to "shop_[a-z_]+\$by_n\$idx";$/,
    )
    expect(
      steps.every(
        (step: { status: string; execution_time_ms: number }) =>
          step.status === 'success' && step.execution_time_ms >= 0,
      ),
    ).toBe(true)
  })

  it('returns 422 if it fails, names the records, and leaves nothing behind', async () => {
    const name = `${datasource}_broken`
    await make(name, before, [...records, { a: 'a3', n: -1 }, { n: -2 }])
    const original = await catalog(name)
    const { status, body } = await change(name, after)
    expect(status).toBe(422)
    expect(
      body.violations.map(({ fields, rule, records: broken }: Record<string, unknown>) => ({
        fields,
        rule,
        records: broken,
      })),
    ).toEqual(
      expect.arrayContaining([
        { fields: ['a'], rule: 'required', records: [{ id: 32 }] },
        { fields: ['a'], rule: 'unique', records: expect.arrayContaining([{ id: 4 }, { id: 31 }]) },
        { fields: ['n'], rule: 'minimum', records: [{ id: 31 }, { id: 32 }] },
      ]),
    )
    expect(await catalog(name)).toBe(original)
    const history = await app.request('GET', table(name, 'operation-history/?status=failed'), { token })
    expect(history.body.total).toBe(1)
  })

  it('leaves orphans if it is interrupted, which a job or the next change drops', async () => {
    const name = `${datasource}_cut`
    await make(name, before, records)
    const original = await catalog(name)
    const leave = async () => {
      await app.sql(
        `create index "_pending_9_0" on ${physical(name)} ${datasource === 'main' ? '(n)' : `((_data ->> 'n'))`}`,
      )
      await app.sql(`alter table ${physical(name)} add constraint "_pending_9_1" check (true) not valid`)
      expect(await catalog(name)).not.toBe(original)
    }
    await leave()
    await cleanUpTable(app.env, {
      kind: 'clean-up-table',
      siteId: Number(site.schema.slice('site_'.length)),
      table: `shop_${name}`,
    })
    expect(await catalog(name)).toBe(original)
    await leave()
    expect((await change(name, after)).status).toBe(200)
    expect((await change(name, before)).status).toBe(200)
    expect(await catalog(name)).toBe(original)
  })
})
