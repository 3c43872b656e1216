/** Filters by named ranges, and guests who book: ten at once for one slot. D19. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addDocuments, addTables, createShop, type Shop } from '../../support/fixtures.ts'

const resources = [
  {
    name: 'appointments',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'therapist', type: 'string', default: 'Ines' },
        { name: 'starts_at', type: 'datetime', constraints: { required: true } },
        { name: 'ends_at', type: 'datetime' },
        { name: 'client', type: 'string' },
        { name: 'owner_id', type: 'integer' },
        { name: 'desk', type: 'string', default: 'front' },
        { name: 'level', type: 'number' },
        { name: 'top', type: 'number' },
      ],
      ranges: { period: ['starts_at', 'ends_at'], levels: ['level', 'top'] },
      exclusions: [
        { name: 'one_client', elements: [{ field: 'therapist' }, { range: 'period' }], message: 'Taken.' },
        {
          name: 'owner',
          elements: [{ field: 'desk' }, { range: 'levels' }],
          bounds: '[]',
          where: { owner_id__gt: 0 },
        },
      ],
    },
  },
  {
    name: 'lanes',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'starts_on', type: 'date' },
        { name: 'ends_on', type: 'date' },
        { name: 'hall', type: 'number' },
        { name: 'lane', type: 'number' },
        { name: 'place', type: 'number', generated: 'hall + lane' },
        { name: 'level', type: 'integer' },
        { name: 'top', type: 'integer', default: 5 },
        { name: 'kind', type: 'string', default: 'secret' },
      ],
      ranges: { levels: ['level', 'top'] },
      exclusions: [
        { name: 'place', elements: [{ field: 'place' }, { range: ['starts_on', 'ends_on'] }] },
        { name: 'kind', elements: [{ range: 'levels' }], bounds: '[]', where: { kind: 'secret' } },
      ],
    },
  },
]
const laneRules = [
  {
    name: 'come',
    who: 'anyone',
    can: ['read', 'create'],
    fields: { read: ['id', 'level', 'top'], write: ['starts_on', 'level', 'top'] },
  },
  {
    name: 'move',
    who: 'anyone',
    can: ['read', 'update'],
    fields: { read: ['id', 'level', 'top'], write: ['level'] },
  },
]
const rules = [
  {
    name: 'book',
    who: 'anyone',
    can: ['create'],
    fields: ['therapist', 'starts_at', 'ends_at', 'client'],
  },
  { name: 'see', who: 'anyone', can: ['read'], fields: ['id', 'starts_at', 'ends_at'] },
  {
    name: 'own',
    who: 'signed-in',
    can: ['read', 'create', 'update'],
    where: { owner_id: { $: 'user.id' } },
    set: { owner_id: { $: 'user.id' } },
    fields: {
      read: ['id', 'starts_at', 'ends_at', 'owner_id'],
      write: ['starts_at', 'ends_at', 'level', 'top'],
    },
  },
]

let app: TestApp
let shop: Shop
let ada: User
let papers: (table: string) => string
beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'practices')
  ada = await app.user('ada')
  await addTables(app, shop, resources)
  papers = await addDocuments(app, shop, resources)
  for (const place of ['shop', 'papers'])
    for (const [table, all] of Object.entries({ appointments: rules, lanes: laneRules })) {
      const path = `${shop.api}/apps/${place}/datatables/${table}/access/`
      const { status, body } = await app.request('PUT', path, {
        token: shop.owner.token,
        body: { rules: all },
      })
      expect(status, JSON.stringify(body)).toBe(200)
    }
})

const at = (hour: number) => `2026-03-02T${String(hour).padStart(2, '0')}:00:00Z`
const slot = (from: number, to: number, others: object = {}) => ({
  starts_at: at(from),
  ends_at: at(to),
  ...others,
})
const taken = (where = '', others = {}) => ({
  error: 'Record excluded',
  detail: `${where}Taken.`,
  field: 'therapist,starts_at,ends_at',
  exclusion: 'one_client',
  ...others,
  code: 'record_excluded',
})
const unseen = {
  error: 'Record excluded',
  detail: 'Another record excludes this one.',
  field: '',
  code: 'record_excluded',
}

describe.each(['flat_table', 'jsonb'])('in %s', (provider) => {
  let data: string
  let lanes: string
  const call = (method: string, path: string, body?: unknown, user?: User | 'nobody') =>
    app.request(method, path, {
      ...(user === 'nobody' ? {} : { token: (user ?? shop.owner).token }),
      ...(body === undefined ? {} : { body }),
    })
  beforeEach(async () => {
    data = provider === 'jsonb' ? papers('appointments') : shop.data('appointments')
    lanes = provider === 'jsonb' ? papers('lanes') : shop.data('lanes')
    for (const table of [data, lanes]) await call('DELETE', `${table}?all=true`)
  })

  it('a guest who writes one end of a range reads that it is out of order', async () => {
    await call(
      'POST',
      lanes,
      [1, 2].map((id) => ({ id, level: 10 * id, top: 10 * id })),
    )
    const text = '"level" must not be after "top".'
    const details = { level: [text], top: [text] }
    const late = { level: 50 }
    const wrong = { error: 'Validation failed', details, code: 'validation_failed' }
    const one = await call('PATCH', `${lanes}1/`, late, 'nobody')
    expect([one.status, one.body]).toEqual([400, wrong])
    const both = await call(
      'PATCH',
      lanes,
      [
        { id: 1, ...late },
        { id: 2, ...late },
      ],
      'nobody',
    )
    expect([both.status, both.body]).toEqual([400, wrong])
  })

  it('a computed value that excludes needs none of the values that it is computed from', async () => {
    const made = await call('POST', lanes, { starts_on: '2026-01-01' }, 'nobody')
    expect([made.status, made.body]).toEqual([201, { data: made.body.data }])
    const put = await call('PUT', `${lanes}${made.body.data.id}/`, { starts_on: '2026-01-02' })
    expect([put.status, put.body]).toEqual([200, { data: { ...put.body.data, place: null } }])
  })

  it('a guest does not read of an exclusion whose filter names a hidden field', async () => {
    expect((await call('POST', lanes, { id: 1, level: 1, top: 2 })).status).toBe(201)
    const { status, body } = await call('POST', lanes, { level: 1, top: 2 }, 'nobody')
    expect([status, body]).toEqual([409, unseen])
  })

  it('of ten visitors who book one slot at once, one gets it and nine get 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        call('POST', data, slot(9, 10, { therapist: 'Ines', client: `v${n}` }), 'nobody'),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    for (const { status, body } of answers) if (status === 409) expect(body).toEqual(taken())
    expect((await call('GET', data)).body.total).toBe(1)
  })

  it('a default of the schema is compared, too', async () => {
    const booked = await Promise.all([9, 9, 9].map((hour) => call('POST', data, slot(hour, 10), 'nobody')))
    expect(booked.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  it('a guest reads which of several records is refused, and by what', async () => {
    const rows = [
      slot(9, 10, { therapist: 'A' }),
      slot(11, 12, { therapist: 'A' }),
      slot(9, 11, { therapist: 'A' }),
    ]
    const { status, body } = await call('POST', data, rows, 'nobody')
    expect([status, body]).toEqual([409, taken('rows[2]: ', { held_by: 'request' })])
    const wrong = await call('POST', data, slot(12, 11), 'nobody')
    expect([wrong.status, Object.keys(wrong.body.details)]).toEqual([400, ['starts_at', 'ends_at']])
  })

  it('a guest does not read of an exclusion with a field that is hidden from him', async () => {
    const make = (low: number, from: number) =>
      call('POST', data, slot(from, from + 1, { level: low, top: low + 1 }), ada)
    expect((await make(1, 1)).status).toBe(201)
    const { status, body } = await make(2, 3)
    expect([status, body]).toEqual([409, unseen])
  })

  it('a range has the same ends for a guest who may not see its exclusion', async () => {
    expect((await call('POST', lanes, { id: 1, level: 1, top: 2 })).status).toBe(201)
    for (const user of [undefined, 'nobody'] as const) {
      const { status, body } = await call('GET', `${lanes}?levels__overlaps=2,3`, undefined, user)
      expect([status, body.total]).toEqual([200, 1])
    }
  })

  it('validate_data finds a range that a default ends before it begins', async () => {
    const rows = [{ level: 9 }, { level: 4 }, { level: 5, top: 6 }]
    const { status, body } = await call('POST', lanes.replace(/data\/$/, 'validate_data/'), { data: rows })
    const errors = [
      'rows[0].level,top: "level" must not be after "top".',
      'rows[2].level,top: With this level, top, the record cannot exist beside another record of the same request.',
    ]
    expect([status, body]).toEqual([200, { is_valid: false, errors, validated_rows: 3 }])
  })

  it('many guests who change their own records never wait for each other in a circle', async () => {
    const made = await call(
      'POST',
      data,
      Array.from({ length: 6 }, (_, n) => slot(n, n + 1, { level: 10 * n, top: 10 * n + 5 })),
      ada,
    )
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const ids: number[] = made.body.data.map(({ id }: { id: number }) => id)
    const changes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const order = n % 2 ? ids : ids.toReversed()
        return call(
          'PATCH',
          data,
          order.map((id, place) => ({ id, ...slot((place + n) % 6, ((place + n) % 6) + 1) })),
          ada,
        )
      }),
    )
    for (const { status, body } of changes) expect([200, 409], JSON.stringify(body)).toContain(status)
    const [{ n = -1 } = {}] = await app.sql<{ n: number }>(
      'select deadlocks::integer as n from pg_stat_database where datname = current_database()',
    )
    expect(n).toBe(0)
  })

  describe('the filter of a named range', () => {
    beforeEach(async () => {
      const rows = [
        { id: 1, ...slot(8, 10) },
        { id: 2, ...slot(10, 12) },
        { id: 3, starts_at: at(14), ends_at: null },
        { id: 4, ...slot(13, 13), level: 1, top: 2, therapist: 'B' },
        { id: 5, ...slot(13, 14), level: 3, top: null, therapist: 'C' },
      ]
      const made = await call('POST', data, rows)
      expect(made.status, JSON.stringify(made.body)).toBe(201)
    })
    const found = async (query: string, user?: 'nobody') => {
      const { status, body } = await call('GET', `${data}?_sort=id&${query}`, undefined, user)
      return status === 200 ? body.data.map(({ id }: { id: number }) => id) : [status, body.details]
    }

    it('is 400 for values in the wrong order or of another form, and for other operators', async () => {
      const problem = (parameter: string, message: string) => [400, { [parameter]: [message] }]
      const form = 'The beginning and the end are required, for example a,b; a, and ,b are open.'
      expect(await found(`period__overlaps=${at(12)},${at(10)}`)).toEqual(
        problem('period__overlaps', 'The beginning must not be after the end.'),
      )
      expect(await found(`period__overlaps=${at(12)}`)).toEqual(problem('period__overlaps', form))
      expect(await found('period__overlaps=,')).toEqual(
        problem('period__overlaps', 'At least one end of the range is required.'),
      )
      expect(await found('period__overlaps=x,')).toEqual(
        problem('period__overlaps', '"x" is not a value of "starts_at", which is of type datetime.'),
      )
      expect(await found(`period__gt=${at(1)}`)).toEqual(
        problem('period__gt', 'Unknown operator "gt". Operators of "period": overlaps.'),
      )
      expect(await found('period=1')).toEqual(
        problem('period', '"period" is a range. Write period__overlaps=<beginning>,<end>.'),
      )
      expect(await found('filters={"period__overlaps":{"a":1}}')).toEqual(problem('filters', form))
    })

    it.each([
      [`period__overlaps=${at(9)},${at(10)}`, [1]],
      [`period__overlaps=${at(9)},${at(11)}`, [1, 2]],
      [`period__overlaps=${at(12)},`, [3, 5]],
      [`period_overlaps=,${at(9)}`, [1]],
      ['levels__overlaps=2,3', [1, 2, 3, 4, 5]],
      ['levels__overlaps=2.5,2.75&therapist__ne=Ines', []],
      [`filters={"not":{"period__overlaps":["${at(9)}",null]}}`, [4]],
      [`filters={"or":[{"period__overlaps":[null,"${at(9)}"]},{"id":5}]}`, [1, 5]],
    ])('%s', async (query, ids) => {
      expect(await found(query)).toEqual(ids)
    })

    it('guests filter by it, and writes by a filter', async () => {
      expect(await found(`period__overlaps=${at(9)},${at(11)}`, 'nobody')).toEqual([1, 2])
      const filter = encodeURIComponent(JSON.stringify({ period__overlaps: [at(9), at(11)] }))
      expect((await call('DELETE', `${data}?filter=${filter}`)).body).toEqual({ deleted: 2 })
    })
  })
})
