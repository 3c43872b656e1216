/** The most frequent requests of a product, with the maximum number of round trips to Postgres for each. */

/**
 * The caller: a user with a token, a program with an API key that has scopes, or somebody without
 * credentials.
 */
type Asker = 'user' | 'key' | 'nobody'

export interface HotRequest {
  title: string
  by: Asker
  method: 'GET' | 'POST'
  /** The path, relative to the site. */
  path: string
  headers?: Readonly<Record<string, string>>
  /** The body of the nth request. */
  body?(n: number): unknown
  status: number
  /**
   * The round trips in an isolate that has answered the request before, in a new one whose data centre has
   * the catalog, and in one whose data centre has not.
   */
  roundTrips: { warm: number; shared: number; cold: number }
}

const table = (name: string) => `/api/apps/shop/datatables/${name}/data/`
const product = (n: number, row = 0) => ({ sku: `new-${n}-${row}`, price: 1.5, maker_id: 1 })

/**
 * Requests that are planned with the tables of an app. A new isolate loads the tables first, unless its data
 * centre has them.
 */
const data = { warm: 1, shared: 1, cold: 2 }
/**
 * For an API key, one more round trip: the first is refused, and returns the scopes that the statements must
 * be planned for.
 */
const dataByKey = { warm: 1, shared: 2, cold: 3 }
/** Requests that need no tables of an app. */
const other = { warm: 1, shared: 1, cold: 1 }
/** Requests whose answer is cached outside the isolate, where writes can invalidate it. */
const cached = { warm: 0, shared: 0, cold: 0 }

export const hotRequests: readonly HotRequest[] = [
  {
    title: 'get by id',
    by: 'user',
    method: 'GET',
    path: `${table('products')}1/`,
    status: 200,
    roundTrips: data,
  },
  {
    title: 'list with filter, order, total and populate',
    by: 'user',
    method: 'GET',
    path: `${table('products')}?price__gt=1&ordering=-price&page_size=20&populate=maker`,
    status: 200,
    roundTrips: data,
  },
  {
    title: 'create',
    by: 'user',
    method: 'POST',
    path: table('products'),
    body: (n) => product(n),
    status: 201,
    roundTrips: data,
  },
  {
    title: 'create, again with the same Idempotency-Key',
    by: 'user',
    method: 'POST',
    path: table('products'),
    headers: { 'Idempotency-Key': 'a-first-order' },
    body: () => ({ sku: 'once', price: 2 }),
    status: 201,
    roundTrips: data,
  },
  {
    title: 'bulk create',
    by: 'user',
    method: 'POST',
    path: table('products'),
    body: (n) => Array.from({ length: 100 }, (_, row) => product(n, row + 1)),
    status: 201,
    roundTrips: data,
  },
  {
    title: 'upsert',
    by: 'user',
    method: 'POST',
    path: `${table('products')}upsert/?unique_fields=sku`,
    body: () => ({ sku: 'A-1', price: 3 }),
    status: 200,
    roundTrips: data,
  },
  {
    title: 'batch of two tables',
    by: 'user',
    method: 'POST',
    path: '/api/apps/shop/batch/',
    body: (n) => [
      { op: 'create', table: 'makers', data: { name: `Maker ${n}` }, as: 'maker' },
      { op: 'create', table: 'products', data: { sku: `batch-${n}`, maker_id: { $: 'maker.id' } } },
    ],
    status: 200,
    roundTrips: data,
  },
  {
    title: 'aggregate',
    by: 'user',
    method: 'GET',
    path: `${table('products')}?_aggregate=count(*),avg(price)&_group_by=maker_id`,
    status: 200,
    roundTrips: data,
  },
  {
    title: 'walk of a tree',
    by: 'user',
    method: 'GET',
    path: `${table('places')}1/?include=descendants&depth=5`,
    status: 200,
    roundTrips: data,
  },
  {
    title: 'get by id, with an API key that has scopes',
    by: 'key',
    method: 'GET',
    path: `${table('products')}1/`,
    status: 200,
    roundTrips: dataByKey,
  },
  {
    title: 'who is signed in',
    by: 'user',
    method: 'GET',
    path: '/api/users/me/',
    status: 200,
    roundTrips: other,
  },
  {
    title: 'public secret, cached',
    by: 'nobody',
    method: 'GET',
    path: '/api/secrets/OPEN/',
    status: 200,
    roundTrips: cached,
  },
  {
    title: 'private secret, cached',
    by: 'user',
    method: 'GET',
    path: '/api/secrets/CLOSED/',
    status: 200,
    roundTrips: cached,
  },
]

const id = { name: 'id', type: 'integer' }
const resources = [
  {
    name: 'makers',
    schema: { primaryKey: 'id', fields: [id, { name: 'name', type: 'string' }] },
  },
  {
    name: 'products',
    schema: {
      primaryKey: 'id',
      fields: [
        id,
        { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
        { name: 'price', type: 'number' },
        { name: 'maker_id', type: 'integer' },
      ],
      foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
    },
  },
  {
    name: 'places',
    schema: { primaryKey: 'id', fields: [id, { name: 'name', type: 'string' }], hierarchy: true },
  },
]

/**
 * Sends a request to a path of the site as its owner, and returns the body of the response. Throws for any
 * error.
 */
type Send = (method: string, path: string, body?: unknown) => Promise<unknown>

/** Creates the objects that the requests use, in a site without apps. Returns an API key. */
export async function createHotData(send: Send): Promise<string> {
  await send('POST', '/api/apps/', { name: 'shop' })
  await send('POST', '/api/apps/shop/datatables/create_schema/?materialize=true', { resources })
  await send('POST', table('makers'), [{ name: 'Ostra' }, { name: 'Palo' }])
  const products = Array.from({ length: 50 }, (_, n) => ({
    sku: `A-${n}`,
    price: n,
    maker_id: 1 + (n % 2),
  }))
  await send('POST', table('products'), products)
  await send('POST', table('places'), [{ name: 'land' }, { name: 'town' }, { name: 'street' }])
  await send('POST', '/api/apps/shop/datatables/places/edges/', [
    { from_id: 2, to_id: 1, type: 'parent' },
    { from_id: 3, to_id: 2, type: 'parent' },
  ])
  for (const [name, key] of [
    ['public', 'OPEN'],
    ['private', 'CLOSED'],
  ]) {
    await send('POST', '/api/secret-types/', { name, sensitivity_level: name })
    await send('POST', '/api/secrets/', { secret_type: name, key, value: { v: 1 } })
  }
  const scopes = [{ app: 'shop', tables: ['products'], can: ['read'] }]
  const { key } = (await send('POST', '/api/api-keys/', { name: 'hot', scopes })) as { key: string }
  return key
}
