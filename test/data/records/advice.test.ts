/** Advice about indexes: which lists lack one, who is told, and for how long. */
import { beforeAll, describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../src/data/model/relationships.ts'
import { trialOf } from '../../../src/data/records/advice/index-trial.ts'
import { wantedIndex } from '../../../src/data/records/advice/wanted-index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, grant, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { tablesOf } from '../../support/tables.ts'
import { until } from '../../support/until.ts'

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'kind', type: 'string' },
    { name: 'size', type: 'number' },
    { name: 'seen_at', type: 'datetime' },
    { name: 'is_open', type: 'boolean' },
  ],
  primaryKey: 'id',
  indexes: [{ name: 'by_size', fields: ['size'] }],
}
const resources = ['drops', 'springs'].map((name) => ({ name, schema }))
const rows = `select n as id, 'kind ' || n % 1000 as kind, n % 7 as size,
    timestamptz '2026-01-01Z' + n * interval '1 minute' as seen_at, n % 100 > 0 as is_open
  from generate_series(1, 60000) n`

let app: TestApp
/** All its lists are slow. */
let slow: TestApp
let shop: Shop
let papers: (table: string) => string

beforeAll(async () => {
  app = await startApp()
  slow = app.with({ SLOW_READ_MS: '0' })
  shop = await createShop(app, 'advice', { resources })
  papers = await addDocuments(app, shop, resources)
  for (const table of ['drops', 'springs']) {
    await app.sql(`insert into ${shop.schema}.shop_${table} ${rows}`)
    await app.sql(`insert into ${shop.schema}.papers_${table} select to_jsonb(r) from (${rows}) r`)
    await app.sql(`vacuum analyze ${shop.schema}.shop_${table}`)
    await app.sql(`vacuum analyze ${shop.schema}.papers_${table}`)
  }
})

const adviceFor = (data: string, token: string | undefined = shop.owner.token) =>
  app.request('GET', data.replace(/data\/$/, 'advice/'), token === undefined ? {} : { token })
const list = async (data: string, query: string, from = slow) => {
  const { status } = await from.request('GET', `${data}?_total=none&${query}`, { token: shop.owner.token })
  expect([query, status]).toEqual([query, 200])
}
const indexesOf = async (data: string): Promise<unknown[]> =>
  (await adviceFor(data)).body.indexes.map(({ index }: { index: unknown }) => index)

describe('advice for a datatable', () => {
  it('is 401 without credentials, 403 without manage_site, and 404 for an unknown table', async () => {
    const reader = await app.user('reader')
    await grant(app, shop, reader, ['access_site', 'change_site'])
    const path = shop.data('drops')
    expect((await app.request('GET', path.replace(/data\/$/, 'advice/'), {})).status).toBe(401)
    expect((await adviceFor(path, reader.token)).status).toBe(403)
    expect((await adviceFor(shop.data('none'))).status).toBe(404)
  })

  it.each(['flat_table', 'jsonb'])(
    'names the indexes of a %s table that its slow lists lacked, as the schema writes them',
    async (provider) => {
      const data = provider === 'jsonb' ? papers('drops') : shop.data('drops')
      await list(data, 'seen_at__gt=2026-01-02T00:00:00Z&kind=kind 5&ordering=-seen_at')
      await list(data, 'ordering=-seen_at,kind')
      await list(data, 'kind__icontains=ind%20123')
      await until(
        async () => (await indexesOf(data)).length === 3,
        () => 'three indexes',
        8_000,
      )
      expect(
        (await indexesOf(data)).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      ).toEqual(
        [
          { name: 'by_kind', fields: ['kind'], method: 'trigram' },
          { name: 'by_kind_seen_at', fields: ['kind', 'seen_at'] },
          { name: 'by_seen_at_kind', fields: ['seen_at', 'kind'], descending: ['kind'] },
        ].toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
      )
      const { body } = await adviceFor(data)
      for (const one of body.indexes)
        expect(one).toEqual({
          index: expect.any(Object),
          count: 1,
          max_ms: expect.any(Number),
          seen_at: expect.stringMatching(/^\d{4}-.*Z$/),
          trial: null,
        })
    },
  )

  it('names none for what Postgres reads by an index, and none on a boolean or on what most records have', async () => {
    const data = shop.data('springs')
    await list(data, 'ordering=-size')
    await list(data, 'id__gt=100')
    await list(data, 'is_open=true&kind__ne=kind 5')
    await list(data, 'seen_at__gt=2026-01-01T00:00:00Z&is_open=false')
    await list(data, 'kind=kind 7')
    await until(
      async () => (await indexesOf(data)).length > 0,
      () => 'an index',
      8_000,
    )
    expect(await indexesOf(data)).toEqual([{ name: 'by_kind', fields: ['kind'] }])
  })

  it('ends when the schema has the index, and a week after the last slow list', async () => {
    const data = shop.data('springs')
    const path = data.replace(/data\/$/, '')
    const { token } = shop.owner
    const json_schema = {
      ...schema,
      indexes: [...schema.indexes, { name: 'kinds', fields: ['kind', 'seen_at'] }],
    }
    expect((await app.request('PATCH', path, { token, body: { json_schema } })).status).toBe(200)
    expect(await indexesOf(data)).toEqual([])
    await app.sql(`update tenant._index_advice set seen_at = now() - interval '8 days'`)
    expect(await indexesOf(shop.data('drops'))).toEqual([])
  })
})

describe('the trial of an index', () => {
  it.each([
    'kind=kind 5&ordering=-seen_at,size',
    'size__in=2,3&size__between=2,3&kind=kind 5',
    'ordering=-seen_at,kind',
  ])('is two statements without values of the request: %s', async (query) => {
    const table = tablesOf(resources, Number(shop.schema.slice('site_'.length)), { app: 'shop' }).get('drops')
    if (!table) throw new Error('no table')
    const plan = planOf(table, relationshipGraph(new Map([['drops', table]])), query)
    const wanted = wantedIndex(plan)
    const trial = wanted && trialOf(plan, wanted)
    if (!trial) throw new Error('no trial')
    expect(trial.reads).toMatch(/^select \* from "site_\d+"\."\w+" +(where |order by )/)
    expect(trial.reads).not.toMatch(/kind 5|\b[23]\b/)
    // As the service asks: the platform's role may not read the table.
    const [planned] = await app.sql<{ answer: string }>(
      `select answer from public.run(array[$1], array[$2], null)`,
      ['rselect public.plan_in_site(%1$L) as plan', trial.reads],
    )
    expect(JSON.parse(planned?.answer ?? '').plan[0].Plan['Total Cost']).toBeGreaterThan(0)
    await app.sql(trial.creates)
  })
})
