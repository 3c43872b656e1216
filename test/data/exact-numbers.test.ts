/** Numbers keep every digit: in fields, JSON, filters, keys, aggregates, edges and secrets. R6. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isRawNumber, numberText, readJson, sortKeyOf } from '../../src/kernel/lib/exact-json.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { addDocuments, createShop, type Shop } from '../support/fixtures.ts'
import { runs } from '../support/runs.ts'

let app: TestApp
let shop: Shop
/** The paths of the same tables in datasources of both kinds. */
const places: Record<'flat_table' | 'jsonb', (table: string) => string> = {
  flat_table: () => '',
  jsonb: () => '',
}

const id = { name: 'id', type: 'integer' }
const numbers = {
  name: 'numbers',
  schema: {
    fields: [
      id,
      { name: 'big', type: 'integer' },
      {
        name: 'bounded',
        type: 'integer',
        constraints: { minimum: '9007199254740992', maximum: '9223372036854775806' },
      },
      { name: 'price', type: 'number' },
      { name: 'about', type: 'object' },
      { name: 'list', type: 'array' },
    ],
    primaryKey: 'id',
    hierarchy: true,
  },
}
const children = {
  name: 'children',
  schema: {
    fields: [id, { name: 'number_id', type: 'integer' }],
    foreignKeys: [{ fields: 'number_id', reference: { resource: 'numbers', fields: 'id' } }],
  },
}

const max = '9223372036854775807'
const min = '-9223372036854775808'

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'exact', { resources: [numbers, children] })
  places.flat_table = shop.data
  // Tables of documents cannot have foreign keys to other tables.
  places.jsonb = await addDocuments(app, shop, [numbers])
})

const send = (method: string, path: string, body?: string) =>
  app.request(method, path, { token: shop.owner.token, ...(body === undefined ? {} : { body }) })

describe.each(['flat_table', 'jsonb'] as const)('an integer beyond ±(2^53−1), %s', (kind) => {
  const at = (rest = '') => `${places[kind]('numbers')}${rest}`

  it('an integer beyond ±2^63, a fraction, and a string with other characters return 400', async () => {
    for (const value of [
      '9223372036854775808',
      '-9223372036854775809',
      '1e19',
      '"9223372036854775808"',
      '1e999999',
    ]) {
      const { status, body } = await send('POST', at(), `{"big": ${value}}`)
      expect([value, status, Object.keys(body.details)]).toEqual([value, 400, ['big']])
    }
    for (const value of ['9007199254740993.5', '1e-400', '"1e3"', '" 1"', '"+1"', '"0x10"', '"infinity"']) {
      const { status, body } = await send('POST', at(), `{"big": ${value}}`)
      expect([value, status, body.details]).toEqual([value, 400, { big: ['A whole number is required.'] }])
    }
    const bounds = await send(
      'POST',
      at(),
      '[{"bounded": 9007199254740991}, {"bounded": 9223372036854775807}]',
    )
    expect([bounds.status, bounds.body.details]).toEqual([
      400,
      {
        bounded: [
          'rows[0]: Ensure this value is greater than or equal to 9007199254740992.',
          'rows[1]: Ensure this value is less than or equal to 9223372036854775806.',
        ],
      },
    ])
  })

  it('a large integer is accepted as a number or string, and returned as a string', async () => {
    const created = await send(
      'POST',
      at(),
      `[{"id": 1, "big": 9007199254740993}, {"id": 2, "big": "${max}"}, {"id": 3, "big": ${min}}, {"id": 4, "big": 9007199254740991}, {"id": 5, "big": "-9007199254740991"}, {"id": 6, "big": 9.2e18}, {"id": 7, "big": -9007199254740992.0}]`,
    )
    expect([created.status, created.body.data.map(({ big }: { big: unknown }) => big)]).toEqual([
      201,
      [
        '9007199254740993',
        max,
        min,
        9007199254740991,
        -9007199254740991,
        '9200000000000000000',
        '-9007199254740992',
      ],
    ])
    const [first] = created.body.data
    expect((await send('GET', at('1/'))).body.data).toEqual(first)
    expect((await send('PATCH', at('1/'), JSON.stringify(first))).body.data).toEqual(first)
    const upserted = await send(
      'POST',
      at('upsert/?unique_fields=id'),
      `[{"id": 1, "big": ${max}}, {"id": 8, "big": "${min}"}]`,
    )
    expect(upserted.body.data.map(({ big }: { big: unknown }) => big)).toEqual([max, min])
    expect((await send('PATCH', at(), '[{"id": 1, "big": 9007199254740993}]')).body.data).toEqual([first])
  })

  it('a large integer is found by filters in the query string and in JSON', async () => {
    const found = async (query: string) =>
      (await send('GET', at(`?${query}&ordering=id`))).body.data.map((one: { id: unknown }) => one.id)
    expect(await found('big=9007199254740993')).toEqual([1])
    expect(await found(`big__gt=9200000000000000000`)).toEqual([2])
    expect(await found('filters={"big": 9007199254740993}')).toEqual([1])
    expect(await found('filters={"big": "9007199254740993"}')).toEqual([1])
    expect(await found(`filters={"big__in": [9007199254740993, ${max}]}`)).toEqual([1, 2])
    expect(await found(`filters={"big__between": [9007199254740992, 9007199254740994]}`)).toEqual([1])
  })

  it('a large integer can be the key of a record: in the path, in ids, and when Postgres generates it', async () => {
    expect((await send('POST', at(), `{"id": 9007199254740993}`)).body.data.id).toBe('9007199254740993')
    expect((await send('GET', at('9007199254740993/'))).body.data.id).toBe('9007199254740993')
    expect((await send('GET', at('9007199254740992/'))).status).toBe(404)
    const changed = await send(
      'PATCH',
      at(),
      '[{"id": 9007199254740993, "price": 1}, {"id": "9007199254740993", "price": 2}]',
    )
    expect([changed.status, changed.body.details]).toEqual([
      400,
      { id: ['rows[1]: The same id as rows[0].'] },
    ])
    const missing = await send('PATCH', at(), '[{"id": 9007199254740995}]')
    expect([missing.status, missing.body.detail]).toEqual([
      404,
      'rows[0]: "numbers" has no record with the id "9007199254740995".',
    ])
    const taken = await send('POST', at(), '[{"id": 5000}, {"id": 9007199254740993}]')
    expect([taken.status, taken.body.detail]).toEqual([409, 'rows[1]: A record with this id already exists.'])
    expect((await send('DELETE', at('?ids=9007199254740993'))).text).toBe(
      '{"deleted":1,"ids":["9007199254740993"]}',
    )
  })

  it('a large integer can be aggregated: by functions, in lists, as distinct values, and as a group key', async () => {
    const { body } = await send(
      'GET',
      at(
        '?id__lte=4&_aggregate=min(big),max(big),count(*),array_agg(big),json_agg(big),array_agg(distinct big) filter (where id < 4) as some,max(coalesce(big, 0)) as most',
      ),
    )
    expect(body.aggregates).toEqual({
      min_big: min,
      max_big: max,
      count: 4,
      array_agg_big: ['9007199254740993', max, min, 9007199254740991],
      json_agg_big: ['9007199254740993', max, min, 9007199254740991],
      some: [min, '9007199254740993', max],
      most: max,
    })
    const none = await send(
      'GET',
      at('?id=999&_aggregate=array_agg(distinct big) as a,json_agg(distinct big) as b'),
    )
    expect(none.body.aggregates).toEqual({ a: null, b: null })
    const groups = await send(
      'GET',
      at(`?id__lte=3&_group_by=big&_aggregate=count(*)&_having=big__gt=9007199254740992&ordering=-big`),
    )
    expect(groups.text).toContain(
      `[{"big":"${max}","count":1}, \n {"big":"9007199254740993","count":1}]`.replace(', \n ', ', \n '),
    )
    // A sum is a JSON number with every digit.
    expect((await send('GET', at('?id__in=1,2&_aggregate=sum(big)'))).text).toContain(
      '"sum_big":9232379236109516800',
    )
  })
})

describe('an integer beyond ±(2^53−1) elsewhere', () => {
  it('a large integer can be referenced by foreign keys and populated', async () => {
    await send('POST', shop.data('numbers'), '{"id": 9007199254740997}')
    const made = await send('POST', shop.data('children'), '[{"id": 1, "number_id": 9007199254740997}]')
    expect(made.body.data).toEqual([{ id: 1, number_id: '9007199254740997' }])
    const refused = await send(
      'POST',
      shop.data('children'),
      '[{"number_id": 9007199254740997}, {"number_id": 9007199254740999}]',
    )
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      'rows[1]: This number_id references no record of "numbers".',
    ])
    const read = await send('GET', `${shop.data('children')}1/?populate=number`)
    expect(read.body.data.number.id).toBe('9007199254740997')
  })

  it('a large integer can be an end of an edge, and appears in trees and graphs', async () => {
    const edges = `${shop.api}/apps/shop/datatables/numbers/edges/`
    await send('POST', shop.data('numbers'), '[{"id": 9007199254741001}, {"id": 9007199254741003}]')
    const made = await send(
      'POST',
      edges,
      '[{"from_id": 9007199254741003, "to_id": "9007199254741001", "type": "parent", "metadata": {"x": 1E-400}}]',
    )
    expect([made.status, made.body.results]).toMatchObject([
      201,
      [{ from_id: '9007199254741003', to_id: '9007199254741001' }],
    ])
    expect(made.text).toContain(`"x": 0.${'0'.repeat(399)}1`)
    const twice = await send(
      'POST',
      edges,
      '[{"from_id": 9007199254741003, "to_id": 9007199254741001, "type": "parent"}]',
    )
    expect([409, 422]).toContain(twice.status)
    expect((await send('GET', `${edges}?from_id=9007199254741003`)).body.total).toBe(1)
    const graph = await send('GET', `${shop.data('numbers')}9007199254741001/?format=graph`)
    expect(graph.body.data.edges).toMatchObject([{ from: '9007199254741003', to: '9007199254741001' }])
    const tree = await send('GET', `${shop.data('numbers')}9007199254741001/?format=tree`)
    expect(tree.body.data[0].children[0].id).toBe('9007199254741003')
    const unknown = await send('POST', edges, '[{"from_id": 9007199254741005, "to_id": 1, "type": "parent"}]')
    expect([unknown.status, Object.keys(unknown.body.details)]).toEqual([400, ['from_id']])
  })

  it('a large integer is documented as an integer or a string', async () => {
    const { body } = await send('GET', `${shop.api}/apps/shop/schema/`)
    expect(body.components.schemas['numbers.Record'].properties.id).toEqual({
      type: ['integer', 'string'],
      pattern: '^-?[0-9]+$',
      'x-type': 'integer',
    })
  })
})

describe('a JSON number', () => {
  it.each<[sent: string, answered: string]>([
    ['0.12345678901234567890123', '0.12345678901234567890123'],
    ['1E-400', `0.${'0'.repeat(399)}1`],
    ['1e22', `1${'0'.repeat(22)}`],
    ['1e400', `1${'0'.repeat(400)}`],
    ['-0', '0'],
    ['1.50', '1.50'],
    ['12345678901234567890', '12345678901234567890'],
  ])('%s keeps its digits in number fields and inside objects and arrays', async (sent, answered) => {
    for (const place of Object.values(places)) {
      const { status, text } = await send(
        'POST',
        place('numbers'),
        `{"price": ${sent}, "about": {"a": [${sent}]}, "list": [${sent}]}`,
      )
      expect([status, text.replaceAll(' ', '')]).toEqual([
        201,
        expect.stringContaining(`"price":${answered},"about":{"a":[${answered}]},"list":[${answered}]`),
      ])
    }
  })

  it('a filter finds a JSON number by all of its digits', async () => {
    await send(
      'POST',
      shop.data('numbers'),
      '[{"id": 71, "price": 0.10000000000000000001, "about": {"n": 9007199254740993}}, {"id": 72, "price": 0.1, "about": {"n": 9007199254740992}}]',
    )
    const found = async (filters: string) =>
      (await send('GET', `${shop.data('numbers')}?filters=${filters}`)).body.data.map(
        (one: { id: unknown }) => one.id,
      )
    expect(await found('{"price": 0.10000000000000000001}')).toEqual([71])
    expect(await found('{"about__n": 9007199254740993}')).toEqual([71])
    expect(await found('{"about__contains": {"n": 9007199254740993}}')).toEqual([71])
  })

  it('a JSON number returns 400 if it is invalid or beyond the range of Postgres, and 413 if it is too long', async () => {
    for (const number of ['1e131072', '1e-16384', '1e999999999999', '-1e131072']) {
      const { status, body } = await send(
        'POST',
        shop.data('numbers'),
        `{"price": ${number}, "about": {"x": ${number}}, "list": [${number}]}`,
      )
      expect([number, status, Object.keys(body.details)]).toEqual([number, 400, ['price', 'about', 'list']])
    }
    expect(
      (await send('POST', shop.data('numbers'), `{"list": [${Array(100).fill('1e130000').join()}]}`)).status,
    ).toBe(413)
    for (const number of ['Infinity', 'NaN', '0x1', '01', '.5', '+1']) {
      expect([number, (await send('POST', shop.data('numbers'), `{"price": ${number}}`)).status]).toEqual([
        number,
        400,
      ])
    }
    for (const value of ['"\\u0000"', '"\\ud800"', '{"\\udc00": 1}']) {
      const { status, body } = await send('POST', shop.data('numbers'), `{"about": {"x": ${value}}}`)
      expect([value, status, Object.keys(body.details)]).toEqual([value, 400, ['about']])
    }
    expect((await send('GET', `${shop.data('numbers')}?price=infinity`)).status).toBe(400)
  })
})

describe('a secret', () => {
  it('a secret is returned with the exact text of each number', async () => {
    const value =
      '{"a":0.12345678901234567890123,"b":1E-400,"c":1e22,"d":-0,"e":[1.0,{"f":9007199254740993}],"g":1e200000}'
    const post = (path: string, body: string) => send('POST', `${shop.api}${path}`, body)
    for (const level of ['public', 'private', 'sensitive']) {
      await post(
        '/secret-types/',
        JSON.stringify({ type: 'custom', name: `t-${level}`, sensitivity_level: level }),
      )
      const made = await post(
        '/secrets/',
        `{"key": "${level}", "secret_type": "t-${level}", "value": ${value.replace('1e200000', '1e4000')}}`,
      )
      expect([made.status, made.text]).toEqual([
        201,
        expect.stringContaining(`"value":${value.replace('1e200000', '1e4000')}`),
      ])
      for (const again of [0, 1]) {
        const read = await send('GET', `${shop.api}/secrets/${level}/`)
        expect([again, read.text]).toEqual([
          again,
          expect.stringContaining(`"value":${value.replace('1e200000', '1e4000')}`),
        ])
      }
      expect((await send('GET', `${shop.api}/secrets/?keys=${level}`)).text).toBe(
        `{"${level}":${value.replace('1e200000', '1e4000')}}`,
      )
      await send('PUT', `${shop.api}/secrets/${level}/`, `{"key": "${level}2", "tags": []}`)
      expect((await send('GET', `${shop.api}/secrets/${level}2/`)).text).toContain('"d":-0,"e":[1.0,')
    }
  })

  it('the schema of a secret validates the exact values of its numbers', async () => {
    const schema = { properties: { n: { type: 'number', maximum: 100 }, i: { type: 'integer' } } }
    await send(
      'POST',
      `${shop.api}/secret-types/`,
      JSON.stringify({ type: 'custom', name: 'judged', sensitivity_level: 'private', schema }),
    )
    const refused = await send(
      'POST',
      `${shop.api}/secrets/`,
      '{"key": "j", "secret_type": "judged", "value": {"n": 1e400, "i": 0.12345678901234567890123}}',
    )
    expect([refused.status, Object.keys(refused.body.detail)]).toEqual([400, ['n', 'i']])
    expect(
      (
        await send(
          'POST',
          `${shop.api}/secrets/`,
          '{"key": "j", "secret_type": "judged", "value": {"n": 1e-400, "i": 9007199254740993}}',
        )
      ).status,
    ).toBe(201)
  })
})

describe('numbers that are stored as doubles', () => {
  it('a number that a double cannot represent returns 400', async () => {
    const body =
      '{"name": "rounded", "slug": "rounded", "provider_type": "flat_table", "provider_config": {"x": 0.12345678901234567890123}}'
    expect(await send('POST', `${shop.api}/apps/shop/datasources/`, body)).toMatchObject({
      status: 400,
      body: {
        provider_config: ['A number has too many digits to be stored exactly. Send it as a string.'],
      },
    })
  })
})

/** Generates JSON numbers, as text, in every form. */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.bigInt({ min: 1n, max: 10n ** 30n }).map(String)),
    fc.option(fc.stringMatching(/^\d{1,30}$/)),
    fc.option(
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), fc.nat(500)).map((parts) => parts.join('')),
    ),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent ?? ''}`,
  )
const text = fc
  .string({ unit: 'grapheme', maxLength: 6 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const document: fc.Memo<string> = fc.memo((depth) =>
  depth === 0
    ? fc.oneof(
        number,
        fc.constantFrom('true', 'false', 'null'),
        text.map((value) => JSON.stringify(value)),
      )
    : fc.oneof(
        number,
        fc.array(document(depth - 1), { maxLength: 4 }).map((members) => `[${members.join()}]`),
        fc
          .uniqueArray(fc.tuple(text, document(depth - 1)), { maxLength: 4, selector: ([name]) => name })
          .map(objectOf),
      ),
)
const objectOf = (members: [string, string][]) =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
const object = fc
  .uniqueArray(fc.tuple(text, document(2)), { maxLength: 4, selector: ([name]) => name })
  .map(objectOf)

/** Replaces numbers with a canonical text, so that values are equal only if all of their digits are. */
function canonical(value: unknown): unknown {
  if (typeof value === 'number' || isRawNumber(value)) return `number ${sortKeyOf(numberText(value) ?? '')}`
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  )
}

describe('any JSON', () => {
  it('any JSON keeps every digit in fields, edges and secrets', async () => {
    await send(
      'POST',
      `${shop.api}/secret-types/`,
      JSON.stringify({ type: 'custom', name: 'any', sensitivity_level: 'private' }),
    )
    await send('POST', `${shop.api}/secrets/`, '{"key": "any", "secret_type": "any", "value": {}}')
    await send('POST', shop.data('numbers'), '[{"id": 801}, {"id": 802}]')
    const edge = (
      await send(
        'POST',
        `${shop.api}/apps/shop/datatables/numbers/edges/`,
        '[{"from_id": 801, "to_id": 802, "type": "parent"}]',
      )
    ).body.results[0]
    for (const place of Object.values(places)) await send('POST', place('numbers'), '{"id": 800}')
    const data = (path: string) => async (sent: string) => {
      const put = await send('PATCH', path, `{"about": ${sent}, "list": [${sent}]}`)
      const { data } = readJson((await send('GET', path)).text) as {
        data: { about: unknown; list: unknown[] }
      }
      return [put.status, data.about, data.list[0]]
    }
    const ways: ((sent: string) => Promise<unknown[]>)[] = [
      ...Object.values(places).map((place) => data(`${place('numbers')}800/`)),
      async (sent) => {
        const put = await send('PUT', `${shop.api}/secrets/any/`, `{"value": ${sent}}`)
        const { value } = readJson((await send('GET', `${shop.api}/secrets/any/`)).text) as { value: unknown }
        return [put.status, value, value]
      },
      async (sent) => {
        const path = `${shop.api}/apps/shop/datatables/numbers/edges/`
        const put = await send(
          'PATCH',
          `${path}${edge.id}/`,
          `{"from_id": 801, "to_id": 802, "type": "parent", "metadata": ${sent}}`,
        )
        const { results } = readJson((await send('GET', `${path}?from_id=801`)).text) as {
          results: { metadata: unknown }[]
        }
        return [put.status, results[0]?.metadata, results[0]?.metadata]
      },
    ]
    await fc.assert(
      fc.asyncProperty(object, async (sent) => {
        const wanted = canonical(readJson(sent))
        for (const way of ways) {
          const [status, ...read] = await way(sent)
          expect([status, ...read.map(canonical)]).toEqual([200, wanted, wanted])
        }
      }),
      { numRuns: runs(8, 200) },
    )
  })
})
