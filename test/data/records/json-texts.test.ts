/**
 * JSON as text, in query strings and bodies: a name twice in one object is refused, a long text is not. R6.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { operators, positiveOf } from '../../../src/data/query/operators.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

let app: TestApp
let shop: Shop
const places: Record<'flat_table' | 'jsonb', string> = {
  flat_table: '',
  jsonb: '',
}

const things = {
  name: 'things',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'o', type: 'object' },
      { name: 'list', type: 'array' },
      { name: 'anything', type: 'any' },
      { name: 'bytes', type: 'string', format: 'binary' },
    ],
    primaryKey: 'id',
  },
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'texts', { resources: [things] })
  places.flat_table = shop.data('things')
  places.jsonb = (await addDocuments(app, shop, [things]))('things')
})

const twice = '{"n":1,"n":2}'
const problem = 'The name "n" is repeated in one object.'
const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  app.request(method, path, {
    token: shop.owner.token,
    ...(body ? { body } : {}),
    ...(headers ? { headers } : {}),
  })

/** The operators whose value is a flag, or a list of texts that commas separate. */
const withoutJson = new Set(['null', 'nnull', 'overlaps', 'has_any_keys', 'has_all_keys'])
/** The operators that read a value on fields of objects and arrays, and on their members. */
const reading = [...operators.keys()].filter((name) => !withoutJson.has(name))
/** A member has values of any type, so commas always separate the values of its lists. */
const takesOne = (name: string) => positiveOf(name).takes === 'one'

describe.each(['flat_table', 'jsonb'] as const)('a name twice in one object, %s', (kind) => {
  it.each([
    ...['o', 'list', 'anything'].flatMap((field) => [
      `${field}=${twice}`,
      ...reading.map((name) => `${field}__${name}=${twice}`),
    ]),
    ...['o.k', 'o__k', 'o."k"'].flatMap((member) => [
      `${member}=${twice}`,
      ...reading.filter(takesOne).map((name) => `${member}__${name}=${twice}`),
    ]),
    `filters={"o__contains":${twice}}`,
    `filters={"or":[{"id":1},{"id":1,"id":2}]}`,
  ])('is refused in ?%s', async (query) => {
    const [name = '', ...value] = query.split('=')
    const { status, body } = await ask(
      'GET',
      `${places[kind]}?${encodeURIComponent(name)}=${encodeURIComponent(value.join('='))}`,
    )
    expect([query, status]).toEqual([query, 400])
    if (name === 'o__contains') expect(body.details).toEqual({ o__contains: [problem] })
  })

  it.each(['exact', 'ne'])('as is null, which no record has, in ?anything__%s', async (operator) => {
    const { status, body } = await ask('GET', `${places[kind]}?anything__${operator}=null`)
    const message =
      'Comparing with null is not supported. To find records without a value, use "anything__null": true.'
    expect([status, body.details]).toEqual([400, { [`anything__${operator}`]: [message] }])
  })

  it('is refused in the filter of a change and of a deletion', async () => {
    const filter = `?filter=${encodeURIComponent(`{"o__contains":${twice}}`)}`
    const refused = [
      400,
      { error: 'Validation failed', details: { filter: [problem] }, code: 'validation_failed' },
    ]
    for (const [method, body] of [
      ['PATCH', { list: [] }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await ask(method, `${places[kind]}${filter}`, body)
      expect([answer.status, answer.body]).toEqual(refused)
    }
  })

  it('is refused in a body, a line and a cell', async () => {
    const { status, body } = await ask('POST', places[kind], `{"o":${twice}}`)
    expect([status, body]).toEqual([
      400,
      { detail: 'The body has the name "n" twice in one object.', code: 'malformed_body' },
    ])
    const line = await ask('POST', places[kind], `{"id":1}\n{"o":${twice}}`, {
      'content-type': 'application/x-ndjson',
    })
    expect([line.status, line.body]).toEqual([
      400,
      { detail: `The body is not valid JSON: line 2: ${problem}`, code: 'malformed_body' },
    ])
    const cell = await ask('POST', places[kind], `id,o\n1,"${twice.replaceAll('"', '""')}"`, {
      'content-type': 'text/csv',
    })
    expect([cell.status, cell.body.details]).toEqual([400, { o: [`line 2, column 2: ${problem}`] }])
  })
})

/** Texts in which an object has a name twice: at the top, escaped, in an object, in an array, among many. */
const repeats = [
  twice,
  '{"n":1,"\\u006e":2}',
  '{"in":{"n":1,"n":1}}',
  '{"in":[{"n":null,"n":{}}]}',
  `{${Array.from({ length: 300 }, (_, index) => `"m${index}":${index}`).join()},"m7":7}`,
]
const inQuery = encodeURIComponent
const inCell = (text: string) => `"${text.replaceAll('"', '""')}"`
/** The doors through which a text becomes JSON in Postgres, each with the request that sends one. */
const doors: [string, (text: string) => [method: string, path: string, body?: string, type?: string]][] = [
  ['a filter', (text) => ['GET', `DATA?o__contains=${inQuery(text)}`]],
  ['a filter of a member', (text) => ['GET', `DATA?o.k__contains=${inQuery(text)}`]],
  ['the parameter filters', (text) => ['GET', `DATA?filters=${inQuery(`{"o__contained_by":${text}}`)}`]],
  ['a filter of an aggregate', (text) => ['GET', `DATA?_aggregate=count(*)&o__exact=${inQuery(text)}`]],
  ['the filter of a change', (text) => ['PATCH', `DATA?filter=${inQuery(`{"o":${text}}`)}`, '{"list":[]}']],
  ['the filter of a deletion', (text) => ['DELETE', `DATA?filter=${inQuery(`{"o__ne":${text}}`)}`]],
  ['a body', (text) => ['POST', 'DATA', `{"o":${text}}`]],
  ['a record of a list', (text) => ['POST', 'DATA', `[{"id":1},{"anything":[${text}]}]`]],
  ['a line', (text) => ['POST', 'DATA', `{"id":1}\n{"o":${text}}`, 'application/x-ndjson']],
  ['a cell', (text) => ['POST', 'DATA', `id,o\n1,${inCell(text)}`, 'text/csv']],
  ['a cell of any type', (text) => ['POST', 'DATA', `id,anything\n1,${inCell(text)}`, 'text/csv']],
  ['an upsert', (text) => ['POST', 'DATAupsert/?unique_fields=id', `[{"id":1,"o":${text}}]`]],
  ['a batch', (text) => ['POST', 'APP/batch/', `[{"op":"create","table":"things","data":{"o":${text}}}]`]],
  [
    'the schema of a table',
    (text) => [
      'PATCH',
      'APP/datatables/things/',
      `{"json_schema":{"primaryKey":"id","fields":[{"name":"id","type":"integer"},{"name":"o","type":"object","default":${text}}]}}`,
    ],
  ],
  ['the schema of a secret type', (text) => ['POST', 'API/secret-types/', `{"name":"t","schema":${text}}`]],
  [
    'the value of a secret',
    (text) => ['POST', 'API/secrets/', `{"secret_type":"api-key","key":"K","value":${text}}`],
  ],
  ['the parameters of a function', (text) => ['POST', 'APP/functions/f/execute/', `{"params":${text}}`]],
  [
    'a question',
    (text) => ['POST', 'API/questions/', `{"name":"q","app":"shop","table":"things","filters":${text}}`],
  ],
  [
    'a call of MCP',
    (text) => [
      'POST',
      'API/mcp/',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_apps","arguments":${text}}}`,
    ],
  ],
]

describe.each(['flat_table', 'jsonb'] as const)('a text that repeats a name is refused, %s', (kind) => {
  it.each(doors)('in %s, and nothing changes', async (_door, request) => {
    const state = async () => (await ask('GET', places[kind])).body.data
    const before = await state()
    for (const text of repeats) {
      const [method, path, body, type = 'application/json'] = request(text)
      const at = path
        .replace('DATA', places[kind])
        .replace('APP', places[kind].split('/datatables/')[0] ?? '')
        .replace('API', shop.api)
      const answer = await ask(method, at, body, {
        'content-type': type,
        accept: 'application/json, text/event-stream',
      })
      expect([text, answer.status]).toEqual([text, 400])
    }
    expect(await state()).toEqual(before)
  })
})

describe.each(['flat_table', 'jsonb'] as const)('base64 of 3 to 7 MB, %s', (kind) => {
  it.each([3, 5, 7].slice(runs(2, 0)))(
    'of %i MB is stored by every write, and answered as it was sent',
    async (megabytes) => {
      const bytes = `${'QUJD'.repeat((megabytes * 1_000_000) / 4 - 1)}QUI=`
      const id = megabytes
      const created = await ask('POST', places[kind], { id, bytes })
      expect([created.status, created.body.data.bytes === bytes]).toEqual([201, true])
      expect((await ask('PATCH', `${places[kind]}${id}/`, { bytes })).status).toBe(200)
      expect((await ask('POST', `${places[kind]}upsert/?unique_fields=id`, [{ id, bytes }])).status).toBe(200)
      const app = kind === 'jsonb' ? 'papers' : 'shop'
      const batch = await ask('POST', `${shop.api}/apps/${app}/batch/`, [
        { op: 'update', table: 'things', id, data: { bytes } },
      ])
      expect([batch.status, batch.body.data[0].data.bytes === bytes]).toEqual([200, true])
      const wrong = await ask('PATCH', `${places[kind]}${id}/`, {
        bytes: `${bytes}!`,
      })
      expect([wrong.status, wrong.body.details]).toEqual([400, { bytes: ['Base64 is required.'] }])
    },
  )
})
