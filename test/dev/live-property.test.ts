/** Live lists: whatever is written, each follower has the list in the end that a fresh request gets. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Follower, follow } from '../support/follower.ts'
import { runs } from '../support/runs.ts'
import { admin, type Service, startService } from '../support/service.ts'

let service: Service
const data = (table: string) => `/api/apps/shop/datatables/${table}/data/`
const people = ['ann', 'ben', 'cem'] as const
/** The headers of each person; `''` is nobody, `admin` a member. */
const headers = new Map<string, Record<string, string>>([['', {}]])
const ids = new Map<string, number>()

const integer = (name: string) => ({ name, type: 'integer' })
const resources = [
  {
    name: 'shelves',
    schema: {
      fields: [integer('id'), { name: 'place', type: 'string' }],
      primaryKey: 'id',
    },
  },
  {
    name: 'books',
    schema: {
      fields: [integer('id'), { name: 'title', type: 'string' }, integer('shelf_id'), integer('reader')],
      primaryKey: 'id',
      foreignKeys: [
        {
          fields: ['shelf_id'],
          reference: { resource: 'shelves', fields: ['id'] },
          'x-actions': { onDelete: 'CASCADE' },
        },
      ],
    },
  },
]
const rules = [
  { name: 'open', tables: ['books'], who: 'anyone', can: ['read'], where: { title__startswith: 'a' } },
  { name: 'own', tables: ['books'], who: 'signed-in', can: ['read'], where: { reader: { $: 'user.id' } } },
  { name: 'low', tables: ['shelves'], who: 'signed-in', can: ['read'], where: { id__lt: 6 } },
]

beforeAll(async () => {
  service = await startService([])
  const { client } = service
  await client.request('POST', '/api/apps/', { name: 'shop' })
  await client.request('POST', '/api/apps/shop/datatables/create_schema/?materialize=true', { resources })
  await client.request('PUT', '/api/apps/shop/access/', { rules })
  await client.request('PUT', '/api/apps/shop/datatables/books/access/', {
    rules: [{ name: 'shelved', who: 'signed-in', can: ['read'], where: { 'shelf.place': 'p1' } }],
  })
  headers.set('admin', await headersOf(admin.email, admin.password))
  for (const username of people) {
    const password = 'Follower-live-1'
    await client.request('POST', '/api/users/', { username, email: `${username}@example.com`, password })
    const { id } = await client.request<{ id: number }>('GET', `/api/users/${username}/`)
    ids.set(username, id)
    headers.set(username, await headersOf(username, password))
  }
})
afterAll(() => service?.stop())

async function headersOf(username: string, password: string) {
  const signedIn = await fetch(`${service.origin}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return { authorization: `Bearer ${((await signedIn.json()) as { access: string }).access}` }
}

const query = fc
  .record({
    table: fc.constantFrom('books', 'shelves'),
    filter: fc.constantFrom('', 'id__gt=5', 'id__in=1,2,3,4,5,6'),
    ordering: fc.constantFrom('', 'ordering=-id', 'ordering=id'),
    size: fc.constantFrom('', 'page_size=3', 'page_size=50'),
    more: fc.constantFrom('', 'populate=shelf', 'title__contains=b', 'ordering=-title', 'populate=books'),
  })
  .map(({ table, filter, ordering, size, more }) => {
    const isOf = more === '' || (table === 'books') !== (more === 'populate=books')
    const parts = [filter, more.startsWith('ordering') && isOf ? more : ordering, size]
    return `${data(table)}?${[...parts, isOf && !more.startsWith('ordering') ? more : ''].filter(Boolean).join('&')}`
  })

const id = fc.integer({ min: 1, max: 12 })
const book = fc.record({
  id,
  title: fc.constantFrom('aa', 'ab', 'ba', 'bb', 'cc'),
  shelf_id: fc.option(id),
  reader: fc.option(fc.constantFrom(...people)),
})
type Write = (send: (method: string, path: string, body?: unknown) => Promise<void>) => Promise<void>
const withReader = ({ reader, ...record }: { reader: string | null }) => ({
  ...record,
  reader: reader && ids.get(reader),
})
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.array(book, { minLength: 1, maxLength: 4 }).map(
    (books): Write =>
      (send) =>
        send('POST', `${data('books')}upsert/`, books.map(withReader)),
  ),
  book.map(
    (one): Write =>
      (send) =>
        send('PATCH', `${data('books')}${one.id}/`, withReader(one)),
  ),
  id.map(
    (one): Write =>
      (send) =>
        send('DELETE', `${data('books')}${one}/`),
  ),
  id.map(
    (one): Write =>
      (send) =>
        send('POST', `${data('shelves')}upsert/`, [{ id: one, place: `p${one}` }]),
  ),
  id.map(
    (one): Write =>
      (send) =>
        send('DELETE', `${data('shelves')}${one}/`),
  ),
  fc.tuple(id, id).map(
    ([from, to]): Write =>
      (send) =>
        send('PATCH', `${data('books')}?filter=${encodeURIComponent(JSON.stringify({ id__gte: from }))}`, {
          title: `b${to % 3}`,
        }),
  ),
  fc.tuple(book, id).map(
    ([one, shelf]): Write =>
      (send) =>
        send('POST', '/api/apps/shop/batch/', {
          operations: [
            { op: 'delete', table: 'books', id: shelf },
            { op: 'upsert', table: 'books', data: withReader(one) },
          ],
        }),
  ),
)

const settleMs = 4_000

describe('followers with any query and any rights', () => {
  it('have what a fresh request gets, after any writes', async () => {
    const scenario = fc.record({
      lists: fc.array(fc.tuple(fc.constantFrom('', 'admin', ...people), query), {
        minLength: 12,
        maxLength: 12,
      }),
      writes: fc.array(write, { minLength: 40, maxLength: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ lists, writes }) => {
        const followers = await Promise.all(
          lists.map(async ([who, path]) => {
            const own = headers.get(who) ?? {}
            const started = await follow(`${service.origin}${path}`, { headers: own }).catch(() => undefined)
            return { path, own, started }
          }),
        )
        for (const { started } of followers) await started?.next('ready')
        for (const one of writes)
          await one(async (method, path, body) => {
            await fetch(`${service.origin}${path}`, {
              method,
              headers: { 'content-type': 'application/json', ...headers.get('admin') },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            })
          })
        for (const { path, own, started } of followers) {
          const fresh = await fetch(`${service.origin}${path}`, { headers: own })
          expect([path, started !== undefined]).toEqual([path, fresh.status === 200])
          if (started) await same(started, (await fresh.json()) as { data: unknown[]; total: number }, path)
          started?.close()
        }
      }),
      { numRuns: runs(2, 40) },
    )
  })
})

/** Waits until a follower has the list of a fresh answer. */
async function same(follower: Follower, fresh: { data: unknown[]; total: number }, path: string) {
  const now = () => ({ path, data: follower.records(), total: follower.total() })
  const wanted = { path, data: fresh.data, total: fresh.total }
  for (const deadline = Date.now() + settleMs; Date.now() < deadline; ) {
    if (JSON.stringify(now()) === JSON.stringify(wanted)) return
    await new Promise((again) => setTimeout(again, 50))
  }
  expect(now()).toEqual(wanted)
}
