/** A 409 says who holds the value of a unique key: a table of doors × holders, in both providers. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'

const resources = [
  {
    name: 'people',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'email', type: 'string', constraints: { unique: true } },
        { name: 'first', type: 'string' },
        { name: 'last', type: 'string' },
        { name: 'is_deleted', type: 'boolean' },
      ],
      uniqueKeys: [['first', 'last']],
    },
  },
  {
    name: 'pets',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'owner_id', type: 'integer' },
      ],
      foreignKeys: [{ fields: 'owner_id', reference: { resource: 'people', fields: 'id' } }],
    },
  },
]

let both: BothProviders
let writer: string

beforeAll(async () => {
  both = await createInBothProviders('holding', resources, [])
  const scopes = ['shop', 'papers'].map((app) => ({ app, tables: ['*'], can: ['create'] }))
  const made = await both.owner.post('/api-keys/', { name: 'writer', scopes })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  writer = made.body.key
})

const call = (method: string, path: string, body?: unknown, key?: string) =>
  both.app.request(method, path, {
    ...(key ? { headers: { authorization: `Api-Key ${key}` } } : { token: both.shop.owner.token }),
    ...(body === undefined ? {} : { body }),
  })

/** A way to write values: the request that gives them to a record, and where its error is. */
interface Door {
  name: string
  /** What messages call the record. */
  at: string
  send(data: string, values: object): [method: string, path: string, body: unknown]
  errorIn?: typeof partly
}

const besides = (data: string, path: string) => data.replace(/datatables\/.*$/, path)
const batch = (at: string, op: object): Omit<Door, 'name'> => ({
  at,
  send: (data, values) => [
    'POST',
    besides(data, 'batch/'),
    [
      { op: 'create', table: 'people', data: { id: 8 } },
      { table: 'people', ...op, data: values },
    ],
  ],
})
const partly = ({ failed }: { failed: readonly Record<string, unknown>[] }) => {
  const { status: _, index: __, ...error } = failed[0] ?? {}
  return error
}

const doors: Door[] = [
  { name: 'POST', at: '', send: (data, values) => ['POST', data, values] },
  { name: 'POST of an array', at: 'rows[1]: ', send: (data, values) => ['POST', data, [{ id: 8 }, values]] },
  { name: 'POST of a nested record', at: 'owner: ', send: (data, values) => ['POST', data.replace('people', 'pets'), { id: 1, owner: values }] }, // biome-ignore format: rows
  { name: 'PATCH', at: '', send: (data, values) => ['PATCH', `${data}2/`, values] },
  { name: 'PUT', at: '', send: (data, values) => ['PUT', `${data}2/`, values] },
  { name: 'PATCH of an array', at: 'rows[1]: ', send: (data, values) => ['PATCH', data, [{ id: 3, email: 'c' }, { id: 2, ...values }]] }, // biome-ignore format: rows
  { name: 'PATCH by a filter', at: '', send: (data, values) => ['PATCH', `${data}?filter={"id":2}`, values] },
  { name: 'an upsert by the key', at: '', send: (data, values) => ['POST', `${data}upsert/?unique_fields=id`, { id: 2, ...values }] }, // biome-ignore format: rows
  { name: 'a creation in a batch', ...batch('operations[1]: ', { op: 'create' }) },
  { name: 'a change in a batch', ...batch('operations[1]: ', { op: 'update', id: 2 }) },
  { name: 'POST with atomic=false', at: '', send: (data, values) => ['POST', `${data}?atomic=false`, [values]], errorIn: partly }, // biome-ignore format: rows
  { name: 'PATCH with atomic=false', at: '', send: (data, values) => ['PATCH', `${data}?atomic=false`, [{ id: 2, ...values }]], errorIn: partly }, // biome-ignore format: rows
]

const keys = [
  { values: { email: 'a' }, fields: ['email'] },
  { values: { first: 'A, B', last: 'C' }, fields: ['first', 'last'] },
]

const advice =
  'Restore it (include_deleted=true), delete it for good (hard_delete=true), or use another value.'
const errorOf = (holder: string, fields: string[], at: string) => {
  const names = fields.join(', ')
  return {
    error: 'Duplicate value',
    detail:
      at +
      (holder === 'deleted'
        ? `A deleted record has this ${names}. ${advice}`
        : `A record with this ${names} already exists.`),
    field: at === 'owner: ' ? fields.map((name) => `owner.${name}`).join() : fields.join(),
    ...(holder === 'deleted' ? { held_by: 'deleted' } : {}),
    code: 'duplicate_value',
  }
}

describe.each(providers)('in %s', (provider) => {
  let data: string
  beforeEach(async () => {
    data = both.data[provider]('people')
    await call('DELETE', `${data}?filter={"id__gte":0}&hard_delete=true`)
    const rows = [{ id: 1, email: 'a', first: 'A, B', last: 'C' }, { id: 2, email: 'b' }, { id: 3 }]
    expect((await call('POST', data, rows)).status).toBe(201)
  })

  describe.each(doors)('$name', ({ at, send, errorIn }) => {
    describe.each(keys)('of $fields', ({ values, fields }) => {
      it.each(['deleted', 'other'])('says that the holder is %s', async (holder) => {
        if (holder === 'deleted') expect((await call('DELETE', `${data}1/`)).status).toBe(204)
        const { status, body } = await call(...send(data, values))
        if (errorIn) expect(errorIn(body)).toEqual(errorOf(holder, fields, at))
        else expect([status, body]).toEqual([409, errorOf(holder, fields, at)])
      })
    })
  })

  it('does not tell a key that may not read whether the holder is deleted', async () => {
    await call('DELETE', `${data}1/`)
    const { status, body } = await call('POST', data, { email: 'a' }, writer)
    expect([status, body]).toEqual([409, errorOf('other', ['email'], '')])
  })

  it('validate_data says it, too', async () => {
    await call('DELETE', `${data}1/`)
    const path = data.replace(/data\/$/, 'validate_data/')
    const { body } = await call('POST', path, { data: [{ email: 'a' }, { email: 'b' }] })
    expect(body.errors).toEqual([
      `rows[0].email: A deleted record has this email. ${advice}`,
      'rows[1].email: A record with this email already exists.',
    ])
  })
})
