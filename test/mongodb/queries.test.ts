/** Queries of records in MongoDB find what they find elsewhere. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { operators } from '../../src/data/query/operators.ts'
import { startApp } from '../support/app.ts'
import { collection } from '../support/collection.ts'
import { hostile } from '../support/hostile-texts.ts'
import { evaluate } from '../support/query-evaluator.ts'
import { someQuery } from '../support/query-generator.ts'
import type { Query, Rows } from '../support/query-model.ts'
import { asQueryString } from '../support/query-writer.ts'
import { someRows } from '../support/row-generator.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { createDesk, type Desk, near } from './desk.ts'

let desk: Desk
let rows: Rows

const fieldOf = (type: string) => `a_${type}`
const examples = [...operators].flatMap(([operator, { example }]) =>
  [
    ...example.finds.map((value) => ({ found: true, value })),
    // A time of MongoDB has milliseconds.
    ...example.not.map((value) => ({ found: false, value })),
  ].map(({ found, value }) => ({
    operator,
    found,
    type: example.type,
    value: typeof value === 'string' ? value.replace('59.999999Z', '59.999Z') : value,
  })),
)

beforeAll(async () => {
  desk = await createDesk(await startApp(), 'desk-queries')
  const types = [...new Set(examples.map(({ type }) => type))]
  await desk.table('examples', {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'operator', type: 'string' },
      { name: 'found', type: 'boolean' },
      ...types.map((type) => ({ name: fieldOf(type), type })),
      { name: 'properties', type: 'object' },
    ],
    primaryKey: 'id',
  })
  const body = examples.map(({ operator, found, type, value }) => ({
    operator,
    found,
    [fieldOf(type)]: value,
    properties: { inside: { value } },
  }))
  expect(await desk.ask('POST', desk.data('examples'), body)).toMatchObject({ status: 201 })
  const [works] = collection.resources.filter(({ name }) => name === 'works')
  await desk.table('works', { fields: works?.schema.fields, primaryKey: 'id' })
  rows = fc.sample(someRows, { numRuns: 1, seed })[0] as Rows
  expect(await desk.ask('POST', desk.data('works'), rows.works)).toMatchObject({ status: 201 })
})

describe('an operator finds the values of its example and no others', () => {
  const found = async (operator: string, condition: string, given: string) => {
    const query = new URLSearchParams({ operator, [condition]: given, page_size: '100' })
    const { status, body } = await desk.ask('GET', `${desk.data('examples')}?${query}`)
    expect(status).toBe(200)
    return body.data
  }

  it.each([...operators])('%s', async (name, { example }) => {
    const records = await found(name, `${fieldOf(example.type)}__${name}`, example.value)
    expect(records.every(({ found: is }: { found: boolean }) => is)).toBe(true)
    expect(records).toHaveLength(example.finds.length)
  })

  it.each([...operators].filter(([name]) => name !== 'within'))(
    '%s, for a property',
    async (name, { example }) => {
      const records = await found(name, `properties__inside__value__${name}`, example.value)
      expect(records.every(({ found: is }: { found: boolean }) => is)).toBe(true)
      expect(records).toHaveLength(example.finds.length)
    },
  )
})

describe('the result of a list', () => {
  const isComputed = ({ annotations, distinct }: Query) => annotations.length + distinct.length > 0
  const isPlain = (query: Query) => {
    const text = JSON.stringify(query)
    return (
      query.table === 'works' &&
      query.populate.length === 0 &&
      !/"(?:path|scope)":\["|"terms":/.test(text) &&
      // Properties are read as texts, numbers and booleans.
      !query.sort.some(({ property }) => property && !['string', 'number', 'boolean'].includes(property.type))
    )
  }

  it("equals the evaluator's: operators, trees, orders, properties, computed fields, distinct and pages", async () => {
    const queries = fc.sample(someQuery.filter(isPlain), { numRuns: runs(200, 2_000), seed })
    let found = 0
    let refused = 0
    for (const query of queries) {
      const text = asQueryString(query)
      const { status, body } = await desk.ask('GET', `${desk.data('works')}?${text}`)
      // What MongoDB cannot compute is refused, and never answered in another way.
      if (status === 422 && body.code === 'not_supported' && isComputed(query)) {
        refused++
        continue
      }
      const wanted = evaluate(rows, query)
      const context = `seed ${seed}: ${decodeURIComponent(text)}`
      // What is counted takes 150 ms at most, and a busy machine is slower.
      const isCounted = query.total !== 'none' && body.meta.total_is === 'exact'
      const total = isCounted ? body.total : wanted.total
      expect({ status, data: near(body.data), total }, context).toEqual({
        status: 200,
        data: near(wanted.data),
        total: wanted.total,
      })
      found += Number(wanted.total > 0)
    }
    expect(found).toBeGreaterThan(runs(40, 600))
    expect(refused).toBeLessThan(queries.length / 4)
  })

  it('no text of a client is an operator or a path, and none gives a 5xx', async () => {
    const texts = [
      ...fc.sample(hostile, { numRuns: runs(40, 1_000), seed }),
      '$where',
      '$expr',
      '{"$gt": ""}',
      '$$ROOT',
      '$title',
      'a.b',
      '\\',
      '[a',
      '(?=x)',
    ]
    for (const text of texts) {
      const value = encodeURIComponent(text)
      const json = encodeURIComponent(JSON.stringify({ title: { $gt: '' }, [text]: text }))
      const queries = [
        `title=${value}`,
        `title__contains=${value}`,
        `title__matches=${value}`,
        `title__in=${value}`,
        `about__${value}=${value}`,
        `about__contains=${value}`,
        `tags__has_key=${value}`,
        `tags__overlaps=${value}`,
        `${value}=1`,
        `ordering=${value}`,
        `filters=${json}`,
        `fields=${value}`,
      ]
      for (const query of queries) {
        const { status } = await desk.ask('GET', `${desk.data('works')}?${query}`)
        expect([200, 400, 422], query).toContain(status)
      }
    }
  })
})
