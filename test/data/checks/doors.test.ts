/**
 * Checks over several fields and computed fields: every door that writes records keeps them. D19. A table of
 * doors × callers, in both providers.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const message = 'The end must come after the start.'
const resources = [
  {
    name: 'rooms',
    schema: { primaryKey: 'id', fields: [{ name: 'id', type: 'string' }] },
  },
  {
    name: 'stays',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'string' },
        { name: 'starts_at', type: 'datetime' },
        { name: 'ends_at', type: 'datetime' },
        { name: 'nights', type: 'integer', constraints: { required: true } },
        { name: 'price', type: 'number', default: 10 },
        { name: 'total', type: 'number', generated: 'round(nights * price, 2)' },
        { name: 'title', type: 'string' },
        { name: 'key', type: 'string', generated: 'lower(title)', constraints: { unique: true } },
        { name: 'room_id', type: 'string' },
        { name: 'share', type: 'number', generated: 'price / nights' },
      ],
      foreignKeys: [{ fields: 'room_id', reference: { resource: 'rooms', fields: 'id' } }],
      checks: [
        { name: 'in_order', expression: 'starts_at < ends_at', message },
        { name: 'affordable', expression: 'total <= 1000' },
      ],
      history: true,
    },
  },
]

let both: BothProviders

beforeAll(async () => {
  both = await createInBothProviders('checking', resources, ['RECORD_UPDATE'])
  for (const app of ['shop', 'papers'])
    for (const table of ['rooms', 'stays']) {
      const rules = [{ name: 'all', who: 'anyone', can: ['read', 'create', 'update', 'delete'] }]
      const { status, body } = await both.owner.put(`/apps/${app}/datatables/${table}/access/`, { rules })
      expect([status, body]).toEqual([200, body])
    }
})

const callers = ['member', 'guest'] as const
const call = (caller: (typeof callers)[number], method: string, path: string, body?: unknown) =>
  both.app.request(method, path, {
    ...(caller === 'member' ? { token: both.shop.owner.token } : {}),
    ...(body === undefined ? {} : { body }),
  })

type Stay = Record<string, unknown>
interface Door {
  name: string
  /** Whether it changes the stay 1, or makes a new one. */
  changes: boolean
  /** What messages begin with. */
  at: string
  /** The name of a check in the answer. */
  named?(check: string): string
  send(data: string, stay: Stay): [method: string, path: string, body: unknown]
}
const batch = (data: string) => data.replace(/datatables\/.*$/, 'batch/')
const good = { id: 's90', nights: 1 }
const doors: Door[] = [
  { name: 'POST', changes: false, at: '', send: (data, stay) => ['POST', data, stay] },
  {
    name: 'POST of an array',
    changes: false,
    at: 'rows[1]: ',
    send: (data, stay) => ['POST', data, [good, stay]],
  },
  {
    name: 'POST of an array with dry_run',
    changes: false,
    at: 'rows[1]: ',
    send: (data, stay) => ['POST', `${data}?dry_run=true`, [good, stay]],
  },
  {
    name: 'POST of an array with on_conflict=ignore',
    changes: false,
    at: 'rows[1]: ',
    send: (data, stay) => ['POST', `${data}?on_conflict=ignore`, [good, stay]],
  },
  {
    name: 'a creation in a batch',
    changes: false,
    at: 'operations[1]: ',
    send: (data, stay) => [
      'POST',
      batch(data),
      [good, stay].map((one) => ({ op: 'create', table: 'stays', data: one })),
    ],
  },
  {
    name: 'POST with a new related record',
    changes: false,
    at: '',
    named: (check) => `stays[0].${check}`,
    send: (data, stay) => ['POST', data.replace('stays', 'rooms'), { id: 's70', stays: [stay] }],
  },
  { name: 'PATCH', changes: true, at: '', send: (data, stay) => ['PATCH', `${data}s1/`, stay] },
  { name: 'PUT', changes: true, at: '', send: (data, stay) => ['PUT', `${data}s1/`, { nights: 1, ...stay }] },
  {
    name: 'PATCH of an array',
    changes: true,
    at: 'rows[1]: ',
    send: (data, stay) => [
      'PATCH',
      data,
      [
        { id: 's2', nights: 1 },
        { id: 's1', ...stay },
      ],
    ],
  },
  {
    name: 'PATCH of a filter',
    changes: true,
    at: '',
    send: (data, stay) => ['PATCH', `${data}?filter={"id": "s1"}`, stay],
  },
  {
    name: 'a change in a batch',
    changes: true,
    at: 'operations[1]: ',
    send: (data, stay) => [
      'POST',
      batch(data),
      [
        { op: 'update', table: 'stays', id: 's2', data: { nights: 1 } },
        { op: 'update', table: 'stays', id: 's1', data: stay },
      ],
    ],
  },
  {
    name: 'an upsert',
    changes: true,
    at: '',
    send: (data, stay) => ['POST', `${data}upsert/?unique_fields=id`, { id: 's1', nights: 1, ...stay }],
  },
  {
    name: 'an upsert of an array',
    changes: true,
    at: 'rows[1]: ',
    send: (data, stay) => [
      'POST',
      `${data}upsert/?unique_fields=id`,
      [
        { id: 's3', nights: 1 },
        { id: 's1', nights: 1, ...stay },
      ],
    ],
  },
]

const early = '2026-01-01T10:00:00Z'
const late = '2026-01-02T10:00:00Z'
const record = (more: Stay) => ({ id: 's60', nights: 2, ...more })

describe.each(providers)('in %s', (provider) => {
  let data: string
  const stays = async (query = '?ordering=id') => (await call('member', 'GET', `${data}${query}`)).body.data

  beforeEach(async () => {
    data = both.data[provider]('stays')
    for (const table of ['stays', 'rooms'])
      await call('member', 'DELETE', `${both.data[provider](table)}?filter={"id__gte":"a"}`)
    const rows = [
      { id: 's1', nights: 2, title: 'Sea View', starts_at: early, ends_at: late },
      { id: 's2', nights: 3, price: 0.5 },
    ]
    expect((await call('member', 'POST', data, rows)).status).toBe(201)
  })

  describe.each(callers)('a %s', (caller) => {
    const open = doors.filter(({ name }) => caller === 'member' || !name.includes('on_conflict'))
    it.each(open)(
      '$name refuses a record that breaks a check: 400 with its name and message',
      async (door) => {
        const { changes, at, named = (check: string) => check, send } = door
        const before = await stays()
        const own = (more: Stay) => (changes ? more : record(more))
        const refused = await call(caller, ...send(data, own({ starts_at: late, ends_at: early })))
        expect([refused.status, refused.body]).toEqual([
          400,
          {
            error: 'Validation failed',
            details: { [named('in_order')]: [`${at}${message}`] },
            code: 'check_failed',
          },
        ])
        expect(refused.headers.get('X-Error-Code')).toBe('check_failed')
        const costly = await call(caller, ...send(data, own({ price: 700, nights: 2 })))
        const text = `${at}The record breaks the check "affordable".`
        expect([costly.status, costly.body.details]).toEqual([400, { [named('affordable')]: [text] }])
        expect(await stays()).toEqual(before)
      },
    )

    it.each(open)('$name takes a record for which a check is null or true, and computes', async (door) => {
      const { changes, send } = door
      const own = (more: Stay) => (changes ? more : record(more))
      const sent = own({ starts_at: late, ends_at: null, price: 1.505, title: 'ÄB', nights: 2 })
      const { status, body } = await call(caller, ...send(data, sent))
      expect([status, body]).toEqual([expect.toSatisfy((one) => one === 200 || one === 201), body])
      if (door.name.includes('dry_run')) return
      const [now] = (await stays(`?id=${changes ? 's1' : 's60'}`)) as Stay[]
      expect(now).toMatchObject({ price: 1.505, total: 3.01, key: 'äb', share: 0.7525, ends_at: null })
    })

    it.each(open)('$name says what it cannot compute: 400', async ({ changes, at, named = String, send }) => {
      const sent = changes ? { nights: 0 } : record({ nights: 0 })
      const { status, body } = await call(caller, ...send(data, sent))
      const where = at.startsWith('operations') ? at : ''
      const text = `${where}This cannot be computed from the values of the record: it divides by zero.`
      expect([status, body.details]).toEqual([400, { [named('share')]: [text] }])
    })
  })
})

describe.each(providers)('what was read can be written, in %s', (provider) => {
  let data: string
  const read = async () => (await call('member', 'GET', `${data}s1/`)).body.data
  const refusal = (at: string) => ({
    error: 'Validation failed',
    details: { total: [`${at}This field is computed and cannot be changed. Omit it.`] },
    code: 'validation_failed',
  })

  beforeEach(async () => {
    data = both.data[provider]('stays')
    await call('member', 'DELETE', `${data}?filter={"id__gte":"a"}`)
    const rows = [
      { id: 's1', nights: 2, title: 'Sea View' },
      { id: 's2', nights: 3 },
    ]
    expect((await call('member', 'POST', data, rows)).status).toBe(201)
  })

  const changing = doors.filter(({ changes, name }) => changes && name !== 'PATCH of a filter')
  it.each(changing)('$name takes a computed value as it was read, or as it becomes', async ({ send }) => {
    for (const [nights, total] of [
      [5, 20],
      [3, 30],
    ]) {
      const { id: _, ...stay } = await read()
      const { status, body } = await call('member', ...send(data, { ...stay, nights, total }))
      expect([status, body]).toEqual([expect.toSatisfy((one) => one === 200 || one === 201), body])
      expect(await read()).toMatchObject({ nights, total: Number(nights) * 10 })
    }
  })

  it.each(changing)('$name refuses another value for a computed field: 400', async ({ at, send }) => {
    const before = await read()
    for (const total of [21, null, 'x', { $add: 1 }]) {
      const { status, body } = await call('member', ...send(data, { nights: 5, total }))
      expect([status, body]).toEqual([400, refusal(at)])
    }
    expect(await read()).toEqual(before)
  })

  it.each(doors.filter(({ changes }) => !changes))('$name takes the value that it gets', async (door) => {
    const { at, send, name, named = String } = door
    const stay = { id: 's60', nights: 2, title: 'Q' }
    const { status, body } = await call('member', ...send(data, { ...stay, total: 21 }))
    expect([status, body.details]).toEqual([400, { [named('total')]: refusal(at).details.total }])
    const taken = await call('member', ...send(data, { ...stay, total: 20, key: 'q' }))
    expect([taken.status, taken.body]).toEqual([/batch|dry_run/.test(name) ? 200 : 201, taken.body])
  })

  it('a guest sends no computed field: 400', async () => {
    const { status, body } = await call('guest', 'PATCH', `${data}s1/`, { nights: 5, total: 20 })
    expect([status, body.details.total]).toEqual([400, [expect.stringContaining('Unknown field. Fields: ')]])
  })

  it('lists filter, sort, group and find by computed fields, which can be unique', async () => {
    const list = async (query: string) => (await call('member', 'GET', `${data}?${query}`)).body
    expect((await list('total__gt=25')).data.map(({ id }: Stay) => id)).toEqual(['s2'])
    expect((await list('ordering=-total')).data.map(({ id }: Stay) => id)).toEqual(['s2', 's1'])
    expect((await list('_aggregate=sum(total)')).aggregates).toEqual({ sum_total: 50 })
    expect((await list('key=sea view')).data.map(({ id }: Stay) => id)).toEqual(['s1'])
    const { status, body } = await call('member', 'POST', data, { id: 's7', nights: 1, title: 'SEA view' })
    expect([status, body.field]).toEqual([409, 'key'])
  })

  it('atomic=false writes the records that keep the checks, and lists the others', async () => {
    const rows = [
      { id: 's10', nights: 1 },
      { id: 's11', nights: 1, starts_at: late, ends_at: early },
      { id: 's12', nights: 0 },
      { id: 's13', nights: 1, total: 11 },
      { id: 's14', nights: 1, total: 10 },
    ]
    const { status, body } = await call('member', 'POST', `${data}?atomic=false`, rows)
    expect(status).toBe(207)
    expect(body.data.map(({ id, total }: Stay) => [id, total])).toEqual([
      ['s10', 10],
      ['s14', 10],
    ])
    const failed = body.failed.map(({ index, details, code }: Stay) => [index, details, code])
    expect(failed).toEqual([
      [1, { in_order: [message] }, 'check_failed'],
      [2, { share: [expect.stringContaining('divides by zero')] }, 'validation_failed'],
      [3, refusal('').details, 'validation_failed'],
    ])
  })

  it('validate_data names the checks and the computed values', async () => {
    const rows = [
      { id: 's10', nights: 1, starts_at: early, ends_at: late, total: 10 },
      { id: 's11', nights: 200, starts_at: late, ends_at: early },
      { id: 's13', nights: 1, total: 11 },
    ]
    const path = data.replace(/data\/$/, 'validate_data/')
    const { status, body } = await call('member', 'POST', path, { data: rows })
    expect([status, body]).toEqual([
      200,
      {
        is_valid: false,
        errors: [
          `rows[1].in_order: ${message}`,
          'rows[1].affordable: The record breaks the check "affordable".',
          'rows[2].total: This field is computed and cannot be changed. Omit it.',
        ],
        validated_rows: 3,
      },
    ])
  })

  it('a version is restored without its computed values, which follow from the others', async () => {
    const patched = await call('member', 'PATCH', `${data}s1/`, { nights: 4, title: 'Other' })
    expect(patched.body.data).toMatchObject({ total: 40, key: 'other' })
    const versions = (await call('member', 'GET', `${data}s1/history/`)).body.data
    const first = versions.find(({ record }: { record: Stay }) => record.nights === 2)
    expect(first.record).toMatchObject({ total: 20, key: 'sea view' })
    const { status, body } = await call('member', 'POST', `${data}s1/restore/${first.number}/`)
    expect([status, body.data?.total, body.data?.key]).toEqual([200, 20, 'sea view'])
  })
})
