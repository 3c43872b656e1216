/**
 * Writes that wait for the lock of a schema change: they are planned again with the schema that it leaves, so
 * that no value is stored under a schema that it does not fit, or converted to a type that the client did not
 * know. D8.
 */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { commitWhenAwaited } from '../../support/locks.ts'

const prices = {
  name: 'prices',
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'price', type: 'number', constraints: { maximum: 100 } },
    ],
    access: { rules: [{ name: 'all', who: 'anyone', can: ['read', 'create', 'update'] }] },
  },
}

let both: BothProviders
const apps = { flat_table: 'shop', jsonb: 'papers' } as const
const callers = ['member', 'guest'] as const
type Caller = (typeof callers)[number]
type Provider = (typeof providers)[number]

beforeAll(async () => {
  both = await createInBothProviders('awaited', [prices], [])
  for (const provider of providers) await call('member', 'POST', both.data[provider]('prices'), { id: 1 })
})

const call = (caller: Caller, method: string, path: string, body?: unknown) =>
  both.app.request(method, path, {
    ...(caller === 'member' ? { token: both.shop.owner.token } : {}),
    ...(body === undefined ? {} : { body }),
  })

/** Changes the greatest price in the catalog, which is what a change of a schema does last, under its lock. */
const bound = (provider: Provider, maximum: number) => `
  lock table ${both.shop.schema}.${apps[provider]}_prices in access exclusive mode;
  update tenant._datatables d
     set json_schema = regexp_replace(d.json_schema::text, '"maximum": *\\d+', '"maximum":${maximum}')::json
   where d.name = 'prices' and (d.site_id, d.app_id) in (
     select a.site_id, a.id from tenant._apps a where a.slug = '${apps[provider]}')`

type Door = [name: string, send: (data: string) => [method: string, path: string, body: unknown]]
const doors: Door[] = [
  ['POST', (data) => ['POST', data, { price: 50 }]],
  ['POST of an array', (data) => ['POST', data, [{ price: 1 }, { price: 50 }]]],
  ['POST with atomic=false', (data) => ['POST', `${data}?atomic=false`, [{ price: 50 }]]],
  ['PATCH', (data) => ['PATCH', `${data}1/`, { price: 50 }]],
  ['PUT', (data) => ['PUT', `${data}1/`, { price: 50 }]],
  ['an upsert', (data) => ['POST', `${data}upsert/?unique_fields=id`, { id: 1, price: 50 }]],
  [
    'a batch',
    (data) => [
      'POST',
      data.replace(/datatables\/.*$/, 'batch/'),
      [{ op: 'update', table: 'prices', id: 1, data: { price: 50 } }],
    ],
  ],
]

describe.each(providers)('in %s', (provider) => {
  afterEach(() => both.app.sql(`do $$ begin ${bound(provider, 100)}; end $$`))

  describe.each(callers)('a %s', (caller) => {
    it.each(doors)('%s is checked by the schema of the change that it waited for', async (_, send) => {
      const { committed } = await commitWhenAwaited(both.app, bound(provider, 10))
      const { body } = await call(caller, ...send(both.data[provider]('prices')))
      await committed
      expect(JSON.stringify(body)).toContain('less than or equal to 10')
      const stored = await call('member', 'GET', `${both.data[provider]('prices')}?price=50`)
      expect(stored.body.data).toEqual([])
    })
  })

  it('a write that waited for another lock is done as it was planned', async () => {
    const { committed } = await commitWhenAwaited(
      both.app,
      `lock table ${both.shop.schema}.${apps[provider]}_prices in access exclusive mode`,
    )
    const { status, body } = await call('member', 'POST', both.data[provider]('prices'), { price: 60 })
    await committed
    expect([status, body.data.price]).toEqual([201, 60])
  })
})
