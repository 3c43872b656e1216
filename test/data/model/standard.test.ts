/** The service accepts every Table Schema and Data Package of the Frictionless standard. D14. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, ownerOf, type Shop } from '../../support/fixtures.ts'
import { problemsOf } from '../../support/tables.ts'

let app: TestApp
let shop: Shop
let owner: ReturnType<typeof ownerOf>

const fields = [
  {
    name: 'Code',
    type: 'string',
    format: 'default',
    title: 'ISO code',
    rdfType: 'http://schema.org/identifier',
    constraints: { required: true },
  },
  {
    name: 'kind',
    title: "It's a kind",
    categories: [{ value: 'a', label: 'A' }, 'b'],
    categoriesOrdered: true,
  },
  { name: 'since', type: 'year', constraints: { minimum: '1900', exclusiveMaximum: 2100 } },
  { name: 'month', type: 'yearmonth', constraints: { maximum: '2030-12' } },
  { name: 'stay', type: 'duration', constraints: { minimum: 'PT1H', maximum: 'P1Y' } },
  { name: 'place', type: 'geopoint' },
  { name: 'pair', type: 'geopoint', format: 'array' },
  { name: 'point', type: 'geopoint', format: 'object' },
  { name: 'shape', type: 'geojson' },
  { name: 'topology', type: 'geojson', format: 'topojson' },
  { name: 'tags', type: 'list', delimiter: ';', itemType: 'string', constraints: { maxLength: 2 } },
  { name: 'extra', type: 'any', missingValues: ['-', { value: 'n/a', label: 'none' }], example: { a: 1 } },
  {
    name: 'share',
    type: 'number',
    decimalChar: ',',
    groupChar: '.',
    bareNumber: false,
    constraints: { minimum: '0.5', enum: ['0.5', 1, '2.25'] },
  },
  {
    name: 'open',
    type: 'boolean',
    trueValues: ['yes'],
    falseValues: ['no'],
    constraints: { enum: ['true'] },
  },
  { name: 'day', type: 'date', format: '%d.%m.%Y', 'x-column': 7 },
  { name: 'data', type: 'string', format: 'binary' },
  {
    name: 'about',
    type: 'object',
    constraints: {
      minLength: 1,
      jsonSchema: { properties: { size: { type: 'integer' } }, required: ['size'] },
      enum: [{ size: 1 }, { size: 2 }, { size: '3' }],
    },
  },
]
const schema = {
  $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
  fields,
  fieldsMatch: ['equal'],
  missingValues: ['', '-'],
  primaryKey: 'Code',
  uniqueKeys: [['kind', 'since'], ['month']],
  foreignKeys: [{ fields: 'kind', reference: { fields: 'Code' }, 'x-note': 'to itself' }],
  title: 'Places',
  description: 'Where one stays.',
  'x-source': { sheet: 1 },
}
const record = {
  Code: 'a',
  kind: 'a',
  since: 1999,
  month: '2026-01',
  stay: 'P1DT12H',
  place: '13.4, 52.5',
  pair: [13.4, 52.5],
  point: { lon: 13.4, lat: 52.5 },
  shape: { type: 'Point', coordinates: [13.4, 52.5] },
  topology: { type: 'Topology', objects: {} },
  tags: ['x', 'y'],
  extra: [1, null],
  share: 2.25,
  open: true,
  day: '2026-01-31',
  data: 'aGk=',
  about: { size: 2 },
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'standard', { resources: [{ name: 'Some-Places.v1', schema }] })
  await addDocuments(app, shop, [{ name: 'some_places_v1', schema }])
  owner = ownerOf(app, shop, '/apps/shop/datatables/')
})

describe('a table schema', () => {
  it('errors name each invalid field by its position and its name', () => {
    const problems = problemsOf({
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'a', type: 'geopoint', format: 'email', constraints: { minLength: 1 } },
        { name: 'Country Name', type: 'string' },
        { name: 'since', type: 'year', constraints: { minimum: 'x' }, colour: 'red' },
      ],
      uniqueKeys: [['id', 'gone'], ['id'], 'id'],
      'x-anything': true,
      else: 1,
    })
    expect(problems).toEqual([
      'fields[2] ("Country Name").name: a field name begins with a letter and has up to 63 letters, digits and underscores',
      'fields[3] ("since"): unknown key "colour"',
      'unknown key "else"',
      'fields[1] ("a").format: there is no format "email" of type geopoint. Formats: default, array, object',
      'fields[1] ("a").constraints.minLength: does not apply to type geopoint',
      'uniqueKeys[0]: there is no field "gone"',
      'uniqueKeys[2]: there are two unique keys of id',
    ])
    expect(problemsOf('https://example.com/schema.json')).toEqual([
      'Must be the schema object itself; a URL or a file name is not fetched.',
    ])
    expect(
      problemsOf({ fields: [{ name: 'a', constraints: { jsonSchema: { type: 'x' } }, title: 'nul \0' }] }),
    ).toEqual([expect.stringContaining('fields[0] ("a").title: ')])
    expect(
      problemsOf({ fields: [{ name: 'a', type: 'object', constraints: { jsonSchema: { type: 'x' } } }] }),
    ).toEqual([expect.stringContaining('fields[0] ("a").constraints.jsonSchema: ')])
  })

  it('GET returns a schema as it was written, with all members that begin with x-', async () => {
    const kept = (await owner.get('some_places_v1/')).body.json_schema
    expect(kept).toEqual({
      ...schema,
      fields: fields.map((field) => ({ type: 'string', ...field })),
      primaryKey: ['Code'],
      uniqueKeys: [['kind', 'since'], ['month']],
      foreignKeys: [
        {
          fields: ['kind'],
          reference: { resource: '', fields: ['Code'] },
          'x-actions': { onDelete: 'RESTRICT' },
          'x-note': 'to itself',
        },
      ],
    })
    const sentBack = await owner.patch('some_places_v1/?dry_run=true', { json_schema: kept })
    expect([sentBack.status, sentBack.body]).toEqual([200, { changes: [] }])
  })

  it('titles and descriptions become comments in Postgres, also after a change and its rollback', async () => {
    const comments = async () =>
      app.sql<{ name: string | null; comment: string }>(
        `select a.attname as name, d.description as comment from pg_description d left join pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid and d.objsubid > 0
          where d.objoid = $1::regclass order by d.objsubid`,
        [`${shop.schema}.shop_some_places_v1`],
      )
    const first = [
      { name: null, comment: 'Places\n\nWhere one stays.' },
      { name: 'Code', comment: 'ISO code' },
      { name: 'kind', comment: "It's a kind" },
    ]
    expect(await comments()).toEqual(first)
    const changed = {
      ...schema,
      title: 'Spots',
      fields: fields.map((field) => (field.name === 'Code' ? { ...field, title: 'Code' } : field)),
    }
    expect((await owner.patch('some_places_v1/', { json_schema: changed })).status).toBe(200)
    expect(await comments()).toEqual([
      { name: null, comment: 'Spots\n\nWhere one stays.' },
      { name: 'Code', comment: 'Code' },
      first[2],
    ])
    const [last] = (await owner.get('some_places_v1/operation-history/')).body.data
    expect(last.description).toBe('Change comments')
    expect((await owner.post('some_places_v1/rollback/', { revision_id: last.id })).status).toBe(200)
    expect(await comments()).toEqual(first)
  })
})

describe('a data package', () => {
  it('names of resources become names of tables; foreign keys use the new names, and titles are kept', async () => {
    const made = await owner.post('create_schema/', {
      name: 'a-package',
      title: 'A package',
      licenses: [{ name: 'CC0-1.0' }],
      resources: [
        {
          name: 'country-codes',
          title: 'Codes',
          path: 'codes.csv',
          mediatype: 'text/csv',
          schema: { fields: [{ name: 'id', type: 'integer' }] },
        },
        {
          name: 'Trade Data',
          schema: {
            fields: [
              { name: 'id', type: 'integer' },
              { name: 'country', type: 'integer' },
            ],
            foreignKeys: [{ fields: 'country', reference: { resource: 'country-codes', fields: 'id' } }],
          },
        },
      ],
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        datatables: [
          { name: 'country_codes', json_schema: { title: 'Codes' } },
          {
            name: 'trade_data',
            json_schema: { foreignKeys: [{ reference: { resource: 'country_codes' } }] },
          },
        ],
      },
    })
  })
})

describe.each(['shop', 'papers'])('values in the app %s', (name) => {
  const as = () => ownerOf(app, shop, `/apps/${name}/datatables/some_places_v1/`)

  it('values of a wrong type, or that violate a rule, are rejected with the names of their fields', async () => {
    const { status, body } = await as().post('data/', {
      Code: 'x',
      since: 2100,
      month: '2026-13',
      stay: 'PT59M',
      place: '200, 10',
      pair: [1, 100],
      point: { lon: 1 },
      shape: { type: 'Square' },
      topology: { type: 'Point' },
      tags: ['x', 1],
      extra: 'a\u0000',
      share: 0.75,
      open: false,
      data: 'a',
      about: { size: '3' },
    })
    expect([status, body.details]).toEqual([
      400,
      {
        since: ['Ensure this value is less than 2100.'],
        month: ['A year and month is required, for example 2026-01.'],
        stay: ['Ensure this value is greater than or equal to PT1H.'],
        place: ['A point is required: longitude and latitude, for example "13.4, 52.5".'],
        pair: ['A point is required: longitude and latitude, for example [13.4, 52.5].'],
        point: ['A point is required: longitude and latitude, for example {"lon": 13.4, "lat": 52.5}.'],
        shape: ['A GeoJSON object is required, for example {"type": "Point", "coordinates": [13.4, 52.5]}.'],
        topology: ['A TopoJSON object is required, for example {"type": "Topology", …}.'],
        tags: ['Item 1: A string is required.'],
        extra: ['Text may not contain the NUL character.'],
        share: ['Must be one of: 0.5, 1, 2.25.'],
        open: ['Must be one of: true.'],
        data: ['Base64 is required.'],
        about: [expect.stringMatching(/^The value does not match its jsonSchema at /)],
      },
    ])
    expect((await as().post('data/', { Code: 'x', about: {} })).body.details.about).toEqual([
      'Ensure this field has at least 1 members.',
      'Must be one of: {"size":1}, {"size":2}, {"size":"3"}.',
      expect.stringContaining('jsonSchema'),
    ])
    expect((await as().post('data/', { Code: 'x', tags: ['x', 'y', 'z'] })).body.details.tags).toEqual([
      'Ensure this field has no more than 2 items.',
    ])
  })

  it('values are returned as they were sent, and filters find them', async () => {
    const made = await as().post('data/', record)
    expect([made.status, made.body.data]).toEqual([201, record])
    expect((await as().post('data/', { ...record, Code: 'b', month: '2026-02' })).body).toMatchObject({
      error: 'Duplicate value',
      field: 'kind,since',
      code: 'duplicate_value',
    })
    const found = [
      'since=1999',
      'since__gte=1998',
      'month__lt=2026-02',
      'stay=P1DT12H',
      'place__startswith=13',
      'shape__type=Point',
      'pair__contains=52.5',
      'tags__contains=x',
    ]
    for (const filter of found)
      expect([filter, (await as().get(`data/?${filter}`)).body.total]).toEqual([filter, 1])
    expect((await as().get('data/?stay__gt=P1D&ordering=stay')).body.details).toEqual({
      stay__gt: [expect.stringContaining('"gt" does not work on "stay", which is of type duration.')],
      ordering: ['"stay" is of type duration, which has no order.'],
    })
    const upserted = await as().post('data/upsert/?unique_fields=kind,since', {
      kind: 'a',
      since: 1999,
      extra: 'text',
    })
    expect([upserted.status, upserted.body.data.extra]).toEqual([200, 'text'])
  })

  it('Postgres itself rejects invalid values, even if they do not come from the API', async () => {
    const table = `${shop.schema}.${name}_some_places_v1`
    const bad: [string, unknown][] = [
      ['since', 20_000],
      ['month', 'x'],
      ['stay', 'P'],
      ['place', '1'],
      ['pair', [1]],
      ['point', {}],
      ['shape', {}],
      ['tags', [1]],
    ]
    for (const [field, value] of bad) {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      const change =
        name === 'papers' ? `_data = _data || jsonb_build_object('${field}', $1::jsonb)` : `${field} = $1`
      const given = name === 'papers' ? JSON.stringify(value) : text
      await expect(app.sql(`update ${table} set ${change}`, [given]), field).rejects.toMatchObject({
        code: '23514',
      })
    }
  })

  it('a field can change to a related type and back if its values allow it', async () => {
    const change = (type: string, query = '') =>
      as().patch(query, {
        json_schema: {
          ...schema,
          fields: fields.map((field) => (field.name === 'month' ? { name: 'month', type } : field)),
        },
      })
    expect((await change('string')).status).toBe(200)
    await as().patch('data/a/', { month: 'soon' })
    expect(await change('yearmonth')).toMatchObject({
      status: 422,
      body: { violations: [{ fields: ['month'], rule: 'type', records: [{ Code: 'a' }] }] },
    })
    await as().patch('data/a/', { month: '2026-03' })
    expect((await change('yearmonth')).status).toBe(200)
    expect((await as().get('data/a/')).body.data.month).toBe('2026-03')
  })
})

describe.each(['shop', 'papers'])('a field of the type search_vector in the app %s', (name) => {
  const as = () => ownerOf(app, shop, `/apps/${name}/datatables/`)

  it('a search reads this field together with search_fields', async () => {
    const datasource = name === 'papers' ? '&datasource=papers' : ''
    const [id, title] = [
      { name: 'id', type: 'integer' },
      { name: 'title', type: 'string' },
    ]
    const made = await as().post(`create_schema/?materialize=true${datasource}`, {
      resources: [
        {
          name: 'pages',
          schema: {
            fields: [id, title, { name: 'search_vector', type: 'search_vector' }],
            search_fields: ['title'],
          },
        },
        {
          name: 'words',
          schema: {
            fields: [id, title, { name: 'terms', type: 'search_vector' }],
            search_language: 'german',
          },
        },
      ],
    })
    expect(made.status).toBe(201)
    await as().post('pages/data/', [
      { id: 1, title: 'The red bridge' },
      { id: 2, title: 'A boat', search_vector: 'bridges and rivers' },
      { id: 3, title: 'A boat', search_vector: null },
    ])
    const found = async (table: string, query: string) =>
      (await as().get(`${table}/data/?search=${query}`)).body.data.map((one: { id: number }) => one.id)
    expect(await found('pages', 'bridge')).toEqual([2, 1])
    expect(await found('pages', '"red bridge"')).toEqual([1])
    expect(await found('pages', 'bridge -river')).toEqual([1])
    expect((await as().get('pages/data/2/')).body.data).toEqual({
      id: 2,
      title: 'A boat',
      search_vector: 'bridges and rivers',
    })
    await as().post('words/data/', [{ id: 1, title: 'Brücken', terms: 'Schiffe' }])
    expect([await found('words', 'Schiff'), await found('words', 'Brücke')]).toEqual([[1], []])
    const schemaOf = (...fields: object[]) => ({ json_schema: { fields: [id, title, ...fields] } })
    expect((await as().patch('words/?allow_data_loss=true', schemaOf())).status).toBe(200)
    expect(await as().get('words/data/?search=x')).toMatchObject({
      status: 400,
      body: { details: { search: [expect.stringContaining('search_fields')] } },
    })
    expect((await as().patch('words/', schemaOf({ name: 'more', type: 'search_vector' }))).status).toBe(200)
    expect(await found('words', 'Schiff')).toEqual([])
  })
})
