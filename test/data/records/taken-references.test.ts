/**
 * References that cannot be used: 400 with one text for all of them, and 409 where another request has taken
 * the record since this one could read it. R16.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { commitWhenAwaited } from '../../support/locks.ts'

const slots = {
  name: 'slots',
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'is_open', type: 'boolean', default: true },
      { name: 'is_deleted', type: 'boolean' },
    ],
  },
}
const bookings = {
  name: 'bookings',
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'slot_id', type: 'integer', constraints: { unique: true } },
      { name: 'name', type: 'string' },
    ],
    foreignKeys: [{ fields: 'slot_id', reference: { resource: 'slots', fields: 'id' } }],
  },
}
const rules = {
  slots: [{ name: 'open', who: 'anyone', can: ['read'], where: { is_open: true } }],
  bookings: [{ name: 'book', who: 'anyone', can: ['read', 'create', 'update'] }],
}

let both: BothProviders
const apps = { flat_table: 'shop', jsonb: 'papers' } as const
const callers = ['member', 'guest'] as const
type Caller = (typeof callers)[number]

beforeAll(async () => {
  both = await createInBothProviders('taking', [slots, bookings], [])
  for (const slug of Object.values(apps))
    for (const [table, own] of Object.entries(rules)) {
      const { status, body } = await both.owner.put(`/apps/${slug}/datatables/${table}/access/`, {
        rules: own,
      })
      expect(status, JSON.stringify(body)).toBe(200)
    }
})

const call = (caller: Caller, method: string, path: string, body?: unknown) =>
  both.app.request(method, path, {
    ...(caller === 'member' ? { token: both.shop.owner.token } : {}),
    ...(body === undefined ? {} : { body }),
  })

type Door = [name: string, at: string, send: (data: string, slot: number) => [string, string, unknown]]
const batchOf = (data: string) => data.replace(/datatables\/.*$/, 'batch/')
const doors: Door[] = [
  ['POST', '', (data, slot_id) => ['POST', data, { slot_id }]],
  ['POST of an array', 'rows[1]: ', (data, slot_id) => ['POST', data, [{ name: 'x' }, { slot_id }]]],
  ['PATCH', '', (data, slot_id) => ['PATCH', `${data}1/`, { slot_id }]],
  ['PUT', '', (data, slot_id) => ['PUT', `${data}1/`, { slot_id }]],
  ['an upsert', '', (data, slot_id) => ['POST', `${data}upsert/?unique_fields=id`, { id: 1, slot_id }]],
  [
    'a batch',
    'operations[0]: ',
    (data, slot_id) => [
      'POST',
      batchOf(data),
      [{ op: 'update', table: 'bookings', id: 1, data: { slot_id } }],
    ],
  ],
]

describe.each(providers)('in %s', (provider) => {
  let data: string
  beforeEach(async () => {
    data = both.data[provider]('bookings')
    for (const table of ['bookings', 'slots'])
      await call('member', 'DELETE', `${both.data[provider](table)}?filter={"id__gte":0}&hard_delete=true`)
    const rows = [{ id: 1 }, { id: 2 }, { id: 3, is_open: false }]
    await call('member', 'POST', both.data[provider]('slots'), rows)
    await call('member', 'DELETE', `${both.data[provider]('slots')}2/`)
    expect((await call('member', 'POST', data, { id: 1 })).status).toBe(201)
  })

  describe.each(callers)('a %s', (caller) => {
    const text = caller === 'guest' ? 'that you may read' : 'of "slots"'
    const unusable = caller === 'guest' ? { missing: 9, deleted: 2, hidden: 3 } : { missing: 9, deleted: 2 }

    describe.each(doors)('%s', (_, at, send) => {
      it.each(Object.entries(unusable))(
        'refuses a reference to a record that is %s with one text',
        async (_, slot) => {
          const { status, body } = await call(caller, ...send(data, slot))
          expect([status, body]).toEqual([
            400,
            {
              error: 'Foreign key violation',
              detail: `${at}This slot_id references no record ${text}.`,
              field: 'slot_id',
              code: 'reference_missing',
            },
          ])
        },
      )

      it('is told that another request has taken the record in the meantime', async () => {
        const { committed } = await commitWhenAwaited(
          both.app,
          `delete from ${both.shop.schema}.${apps[provider]}_slots where ${
            provider === 'jsonb' ? `_data ->> 'id' = '1'` : 'id = 1'
          }`,
        )
        const { status, body } = await call(caller, ...send(data, 1))
        await committed
        expect([status, body]).toEqual([
          409,
          {
            error: 'Record taken',
            detail:
              `${at}Another request has just taken the record that this slot_id references. ` +
              'Read again, and choose another one.',
            field: 'slot_id',
            code: 'reference_taken',
          },
        ])
      })
    })

    it('gives one slot to one of five visitors, and 409 to the others', async () => {
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => call(caller, 'POST', data, { slot_id: 1 })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    })
  })
})
