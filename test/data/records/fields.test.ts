/** The selection of fields: what records show, and which columns are not read. */
import { beforeAll, describe, expect, it } from 'vitest'
import { relationshipGraph } from '../../../src/data/model/relationships.ts'
import type { Table } from '../../../src/data/model/table.ts'
import { renderList } from '../../../src/data/query/render/render-list.ts'
import { sql } from '../../../src/kernel/db/sql.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { collection, documents, keyOfTable } from '../../support/collection.ts'
import { addDocuments, addRows, createShop, type Shop } from '../../support/fixtures.ts'
import { planOf } from '../../support/queries.ts'
import { tablesOf } from '../../support/tables.ts'
import { runInSite } from '../../support/tenant.ts'

let app: TestApp
let shop: Shop
let papers: (table: string) => string

const get = (path: string) => app.request('GET', path, { token: shop.owner.token })
const list = (table: string, query: string) => get(`${shop.data(table)}?${query}`)
const recordsOf = async (table: string, query: string) => (await list(table, query)).body.data

const works = [
  { id: 1, title: 'Red', price: 10, artist_id: 1, restorer_id: 2, about: { a: 1 }, sold: true },
  { id: 2, title: 'Blue', price: null, artist_id: null },
]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'fields', collection)
  const rows = {
    cities: [{ id: 1, name: 'Berlin' }],
    artists: [
      { id: 1, name: 'Ada', city_id: 1, mentor: 2 },
      { id: 2, name: 'Bo', city_id: null },
    ],
    works,
    shows: [{ id: 1, name: 'First', city_id: 1 }],
    hangings: [{ show_id: 1, work_id: 1, wall: 'north' }],
  }
  await addRows(app, shop, rows, keyOfTable)
  const { resources } = documents(collection)
  papers = await addDocuments(app, shop, resources)
  await app.request('POST', papers('works'), { token: shop.owner.token, body: works })
})

describe('the parameter fields', () => {
  it.each([
    [
      'fields=nope',
      { fields: [expect.stringMatching(/^Unknown field or parameter "nope"\..* Fields: id, /)] },
    ],
    ['fields=titel', { fields: [expect.stringContaining('Did you mean "title"?')] }],
    ['fields=id,', { fields: [expect.stringContaining('Unknown field or parameter ""')] }],
    [
      'fields=artist.nam,maker.name',
      {
        fields: [
          expect.stringMatching(/^Unknown field "nam" of "artists"\. Did you mean "name"\?/),
          'Unknown relationship "maker" of "works". Relationships: artist, restorer, hangings, shows.',
        ],
      },
    ],
    [
      'fields=id,-title',
      { fields: ['List the fields to show, or the fields to omit with a "-" before them, but not both.'] },
    ],
    [
      'fields=-artist,-shows.name',
      {
        fields: [
          '"artist" is not populated, so nothing of it can be left out.',
          '"shows" is not populated, so nothing of it can be left out.',
        ],
      },
    ],
    ['fields=-*', { fields: ['* cannot be omitted. List the fields to show.'] }],
    ['fields=shows.works.artist.city.name', { fields: ['A path may follow 3 relationships at most.'] }],
    ['fields=id&fields=title', { fields: ['This parameter may be given only once.'] }],
    [`fields=${'id,'.repeat(501)}id`, { fields: ['At most 500 names are allowed.'] }],
    [
      'fields=id&_group_by=sold',
      {
        fields: [
          'With groups, only fields of populated records can be selected: a group shows all of its results.',
        ],
      },
    ],
    [
      'fields=id&_aggregate=count(*)',
      { fields: ['Only applies to groups: add _group_by, for example _group_by=status.'] },
    ],
  ])('returns 400 for %s', async (query, details) => {
    expect(await list('works', query)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details, code: 'validation_failed' },
    })
  })

  it('returns 400 if no field would be left', async () => {
    const names = collection.resources.find(({ name }) => name === 'shows')?.schema.fields ?? []
    const query = `fields=${names.map(({ name }) => `-${name}`).join()}`
    expect((await list('shows', query)).body).toEqual({
      error: 'Validation failed',
      details: { fields: ['No field of "shows" would be left.'] },
      code: 'validation_failed',
    })
  })

  it('selects fields, which records have in the order of the schema', async () => {
    for (const path of [shop.data('works'), papers('works')]) {
      const { body } = await get(`${path}?fields=price,id,about`)
      expect(JSON.stringify(body.data)).toBe(
        '[{"id":1,"price":10,"about":{"a": 1}},{"id":2,"price":null,"about":null}]'.replace('": 1', '":1'),
      )
      expect((await get(`${path}1/?fields=title`)).body).toEqual({ data: { title: 'Red' } })
    }
  })

  it('with a minus omits a field', async () => {
    for (const path of [shop.data('works'), papers('works')]) {
      const { about, tags, ...rest } = (await get(`${path}1/`)).body.data
      expect((await get(`${path}1/?fields=-about,-tags`)).body.data).toEqual(rest)
      expect((await get(`${path}1/?fields=*,-about,-tags`)).body.data).toEqual(rest)
    }
  })

  it('with a field of a related record populates it with only the named fields', async () => {
    expect(await recordsOf('works', 'fields=title,artist.name,shows.name,artist.city.name')).toEqual([
      { title: 'Red', artist: { name: 'Ada', city: { name: 'Berlin' } }, shows: [{ name: 'First' }] },
      { title: 'Blue', artist: null, shows: [] },
    ])
    expect(await recordsOf('works', 'fields=artist.name&id=1')).toEqual([{ artist: { name: 'Ada' } }])
    expect(await recordsOf('works', 'fields=title,artist_id.name&id=1')).toEqual([
      { title: 'Red', artist: { name: 'Ada' } },
    ])
  })

  it('accepts * and the name of a relationship for all fields', async () => {
    const city = { id: 1, name: 'Berlin', population: null }
    expect(await recordsOf('artists', 'fields=name,city&id=1')).toEqual([{ name: 'Ada', city }])
    expect(await recordsOf('artists', 'fields=name,city.*&id=1')).toEqual([{ name: 'Ada', city }])
    expect(await recordsOf('cities', 'fields=*,shows.id')).toEqual([{ ...city, shows: [{ id: 1 }] }])
  })

  it('selects and omits fields of populated records', async () => {
    expect(await recordsOf('shows', 'fields=name,-city.population&populate=city,hangings')).toEqual([
      {
        name: 'First',
        city: { id: 1, name: 'Berlin' },
        hangings: [{ show_id: 1, work_id: 1, wall: 'north', is_deleted: false }],
      },
    ])
    expect(await recordsOf('shows', 'populate=*&fields=id,-city,-works')).toEqual([
      { id: 1, hangings: [{ show_id: 1, work_id: 1, wall: 'north', is_deleted: false }] },
    ])
  })

  it('lets a populated record replace the column of its name, selected or not', async () => {
    expect(await recordsOf('artists', 'fields=name,mentor&id=1')).toEqual([{ name: 'Ada', mentor: 2 }])
    expect(await recordsOf('artists', 'fields=name,mentor.name&id=1')).toEqual([
      { name: 'Ada', mentor: { name: 'Bo' } },
    ])
    expect(await recordsOf('artists', 'fields=mentor,born&populate=mentor.city&id=1')).toMatchObject([
      { born: null, mentor: { name: 'Bo', city: null } },
    ])
  })

  it('selects fields of records that are populated in groups', async () => {
    const query = '_group_by=artist_id&_aggregate=count(*)&fields=artist.name'
    expect(await recordsOf('works', query)).toEqual([
      { artist_id: 1, count: 1, artist: { name: 'Ada' } },
      { artist_id: null, count: 1, artist: null },
    ])
  })

  it('does not affect filters, orders, totals and pages by other fields', async () => {
    for (const total of ['exact', 'none']) {
      const { body } = await list('works', `fields=title&_sort=-price&artist.name=Ada&_total=${total}`)
      expect([body.data, body.meta.has_more]).toEqual([[{ title: 'Red' }], false])
    }
  })
})

describe('a field that is not selected', () => {
  it.each(['exact', 'none'])('is not read from the table, with _total=%s', async (total) => {
    const tables = tablesOf(collection.resources, Number(shop.schema.slice('site_'.length)))
    const query = `fields=title,artist.name&ordering=price&_total=${total}`
    const list = renderList(planOf(tables.get('works') as Table, relationshipGraph(tables), query))
    const explained = await runInSite(app, shop, [sql`explain (verbose, format json) ${list}`])
    const outputs: string[] = []
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { 'Node Type': type, Output: output } = node as { 'Node Type'?: string; Output?: string[] }
      // Other scans pass rows on without reading unused columns.
      if (type !== undefined && /Sort|Limit|Subquery Scan|CTE Scan/.test(type))
        outputs.push(...(output ?? []))
      for (const member of Object.values(node)) visit(member)
    }
    visit(explained.rows(0))
    const read = outputs.map((output) => output.replace(/^.*\./, ''))
    expect(read).toEqual(expect.arrayContaining(['title']))
    expect(read.filter((name) => ['about', 'tags', 'year', 'search_vector', 'born'].includes(name))).toEqual(
      [],
    )
  })
})
