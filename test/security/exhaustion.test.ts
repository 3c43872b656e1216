/**
 * Attempts of one tenant to use up shared resources: the thread of the isolate, its memory, connections,
 * Postgres. Each is refused in the documented way, and other tenants are served. A7, T9.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { createShop, ownerOf, type Shop } from '../support/fixtures.ts'
import { written } from '../support/guests.ts'
import { hold, untilWaiting } from '../support/locks.ts'
import { runs } from '../support/runs.ts'
import { runInSite } from '../support/tenant.ts'
import { timeLimit } from '../support/time-limit.ts'
import { until } from '../support/until.ts'

let app: TestApp
let shop: Shop
let neighbour: Shop
let owner: ReturnType<typeof ownerOf>

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'greedy')
  neighbour = await createShop(app, 'neighbour')
  owner = ownerOf(app, shop)
  for (const {
    data,
    owner: { token },
  } of [shop, neighbour])
    await app.request('POST', data('makers'), { token, body: { id: 1, name: 'Ostra' } })
})

type Answer = Awaited<ReturnType<TestApp['request']>>

const tally = (answers: readonly Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const many = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const quickly = async <Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now()
  const result = await work()
  expect(performance.now() - began).toBeLessThan(await timeLimit(milliseconds))
  return result
}
const readNeighbour = () =>
  app.request('GET', `${neighbour.data('makers')}1/`, { token: neighbour.owner.token })

const busy = { detail: 'Too many requests are being processed. Try again in a moment.', code: 'busy' }

/** Expects that each response is a success or the documented 503. */
function expectServedOrBusy(answers: readonly Answer[], served: number): void {
  for (const { status, headers, body } of answers) {
    if (status === served) continue
    expect([status, body]).toEqual([503, busy])
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  }
}

describe('a body with very many properties', () => {
  const members = Array.from({ length: 500 }, (_, index) => [`execution_mo${index}`, 1])
  const wide = Object.fromEntries(members)

  it('gets 400 that names 100 of them, with one suggestion each, before and after a sign-in', async () => {
    const named = (required: string[], suggestion: string) =>
      Object.fromEntries([
        ...required.map((name) => [name, ['This field is required.']]),
        ...members.slice(0, 100 - required.length).map(([name]) => [name, [`Unknown field.${suggestion}`]]),
      ])
    const signIn = await app.request('POST', '/api/auth/jwt/token/', { body: wide })
    expect([signIn.status, signIn.body]).toEqual([400, named(['username', 'password'], '')])
    const created = await owner.post('shop/functions/', wide)
    expect([created.status, created.body]).toEqual([400, named(['name'], ' Did you mean "execution_mode"?')])
  })
})

describe('data of an app that is kept in memory', () => {
  const note = 'x'.repeat(262_144)
  const config = { note: 'x'.repeat(65_536) }
  const fields = [{ name: 'id', type: 'integer' }]
  const json_schema = ['The schema has more than 262144 characters.']

  it('gets 400 for a schema of more than 262,144 characters, wherever it is saved', async () => {
    const fat = { fields, 'x-note': note }
    const path = 'shop/datasources/main/datatables/'
    expect(await owner.post(path, { name: 'fat', json_schema: fat })).toMatchObject({
      status: 400,
      body: { json_schema },
    })
    const resources = [{ name: 'fat', schema: { fields: [{ ...fields[0], 'x-note': note }] } }]
    expect(await owner.post('shop/datatables/create_schema/', { resources })).toMatchObject({
      status: 400,
      body: { json_schema: [`resource "fat": ${json_schema[0]}`] },
    })
    expect((await owner.post(path, { name: 'thin', json_schema: { fields } })).status).toBe(201)
    expect(await owner.patch('shop/datatables/thin/', { json_schema: fat })).toMatchObject({
      status: 400,
      body: { json_schema },
    })
  })

  it('gets 400 for settings of a datasource of more than 65,536 characters', async () => {
    const body = { provider_config: ['Ensure the settings have no more than 65536 characters.'] }
    const settings = { name: 'Fat', provider_type: 'flat_table', provider_config: config }
    expect(await owner.post('shop/datasources/', settings)).toMatchObject({ status: 400, body })
    expect(await owner.patch('shop/datasources/main/', { provider_config: config })).toMatchObject({
      status: 400,
      body,
    })
  })
})

describe('a body with more elements than its operation takes', () => {
  it('gets 413 that names the array', async () => {
    const ones = Array.from({ length: 300_000 }, () => 1)
    const scopes = [{ app: 'shop', tables: ['*'], can: ones }]
    const { status, body } = await app.request('POST', '/api/api-keys/', {
      token: shop.owner.token,
      body: { name: 'one', scopes },
    })
    expect([status, body]).toEqual([
      413,
      {
        detail: 'The body cannot be accepted. The array "scopes.0.can" has more than 10000 elements.',
        code: 'too_many_items',
      },
    ])
  })
})

/** Many small nested repetitions, which take Postgres seconds in each write. */
const evilPattern = '((a?){30}){30}'
const tooManyStates =
  'a pattern has at most 2000 states, and this one has more: a part repeated by {n} counts n times, and nested repetitions multiply'

describe('a nested counted pattern', () => {
  const schema = (pattern: string) => ({ fields: [{ name: 'a', type: 'string', constraints: { pattern } }] })
  const create = (name: string, pattern: string) =>
    owner.post('shop/datasources/main/datatables/?materialize=true', { name, json_schema: schema(pattern) })
  const tooSlow =
    'takes Postgres more than 250 ms, or all patterns together take more than twice that. ' +
    'Shorter repetitions, or none within others, are faster'

  it('gets 400 with the field and its states, wherever a schema is saved', async () => {
    const body = { json_schema: [`fields[0] ("a").constraints.pattern: ${tooManyStates}`] }
    expect(await create('evil', evilPattern)).toMatchObject({ status: 400, body })
    expect(
      await owner.post('shop/datatables/create_schema/', {
        resources: [{ name: 'evil', schema: schema(evilPattern) }],
      }),
    ).toMatchObject({
      status: 400,
      body: { json_schema: [`resource "evil": ${body.json_schema[0]}`] },
    })
    expect((await create('good', '^[a-z]{1,40}$')).status).toBe(201)
    expect(await owner.patch('shop/datatables/good/', { json_schema: schema(evilPattern) })).toMatchObject({
      status: 400,
      body,
    })
  })

  it('gets 400 if it has few states, but Postgres takes too long to compile it', async () => {
    // It has 1,800 states, and takes more than ten seconds.
    const pattern = '(?:(?:a?){30}){30}'
    const body = { json_schema: [`fields[0] ("a").constraints.pattern: ${tooSlow}`] }
    await quickly(10_000, async () =>
      expect(await create('evil', pattern)).toMatchObject({ status: 400, body }),
    )
    expect(
      await owner.patch('shop/datatables/good/?dry_run=true', { json_schema: schema(pattern) }),
    ).toMatchObject({ status: 400, body })
  })

  it('gets 400 for many that are fast enough each, but not together', async () => {
    const fields = Array.from({ length: 150 }, (_, index) => ({
      name: `f${index}`,
      type: 'string',
      constraints: { pattern: `(?:${String.fromCharCode(97 + (index % 26))}?){180}${index}` },
    }))
    const { status, body } = await quickly(10_000, () =>
      owner.post('shop/datasources/main/datatables/', { name: 'many', json_schema: { fields } }),
    )
    expect([status, body]).toEqual([
      400,
      {
        json_schema: [
          expect.stringMatching(/^fields\[\d+\] \("f\d+"\)\.constraints\.pattern: takes Postgres more than/),
        ],
      },
    ])
  })

  it('that already exists in a table causes a 422 for a write of one record, after two seconds', async () => {
    await app.sql(`alter table ${shop.schema}.shop_good add constraint evil check (a ~ '${evilPattern}')`)
    const { status, body } = await quickly(10_000, () =>
      owner.post('shop/datatables/good/data/', { a: 'aaaa' }),
    )
    expect([status, body.error]).toEqual([422, 'Write too complex'])
    await app.sql(`alter table ${shop.schema}.shop_good drop constraint evil`)
  })

  it('takes little time in the Worker, which leaves long texts to Postgres', async () => {
    expect((await owner.patch('shop/datatables/good/', { json_schema: schema('(?:.?){60}$') })).status).toBe(
      200,
    )
    const rows = Array.from({ length: 5 }, () => ({ a: 'x'.repeat(1_000_000) }))
    await quickly(15_000, async () =>
      expect((await owner.post('shop/datatables/good/data/', rows)).status).toBe(201),
    )
    expect(await owner.post('shop/datatables/good/validate_data/', { data: rows })).toMatchObject({
      status: 200,
      body: {
        is_valid: false,
        errors: expect.arrayContaining([expect.stringContaining('Not checked against its pattern')]),
      },
    })
  })
})

describe('a write of one record that waits for a lock', () => {
  it('gets 503 with Retry-After, and not 422, because a retry may succeed', async () => {
    const release = await hold(app, `update ${shop.schema}.shop_makers set name = name where id = 1`)
    const refused = await app.request('PATCH', `${shop.data('makers')}1/`, {
      token: shop.owner.token,
      body: { name: 'Changed' },
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    await release()
    expect(
      (
        await app.request('PATCH', `${shop.data('makers')}1/`, {
          token: shop.owner.token,
          body: { name: 'Changed' },
        })
      ).status,
    ).toBe(200)
  })
})

describe('a pattern in a secret type', () => {
  const make = (name: string, properties: object) =>
    ownerOf(app, shop, '').post('/secret-types/', { name, schema: { type: 'object', properties } })

  it('gets 400 with its place if it is nested and counted', async () => {
    const { status, body } = await make('evil', { a: { type: 'string', pattern: evilPattern } })
    const problem = `/properties/a/pattern is not a supported regular expression: ${tooManyStates}.`
    expect([status, body]).toEqual([
      400,
      { error: 'Validation failed', detail: { schema: [problem] }, code: 'validation_failed' },
    ])
    expect((await make('evil', { a: { patternProperties: { [evilPattern]: true } } })).status).toBe(400)
  })

  it('gets 400 quickly for a value that would take too much work', async () => {
    const pattern = '(?:.?){480}$'
    expect(
      (
        await make('slow', {
          a: { allOf: Array.from({ length: 20 }, (_, index) => ({ pattern: `${index}?${pattern}` })) },
        })
      ).status,
    ).toBe(201)
    const value = { a: 'x'.repeat(60_000) }
    const refused = await quickly(5_000, () =>
      ownerOf(app, shop, '').post('/secrets/', { secret_type: 'slow', key: 'SLOW', value }),
    )
    expect([refused.status, refused.body.error]).toEqual([400, 'Schema validation failed'])
  })
})

describe('a pattern in the conditions of a function', () => {
  it('gets 400 if it is nested and counted', async () => {
    const refused = await owner.post('shop/functions/', {
      name: 'evil',
      execution_mode: 'system',
      system_function: 'noop',
      filter_conditions: `event.data.name.matches("${evilPattern}")`,
    })
    expect([refused.status, refused.body]).toEqual([
      400,
      { filter_conditions: [`This is not a valid condition: ${tooManyStates}`] },
    ])
  })
})

describe('a flood of passwords to hash', () => {
  it('is served in turn or gets 503, and another site is served in between', async () => {
    const root = await app.user('root', { superuser: true })
    const hasty = app.with({ BUSY_WAIT_MS: '1500', PASSWORD_COST: '' })
    let flooding = true
    const flood = many(24, (index) =>
      hasty.request('POST', '/api/users/', {
        token: root.token,
        body: { username: `made-${index}`, email: `made-${index}@example.org`, password: 'Correct-horse-1' },
      }),
    ).finally(() => {
      flooding = false
    })
    let reads = 0
    const reading = (async () => {
      while (flooding) {
        expect((await readNeighbour()).status).toBe(200)
        reads++
      }
    })()
    const answers = await flood
    await reading
    expectServedOrBusy(answers, 201)
    const made = tally(answers)[201] ?? 0
    expect(made).toBeGreaterThan(0)
    // Without pauses, no read would finish before all passwords are hashed.
    expect(reads).toBeGreaterThanOrEqual(made / 2)
  })
})

describe('guessing the password of one account with two names', () => {
  it('gets 429 after the allowed attempts, also with the other name and with the right password', async () => {
    const few = app.with({ RATE_LIMIT_SCALE: '1', RATE_LIMIT_PASSWORD: '4' })
    const password = 'Correct-horse-1'
    await app.user('victim', { password })
    const guess = (username: string, index: number, secret = 'Wrong-1') =>
      few.request('POST', '/api/auth/jwt/token/', {
        body: { username, password: secret },
        headers: { 'cf-connecting-ip': `203.0.113.${index}` },
      })
    const answers = await many(8, (index) => guess(index % 2 ? 'victim' : 'VICTIM@example.org', index))
    expect(tally(answers)).toEqual({ 401: 4, 429: 4 })
    expect((await guess('victim', 20, password)).status).toBe(429)
    expect((await guess('victim@Example.ORG', 21, password)).status).toBe(429)
  })
})

describe('a flood of requests for whole graphs', () => {
  beforeAll(async () => {
    const node = {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'text', type: 'string' },
      ],
      primaryKey: 'id',
      hierarchy: true,
    }
    const resources = ['nodes', 'forest'].map((name) => ({ name, schema: node }))
    await owner.post('shop/datatables/create_schema/?materialize=true', { resources })
    for (const [table, count] of [
      ['nodes', 2_000],
      ['forest', 9_000],
    ] as const) {
      await app.sql(
        `insert into ${shop.schema}.shop_${table} (id, text) select n, repeat('x', 1000) from generate_series(1, ${count}) n`,
      )
    }
    await runInSite(app, shop, [
      written(`insert into ${shop.schema}.shop_nodes_edges (from_id, to_id, type)
               select n, n / 10, 'parent' from generate_series(10, 2000) n`),
    ])
  })

  it('gets 422 for a tree that would be larger than 8 MiB', async () => {
    expect(await owner.get('shop/datatables/forest/data/?format=tree')).toMatchObject({
      status: 422,
      body: {
        error: 'Answer too large',
        detail: 'The answer is longer than 8388608 bytes of JSON. Request fewer records, or less of each.',
        code: 'answer_too_large',
      },
    })
  })

  it('is served, a few at a time, or gets 503; another site is served meanwhile', async () => {
    const answers = await many(20, (index) =>
      owner.get(`shop/datatables/nodes/data/?format=${index % 2 ? 'tree' : 'graph'}`),
    )
    // As many requests wait as there is time for: a statement has eight seconds, including its response.
    const served = answers.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThan(0)
    for (const { body } of served) expect(body.total).toBe(2_000)
    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect((await readNeighbour()).status).toBe(200)
  })
})

describe('a short write with a long response', () => {
  it('gets 422 and changes nothing', async () => {
    await app.sql(`alter table ${shop.schema}.shop_makers drop constraint "shop_makers$name$maxLength"`)
    await app.sql(
      `insert into ${shop.schema}.shop_makers (id, name) select n, repeat('x', 30000) || n from generate_series(5001, 5600) n`,
    )
    const changes = Array.from({ length: 600 }, (_, index) => ({ id: 5001 + index }))
    const refused = await app.request('PATCH', shop.data('makers'), {
      token: shop.owner.token,
      body: changes,
    })
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        error: 'Answer too large',
        detail: 'The answer is longer than 12582912 bytes of JSON. Request fewer records, or less of each.',
        code: 'answer_too_large',
      },
    ])
    const few = await app.request('PATCH', shop.data('makers'), {
      token: shop.owner.token,
      body: changes.slice(0, 100),
    })
    expect([few.status, few.body.data.length]).toEqual([200, 100])
    await app.sql(`delete from ${shop.schema}.shop_makers where id > 5000`)
  })
})

describe('a request with excessive content', () => {
  const token = () => shop.owner.token

  it('gets 400 or a response quickly, for 65,536 values in a filter', async () => {
    const values = Array.from({ length: 65_536 }, (_, index) => index).join()
    const byQuery = await quickly(5_000, () =>
      app.request('GET', `${shop.data('makers')}?id__in=${values}`, { token: token() }),
    )
    expect([200, 400]).toContain(byQuery.status)
    const tree = encodeURIComponent(
      JSON.stringify({ or: Array.from({ length: 65_536 }, (_, id) => ({ id })) }),
    )
    const byTree = await quickly(5_000, () =>
      app.request('GET', `${shop.data('makers')}?filters=${tree}`, { token: token() }),
    )
    expect([byTree.status, byTree.body.error]).toEqual([400, 'Validation failed'])
    const ids = await quickly(5_000, () =>
      app.request('DELETE', `${shop.data('makers')}?ids=${values}`, { token: token() }),
    )
    expect([400, 413]).toContain(ids.status)
  })

  it('gets 400 if it populates in circles beyond three steps', async () => {
    const circle = 'maker.products.maker.products'
    const { status, body } = await quickly(5_000, () =>
      app.request('GET', `${shop.data('products')}?populate=${circle}`, { token: token() }),
    )
    expect([status, Object.keys(body.details)]).toEqual([400, ['populate']])
    expect(
      (await app.request('GET', `${shop.data('products')}?populate=maker.products.maker`, { token: token() }))
        .status,
    ).toBe(200)
  })

  it('gets 400 for JSON with 100,000 levels', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const places: [path: string, body: string][] = [
      [shop.data('makers'), `{"name": ${deep}}`],
      [`${shop.api}/apps/`, `{"name": ${deep}}`],
      [`${shop.api}/apps/shop/datatables/create_schema/`, `{"resources": ${deep}}`],
      [`${shop.api}/secrets/`, `{"secret_type": "api-key", "key": "DEEP", "value": {"a": ${deep}}}`],
      [`${shop.api}/api-keys/`, deep],
    ]
    for (const [path, body] of places) {
      expect([
        path,
        (await quickly(5_000, () => app.request('POST', path, { token: token(), body }))).status,
      ]).toEqual([path, 400])
    }
  })

  it('gets 413 for 11 MB without a Content-Length', async () => {
    let left = 11
    const body = new ReadableStream({
      pull: (controller) =>
        left-- > 0 ? controller.enqueue(new Uint8Array(1024 * 1024).fill(32)) : controller.close(),
    })
    const { status, body: refusal } = await app.request('POST', shop.data('makers'), { token: token(), body })
    expect([status, refusal]).toEqual([
      413,
      { detail: 'The body is larger than 10485760 bytes.', code: 'body_too_large' },
    ])
  })
})

describe('a quota', () => {
  const exceeded = (detail: string) => ({ error: 'Quota exceeded', detail, code: 'quota_exceeded' })
  const expectUpTo = (answers: readonly Answer[], max: number, detail: string) => {
    expect(tally(answers)).toEqual({ 201: max, 422: answers.length - max })
    for (const { status, body } of answers) if (status === 422) expect(body).toEqual(exceeded(detail))
  }

  it('of organizations applies to 20 concurrent requests, but not to superusers', async () => {
    const limited = app.with({ QUOTA_ORGANIZATIONS: '3' })
    const create = (token: string) => (index: number) =>
      limited.request('POST', '/api/cloud/organizations/', {
        token,
        body: { name: `Quota ${token.slice(-8)} ${index}` },
      })
    const founder = await app.user('founder')
    expectUpTo(await many(20, create(founder.token)), 3, 'A user may create at most 3 organizations.')
    const superuser = await app.user('superuser', { superuser: true })
    expect(tally(await many(5, create(superuser.token)))).toEqual({ 201: 5 })
  })

  it('of sites applies to 20 concurrent requests, also of superusers', async () => {
    const limited = app.with({ QUOTA_SITES: '2' })
    const { token } = await app.user('builder', { superuser: true })
    const body = { name: 'Quota of sites' }
    const { slug } = (await app.request('POST', '/api/cloud/organizations/', { token, body })).body
    const create = (index: number) =>
      limited.request('POST', `/api/cloud/organizations/${slug}/sites/`, {
        token,
        body: { name: `Quota site ${index}` },
      })
    expectUpTo(await many(20, create), 2, 'An organization may have at most 2 sites.')
  })

  it('of apps applies to 20 concurrent requests, and counts deleted apps', async () => {
    const limited = ownerOf(app.with({ QUOTA_APPS: '4' }), shop)
    const detail = 'A site may have at most 4 apps, including deleted apps that can be restored.'
    expectUpTo(await many(20, (index) => limited.post('', { name: `Quota ${index}` })), 3, detail)
    const { body } = await limited.get('?page_size=100')
    const made = body.results.find(({ slug }: { slug: string }) => slug !== 'shop')
    expect((await limited.delete(`${made.slug}/`)).status).toBe(204)
    expect(await limited.post('', { name: 'One more' })).toMatchObject({
      status: 422,
      body: exceeded(detail),
    })
  })

  it('of tables applies to 20 concurrent requests for a table, a data package, and references', async () => {
    await owner.post('', { name: 'Tables' })
    await owner.post('tables/datasources/', { name: 'Main', slug: 'main', provider_type: 'flat_table' })
    const limited = ownerOf(app.with({ QUOTA_TABLES: '3' }), shop)
    const json_schema = { fields: [{ name: 'a', type: 'string' }] }
    const detail = 'An app may have at most 3 datatables and references.'
    const create = (index: number) =>
      limited.post('tables/datasources/main/datatables/', { name: `t${index}`, json_schema })
    const tables = await many(20, create)
    expectUpTo(tables, 3, detail)
    const taken = tables.find(({ status }) => status === 201)?.body.name
    const resources = [{ name: 'more', schema: json_schema }]
    expect(await limited.post('tables/datatables/create_schema/', { resources })).toMatchObject({
      status: 422,
      body: exceeded(detail),
    })
    const reference = (name: string) => ({
      source_app_slug: 'shop',
      source_table_name: 'makers',
      reference_name: name,
    })
    expect(await limited.post('tables/datatables/import-reference/', reference('r'))).toMatchObject({
      status: 422,
      body: exceeded(detail),
    })
    await limited.delete(`tables/datatables/${taken}/`)
    expect((await limited.post('tables/datatables/create_schema/', { resources })).status).toBe(201)
    expect(await limited.post(`tables/datatables/${taken}/restore/`)).toMatchObject({
      status: 422,
      body: exceeded(detail),
    })
    await limited.delete('tables/datatables/more/')
    expect((await limited.post(`tables/datatables/${taken}/restore/`)).status).toBe(200)
    const some = ownerOf(app.with({ QUOTA_TABLES: '5' }), shop)
    const { status, body } = await some.post(
      'tables/datatables/import-reference/',
      [taken, 'r1', 'r2', 'r3'].map(reference),
    )
    expect([status, body.created, body.failed]).toEqual([207, 2, 2])
    expect(body.errors.map(({ index, error }: { index: number; error: string }) => [index, error])).toEqual([
      [0, `reference_name: A datatable named "${taken}" already exists in this app.`],
      [3, 'An app may have at most 5 datatables and references.'],
    ])
  })

  it('of fields and indexes causes a 422 when a table is created, and when its schema changes', async () => {
    const limited = ownerOf(
      app.with({ QUOTA_FIELDS: '3', QUOTA_INDEXES: '3' }),
      shop,
      '/apps/shop/datasources/main/datatables/',
    )
    const fields = (count: number, constraints = {}) =>
      Array.from({ length: count }, (_, index) => ({ name: `f${index}`, type: 'string', constraints }))
    const refusedFields = exceeded('"wide" would have 4 fields. A datatable may have at most 3.')
    const refusedIndexes = exceeded(
      '"wide" would have 4 indexes, including those of keys and unique fields. A datatable may have at most 3.',
    )
    // One field more with the id, which is added.
    expect(await limited.post('', { name: 'wide', json_schema: { fields: fields(3) } })).toMatchObject({
      status: 422,
      body: refusedFields,
    })
    const indexed = {
      fields: fields(3, { unique: true }),
      primaryKey: 'f0',
      indexes: [{ name: 'both', fields: ['f1', 'f2'] }],
    }
    expect(await limited.post('', { name: 'wide', json_schema: indexed })).toMatchObject({
      status: 422,
      body: refusedIndexes,
    })
    expect((await limited.post('', { name: 'wide', json_schema: { fields: fields(2) } })).status).toBe(201)
    expect(await limited.patch('wide/', { json_schema: { fields: fields(3) } })).toMatchObject({
      status: 422,
      body: refusedFields,
    })
    expect(await limited.patch('wide/', { json_schema: indexed })).toMatchObject({
      status: 422,
      body: refusedIndexes,
    })
  })
})

describe('a noisy neighbour of a site', () => {
  it('with 40 concurrent slow aggregations does not slow down the reads of the site or make them fail', async () => {
    await owner.post('', { name: 'Noise' })
    const schema = {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'x', type: 'number' },
      ],
      primaryKey: 'id',
    }
    await owner.post('noise/datatables/create_schema/?materialize=true', {
      resources: [{ name: 'noise', schema }],
    })
    await app.sql(
      `insert into ${shop.schema}.noise_noise (id, x) select n, random() from generate_series(1, ${runs(20_000, 40_000)}) n`,
    )
    const timed = async () => {
      const began = performance.now()
      const { status } = await readNeighbour()
      expect(status).toBe(200)
      return performance.now() - began
    }
    const share = runs(0.5, 0.95)
    const quantile = (times: number[]) =>
      times.sort((a, b) => a - b)[Math.floor(times.length * share)] as number
    const alone: number[] = []
    for (let read = 0; read < 40; read++) alone.push(await timed())

    let isNoisy = true
    const noise = many(40, () =>
      owner.get('noise/datatables/noise/data/?_aggregate=stddev(x*x*x),variance(x/3),count(distinct x)'),
    ).finally(() => {
      isNoisy = false
    })
    const beside: number[] = []
    while (isNoisy) beside.push(await timed())
    expect(tally(await noise)).toEqual({ 200: 40 })
    // Enough reads for the quantile. A busy machine makes fewer while the aggregations run.
    expect(beside.length).toBeGreaterThan(runs(8, 20))
    expect(quantile(beside)).toBeLessThan(Math.max(10 * quantile(alone), await timeLimit(100)))
  })

  it('gets 503 for requests that find no slot in time; the site keeps all its slots', async () => {
    const hasty = app.with({ SITE_CONCURRENCY: '2', BUSY_WAIT_MS: '300' })
    // The neighbour's requests wait for their own slots as long as a busy machine needs.
    const patient = app.with({ SITE_CONCURRENCY: '2' })
    // Loads the schema of the tables, so that each write needs one round trip.
    expect((await hasty.request('GET', `${shop.data('makers')}1/`, { token: shop.owner.token })).status).toBe(
      200,
    )
    const release = await hold(app, `update ${shop.schema}.shop_makers set name = name`)
    const refused: Answer[] = []
    const writes = many(6, () =>
      hasty
        .request('PATCH', `${shop.data('makers')}1/`, {
          token: shop.owner.token,
          body: { name: 'Waiting' },
        })
        .then((answer) => {
          if (answer.status === 503) refused.push(answer)
          return answer
        }),
    )
    await untilWaiting(app, 2)
    const reads = await many(6, () =>
      patient.request('GET', `${neighbour.data('makers')}1/`, { token: neighbour.owner.token }),
    )
    expect(tally(reads)).toEqual({ 200: 6 })
    await until(
      () => refused.length === 4,
      () => 'four that found no place in time',
    )
    await release()
    const answers = await writes
    expectServedOrBusy(answers, 200)
    expect(tally(answers)).toEqual({ 200: 2, 503: 4 })
  })
})
