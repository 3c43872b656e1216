/** Two records that exclude each other do not exist together, whichever door writes them. D19, R16. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const resources = [
  {
    name: 'bookings',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'room', type: 'string' },
        { name: 'starts_at', type: 'datetime' },
        { name: 'ends_at', type: 'datetime' },
        { name: 'state', type: 'string', default: 'taken' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      history: true,
      ranges: { period: ['starts_at', 'ends_at'] },
      exclusions: [
        {
          name: 'one_at_a_time',
          elements: [
            { field: 'room', op: '=' },
            { range: 'period', op: 'overlaps' },
          ],
          where: { state: 'taken' },
          message: 'The room is taken at this time.',
        },
      ],
    },
  },
  {
    name: 'stays',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'bed', type: 'integer' },
        { name: 'first_day', type: 'date' },
        { name: 'last_day', type: 'date' },
      ],
      exclusions: [
        { name: 'bed', elements: [{ field: 'bed' }, { range: ['first_day', 'last_day'] }], bounds: '[]' },
      ],
    },
  },
  {
    name: 'notes',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'booking_id', type: 'integer' },
      ],
      foreignKeys: [{ fields: 'booking_id', reference: { resource: 'bookings', fields: 'id' } }],
    },
  },
]

let both: BothProviders
beforeAll(async () => {
  both = await createInBothProviders('excluding', resources, ['RECORD_UPDATE'])
})

const call = (method: string, path: string, body?: unknown) =>
  both.app.request(method, path, {
    token: both.shop.owner.token,
    ...(body === undefined ? {} : { body }),
  })

const hour = (hours: number) => `2026-05-01T${String(hours).padStart(2, '0')}:00:00Z`
const booking = (from: number | null, to: number | null, others: object = {}) => ({
  room: 'A, "1") conflicts with existing key (',
  starts_at: from === null ? null : hour(from),
  ends_at: to === null ? null : hour(to),
  ...others,
})
const error = (at: string, heldBy = false) => ({
  error: 'Record excluded',
  detail: `${at}The room is taken at this time.`,
  field: 'room,starts_at,ends_at',
  exclusion: 'one_at_a_time',
  ...(heldBy ? { held_by: 'request' } : {}),
  code: 'record_excluded',
})
const outOfOrder = (at: string) => ({
  error: 'Validation failed',
  details: {
    starts_at: [`${at}"starts_at" must not be after "ends_at".`],
    ends_at: [`${at}"starts_at" must not be after "ends_at".`],
  },
  code: 'validation_failed',
})
const besides = (data: string, path: string) => data.replace(/datatables\/.*$/, path)

/** A way to write a booking that overlaps the one from ten to twelve, and what its messages begin with. */
interface Door {
  name: string
  at: string
  send(data: string, values: object): [method: string, path: string, body?: unknown]
}

const doors: Door[] = [
  { name: 'POST', at: '', send: (data, values) => ['POST', data, values] },
  {
    name: 'POST of an array',
    at: 'rows[1]: ',
    send: (data, values) => ['POST', data, [booking(20, 21), values]],
  },
  {
    name: 'POST of a nested record',
    at: 'booking: ',
    send: (data, values) => ['POST', data.replace('bookings', 'notes'), { id: 1, booking: values }],
  },
  { name: 'PATCH', at: '', send: (data, values) => ['PATCH', `${data}2/`, values] },
  { name: 'PUT', at: '', send: (data, values) => ['PUT', `${data}2/`, values] },
  {
    name: 'PATCH of an array',
    at: 'rows[1]: ',
    send: (data, values) => [
      'PATCH',
      data,
      [
        { id: 3, state: 'free' },
        { id: 2, ...values },
      ],
    ],
  },
  {
    name: 'PATCH by a filter',
    at: '',
    send: (data, values) => ['PATCH', `${data}?filter={"id":2}`, values],
  },
  {
    name: 'an upsert',
    at: 'rows[0]: ',
    send: (data, values) => ['POST', `${data}upsert/?unique_fields=id`, [{ id: 2, ...values }]],
  },
  {
    name: 'a batch',
    at: 'operations[1]: ',
    send: (data, values) => [
      'POST',
      besides(data, 'batch/'),
      [
        { op: 'create', table: 'bookings', data: booking(20, 21) },
        { op: 'update', table: 'bookings', id: 2, data: values },
      ],
    ],
  },
  { name: 'a dry run', at: '', send: (data, values) => ['POST', `${data}?dry_run=true`, values] },
]

describe.each(providers)('in %s', (provider) => {
  let data: string
  beforeEach(async () => {
    data = both.data[provider]('bookings')
    await call('DELETE', `${both.data[provider]('notes')}?all=true`)
    expect((await call('DELETE', `${data}?all=true&hard_delete=true`)).status).toBe(200)
    const rows = [
      { id: 1, ...booking(10, 12) },
      { id: 2, ...booking(14, 16) },
      { id: 3, ...booking(17, 18) },
    ]
    const made = await call('POST', data, rows)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
  })
  const stored = async (query = '') =>
    (await call('GET', `${data}?_sort=id${query}`)).body.data.map(
      ({ id, starts_at }: { id: number; starts_at: string }) => [id, starts_at],
    )

  describe.each(doors)('$name', ({ at, send }) => {
    it('is 409 for a record that overlaps, and writes nothing', async () => {
      const { status, body, headers } = await call(...send(data, booking(11, 13)))
      expect([status, body]).toEqual([
        409,
        {
          ...error(at),
          ...(at === 'booking: ' && { field: 'booking.room,booking.starts_at,booking.ends_at' }),
        },
      ])
      expect(headers.get('x-error-code')).toBe('record_excluded')
      expect(await stored()).toEqual([
        [1, hour(10)],
        [2, hour(14)],
        [3, hour(17)],
      ])
    })

    it('is 400 for a beginning after the end, and names both fields', async () => {
      const { status, body } = await call(...send(data, booking(13, 11)))
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain('\\"starts_at\\" must not be after \\"ends_at\\".')
    })

    it('takes a record that begins where the other one ends', async () => {
      const { status, body } = await call(...send(data, booking(12, 13)))
      expect([200, 201], JSON.stringify(body)).toContain(status)
    })
  })

  it('an open end reaches everything after the beginning', async () => {
    const { status, body } = await call('POST', data, booking(9, null))
    expect([status, body]).toEqual([409, error('')])
    expect((await call('POST', data, booking(18, null))).status).toBe(201)
    expect((await call('POST', data, booking(23, 23, { room: 'B' }))).status).toBe(201)
  })

  it('two records of one write exclude each other, and the 409 says so', async () => {
    const post = await call('POST', data, [booking(1, 3), booking(5, 6), booking(2, 4)])
    expect([post.status, post.body]).toEqual([409, error('rows[2]: ', true)])
    const rows = [
      { id: 2, ...booking(1, 3) },
      { id: 3, ...booking(2, 4) },
    ]
    const patch = await call('PATCH', data, rows)
    expect([patch.status, patch.body]).toEqual([409, error('rows[1]: ', true)])
    const filter = await call('PATCH', `${data}?filter={"id__gt":1}`, booking(1, 2))
    expect([filter.status, filter.body]).toEqual([409, error('')])
  })

  it('takes one round trip, and names a value that is too long for the exclusion', async () => {
    const made = await call('POST', data, booking(20, 21))
    expect([made.status, made.headers.get('server-timing')]).toEqual([
      201,
      expect.stringContaining('desc="1"'),
    ])
    const room = Array.from({ length: 9_000 }, (_, n) => (n * 7919).toString(36)).join('')
    const { status, body } = await call('POST', data, [booking(1, 2), booking(3, 4, { room })])
    expect([status, body.details]).toEqual([
      400,
      { room: ['rows[1]: The value is too long for an index, which takes about 2600 bytes.'] },
    ])
  })

  it('a record can take the time that an earlier operation of the batch has left', async () => {
    const update = (id: number, values: object) => ({ op: 'update', table: 'bookings', id, data: values })
    const path = besides(data, 'batch/')
    const moves = [update(2, booking(20, 22)), update(1, booking(14, 16))]
    expect((await call('POST', path, moves)).status).toBe(200)
    const { status, body } = await call('POST', path, [update(1, booking(20, 22)), update(2, booking(1, 2))])
    expect([status, body]).toEqual([409, error('operations[0]: ')])
  })

  it('with on_conflict=ignore, a record that others exclude is left out', async () => {
    const rows = [booking(11, 13), booking(20, 21)]
    const { status, body } = await call('POST', `${data}?on_conflict=ignore`, rows)
    expect([status, body.data.length, body.ignored]).toEqual([201, 1, [0]])
  })

  it('without all values, nothing is excluded', async () => {
    expect((await call('POST', data, booking(10, 12, { room: null }))).status).toBe(201)
    expect((await call('POST', data, booking(10, 12, { state: 'free' }))).status).toBe(201)
    const { status, body } = await call('PATCH', `${data}?filter={"state":"free"}`, { state: 'taken' })
    expect([status, body]).toEqual([409, error('')])
  })

  it('a change of one end is 400 where it passes the other one', async () => {
    const { status, body } = await call('PATCH', `${data}1/`, { ends_at: hour(9) })
    expect([status, body]).toEqual([400, outOfOrder('')])
    const { body: many } = await call('PATCH', data, [
      { id: 1, state: 'x' },
      { id: 2, ends_at: hour(9) },
    ])
    expect(many).toEqual(outOfOrder('rows[1]: '))
  })

  it('soft-deleted records do not count; one that no longer fits is not restored', async () => {
    expect((await call('DELETE', `${data}1/`)).status).toBe(204)
    expect((await call('POST', data, { id: 4, ...booking(11, 13) })).status).toBe(201)
    const restored = await call('PATCH', `${data}1/?include_deleted=true`, { is_deleted: false })
    expect([restored.status, restored.body]).toEqual([409, error('')])
    expect((await call('DELETE', `${data}4/`)).status).toBe(204)
    expect((await call('PATCH', `${data}1/?include_deleted=true`, { is_deleted: false })).status).toBe(200)
  })

  it('a version that no longer fits is not restored', async () => {
    expect((await call('PATCH', `${data}1/`, booking(1, 2))).status).toBe(200)
    expect((await call('POST', data, booking(10, 11))).status).toBe(201)
    const { body } = await call('GET', `${data}1/history/`)
    const version = Math.max(...body.data.map((one: { number: number }) => one.number)) - 1
    const restored = await call('POST', `${data}1/restore/${version}/`)
    expect([restored.status, restored.body]).toEqual([409, error('')])
  })

  it('with atomic=false, the others are written', async () => {
    const rows = [booking(20, 21), booking(11, 13), booking(20, 22)]
    const { status, body } = await call('POST', `${data}?atomic=false&return=minimal`, rows)
    expect(status).toBe(207)
    expect(body.failed).toEqual([
      { index: 1, status: 409, ...error('') },
      { index: 2, status: 409, ...error('') },
    ])
  })

  it('validate_data finds records that others exclude', async () => {
    const path = data.replace(/data\/$/, 'validate_data/')
    const rows = [
      booking(11, 13),
      booking(20, 22),
      booking(21, 23),
      booking(9, 8),
      booking(11, 12, { state: 'free' }),
    ]
    const { status, body } = await call('POST', path, { data: rows })
    const message = 'The room is taken at this time.'
    const order = '"starts_at" must not be after "ends_at".'
    expect([status, body]).toEqual([
      200,
      {
        is_valid: false,
        errors: [
          `rows[0].room,starts_at,ends_at: ${message}`,
          `rows[2].room,starts_at,ends_at: ${message}`,
          `rows[3].starts_at: ${order}`,
          `rows[3].ends_at: ${order}`,
        ],
        validated_rows: 5,
      },
    ])
  })

  it('ranges with their ends, of days, without a message of their own', async () => {
    const stays = both.data[provider]('stays')
    await call('DELETE', `${stays}?all=true`)
    const stay = (first: number, last: number) => ({
      bed: 1,
      first_day: `2026-05-0${first}`,
      last_day: `2026-05-0${last}`,
    })
    expect((await call('POST', stays, [stay(1, 2), stay(3, 3)])).status).toBe(201)
    const { status, body } = await call('POST', stays, [stay(5, 6), stay(2, 2)])
    expect([status, body]).toEqual([
      409,
      {
        error: 'Record excluded',
        detail: 'rows[1]: With this bed, first_day, last_day, the record cannot exist beside another record.',
        field: 'bed,first_day,last_day',
        exclusion: 'bed',
        code: 'record_excluded',
      },
    ])
    const { body: own } = await call('POST', stays, [stay(5, 6), stay(6, 7)])
    expect(own.detail).toBe(
      'rows[1]: With this bed, first_day, last_day, the record cannot exist beside another record of the same request.',
    )
  })
})
