/** Nothing of a client is ever an operator, a name or a path of MongoDB, and no question is an error of ours. */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { startApp } from '../support/app.ts'
import { hostile } from '../support/hostile-texts.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { createDesk, type Desk, run } from './desk.ts'

let desk: Desk
const site = 'desk-hostile'

beforeAll(async () => {
  desk = await createDesk(await startApp(), site)
  await desk.table('things', {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 's', type: 'string' },
      { name: 'n', type: 'number' },
      { name: 'o', type: 'object' },
      { name: 'up', type: 'integer' },
    ],
    primaryKey: 'id',
    foreignKeys: [{ fields: ['up'], reference: { resource: '', fields: ['id'] } }],
  })
  const rows = [1, 2, 3].map((id) => ({ id, s: `text ${id}`, n: id, o: { k: id } }))
  expect((await desk.ask('POST', desk.data('things'), rows)).status).toBe(201)
})

/** Operators, variables, paths and patterns of MongoDB. */
const ofMongodb = fc.constantFrom(
  ...[
    '$where',
    '$ne',
    '$gt',
    '$in',
    '$regex',
    '$expr',
    '$function',
    '$accumulator',
    '$out',
    '$merge',
    '$set',
  ],
  ...['$$ROOT', '$$NOW', '$s', '$_id', '_id', '_v', '_id.x', '$', '.', '..', '', 'a.b', 's.0', '$[]', '$[x]'],
  ...[
    '{"$ne":null}',
    '{"$gt":""}',
    '{"$where":"sleep(9000)"}',
    'sleep(9000)',
    '(a+)+$',
    '^',
    '[',
    '\\',
    '(?=x)',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '_bsontype',
    '$oid',
    '$numberLong',
    '$date',
    '$ref',
    '$id',
    '$db',
  ],
)
const text = fc.oneof({ weight: 3, arbitrary: ofMongodb }, hostile)
const field = fc.oneof(fc.constantFrom('id', 's', 'n', 'o', 'up', 'things', 'o.k', 'up.s'), text)
const operator = fc.oneof(
  fc.constantFrom('', '__ne', '__gt', '__in', '__icontains', '__matches', '__has_key'),
  text,
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.constantFrom(null, true, 0, -1, 1e300, []),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value
const object = fc.dictionary(text, json, { maxKeys: 4 })

interface Question {
  method: string
  path: string
  body?: unknown
}
const listed = (parameters: [string, string][]): Question => ({
  method: 'GET',
  path: `?${new URLSearchParams(parameters)}`,
})
const computed = fc.tuple(
  fc.constantFrom('_annotate', '_aggregate', '_group_by', '_distinct', '_having'),
  text,
  field,
)

/** Questions, each with something hostile in its values, names or paths. */
const question: fc.Arbitrary<Question> = fc.oneof(
  fc.tuple(field, operator, text).map(([name, means, value]) => listed([[`${name}${means}`, value]])),
  fc.tuple(field, object).map(([name, value]) => listed([['filters', JSON.stringify({ [name]: value })]])),
  fc.tuple(text, text).map(([name, value]) => listed([[`o.${name}`, value]])),
  fc
    .tuple(fc.constantFrom('fields', 'ordering', 'populate', 'after', 'search', 'page_size'), field)
    .map(([name, value]) => listed([[name, value]])),
  computed.map(([name, value, of]) =>
    listed([[name, `${name === '_aggregate' ? `count(${of})` : of} as "${value}"`]]),
  ),
  text.map((value) => listed([['_annotate', `'${value.replaceAll("'", "''")}' as x`]])),
  fc.tuple(text, object).map(([s, o]) => ({ method: 'PATCH', path: '1/', body: { s, o } })),
  object.map((body) => ({ method: 'PATCH', path: '2/', body })),
  text.map((value) => ({ method: 'PATCH', path: '3/', body: { n: { [value]: 1 } } })),
  fc.tuple(fc.constantFrom('GET', 'DELETE'), text).map(([method, value]) => ({
    method,
    path: `x${encodeURIComponent(value)}/`,
  })),
)

const questions = runs(200, 1_000)

it(`${questions} hostile questions: none is an error of the service, and none takes long`, async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ method, path, body }) => {
      const began = Date.now()
      const answer = await desk.ask(method, `${desk.data('things')}${path}`, body)
      if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`)
      expect(Date.now() - began).toBeLessThan(9_000)
    }),
    { numRuns: questions, seed },
  )
  const { cursor } = await run(site, { find: 'shop_things', projection: { _id: 1 } })
  expect(cursor.firstBatch).toHaveLength(3)
  const collections = await run(site, { listCollections: 1, nameOnly: true })
  expect(collections.cursor.firstBatch.map(({ name }) => name).sort()).toEqual([
    'shop_things',
    'tessera_notes',
    'tessera_tables',
  ])
})

it('a record has the texts and the names that were sent, and is found by them alone', async () => {
  await fc.assert(
    fc.asyncProperty(text, object, async (s, o) => {
      const data = desk.data('things')
      await desk.ask('DELETE', `${data}1000/`)
      const made = await desk.ask('POST', data, { id: 1_000, s, o })
      if (made.status === 400) return
      expect(made.status).toBe(201)
      const { body } = await desk.ask('GET', `${data}1000/`)
      expect([body.data.s, body.data.o]).toEqual([s, JSON.parse(JSON.stringify(o))])
      const found = await desk.ask(
        'GET',
        `${data}?${new URLSearchParams({ filters: JSON.stringify({ s, id: 1000 }) })}`,
      )
      expect(found.body.data).toHaveLength(1)
      const others = await desk.ask(
        'GET',
        `${data}?${new URLSearchParams({ filters: JSON.stringify({ s: `${s}.`, id: 1000 }) })}`,
      )
      expect(others.body.data).toEqual([])
    }),
    { numRuns: Math.ceil(questions / 10), seed },
  )
})

it('JSON that is deeper than MongoDB holds is 400', async () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
  const post = (levels: number) => desk.ask('POST', desk.data('things'), { id: levels, o: deep(levels) })
  expect((await post(60)).status).toBe(201)
  expect((await post(150)).status).toBe(400)
})
