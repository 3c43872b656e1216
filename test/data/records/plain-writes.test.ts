/**
 * Writes whose only conflicts are failures have shorter statements. With an Idempotency-Key, whose rows are
 * kept, a write has the statement that finds all conflicts: both must answer and write the same.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'

let app: TestApp
let shop: Shop

/** Two tables with the same schema: the second gets its writes with keys. */
const twins = ['parts', 'twins'] as const

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'code', type: 'string', constraints: { required: true, unique: true } },
    { name: 'price', type: 'number', constraints: { required: true, minimum: -1000 } },
    { name: 'stock', type: 'integer', default: 7 },
    { name: 'is_new', type: 'boolean' },
    { name: 'sold_at', type: 'datetime' },
    { name: 'sold_on', type: 'date' },
    { name: 'opens', type: 'time' },
    { name: 'year', type: 'year' },
    { name: 'owner', type: 'uuid' },
    { name: 'over_id', type: 'integer' },
    { name: 'note', type: 'string', constraints: { maxLength: 5000, pattern: '^[^!]*$' } },
    { name: 'updated_at', type: 'datetime' },
  ],
  primaryKey: 'id',
  foreignKeys: [{ fields: 'over_id', reference: { resource: '', fields: 'id' } }],
}
const documents = {
  ...schema,
  fields: [
    ...schema.fields,
    { name: 'about', type: 'object' },
    { name: 'tags', type: 'array' },
    { name: 'any', type: 'any' },
  ],
}
/** A table without numbers: its records are found by their primary key, of two fields. */
const places = {
  fields: [
    { name: 'row', type: 'string' },
    { name: 'seat', type: 'number' },
    { name: 'state', type: 'string', default: 'free' },
  ],
  primaryKey: ['row', 'seat'],
}

const pathOf = (table: string, more: string) => shop.data(table) + more

/** Sends a request for both tables, and expects the same answer and the same rows. Returns the answer. */
async function both(kind: string, method: string, more: string, body: unknown) {
  const { token } = shop.owner
  const answers = []
  for (const table of twins) {
    const key: Record<string, string> = table === 'twins' ? { 'idempotency-key': crypto.randomUUID() } : {}
    const {
      status,
      text,
      headers: sent,
    } = await app.request(method, pathOf(`${kind}${table}`, more), {
      token,
      body,
      headers: key,
    })
    const columns = kind === 'seat_' ? '*' : `*, null as updated_at, updated_at is null as is_new_one`
    const rows = await app.sql(`select ${columns} from ${shop.schema}.shop_${kind}${table} order by 1, 2`)
    answers.push({
      status,
      text: text
        .replaceAll(/"updated_at":"[^"]*"/g, '"updated_at":"…"')
        .replaceAll('}, \n {', '}, {')
        .replaceAll(`${kind}twins`, `${kind}parts`),
      hasTag: sent.has('etag'),
      rows,
    })
  }
  const [plain, kept] = answers
  expect(plain).toEqual(kept)
  return { status: plain?.status, body: plain?.text ? JSON.parse(plain.text) : undefined }
}

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'plain-writes')
  await addTables(
    app,
    shop,
    twins.flatMap((name) => [
      { name, schema },
      { name: `doc_${name}`, schema: documents },
      { name: `seat_${name}`, schema: places },
    ]),
  )
})

const upsert = (unique: string, more = '') => `upsert/?unique_fields=${unique}${more}`

describe.each(['', 'doc_'])('a write of %sparts', (kind) => {
  /** Sends a request, and expects a status. */
  const ask = async (status: number, method: string, more: string, body: unknown) => {
    const answer = await both(kind, method, more, body)
    expect([answer.status, more, body]).toEqual([status, more, body])
    return answer.body
  }

  it('is refused as with a key, and nothing is written', async () => {
    await ask(201, 'POST', '', { code: 'first', price: 1 })
    const id = (await ask(201, 'POST', '', { code: 'other', price: 1 })).data.id
    await ask(409, 'POST', '', { code: 'first', price: 1 })
    await ask(400, 'POST', '', { code: 'x', price: 1, year: 12345 })
    await ask(400, 'POST', '', { code: 'x', price: 1, note: 'no!' })
    await ask(400, 'POST', '', { code: 'x', price: 1, over_id: 99_999 })
    await ask(409, 'PATCH', `${id}/`, { code: 'first' })
    await ask(400, 'PATCH', `${id}/`, { over_id: 99_999 })
    await ask(400, 'PATCH', `${id}/`, { code: null })
    await ask(400, 'PATCH', `${id}/`, { id: id + 1 })
    await ask(404, 'PATCH', '99999/', { price: 2 })
    await ask(404, 'PUT', '99999/', { code: 'y', price: 2 })
    await ask(400, 'PUT', `${id}/`, { code: 'y' })
    await ask(409, 'PUT', `${id}/`, { code: 'first', price: 2 })
    await ask(400, 'POST', upsert('code'), [
      { code: 'a', price: 1 },
      { code: 'b', price: 1 },
      { code: 'a', price: 2 },
    ])
    await ask(400, 'POST', upsert('code'), [{ code: 'a', price: 1 }, { code: 'b' }])
    await ask(400, 'POST', upsert('code'), { code: 'a' })
    await ask(
      400,
      'POST',
      upsert('code'),
      [
        { code: 'first', price: 5 },
        { code: 'b', price: 1, over_id: 99_999 },
      ].map((one) => ({ over_id: null, ...one })),
    )
    await ask(400, 'POST', upsert('code'), { code: 'first', price: 5, over_id: 99_999 })
    await ask(
      400,
      'POST',
      upsert('code'),
      [
        { code: 'first', id: 99 },
        { code: 'b', id: 98 },
      ].map((one) => ({ price: 1, ...one })),
    )
    await ask(409, 'POST', '', [
      { code: 'c', price: 1 },
      { code: 'first', price: 1 },
    ])
  })

  it('stores and returns each value as it was sent, with every digit', async () => {
    const values = {
      price: ['1.50', '1e3', '-0', '0.10e1', '12345678901234567890.12345678901234567890', '1e-7', '99'],
      stock: ['null', '1.0', '1e3', '-0', '9007199254740993', '"9223372036854775807"', '-1'],
      is_new: ['true', 'false', 'null'],
      sold_at: [
        '"2026-02-28T23:59:59.123456+02:00"',
        '"2026-02-28 10:00:00"',
        '"0001-01-01T00:00:00Z"',
        'null',
      ],
      sold_on: ['"2024-02-29"', 'null'],
      opens: ['"18:30"', '"18:30:05.25"'],
      year: ['2026', '-44', '1e3'],
      owner: ['"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"'],
      note: [
        '""',
        '"%1$L %% \\\\ \' $1 %n"',
        '"\\u00e9\\ud83d\\ude00\\n\\t\\"}"',
        `"${'long '.repeat(600)}"`,
      ],
      ...(kind === ''
        ? {}
        : {
            about: ['{}', '{"b": 1.50, "a": {"c": [null, 1e3]}, "_created": true}', 'null'],
            tags: ['[]', '[1.50, "x", {"y": 9007199254740993}]'],
            any: ['1.50', '"text"', 'true', 'null', '[{"_version":"1"}]'],
          }),
    }
    for (const [name, texts] of Object.entries(values)) {
      const price = name === 'price' ? '' : '"price":1,'
      const recordsOf = (code: string) =>
        texts.map((text, index) => `{"code":"${name}-${code}${index}",${price}"${name}":${text}}`)
      for (const [index, record] of recordsOf('').entries()) {
        const { id } = (await ask(201, 'POST', '', record)).data
        await ask(200, 'PATCH', `${id}/`, `{"${name}":${texts[index]}}`)
        await ask(200, 'PUT', `${id}/`, record)
        await ask(200, 'POST', upsert('code'), record)
      }
      await ask(201, 'POST', '', `[${recordsOf('many')}]`)
      await ask(201, 'POST', upsert('code'), recordsOf('new')[0])
      await ask(
        201,
        'POST',
        upsert('code'),
        `[${[...recordsOf('new'), ...recordsOf(''), ...recordsOf('last')].toReversed()}]`,
      )
    }
  })

  it('numbers new records in the order of their keys, and takes no number for the others', async () => {
    await ask(201, 'POST', '', [
      { code: 'n-5', price: 1 },
      { code: 'n-1', price: 2 },
    ])
    const { data, ...counts } = await ask(
      201,
      'POST',
      upsert('code'),
      ['n-9', 'n-5', 'n-3', 'n-1', 'n-7'].map((code, price) => ({ code, price })),
    )
    expect(counts).toEqual({ created: true, created_count: 3, updated_count: 2 })
    const ids = data.map(({ id }: { id: number }) => id)
    expect(data.map(({ code }: { code: string }) => code)).toEqual(['n-9', 'n-5', 'n-3', 'n-1', 'n-7'])
    expect([ids[2] - ids[1], ids[4] - ids[2], ids[0] - ids[4], ids[3] - ids[1]]).toEqual([2, 1, 1, 1])
    const next = await ask(201, 'POST', upsert('code'), { code: 'n-8', price: 1 })
    expect(next.data.id).toBe(ids[0] + 1)
  })

  it('deletes a record once', async () => {
    const { id } = (await ask(201, 'POST', '', { code: 'd-1', price: 1 })).data
    const over = (await ask(201, 'POST', '', { code: 'd-2', price: 1, over_id: id })).data.id
    await ask(403, 'DELETE', `${id}/`, undefined)
    await ask(200, 'DELETE', `${over}/?dry_run=true`, undefined)
    await ask(204, 'DELETE', `${over}/`, undefined)
    await ask(404, 'DELETE', `${over}/`, undefined)
    await ask(200, 'DELETE', `?ids=${id}`, undefined)
    await ask(200, 'DELETE', `?ids=${id}`, undefined)
  })

  it('has the same counts, dry runs and short answers', async () => {
    await ask(201, 'POST', '', { code: 'm-1', price: 1 })
    for (const more of ['&return=minimal', '&dry_run=true', '&dry_run=true&return=minimal']) {
      await ask(200, 'POST', upsert('code', more), { code: 'm-1', price: 2 })
      await ask(more.includes('dry') ? 200 : 201, 'POST', upsert('code', more), {
        code: `m-2${more}`,
        price: 2,
      })
      await ask(more.includes('dry') ? 200 : 201, 'POST', upsert('code', more), [
        { code: 'm-1', price: 3 },
        { code: `m-3${more}`, price: 2 },
      ])
    }
  })
})

describe('an upsert by the primary key', () => {
  it('answers as with a key', async () => {
    const ask = (body: unknown) => both('seat_', 'POST', upsert('row,seat'), body)
    expect((await ask({ row: 'A', seat: 1 })).status).toBe(201)
    const all = [
      { row: 'B', seat: 2, state: 'x' },
      { row: 'A', seat: 1.0, state: null },
      { row: 'A', seat: 0.5, state: 'z' },
    ]
    expect(await ask(all)).toEqual({
      status: 201,
      body: { data: all, created: true, created_count: 2, updated_count: 1 },
    })
    expect((await ask([all[0], { ...all[0] }])).status).toBe(400)
    expect((await ask([{ row: 'A', seat: 1 }])).status).toBe(200)
  })
})

describe('concurrent upserts', () => {
  it('of the same 200 new records in opposite order all succeed', async () => {
    const records = Array.from({ length: 200 }, (_, index) => ({ code: `O-${index}`, price: index }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        app.request('POST', pathOf('parts', upsert('code')), {
          token: shop.owner.token,
          body: index % 2 ? records : records.toReversed(),
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(answers.reduce((sum, { body }) => sum + body.created_count, 0)).toBe(200)
  })
})
