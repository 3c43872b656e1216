/**
 * Every list of the API except records: its pages together are the whole list, in each of its orders. W2, W6.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { siteIdOf, type TestApp } from '../support/app.ts'
import { type DocumentedOperation, responseOf } from '../support/contract.ts'
import { addTables } from '../support/fixtures.ts'
import { isList, itemsOf, lists } from '../support/lists.ts'
import { ask, createWorld, present, type World } from '../support/world.ts'

let world: World
let app: TestApp

/** The smallest number of items in each list. */
const several = 3
/**
 * The lists of which the site has items. A datasource in Postgres has no collections; pages of those in
 * MongoDB are in test/mongodb/adopted.test.ts.
 */
const filled = lists.filter(({ path }) => !path.endsWith('/collections/'))
const numbers = Array.from({ length: several }, (_, index) => index + 1)

beforeAll(async () => {
  world = await createWorld()
  app = world.app
  const { shop, root } = world
  const post = async (path: string, body: unknown, method = 'POST') => {
    const answer = await app.request(method, path, { token: root.token, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const people = {
    name: 'people',
    schema: { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id', hierarchy: true },
  }
  await addTables(app, shop, [people, ...numbers.map((n) => ({ name: `gone_${n}`, schema: people.schema }))])
  await post(`${shop.api}/apps/shop/datatables/people/data/`, [{ id: 0 }, ...numbers.map((id) => ({ id }))])
  await post(
    `${shop.api}/apps/shop/datatables/people/edges/`,
    numbers.map((n) => ({ from_id: n, to_id: 0, type: 'parent' })),
  )
  await post(
    '/api/cloud/sites/one/roles/',
    numbers.map((n) => ({ name: `several-${n}` })),
    'PUT',
  )
  for (const n of numbers) {
    const name = `Several ${n}`
    await app.request('DELETE', `${shop.api}/apps/shop/datatables/gone_${n}/`, { token: root.token })
    const member = await app.user(`several${n}`)
    await app.sql(
      `insert into memberships (organization_id, user_id, role) select id, $1, 'member' from organizations where slug = 'one-org'`,
      [member.id],
    )
    await post('/api/cloud/organizations/', { name })
    await post('/api/cloud/organizations/one-org/scim-keys/', { name })
    await app.sql(
      `insert into refresh_families (id, current, user_id, generation, expires_at, device)
       select gen_random_uuid(), gen_random_uuid(), u.id, u.generation, now() + interval '1 day', 'Several' from users u where u.id = $1`,
      [root.id],
    )
    await app.sql(
      `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
       select s.id, $2::bigint, 'several', $2::text, $1 from sites s where s.slug = 'one'`,
      [root.id, n],
    )
    await app.sql(
      `insert into passkeys (user_id, credential_id, public_key, counter, rp_id, transports, name)
       values ($1, $2, 'key', 0, 'localhost', '{}', $2)`,
      [root.id, name],
    )
    await app.sql(
      `insert into trusted_devices (user_id, hash, device, expires_at)
       values ($1, $2, 'Several', now() + interval '1 day')`,
      [root.id, name],
    )
    await post('/api/cloud/organizations/one-org/sites/', { name, slug: `several-${n}` })
    await post('/api/cloud/sites/one/domains/', { domain: `several${n}.example` })
    await post('/api/cloud/organizations/one-org/invitations/', {
      invitee_identifier: `several${n}@example.net`,
    })
    await post(`${shop.api}/api-keys/`, { name, expires_at: n === 1 ? null : `2090-01-0${n}T00:00:00Z` })
    await post(`${shop.api}/apps/`, { name })
    await post(`${shop.api}/apps/shop/datasources/`, {
      name,
      slug: `several-${n}`,
      provider_type: 'flat_table',
    })
    await post(`${shop.api}/tags/`, { name: `several-${n}` })
    await post(`${shop.api}/questions/`, { name, app: 'shop', table: 'makers', measure: 'count' })
    await post(`${shop.api}/dashboards/`, { name, questions: [] })
    await post(`${shop.api}/secret-types/`, { name: `several-${n}` })
    await post(`${shop.api}/secrets/`, { secret_type: 'one', key: `SEVERAL_${n}`, value: {} })
    await post(`${shop.api}/secrets/ONE/`, { value: { a: n + 1 } }, 'PUT')
    await post(`${shop.api}/auth/social-apps/`, {
      provider: ['google', 'slack', 'zoom'][n - 1],
      name,
      client_id: 'a',
      secret: 'b',
    })
    await post(
      `${shop.api}/apps/shop/datatables/makers/?allow_data_loss=true`,
      { json_schema: makersWith(`several_${n}`) },
      'PATCH',
    )
    await post(`${shop.api}/apps/shop/functions/one/`, { description: name }, 'PATCH')
    const made = await post(`${shop.api}/apps/shop/functions/`, {
      name,
      execution_mode: 'system',
      system_function: n === 1 ? 'fail' : 'noop',
    })
    await post(`${shop.api}/apps/shop/functions/several-${n}/execute/`, {})
    // The first function fails, and each of its runs becomes a dead letter.
    await post(`${shop.api}/apps/shop/functions/several-1/execute/`, {})
    await post(`${shop.api}/cloud/events/RECORD_CREATE/subscribe/`, { function_id: made.id })
    await app.sql(
      `insert into tenant._skipped_runs
         (site_id, function_id, function_name, function_slug, reason, day, count)
       values ($1, $2, $3, $4, 'conditions', current_date - $5::integer, $5::integer)`,
      [siteIdOf(shop), made.id, name, `several-${n}`, n],
    )
    await app.sql(
      `insert into tenant._mails (site_id, invocation_id, number, function_id, function_slug, app_slug, recipient,
                                  subject, text, state, due_at)
       values ($1, $5, 1, $2, $4, 'shop', $4 || '@example.org', $3, 'x', 'kept', now())`,
      [siteIdOf(shop), made.id, name, `several-${n}`, n],
    )
  }
})

const makersWith = (field: string) => ({
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string', constraints: { required: true, unique: true, maxLength: 40 } },
    { name: field, type: 'string' },
  ],
  primaryKey: 'id',
})

const inQuery = ({ parameters }: DocumentedOperation) =>
  parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
/** Returns the fields of the parameter `ordering` in the document. */
const orderings = ({ parameters }: DocumentedOperation): string[] =>
  /^\^-\?\(([\w|]+)\)/
    .exec(String(parameters.find(({ name }) => name === 'ordering')?.schema.pattern))?.[1]
    ?.split('|') ?? []
const named = (all: readonly DocumentedOperation[]) =>
  all.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

async function get(operation: DocumentedOperation, query: string) {
  // The list of edges needs a table with edges.
  const values = { ...present(world), ...(operation.path.endsWith('/edges/') ? { table: 'people' } : {}) }
  return ask(world, operation, { token: world.root.token, query, values })
}

async function read(operation: DocumentedOperation, query: string): Promise<unknown[]> {
  const { status, body } = await get(operation, query)
  expect([operation.path, query, status]).toEqual([operation.path, query, 200])
  return itemsOf(body)
}

/** Reads all parts of a list and joins them. `part` returns the query for a part by its number, from 0. */
async function readParts(
  operation: DocumentedOperation,
  count: number,
  size: number,
  part: (number: number) => string,
): Promise<unknown[]> {
  const all: unknown[] = []
  for (let number = 0; number * size < count; number++) all.push(...(await read(operation, part(number))))
  return all
}

const pages = (operation: DocumentedOperation, count: number, size: number, more = '') =>
  readParts(operation, count, size, (number) => `?page=${number + 1}&page_size=${size}${more}`)
const parts = (operation: DocumentedOperation, count: number, size: number, more = '') =>
  readParts(operation, count, size, (number) => `?offset=${number * size}&limit=${size}${more}`)

describe('every list', () => {
  it('is recognized by its answer, including those of the specification and excluding records', () => {
    expect(lists.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/api/users/',
        '/api/apps/',
        '/api/tags/',
        '/api/secrets/',
        '/api/cloud/sites/{site}/domains/',
        '/api/invocations/',
      ]),
    )
    expect(lists.every(isList)).toBe(true)
    expect(lists.length).toBeGreaterThan(20)
  })

  it.each(named(lists))('has the parameters page, page_size, limit and offset: %s', (_name, operation) => {
    expect(inQuery(operation)).toEqual(expect.arrayContaining(['page', 'page_size', 'limit', 'offset']))
  })

  it.each(named(filled))('has pages that together are the whole list: %s', async (_name, operation) => {
    const whole = await read(operation, '?limit=100')
    expect(whole.length).toBeGreaterThanOrEqual(several)
    // The audit has a hundred entries.
    const size = Math.ceil(whole.length / 10)
    expect(await pages(operation, whole.length, size)).toEqual(whole)
    expect(await parts(operation, whole.length, 2 * size)).toEqual(whole)
    expect(await read(operation, '?offset=1&limit=2')).toEqual(whole.slice(1, 3))
    expect(await read(operation, `?offset=${whole.length}`)).toEqual([])
  })

  it.each(named(lists))('reduces a size above the maximum to the maximum: %s', async (_name, operation) => {
    const whole = await read(operation, '?limit=100')
    for (const query of [
      '?page_size=100000',
      '?limit=99999999999',
      '?page=1&page_size=000101',
      '?limit=101&offset=0',
    ]) {
      expect(await read(operation, query)).toEqual(whole)
    }
  })

  it.each(named(lists))(
    'rejects pages mixed with offsets, and invalid numbers, with 400: %s',
    async (_name, operation) => {
      // Edges are paged like records, where `limit=0` returns only the total.
      const none = operation.path.endsWith('/edges/') ? [] : ['?limit=0']
      for (const query of [
        ...none,
        '?page=1&limit=1',
        '?page_size=1&offset=0',
        '?offset=-1',
        '?limit=x',
        '?limit=',
        '?page=0',
        '?page_size=0',
      ]) {
        const { status, body } = await get(operation, query)
        const { detail = body, details = detail } = body
        expect([query, status, Object.keys(details)]).toEqual([
          query,
          400,
          [...new URLSearchParams(query).keys()],
        ])
      }
    },
  )

  const linked = lists.filter((operation) =>
    JSON.stringify(responseOf(operation, 200)).includes('"previous"'),
  )
  it.each(named(linked))(
    'has links next and previous that lead through it in both directions: %s',
    async (_name, operation) => {
      const whole = await read(operation, '?limit=100')
      for (const query of ['?page_size=2', '?limit=2']) {
        let { body } = await get(operation, query)
        const forth = [...itemsOf(body)]
        while (body.next) {
          body = (await app.request('GET', body.next, { token: world.root.token })).body
          forth.push(...itemsOf(body))
        }
        expect(forth).toEqual(whole)
        const back = [...itemsOf(body)]
        while (body.previous) {
          body = (await app.request('GET', body.previous, { token: world.root.token })).body
          back.unshift(...itemsOf(body))
        }
        expect(back).toEqual(whole)
      }
      expect(await get(operation, '?page=9999')).toMatchObject({ status: 404 })
    },
  )

  const bare = filled.filter(
    (operation) => responseOf(operation, 200)?.headers?.['X-Total-Count'] !== undefined,
  )
  it.each(named(bare))(
    'that is a bare array is whole unless a page is requested, with the total in X-Total-Count: %s',
    async (_name, operation) => {
      const { body, headers } = await get(operation, '')
      expect(body).toEqual(await read(operation, '?limit=100'))
      expect(headers.get('x-total-count')).toBe(String(body.length))
      const part = await get(operation, '?page=2&page_size=1')
      expect([part.body, part.headers.get('x-total-count')]).toEqual([[body[1]], String(body.length)])
      expect((await get(operation, '?page=9999')).body).toEqual([])
    },
  )
})

describe('ordering', () => {
  const ordered = lists.filter((operation) => orderings(operation).length > 0)

  it('is a parameter of all lists except collections, edges and events, which have a fixed order', () => {
    expect(lists.filter((operation) => !ordered.includes(operation)).map(({ path }) => path)).toEqual([
      '/api/apps/{app}/datasources/{datasource}/collections/',
      '/api/apps/{app}/datatables/{table}/edges/',
      '/api/cloud/events/',
    ])
  })

  it.each(named(ordered))(
    'sorts by each of its fields in both directions, also across pages: %s',
    async (_name, operation) => {
      const whole = await read(operation, '?limit=100')
      for (const field of orderings(operation)) {
        // Only lists of deleted datatables have these fields.
        if (['deleted_at', 'drop_at'].includes(field)) continue
        for (const order of [field, `-${field}`]) {
          const sorted = await read(operation, `?limit=100&ordering=${order}`)
          expect(sorted).toHaveLength(whole.length)
          expect(sorted).toEqual(expect.arrayContaining(whole))
          expect([order, isSorted(sorted, field, order.startsWith('-'))]).toEqual([order, true])
          const half = Math.ceil(whole.length / 2)
          expect(await pages(operation, whole.length, half, `&ordering=${order}`)).toEqual(sorted)
        }
      }
    },
  )

  it.each(named(ordered))(
    'is rejected with 400 and the known fields for an unknown field: %s',
    async (_name, operation) => {
      const { status, body } = await get(operation, '?ordering=zzz')
      const { detail = body } = body
      const fields = `Sort by one or more of: ${orderings(operation).join(', ')}. A "-" before a field sorts in descending order.`
      expect([status, detail]).toEqual([400, { ordering: [fields] }])
    },
  )
})

describe('search', () => {
  const searched = lists.filter((operation) => inQuery(operation).includes('search'))

  it.each(named(searched))(
    'finds items that contain the text regardless of case, and has no special characters: %s',
    async (_name, operation) => {
      const [first] = (await read(operation, '?limit=1')) as [Record<string, unknown>]
      const text = texts(first)[0] as string
      const found = await read(
        operation,
        `?limit=100&search=${encodeURIComponent(text.slice(0, 4).toUpperCase())}`,
      )
      expect(found).toContainEqual(first)
      for (const sign of ['%25%25%25', '_%25_%25_%25_', 'no such text', '%5C%5C'])
        expect(await read(operation, `?search=${sign}`)).toEqual([])
      expect(await read(operation, '?limit=100&search=')).toEqual(await read(operation, '?limit=100'))
    },
  )
})

describe('deleted datatables', () => {
  it('are paged and sorted like others, also by the time of deletion, which others do not have', async () => {
    const path = `${world.shop.api}/apps/shop/datatables/`
    const names = async (query: string) =>
      (await app.request('GET', `${path}${query}`, { token: world.root.token })).body.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('?deleted=true')).toEqual(['gone_3', 'gone_2', 'gone_1'])
    expect(await names('?deleted=true&ordering=deleted_at&page=2&page_size=2')).toEqual(['gone_3'])
    expect(await names('?deleted=true&ordering=-name&offset=1&search=GONE')).toEqual(['gone_2', 'gone_1'])
    expect(
      (await app.request('GET', `${path}?ordering=-deleted_at`, { token: world.root.token })).body,
    ).toEqual({
      ordering: ['Ordering by deletion requires deleted=true.'],
    })
  })
})

/** Returns the texts of an item that `search` looks in. */
const texts = ({ changed_by, user = changed_by, ...item }: Record<string, unknown>): unknown[] =>
  [
    'name',
    'username',
    'key',
    'domain',
    'invitee_identifier',
    'to',
    'subject',
    'function_name',
    'object',
    'device',
    'description',
    'user',
  ]
    .map(
      (member) => (typeof user === 'object' ? (user as Record<string, unknown>) : { ...item, user })[member],
    )
    .filter((text) => typeof text === 'string' && text !== '')

/** Tells if items are sorted by a field. Text is compared by code point, as in Postgres; nulls are last. */
function isSorted(items: readonly unknown[], field: string, descending: boolean): boolean {
  const values = items.map((item) => {
    const { user, ...own } = item as Record<string, unknown>
    const found = field in own ? own[field] : (user as Record<string, unknown> | undefined)?.[field]
    // A site is sorted by the name of its organization.
    const value = field === 'organization' ? (found as { name?: string }).name : found
    return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value
  })
  return values.every((value, index) => {
    const before = values[index - 1]
    if (index === 0 || value === undefined || before === undefined || value === before || value === null)
      return true
    if (before === null) return false
    const isLess =
      typeof value === 'string'
        ? Buffer.compare(Buffer.from(before as string), Buffer.from(value)) < 0
        : (before as number) < (value as number)
    return isLess !== descending
  })
}
