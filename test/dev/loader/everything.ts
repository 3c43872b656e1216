/**
 * An app with everything that a data package can contain: every kind of field, keys, edges, marks, drafts,
 * references.
 */
import type { Client } from '../../../dev/client.ts'
import { readJsonVerbatim } from '../../../src/kernel/lib/exact-json.ts'

const field = (name: string, type: string, more: object = {}) => ({ name, type, ...more })
const reference = (fields: string, resource: string, to: string, onDelete = 'RESTRICT') => ({
  fields: [fields],
  reference: { resource, fields: [to] },
  'x-actions': { onDelete },
})

/** Parses a JSON number that would lose digits as a double. */
const exact = (text: string): unknown => readJsonVerbatim(text)

const tables = [
  {
    name: 'people',
    description: 'Who works here.',
    schema: {
      title: 'People',
      fields: [
        field('id', 'integer'),
        field('name', 'string', { title: 'Full name', constraints: { required: true } }),
        field('note', 'string', { default: 'none' }),
        field('boss', 'integer'),
        field('desk', 'string'),
        field('is_deleted', 'boolean'),
        field('created_at', 'datetime'),
      ],
      primaryKey: 'id',
      foreignKeys: [reference('boss', '', 'id', 'SET NULL'), reference('desk', 'desks', 'code', 'SET NULL')],
      indexes: [{ name: 'by_name', fields: ['name'], where: { note__exact: 'x' } }],
      search_fields: ['name'],
      hierarchy: true,
      graph: { enabled: true, types: [{ name: 'mentor', inverse: 'mentees' }] },
      history: true,
      'x-colour': 'green',
    },
  },
  {
    name: 'desks',
    schema: {
      fields: [
        field('code', 'string'),
        field('owner', 'integer', { 'x-hint': 'optional' }),
        field('place', 'geopoint'),
        field('height', 'number', { constraints: { minimum: 0.5 } }),
        field('free_from', 'date'),
        field('free_until', 'date'),
        field('label', 'string', { generated: "concat(code, ' of ', owner)" }),
      ],
      ranges: { free: ['free_from', 'free_until'] },
      exclusions: [
        {
          name: 'apart',
          elements: [
            { field: 'owner', op: '=' },
            { range: 'free', op: 'overlaps' },
          ],
          bounds: '[]',
          where: { height__gt: 0.6 },
          message: 'Somebody has another desk on these days.',
        },
      ],
      primaryKey: 'code',
      checks: [{ name: 'named', expression: "label <> ''", message: 'It needs a code.' }],
      foreignKeys: [reference('owner', 'people', 'id')],
      history: { days: 30 },
    },
  },
  {
    name: 'values',
    schema: {
      fields: [
        field('left', 'string'),
        field('right', 'date', { format: '%d.%m.%Y' }),
        field('big', 'integer'),
        field('exact', 'number', { decimalChar: ',' }),
        field('text', 'string'),
        field('at', 'time'),
        field('when', 'datetime'),
        field('key', 'uuid'),
        field('object', 'object'),
        field('array', 'array'),
        field('year', 'year'),
        field('month', 'yearmonth'),
        field('span', 'duration'),
        field('shape', 'geojson'),
        field('twice', 'number', { generated: 'exact * 2' }),
        field('yes', 'boolean', { trueValues: ['ja'], falseValues: ['nein'] }),
      ],
      primaryKey: ['left', 'right'],
      uniqueKeys: [['big', 'text']],
      missingValues: ['', '-'],
    },
  },
  {
    name: 'loose',
    schema: { fields: [field('any', 'any'), field('list', 'list', { itemType: 'string' })] },
  },
]

const values = [
  {
    left: 'a,"b"',
    right: '2026-01-31',
    big: '9223372036854775807',
    exact: exact('0.1000000000000000055511151231257827'),
    text: '',
    at: '18:30:05.25',
    when: '2026-01-31T18:30:00.000001Z',
    key: '10000000-0000-4000-8000-000000000001',
    object: { 'b c': [1, { d: null }], a: exact('12345678901234567890.10') },
    array: ['x', 'y,z', '"'],
    year: 2026,
    month: '2026-01',
    span: 'P1DT12H',
    shape: { type: 'Point', coordinates: [13.4, 52.5] },
    yes: true,
  },
  {
    left: '\\N',
    right: '2026-02-01',
    text: 'line\r\nbreak, "quoted" \u00e5 \ud83d\ude80',
    exact: exact('1.50'),
  },
  { left: ' space ', right: '2026-02-01', text: null, yes: false },
]

/** Creates the app, and another app whose table it references. */
export async function makeEverything(client: Client, api: string): Promise<void> {
  const send = (path: string, body: unknown) => client.request('POST', `${api}apps/${path}`, body)
  await send('', { name: 'Places', slug: 'places' })
  await send('places/datatables/create_schema/?materialize=true', {
    resources: [
      {
        name: 'towns',
        schema: { fields: [field('id', 'integer'), field('name', 'string')], primaryKey: 'id' },
      },
    ],
  })
  await send('places/datatables/towns/data/', [{ id: 1, name: 'Skerry' }])
  await send('', { name: 'Every thing', description: 'All of it.' })
  const base = 'every-thing/datatables/'
  await send(`${base}import-reference/`, { source_app_slug: 'places', source_table_name: 'towns' })
  await send(`${base}create_schema/?materialize=true`, { resources: tables })
  await send(`${base}create_schema/`, {
    resources: [{ name: 'plans', schema: { fields: [field('id', 'integer'), field('idea', 'string')] } }],
  })
  await send('every-thing/datasources/', { name: 'Documents', slug: 'documents', provider_type: 'jsonb' })
  await send(`${base}create_schema/?materialize=true&datasource=documents`, {
    resources: [
      {
        name: 'papers',
        schema: {
          fields: [
            field('id', 'uuid'),
            field('town', 'integer'),
            field('author', 'integer'),
            field('pages', 'number'),
            field('sheets', 'number', { generated: 'pages / 2' }),
          ],
          primaryKey: 'id',
          checks: [{ name: 'long', expression: 'sheets > 1' }],
          foreignKeys: [reference('town', 'towns', 'id'), reference('author', 'people', 'id')],
        },
      },
    ],
  })
  const count = 1200
  const people = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Person ${index + 1}`,
    note: index % 3 === 0 ? null : 'x',
    created_at: '2026-01-01T00:00:00Z',
  }))
  await send(`${base}people/data/`, people)
  await send(`${base}desks/data/`, [
    { code: 'D-1', owner: 1, place: '13.4,52.5', height: exact('0.70'), free_until: '2026-05-01' },
    { code: 'D-2', owner: null, place: null, height: null },
  ])
  await client.request('PATCH', `${api}apps/${base}people/data/`, [
    { id: 1, boss: count, desk: 'D-2' },
    { id: 2, boss: 1, desk: null },
    { id: 3, is_deleted: true },
  ])
  await send(`${base}people/edges/`, [
    { from_id: 2, to_id: 1, type: 'mentor', metadata: { since: 2024, ratio: exact('1.50') } },
    { from_id: count, to_id: 2, type: 'mentor' },
  ])
  await send(`${base}values/data/`, values)
  await send(`${base}loose/data/`, [
    { id: '00000000-0000-4000-8000-000000000001', any: 5, list: ['a,b', 'c'] },
    { id: '00000000-0000-4000-8000-000000000002', any: '5', list: [] },
    { id: '00000000-0000-4000-8000-000000000003', any: { a: [1] }, list: null },
    { id: '00000000-0000-4000-8000-000000000004', any: null, list: null },
  ])
  await send(`${base}papers/data/`, [
    { id: '00000000-0000-4000-8000-00000000000a', town: 1, author: 5, pages: exact('3.10') },
  ])
}
