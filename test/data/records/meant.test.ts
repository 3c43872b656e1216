/** Writes by a filter hit many records only if the request says so, whoever sends it and in whatever way. R20. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clientOf } from '../../client/support.ts'
import type { TestApp, User } from '../../support/app.ts'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { ownerOf, type Shop } from '../../support/fixtures.ts'

const resources = [
  {
    name: 'groups',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
      ],
    },
  },
  {
    name: 'goods',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'title', type: 'string' },
        { name: 'done', type: 'boolean' },
        { name: 'about', type: 'object' },
        { name: 'tags', type: 'array' },
        { name: 'group_id', type: 'integer', constraints: { required: true } },
        { name: 'is_deleted', type: 'boolean' },
      ],
      foreignKeys: [{ fields: 'group_id', reference: { resource: 'groups', fields: 'id' } }],
    },
  },
]
const own = ['id', 'title', 'done', 'about', 'tags', 'group_id']

let app: TestApp
let shop: Shop
let data: BothProviders['data']
let key: string
let guest: User

const appOf = { flat_table: 'shop', jsonb: 'papers' } as const

beforeAll(async () => {
  ;({ app, shop, data } = await createInBothProviders('meant', resources, []))
  guest = await app.user('passer-by')
  const { token } = shop.owner
  const rules = [{ name: 'all', who: 'anyone', can: ['read', 'update', 'delete'], fields: own }]
  for (const slug of Object.values(appOf))
    for (const table of ['goods', 'groups'])
      expect(
        await app.request('PUT', `${shop.api}/apps/${slug}/datatables/${table}/access/`, {
          token,
          body: { rules: table === 'goods' ? rules : [{ name: 'all', who: 'anyone', can: ['read'] }] },
        }),
      ).toMatchObject({ status: 200 })
  const scopes = Object.values(appOf).map((slug) => ({
    app: slug,
    tables: ['*'],
    can: ['read', 'create', 'update', 'delete'],
  }))
  const made = await app.request('POST', `${shop.api}/api-keys/`, { token, body: { name: 'all', scopes } })
  key = made.body.key
  const code = `export default async ({ app, all }, { db }) => {
    const { goods } = db[app]
    const answers = []
    for (const { method, where = {}, options } of all) {
      const call = method === 'DELETE' ? goods.deleteWhere(where, options) : goods.updateWhere(where, { done: true }, options)
      answers.push(await call.then((count) => ({ count }), ({ status, body }) => ({ status, body })))
    }
    return answers
  }`
  for (const slug of Object.values(appOf))
    expect(await ownerOf(app, shop).post(`${slug}/functions/`, { name: 'writes', code })).toMatchObject({
      status: 201,
    })
})

interface Asked {
  method: string
  where?: object
  options?: { all?: boolean; expect?: number; limit?: number }
}
/** The calls of the client that write by a filter. */
interface Writer {
  deleteWhere(where: object, options: Asked['options']): Promise<number>
  updateWhere(where: object, changes: object, options: Asked['options']): Promise<number>
}
/** The status and the body of a failure, or the number of written records. */
type Answer = { status: number; body: unknown } | { count: number }
type Provider = keyof typeof appOf
/** Asks one after the other. */
type Door = (provider: Provider, all: readonly Asked[]) => Promise<Answer[]>

const oneByOne =
  (ask: (provider: Provider, asked: Asked) => Promise<Answer>): Door =>
  async (provider, all) => {
    const answers: Answer[] = []
    for (const asked of all) answers.push(await ask(provider, asked))
    return answers
  }

const request = (credentials: () => { token?: string; headers?: Record<string, string> }): Door =>
  oneByOne(async (provider, { method, where, options = {} }) => {
    const query = new URLSearchParams({ return: 'minimal' })
    if (where) query.set('filter', JSON.stringify(where))
    for (const [name, value] of Object.entries(options)) query.set(name, String(value))
    const path = `${data[provider]('goods')}?${query}`
    const body = method === 'PATCH' ? { body: { done: true } } : {}
    const { status, body: answer } = await app.request(method, path, { ...credentials(), ...body })
    return status === 200 ? { count: answer.deleted ?? answer.updated_count } : { status, body: answer }
  })

const doors: Record<string, Door> = {
  'a member': request(() => ({ token: shop.owner.token })),
  'an API key': request(() => ({ headers: { authorization: `Api-Key ${key}` } })),
  'a guest': request(() => ({ token: guest.token })),
  'the client': oneByOne(async (provider, { method, where = {}, options }) => {
    const db = clientOf(app, { site: shop.slug, auth: { token: shop.owner.token } })
    const goods = db.app(appOf[provider]).goods as unknown as Writer
    try {
      const count =
        method === 'DELETE'
          ? await goods.deleteWhere(where, options)
          : await goods.updateWhere(where, { done: true }, options)
      return { count }
    } catch (error) {
      const { status, body } = error as { status: number; body: unknown }
      return { status, body }
    }
  }),
  async 'a function'(provider, all) {
    const slug = appOf[provider]
    const path = `${shop.api}/apps/${slug}/functions/writes/execute/`
    const answers: Answer[] = []
    // A run has a time limit.
    for (let from = 0; from < all.length; from += 20) {
      const params = { app: slug, all: all.slice(from, from + 20) }
      const { body } = await app.request('POST', path, { token: shop.owner.token, body: { params } })
      answers.push(...body.data)
    }
    return answers
  },
}

const throughDoor = async (door: string, provider: Provider, asked: Asked): Promise<Answer | undefined> =>
  (await doors[door]?.(provider, [asked]))?.[0]

const writes = Object.keys(doors).flatMap((door) => ['DELETE', 'PATCH'].map((method) => ({ door, method })))

const everything = (field: string) =>
  `A condition on "${field}" excludes no value: everything meets it. ` +
  'To write every record, send all=true without a filter.'
const nothing = 'A part of the filter has no condition, so it would match every record.'

/** Filters that exclude nothing, each with the message. */
const unconditional: [where: object, message: string][] = [
  [{}, nothing],
  ...[
    ...['contains', 'containss', 'icontains', 'startswith', 'startswiths', 'istartswith'],
    ...['endswith', 'endswiths', 'iendswith', 'ncontains', 'nicontains', 'nstartswith', 'gte'],
  ].map((operator): [object, string] => [{ [`title__${operator}`]: '' }, everything('title')]),
  ...['', '.*', '^', '$', '^.*$', '[a-z]*', 'a*', 'x|', '(a|.)*', '\\w*\\s*', '(?:)', '.{0,9}', 'a?'].flatMap(
    (pattern): [object, string][] => [
      [{ title__matches: pattern }, everything('title')],
      [{ title__imatches: pattern }, everything('title')],
    ],
  ),
  [{ title__contains: '', id: 1 }, everything('title')],
  [{ or: [{ id: 1 }, { title__icontains: '' }] }, everything('title')],
  [{ not: { title__startswith: '' } }, everything('title')],
  [{ 'group.name__contains': '' }, everything('name')],
  [{ about__contains: {} }, everything('about')],
  [{ about__name__contains: '' }, everything('about')],
  [{ about__part__contains: {} }, everything('about')],
  [{ tags__contains: [] }, everything('tags')],
  [{ id__nin: [] }, nothing],
  [{ or: [{ id: 1 }, { id__nin: [] }] }, nothing],
  [{ not: { id__in: [] } }, nothing],
  [{ or: [{ id: 1 }, {}] }, nothing],
  [{ id: 1, and: [] }, nothing],
  [{ not: {} }, nothing],
  [{ id__nnull: true }, nothing],
  [{ id__null: false }, nothing],
  [{ not: { id__null: true } }, nothing],
  [{ not: { 'group.id__in': [] } }, nothing],
  [{ not: { and: [{ title: 'a' }, { title__ne: 'a' }] } }, nothing],
  [{ group_id__null: false }, nothing],
  [{ 'group.id__nnull': true }, nothing],
  [{ or: [{ title__null: true }, { title__null: false }] }, nothing],
  [{ or: [{ title: 'a' }, { title__ne: 'a' }] }, nothing],
  [{ or: [{ title__in: ['a'] }, { id: 7 }, { not: { title__in: ['a'] } }] }, nothing],
]

/** Filters that are close to these, and exclude something. */
const conditional: object[] = [
  { title__contains: ' ' },
  { title__matches: '.' },
  { title__matches: 'a' },
  { title__imatches: '^A' },
  { title__gt: '' },
  { title__lte: '' },
  { title__in: [''] },
  { title: '' },
  { title__ne: '' },
  { title__null: true },
  { title__nnull: true },
  { about__contains: { a: {} } },
  { tags__contains: '' },
  { tags__contains: [{}] },
  { about__has_key: '' },
  { id__in: [] },
  { or: [{ id: 1 }, { title__ne: 'a' }] },
  { 'group.name__ne': '' },
]

describe.each(providers)('a write by a filter in a %s datasource', (provider) => {
  /** Returns how many records there are, and how many of them are done. */
  const state = async () => {
    const { token } = shop.owner
    const total = async (filter: string) =>
      (await app.request('GET', `${data[provider]('goods')}?_count=true${filter}`, { token })).body.total
    return [await total(''), await total('&done=true')]
  }
  const fill = async (count: number) => {
    const { token } = shop.owner
    await app.request('DELETE', `${data[provider]('goods')}?all=true&hard_delete=true`, { token })
    await app.request('POST', data[provider]('groups'), { token, body: { id: 1, name: 'one' } })
    const goods = Array.from({ length: count }, (_, id) => ({ id, title: `t${id}`, group_id: 1 }))
    const body = [...goods, { id: 20_000, title: 'gone', group_id: 1, is_deleted: true }]
    expect(
      (await app.request('POST', `${data[provider]('goods')}?return=minimal`, { token, body })).status,
    ).toBe(201)
  }

  describe('of few records', () => {
    beforeAll(() => fill(3))

    it.each(writes)('returns 400 if it cannot exclude any: $method by $door', async ({ door, method }) => {
      const all = unconditional.flatMap(([where, message]) =>
        [{}, { expect: 3 }].map((options) => ({ method, where, options, message })),
      )
      const asked = all.map(({ message: _, ...each }) => each)
      expect(await doors[door]?.(provider, asked)).toEqual(
        all.map(({ message }) => ({
          status: 400,
          body: { error: 'Validation failed', details: { filter: [message] }, code: 'validation_failed' },
        })),
      )
      expect(await state()).toEqual([3, 0])
    })

    it('is possible with conditions that are close to these', async () => {
      for (const where of conditional)
        for (const method of ['DELETE', 'PATCH']) {
          const asked = { method, where: { and: [where, { id: -1 }] } }
          expect([where, await throughDoor('a member', provider, asked)]).toEqual([where, { count: 0 }])
        }
    })

    it.each(writes)(
      'takes all=true instead of a filter from people only: $method by $door',
      async (write) => {
        await fill(3)
        const answer = await throughDoor(write.door, provider, {
          method: write.method,
          options: { all: true },
        })
        const mayWriteAll = ['a member', 'the client'].includes(write.door)
        expect(answer).toEqual(
          mayWriteAll
            ? { count: 3 }
            : {
                status: 403,
                body: {
                  error: 'Not allowed',
                  detail:
                    'all=true without a filter needs change_site. Guests, API keys and functions must send a filter.',
                  code: 'filter_required',
                },
              },
        )
        const left = write.method === 'DELETE' ? [0, 0] : [3, 3]
        expect(await state()).toEqual(mayWriteAll ? left : [3, 0])
      },
    )
  })

  describe('of many records', () => {
    beforeEach(() => fill(1_001))
    const where = { title__startswith: 't' }

    it.each(writes)('returns 422 with their number: $method by $door', async ({ door, method }) => {
      expect(await throughDoor(door, provider, { method, where })).toEqual({
        status: 422,
        body: {
          error: 'Many records',
          detail:
            'The filter matches 1001 records. Nothing was changed. To write more than 1000, ' +
            'send expect (their exact number), limit (how many at most) or all=true.',
          code: 'count_not_confirmed',
        },
      })
      expect(await state()).toEqual([1_001, 0])
    })

    it.each(
      writes.flatMap((write) => [
        { ...write, options: { expect: 1_001 }, count: 1_001 },
        { ...write, options: { limit: 1_001 }, count: 1_001 },
        { ...write, options: { all: true }, count: 1_001 },
      ]),
    )(
      'is possible if it says so: $method by $door with $options',
      async ({ door, method, options, count }) => {
        expect(await throughDoor(door, provider, { method, where, options })).toEqual({ count })
        expect(await state()).toEqual(method === 'DELETE' ? [0, 0] : [1_001, 1_001])
      },
    )

    it('needs nothing for 1,000 records, and counts only what the caller may see', async () => {
      const { token } = shop.owner
      await app.request('DELETE', `${data[provider]('goods')}7/`, { token })
      const asked = { method: 'PATCH', where }
      expect(await throughDoor('a member', provider, asked)).toEqual({ count: 1_000 })
    })
  })
})

describe('a write by a filter', () => {
  const path = () => data.flat_table('goods')
  const call = (method: string, query: string, body?: unknown) =>
    app.request(method, `${path()}?${query}`, { token: shop.owner.token, body })

  it.each<[string, string, unknown, object]>([
    ['DELETE', '', undefined, { ids: ['Send the ids of the records to delete, or a filter, or all=true.'] }],
    [
      'DELETE',
      'all=false',
      undefined,
      { ids: ['Send the ids of the records to delete, or a filter, or all=true.'] },
    ],
    ['DELETE', 'ids=1&all=true', undefined, { all: ['Not possible with ids.'] }],
    ['DELETE', 'ids=1&all=perhaps', undefined, { all: ['Must be true or false.'] }],
    ['PATCH', 'filter={"id":1}&all=perhaps', { done: true }, { all: ['Must be true or false.'] }],
    ['PATCH', 'all=true', [{ id: 1 }], { non_field_errors: ['A record must be an object.'] }],
  ])('returns 400 for %s ?%s', async (method, query, body, details) => {
    const answer = await call(method, query, body)
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'Validation failed', details, code: 'validation_failed' },
    ])
  })

  it('with a condition that has no value throws in the client, which would omit it', async () => {
    const db = clientOf(app, { site: shop.slug, auth: { token: shop.owner.token } })
    const goods = db.app('shop').goods as unknown as Writer
    const lacking = { title: 'a', or: [{ id: 1 }, { group_id: undefined }] }
    const problem = new TypeError('The filter "group_id" has no value: it is undefined.')
    await expect(goods.deleteWhere(lacking, { all: true })).rejects.toEqual(problem)
    await expect(goods.updateWhere(lacking, { done: true }, {})).rejects.toEqual(problem)
  })
})
