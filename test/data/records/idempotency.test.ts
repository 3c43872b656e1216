/**
 * Idempotency-Key: a request that is repeated with its key is executed once, and gets the same answer again.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepKeptAnswers } from '../../../src/kernel/db/answer-sweep.ts'
import type { TestApp } from '../../support/app.ts'
import { createEventful, type Eventful, noop } from '../../support/events.ts'
import { grant, type Shop } from '../../support/fixtures.ts'
import { hold, untilWaiting } from '../../support/locks.ts'
import { runs } from '../../support/runs.ts'

let eventful: Eventful
let app: TestApp
let shop: Shop
let token: string

interface Asked {
  key?: string
  body?: unknown
  token?: string
  headers?: Record<string, string>
}

const ask = (method: string, path: string, { key, body, headers = {}, ...rest }: Asked = {}) =>
  app.request(method, path.startsWith('/') ? path : shop.data('products') + path, {
    token: rest.token ?? token,
    headers: { ...(key === undefined ? {} : { 'idempotency-key': key }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
const newKey = () => crypto.randomUUID()
/** Returns the parts of an answer that a repeated answer must have, too. */
const shown = ({ status, text, headers }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  text,
  etag: headers.get('etag'),
  type: headers.get('content-type'),
})
const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true'
const roundTrips = ({ headers }: { headers: Headers }) =>
  /desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]
const count = async () =>
  Number((await app.sql<{ n: string }>(`select count(*) as n from ${shop.schema}.shop_products`))[0]?.n)
/** Sends a request twice with the same key, and expects the second answer to repeat the first. */
async function askTwice(method: string, path: string, asked: Asked = {}) {
  const key = newKey()
  const first = await ask(method, path, { ...asked, key })
  const second = await ask(method, path, { ...asked, key })
  expect([isReplayed(first), isReplayed(second), shown(second)]).toEqual([false, true, shown(first)])
  return second
}

beforeAll(async () => {
  eventful = await createEventful('repeated')
  ;({ app, shop } = eventful)
  token = shop.owner.token
  await eventful.listener('heard', ['RECORD_CREATE', 'RECORD_UPDATE', 'RECORD_DELETE'], noop)
  await app.request('POST', shop.data('makers'), { token, body: { id: 1, name: 'Ostra' } })
})

beforeEach(async () => {
  await app.sql(`delete from ${shop.schema}.shop_products`)
})

describe('a request with an invalid key', () => {
  it.each(['', 'a b', 'ä', 'x'.repeat(256)])(
    'returns 400 for the key %j, and writes nothing',
    async (key) => {
      const answer = await ask('POST', '', { key, body: { sku: 'A-1' } })
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          error: 'Validation failed',
          details: { 'Idempotency-Key': ['Must be 1 to 255 visible ASCII characters.'] },
          code: 'validation_failed',
        },
      ])
      expect(await count()).toBe(0)
    },
  )
})

describe('a different request with the same key', () => {
  const reused = {
    error: 'Idempotency key reused',
    detail:
      'This Idempotency-Key was used for a request with another query string, format or body. ' +
      'Use a new key for each new request.',
    code: 'idempotency_key_reused',
  }

  it('returns 409 for another body or query string, and writes nothing', async () => {
    const key = newKey()
    expect((await ask('POST', '', { key, body: { sku: 'A-1' } })).status).toBe(201)
    for (const [path, body] of [
      ['', { sku: 'A-2' }],
      ['', [{ sku: 'A-1' }]],
      ['?_envelope=false', { sku: 'A-1' }],
    ] as const) {
      const answer = await ask('POST', path, { key, body })
      expect([answer.status, answer.body, isReplayed(answer)]).toEqual([409, reused, false])
    }
    expect(await count()).toBe(1)
  })

  it('returns 409 for the same bytes in another format', async () => {
    const text = '{"sku": "A-1"}'
    const ndjson = { 'content-type': 'application/x-ndjson' }
    const sent = async (key: string, headers: Record<string, string>) => {
      const answer = await ask('POST', '', { key, body: text, headers })
      return [answer.status, isReplayed(answer), answer.status === 409 ? answer.body : undefined]
    }
    const [key, other] = [newKey(), newKey()]
    expect(await sent(key, {})).toEqual([201, false, undefined])
    expect(await sent(key, ndjson)).toEqual([409, false, reused])
    expect(await sent(key, { 'content-type': 'Application/JSON; charset=utf-8' })).toEqual([
      201,
      true,
      undefined,
    ])
    await app.sql(`delete from ${shop.schema}.shop_products`)
    expect(await sent(other, ndjson)).toEqual([201, false, undefined])
    expect(await sent(other, {})).toEqual([409, false, reused])
    expect(await count()).toBe(1)
  })

  it('returns 409 for the corrected body of a refused request, which needs a new key', async () => {
    const key = newKey()
    for (const path of ['', '?unknown=1']) {
      expect((await ask('POST', path, { key: key + path, body: { sku: 'wrong' } })).status).toBe(400)
      const answer = await ask('POST', '', { key: key + path, body: { sku: 'A-1' } })
      expect([answer.status, answer.body]).toEqual([409, reused])
    }
    expect(await count()).toBe(0)
  })
})

describe('a repeated request of a caller who has lost the permission', () => {
  it('returns 403', async () => {
    const user = await app.user('writer')
    await grant(app, shop, user, ['change_site'])
    const asked = { key: newKey(), body: { sku: 'A-1' }, token: user.token }
    expect((await ask('POST', '', asked)).status).toBe(201)
    await grant(app, shop, user, ['access_site'])
    const answer = await ask('POST', '', asked)
    expect([answer.status, isReplayed(answer)]).toEqual([403, false])
    await grant(app, shop, user, ['change_site'])
    expect(isReplayed(await ask('POST', '', asked))).toBe(true)
  })
})

describe('an error', () => {
  it('with status 4xx is kept, even if the request would succeed now', async () => {
    await ask('POST', '', { body: { id: 5, sku: 'A-1' } })
    const key = newKey()
    const first = await ask('POST', '', { key, body: { sku: 'A-1' } })
    await ask('DELETE', '5/?hard_delete=true')
    const second = await ask('POST', '', { key, body: { sku: 'A-1' } })
    expect([first.status, isReplayed(first), isReplayed(second), shown(second)]).toEqual([
      409,
      false,
      true,
      shown(first),
    ])
    expect(await count()).toBe(0)
  })

  it.each([
    ['400', 'POST', '', { sku: 'lower' }],
    ['400', 'POST', '', '{"sku":'],
    ['404', 'PATCH', '99/', { stock: 1 }],
    ['404', 'PATCH', '', [{ id: 99, stock: 1 }]],
    ['400', 'DELETE', '?filter={}', undefined],
  ])('with status %s is kept: %s %s', async (status, method, path, body) => {
    expect((await askTwice(method, path, { body })).status).toBe(Number(status))
  })

  it('with status 412 is kept', async () => {
    await ask('POST', '', { body: { id: 1, sku: 'A-1' } })
    const headers = { 'if-match': '"none"' }
    expect((await askTwice('PATCH', '1/', { body: { stock: 1 }, headers })).status).toBe(412)
  })

  it('with status 503 is not kept: the repeated request is executed', async () => {
    await ask('POST', '', { body: { id: 1, sku: 'A-1', stock: 1 } })
    const release = await hold(app, `update ${shop.schema}.shop_products set stock = 7 where id = 1`)
    const asked = { key: newKey(), body: { stock: 2 } }
    expect((await ask('PATCH', '1/', asked)).status).toBe(503)
    await release()
    const answer = await ask('PATCH', '1/', asked)
    expect([answer.status, isReplayed(answer), answer.body.data.stock]).toEqual([200, false, 2])
  })

  it('with status 429 is not kept', async () => {
    const limited = app.with({ RATE_LIMIT_SCALE: '1', RATE_LIMIT_SIGNED_IN: '1' })
    const user = await app.user('hasty')
    await grant(app, shop, user, ['change_site'])
    const request = (key: string) =>
      limited.request('POST', shop.data('products'), {
        token: user.token,
        headers: { 'idempotency-key': key },
        body: { sku: 'A-1' },
      })
    await app.sql(`delete from tenant._kept_answers`)
    const answers = [await request('first'), await request('second')]
    expect(answers.map(({ status }) => status)).toEqual([201, 429])
    expect(await app.sql(`select from tenant._kept_answers`)).toHaveLength(1)
  })
})

describe('the first answer', () => {
  it('is repeated for each kind of write, with its status, body and ETag, in one round trip', async () => {
    const created = await askTwice('POST', '', { body: { id: 1, sku: 'A-1' } })
    expect([created.status, roundTrips(created)]).toEqual([201, '1'])
    await askTwice('POST', '', {
      body: [
        { id: 2, sku: 'A-2' },
        { id: 3, sku: 'A-3' },
      ],
    })
    await askTwice('PATCH', '1/', { body: { stock: 4 } })
    await askTwice('PUT', '1/', { body: { sku: 'A-1', stock: 5 } })
    await askTwice('PATCH', '', { body: [{ id: 1, stock: 6 }] })
    await askTwice('POST', 'upsert/?unique_fields=sku', { body: [{ sku: 'A-1', stock: 7 }, { sku: 'A-9' }] })
    await askTwice('DELETE', '1/')
    await askTwice('DELETE', '?ids=2')
    await askTwice('DELETE', `?filter=${encodeURIComponent('{"sku":"A-3"}')}`)
    expect(await count()).toBe(4)
  })

  it('is repeated unchanged, even if the record has been changed or deleted', async () => {
    const asked = { key: newKey(), body: { id: 1, sku: 'A-1', stock: 1 } }
    const first = await ask('POST', '', asked)
    await ask('PATCH', '1/', { body: { stock: 2 } })
    expect((await ask('POST', '', asked)).text).toBe(first.text)
    await ask('DELETE', '1/?hard_delete=true')
    expect((await ask('POST', '', asked)).text).toBe(first.text)
    expect(await count()).toBe(0)
  })

  it('is repeated with or without the envelope, as the repeated request asks', async () => {
    const asked = { key: newKey(), body: { id: 1, sku: 'A-1' } }
    const first = await ask('POST', '', asked)
    const bare = await ask('POST', '', { ...asked, headers: { accept: 'application/json;profile=array' } })
    expect([bare.status, bare.body, isReplayed(bare)]).toEqual([201, first.body.data, true])
  })

  it('is repeated after the table has changed, so that the request is invalid now, or was deleted', async () => {
    const path = `${shop.api}/apps/shop/datatables/`
    const fields = [
      { name: 'id', type: 'integer' },
      { name: 'a', type: 'string' },
    ]
    const schema = { primaryKey: 'id', fields }
    await ask('POST', `${shop.api}/apps/shop/datatables/create_schema/?materialize=true`, {
      body: { resources: [{ name: 'passing', schema }] },
    })
    const asked = { key: newKey(), body: { id: 1, a: 'x' } }
    const first = await ask('POST', shop.data('passing'), asked)
    const change = { json_schema: { primaryKey: 'id', fields: fields.slice(0, 1) } }
    expect((await ask('PATCH', `${path}passing/?allow_data_loss=true`, { body: change })).status).toBe(200)
    for (const repetition of [1, 2]) {
      const again = await ask('POST', shop.data('passing'), asked)
      expect([repetition, isReplayed(again), shown(again)]).toEqual([repetition, true, shown(first)])
    }
    expect((await ask('DELETE', `${path}passing/`)).status).toBe(204)
    const again = await ask('POST', shop.data('passing'), asked)
    expect([isReplayed(again), shown(again)]).toEqual([true, shown(first)])
  })

  it('belongs to its caller, method and path: the same key elsewhere is a different key', async () => {
    const other = await app.user('other')
    await grant(app, shop, other, ['change_site'])
    const key = newKey()
    const answers = [
      await ask('POST', '', { key, body: { id: 1, sku: 'A-1' } }),
      await ask('POST', '', { key, body: { id: 2, sku: 'A-2' }, token: other.token }),
      await ask('POST', 'upsert/?unique_fields=sku', { key, body: { sku: 'A-1', stock: 3 } }),
      await ask('PATCH', '1/', { key, body: { stock: 4 } }),
      await ask('PUT', '1/', { key, body: { sku: 'A-1' } }),
      await ask('POST', shop.data('makers'), { key, body: { name: 'Kestrel' } }),
    ]
    expect(answers.map((answer) => [answer.status, isReplayed(answer)])).toEqual(
      [201, 201, 200, 200, 200, 201].map((status) => [status, false]),
    )
    const prefixless = shop.data('products').replace(`/sites/${shop.slug}`, '').replace(/\/$/, '')
    const again = await app.request('POST', `http://${shop.slug}.tessera.test${prefixless}`, {
      token,
      headers: { 'idempotency-key': key },
      body: { id: 1, sku: 'A-1' },
    })
    expect([again.status, isReplayed(again)]).toEqual([201, true])
  })

  it('is forgotten after 24 hours, and later swept', async () => {
    const asked = { key: newKey(), body: { sku: 'A-1' } }
    await ask('POST', '', asked)
    const kept = () =>
      app.sql<{ hours: number }>(
        `select round(extract(epoch from expires_at - now()) / 3600)::int as hours
           from tenant._kept_answers`,
      )
    await sweepKeptAnswers(app.env)
    expect(new Set((await kept()).map(({ hours }) => hours))).toEqual(new Set([24]))
    await app.sql(`update tenant._kept_answers set expires_at = now() - interval '2 hours'`)
    expect((await ask('POST', '', asked)).status).toBe(409)
    await app.sql(`update tenant._kept_answers set expires_at = now() - interval '2 hours'`)
    await sweepKeptAnswers(app.env)
    expect(await kept()).toEqual([])
  })
})

describe('requests with the same key at the same time', () => {
  it('are executed once: the others wait for the first one, and get its answer', async () => {
    await ask('POST', '', { body: { id: 1, sku: 'A-1', stock: 1 } })
    const release = await hold(app, `update ${shop.schema}.shop_products set stock = 7 where id = 1`)
    const asked = { key: newKey(), body: [{ id: 1, stock: 2 }] }
    const asking = [1, 2, 3].map(() => ask('PATCH', '', asked))
    await untilWaiting(app, 3)
    await release()
    const answers = await Promise.all(asking)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(isReplayed).sort()).toEqual([false, true, true])
  })

  it(`are executed once: ${runs(100, 1000)} creates, each sent one to five times, with a third of the answers lost`, async () => {
    const total = runs(100, 1000)
    const queue = { left: Array.from({ length: total }, (_, index) => index) }
    const heard = () =>
      app.sql<{ n: number }>(
        `select coalesce(sum(json_array_length(records::json)), 0)::int as n
           from tenant._deliveries where event = 'RECORD_CREATE'`,
      )
    await app.sql(`delete from tenant._deliveries`)
    /** Repeats requests, at the same time and one after another, and ignores some answers. */
    const client = async () => {
      for (let index = queue.left.pop(); index !== undefined; index = queue.left.pop()) {
        const asked = { key: newKey(), body: { sku: `R-${index}`, stock: index } }
        const send = () => ask('POST', '', asked)
        const copies = 1 + Math.floor(Math.random() * 5)
        const answers = await Promise.all(Array.from({ length: copies }, send))
        const heardAnswers = answers.filter(({ status }) => status === 201 && Math.random() > 1 / 3)
        while (heardAnswers.length === 0) {
          const answer = await send()
          if (answer.status === 201 && Math.random() > 1 / 3) heardAnswers.push(answer)
        }
        expect(new Set(heardAnswers.map(({ text }) => text)).size).toBe(1)
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    expect([await count(), await heard()]).toEqual([total, [{ n: total }]])
  })
})

describe('edges with an Idempotency-Key', () => {
  it('are created, changed and deleted once', async () => {
    const path = `${shop.api}/apps/shop/datatables/`
    const schema = {
      primaryKey: 'id',
      fields: [{ name: 'id', type: 'integer' }],
      graph: { enabled: true, types: [{ name: 'knows' }] },
    }
    await ask('POST', `${path}create_schema/?materialize=true`, {
      body: { resources: [{ name: 'people', schema }] },
    })
    await ask('POST', shop.data('people'), { body: [{ id: 1 }, { id: 2 }] })
    const edges = `${path}people/edges/`
    const created = await askTwice('POST', edges, { body: [{ from_id: 1, to_id: 2, type: 'knows' }] })
    const edge = created.body.results[0].id
    await askTwice('PATCH', `${edges}${edge}/`, { body: { from_id: 2, to_id: 1, type: 'knows' } })
    await askTwice('DELETE', edges, { body: { edge_ids: [edge] } })
    await askTwice('POST', edges, { body: [{ from_id: 1, to_id: 9, type: 'knows' }] })
  })
})
