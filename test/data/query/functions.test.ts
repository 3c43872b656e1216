/** The scalar functions of expressions, each with examples and with wrong operands. R11, R19. */
import { beforeAll, describe, expect, it } from 'vitest'
import { scalarFunctions } from '../../../src/data/query/plan/expression/functions.ts'
import type { TestApp } from '../../support/app.ts'
import { createInBothProviders, providers } from '../../support/both-providers.ts'
import type { Shop } from '../../support/fixtures.ts'

const resources = [
  {
    name: 'things',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'none', type: 'string' },
        { name: 'price', type: 'number' },
        { name: 'count', type: 'integer' },
        { name: 'on', type: 'date' },
        { name: 'at', type: 'datetime' },
        { name: 'good', type: 'boolean' },
        { name: 'about', type: 'object' },
      ],
    },
  },
]
const thing = {
  id: 1,
  name: 'Ostra säge',
  price: 7.25,
  count: -7,
  on: '2026-02-09',
  at: '2026-02-09T22:05:01Z',
  good: true,
  about: { a: 1 },
}

/** Expressions, each with its value for the record. */
const examples: [expression: string, value: unknown][] = [
  ['ceil(price)', 8],
  ['ceil(count)', -7],
  ['floor(-price)', -8],
  ['trunc(-price)', -7],
  ['trunc(price, 1)', 7.2],
  ['round(price, 1)', 7.3],
  ['power(price, 2)', 52.5625],
  ['power(2, count)', 0.0078125],
  ['round(sqrt(price), 3)', 2.693],
  ['mod(count, 4)', -3],
  ['mod(price, 2)', 1.25],
  ['length(name)', 10],
  ['length(none)', null],
  ['concat(name, \'-\', none, count, good, "on")', 'Ostra säge--7true2026-02-09'],
  ['left(name, 3)', 'Ost'],
  ['left(name, -3)', 'Ostra s'],
  ['right(name, 4)', 'säge'],
  ["replace(name, 'Ostra ', '')", 'säge'],
  ["replace(name, 'ä', 'ae')", 'Ostra saege'],
  ['greatest(price, count, 3)', 7.25],
  ['greatest(none, name)', 'Ostra säge'],
  ['least(price, count)', -7],
  ['least("on", \'2025-01-01\')', '2025-01-01'],
  ['to_char("on", \'YYYY-MM\')', '2026-02'],
  ["to_char(at, 'HH24:MI')", '22:05'],
  ["to_char(at AT TIME ZONE 'Europe/Berlin', 'YYYY-MM-DD HH24:MI:SS')", '2026-02-09 23:05:01'],
  ['to_char("on", \'IYYY"-W"IW\')', '2026-W07'],
  ['now() > at', true],
]

/** Expressions that are not possible, each with the message. */
const refusals: [expression: string, message: string][] = [
  ['ceil(name)', 'A value of type number is expected; this is of type string.'],
  ['power(price)', 'Usage: power(number, exponent).'],
  ['mod(price, name)', 'A value of type number is expected; this is of type string.'],
  ['length(price)', 'A value of type string is expected; this is of type number.'],
  ['left(name, count)', 'The number of characters must be a whole number from -10000 to 10000.'],
  ['left(name, 10001)', 'The number of characters must be a whole number from -10000 to 10000.'],
  ['replace(name, name, name)', 'A text in quotes is expected.'],
  [
    "replace(name, 'a', 'aaaaaaaaaaaa')",
    'The new text may have 10 characters more than the old one at most.',
  ],
  [
    "replace(replace(name, 'a', 'aa'), 'a', 'aa')",
    'The new text may have 0 characters more than the old one at most.',
  ],
  ['greatest(about, about)', 'Values of type JSON cannot be compared in this way.'],
  ['to_char("on", \'FMRN\')', '"FMRN" is not a pattern here. Patterns: YYYY, '],
  ["to_char(price, 'YYYY')", 'A date is expected; this is of type number.'],
  ['now(1)', 'Usage: now().'],
  ['pg_sleep(1)', 'Unknown function "pg_sleep".'],
]

let app: TestApp
let shop: Shop
let data: Record<string, (table: string) => string>

beforeAll(async () => {
  ;({ app, shop, data } = await createInBothProviders('functions', resources, []))
})

describe.each(providers)('a function of expressions in a %s datasource', (provider) => {
  const annotate = (expression: string, fields?: string) =>
    app.request(
      'GET',
      `${data[provider]?.('things')}1/?${new URLSearchParams({ _annotate: `${expression} as it`, ...(fields ? { fields } : {}) })}`,
      { token: shop.owner.token },
    )

  beforeAll(async () => {
    const created = await app.request('POST', data[provider]?.('things') ?? '', {
      token: shop.owner.token,
      body: thing,
    })
    expect(created.status).toBe(201)
  })

  it.each(refusals)('returns 400 for %s', async (expression, message) => {
    const { status, body } = await annotate(expression)
    expect([status, body.details]).toEqual([400, { _annotate: [expect.stringContaining(message)] }])
  })

  it.each(['sqrt(count)', 'power(0, count)', 'mod(price, 0)', 'power(10, 200000)'])(
    'returns 400 if %s cannot be computed for a record',
    async (expression) => {
      const { status, body } = await annotate(expression)
      expect([status, Object.keys(body.details)]).toEqual([400, ['_annotate']])
    },
  )

  it.each(examples)('computes %s', async (expression, value) => {
    const { status, body } = await annotate(expression, 'it')
    expect([status, body.data ?? body.details]).toEqual([200, { it: value }])
  })
})

it('each function of R19 has an example', () => {
  const all = examples.map(([expression]) => expression).join(' ')
  const added = ['ceil', 'floor', 'trunc', 'power', 'sqrt', 'mod', 'length', 'concat', 'left', 'right']
  for (const name of [...added, 'replace', 'greatest', 'least', 'to_char', 'now'])
    expect([name, scalarFunctions.has(name), all.includes(`${name}(`)]).toEqual([name, true, true])
})
