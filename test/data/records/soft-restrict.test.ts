/**
 * RESTRICT and NO ACTION hold for soft deletion, too, where a record that is not soft-deleted refers to the
 * record; the other rules do nothing then. R18. A table of doors × rules × callers, in both providers.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const makers = {
  name: 'firms',
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'part_of', type: 'integer' },
      { name: 'is_deleted', type: 'boolean' },
    ],
    foreignKeys: [{ fields: 'part_of', reference: { resource: '', fields: 'id' } }],
  },
}
const goodsOf = (name: string, onDelete: string) => ({
  name,
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'maker_id', type: 'integer', ...(onDelete === 'SET DEFAULT' ? { default: 2 } : {}) },
      { name: 'is_deleted', type: 'boolean' },
    ],
    foreignKeys: [
      { fields: 'maker_id', reference: { resource: 'firms', fields: 'id' }, 'x-actions': { onDelete } },
    ],
  },
})
const held = { restricted: 'RESTRICT', untouched: 'NO ACTION' }
const others = { cascaded: 'CASCADE', emptied: 'SET NULL', defaulted: 'SET DEFAULT' }
const resources = [
  makers,
  ...Object.entries({ ...held, ...others }).map(([name, rule]) => goodsOf(name, rule)),
]

let both: BothProviders

beforeAll(async () => {
  both = await createInBothProviders('soft-restrict', resources, [])
  for (const app of ['shop', 'papers']) {
    const rules = [{ name: 'all', who: 'anyone', can: ['read', 'delete'] }]
    const { status } = await both.owner.put(`/apps/${app}/datatables/firms/access/`, { rules })
    expect(status).toBe(200)
  }
})

type Caller = 'member' | 'guest'
const call = (caller: Caller, method: string, path: string, body?: unknown) =>
  both.app.request(method, path, {
    ...(caller === 'member' ? { token: both.shop.owner.token } : {}),
    ...(body === undefined ? {} : { body }),
  })

type Door = [name: string, at: string, send: (data: string) => [method: string, path: string, body?: unknown]]
const batchOf = (data: string) => data.replace(/datatables\/.*$/, 'batch/')
const deletions: Door[] = [
  ['DELETE', '', (data) => ['DELETE', `${data}1/`]],
  ['DELETE by ids', '', (data) => ['DELETE', `${data}?ids=2,1`]],
  ['DELETE by a filter', '', (data) => ['DELETE', `${data}?filter={"id__lte":1}`]],
  [
    'a batch',
    'operations[0]: ',
    (data) => ['POST', batchOf(data), [{ op: 'delete', table: 'firms', id: 1 }]],
  ],
]
const changes: Door[] = [
  ['PATCH', '', (data) => ['PATCH', `${data}1/`, { is_deleted: true }]],
  ['PUT', '', (data) => ['PUT', `${data}1/`, { is_deleted: true }]],
  ['PATCH of an array', 'rows[0]: ', (data) => ['PATCH', data, [{ id: 1, is_deleted: true }]]],
  ['PATCH by a filter', '', (data) => ['PATCH', `${data}?filter={"id":1}`, { is_deleted: true }]],
  ['an upsert', '', (data) => ['POST', `${data}upsert/?unique_fields=id`, { id: 1, is_deleted: true }]],
  [
    'a change in a batch',
    'operations[0]: ',
    (data) => ['POST', batchOf(data), [{ op: 'update', table: 'firms', id: 1, data: { is_deleted: true } }]],
  ],
]

describe.each(providers)('in %s', (provider) => {
  let data: string
  const of = (table: string) => both.data[provider](table)
  const isThere = async (id: number) => (await call('member', 'GET', `${data}${id}/`)).status === 200
  beforeEach(async () => {
    data = of('firms')
    for (const { name } of [...resources].reverse())
      await call('member', 'DELETE', `${of(name)}?filter={"id__gte":0}&hard_delete=true`)
    expect((await call('member', 'POST', data, [{ id: 1 }, { id: 2 }])).status).toBe(201)
  })

  describe.each<[Caller, Door[]]>([
    ['member', [...deletions, ...changes]],
    ['guest', deletions],
  ])('a %s', (caller, doors) => {
    describe.each(doors)('%s', (_, at, send) => {
      it.each(Object.keys(held))('is 403 where a record of %s refers to it', async (table) => {
        await call('member', 'POST', of(table), { id: 1, maker_id: 1 })
        const { status, body } = await call(caller, ...send(data))
        const message =
          caller === 'guest'
            ? 'Other records reference the record.'
            : `Records of "${table}" reference the record whose id is 1.`
        expect([status, body]).toEqual([
          403,
          { error: 'Cannot delete record', detail: at + message, code: 'still_referenced' },
        ])
        expect([await isThere(1), await isThere(2)]).toEqual([true, true])
      })

      it.each(Object.keys(others))('does nothing to a record of %s', async (table) => {
        await call('member', 'POST', of(table), { id: 1, maker_id: 1 })
        expect((await call(caller, ...send(data))).status).toBeLessThan(300)
        expect(await isThere(1)).toBe(false)
        const { body } = await call('member', 'GET', `${of(table)}1/`)
        expect(body.data).toMatchObject({ id: 1, maker_id: 1 })
      })

      it('is possible where the record that refers to it is soft-deleted', async () => {
        await call('member', 'POST', of('restricted'), { id: 1, maker_id: 1 })
        expect((await call('member', 'DELETE', `${of('restricted')}1/`)).status).toBe(204)
        expect((await call(caller, ...send(data))).status).toBeLessThan(300)
        expect(await isThere(1)).toBe(false)
      })
    })
  })

  it('records that refer to each other are soft-deleted together, but not alone', async () => {
    await call('member', 'PATCH', `${data}2/`, { part_of: 1 })
    const alone = await call('member', 'DELETE', `${data}1/`)
    expect([alone.status, alone.body.detail]).toEqual([
      403,
      'Records of "firms" reference the record whose id is 1.',
    ])
    expect((await call('member', 'DELETE', `${data}?ids=1,2`)).status).toBe(200)
  })
})
