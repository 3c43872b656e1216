/** Explanations of access rules, and requests with X-View-As, which show what another user sees. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addTables, createShop, grant, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'
import { roundTrips } from '../../support/secrets.ts'
import { seed } from '../../support/seed.ts'

let app: TestApp
let shop: Shop
let manager: User
let admin: User
let reader: User
let customer: User
let agent: User
let stranger: User

beforeAll(async () => {
  app = await startApp({ ENVIRONMENT: 'development' })
  shop = await createShop(app, 'desk')
  const holder = async (name: string, permission: string) => {
    const user = await app.user(name)
    await grant(app, shop, user, [permission])
    return user
  }
  manager = await holder('manager', 'manage_site')
  admin = await holder('admin', 'admin_site')
  reader = await holder('reader', 'access_site')
  customer = await holder('customer', 'view_site')
  agent = await app.user('agent')
  stranger = await app.user('stranger')
  await app.sql(
    `insert into memberships (organization_id, user_id, role) select id, $1, 'member' from organizations where slug = 'desk-org'`,
    [agent.id],
  )
  for (const name of ['agents', 'red'])
    await app.sql(
      `with made as (insert into groups (organization_id, name) select id, $1 from organizations where slug = 'desk-org' returning id)
       insert into group_members (group_id, user_id) select id, $2 from made`,
      [name, agent.id],
    )
  await addTables(app, shop, [
    {
      name: 'tickets',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'title', type: 'string' },
          { name: 'owner_id', type: 'integer' },
          { name: 'team', type: 'string' },
          { name: 'is_public', type: 'boolean' },
          { name: 'is_deleted', type: 'boolean' },
        ],
        primaryKey: 'id',
        graph: { enabled: true, types: [{ name: 'blocks' }] },
      },
    },
    {
      name: 'replies',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'ticket_id', type: 'integer' },
          { name: 'text', type: 'string' },
        ],
        primaryKey: 'id',
        foreignKeys: [{ fields: 'ticket_id', reference: { resource: 'tickets', fields: 'id' } }],
      },
    },
  ])
  const { token } = shop.owner
  await app.request('POST', shop.data('tickets'), {
    token,
    body: [
      { id: 1, title: 'lamp', owner_id: customer.id, team: 'blue', is_public: false },
      { id: 2, title: 'chair', owner_id: 0, team: 'red', is_public: true },
      { id: 3, title: 'table', owner_id: customer.id, team: 'red', is_public: true },
      { id: 4, title: 'gone', owner_id: customer.id, is_public: true, is_deleted: true },
    ],
  })
  await app.request('POST', shop.data('replies'), {
    token,
    body: [
      { id: 1, ticket_id: 1, text: 'a' },
      { id: 2, ticket_id: 2, text: 'b' },
      { id: 3, ticket_id: null, text: 'c' },
    ],
  })
  await app.request('POST', `${shop.api}/apps/shop/datatables/tickets/edges/`, {
    token,
    body: [
      { from_id: 2, to_id: 3, type: 'blocks' },
      { from_id: 3, to_id: 1, type: 'blocks' },
    ],
  })
  await put('tickets', ticketRules)
  await put('replies', replyRules)
})

const ticketRules = [
  { name: 'own', who: 'user', can: ['read'], where: { owner_id: { $: 'user.id' } } },
  { name: 'of the team', who: 'group:agents', can: ['read'], where: { team__in: { $: 'user.groups' } } },
  {
    name: 'shop window',
    who: 'anyone',
    can: ['read'],
    where: { or: [{ is_public: true }, { not: { team: 'blue' }, title__gt: 'm' }] },
    fields: ['id', 'title'],
  },
]
const replyRules = [
  { name: 'to own', who: 'user', can: ['read'], where: { 'ticket.owner_id': { $: 'user.id' } } },
]

const put = async (table: string, rules: readonly object[]) => {
  const path = `${shop.api}/apps/shop/datatables/${table}/access/`
  const { status, body } = await app.request('PUT', path, { token: shop.owner.token, body: { rules } })
  expect([status, body.rules]).toEqual([200, rules])
}

const explain = (question: object, { table = 'tickets', by = manager } = {}) =>
  app.request('POST', `${shop.api}/apps/shop/datatables/${table}/access/explain/`, {
    token: by.token,
    body: { action: 'read', ...question },
  })

describe('an explanation', () => {
  it.each<[string, object, object]>([
    [
      'an invalid caller',
      { as: { user: 'ada' } },
      { as: ['Must be {"user": <id>}, {"group": <name>}, {"role": <name>} or {"anyone": true}.'] },
    ],
    [
      'a user that does not belong to the site',
      { as: { user: 99 } },
      { as: ['The site has no person with the id 99.'] },
    ],
    [
      'a group that does not exist',
      { as: { group: 'pilots' } },
      { as: ['The organization of the site has no group "pilots".'] },
    ],
  ])('returns 400 for %s', async (_what, question, message) => {
    const { status, body } = await explain(question)
    expect([status, body]).toEqual([400, message])
  })

  it('returns 400 for a user without a tie to the site, and for a superuser', async () => {
    const root = await app.user('root', { superuser: true })
    await grant(app, shop, root, ['view_site'])
    for (const { id } of [stranger, root])
      expect((await explain({ as: { user: id } })).body).toEqual({
        as: [`The site has no person with the id ${id}.`],
      })
  })

  it('returns 400 for an unknown action, and 404 for an unknown record or table', async () => {
    expect((await explain({ as: { anyone: true }, action: 'fly' })).status).toBe(400)
    for (const record of [99, 'x'])
      expect([record, (await explain({ as: { anyone: true }, record })).body.error]).toEqual([
        record,
        'Record not found',
      ])
    expect((await explain({ as: { anyone: true } }, { table: 'none' })).status).toBe(404)
  })

  it('returns 422 for a table that is not materialized', async () => {
    const json_schema = { fields: [{ name: 'id', type: 'integer' }] }
    const made = await app.request('POST', `${shop.api}/apps/shop/datasources/main/datatables/`, {
      token: shop.owner.token,
      body: { name: 'planned', json_schema },
    })
    expect(made.status).toBe(201)
    const { status, body } = await explain({ as: { anyone: true } }, { table: 'planned' })
    expect([status, body.error]).toEqual([422, 'Datatable is not materialized'])
  })

  it('returns 403 to callers who may not manage the site', async () => {
    for (const by of [reader, customer, stranger])
      expect((await explain({ as: { anyone: true } }, { by })).status).toBe(403)
  })

  it('shows why each rule fails: every condition with its values, in one round trip', async () => {
    await explain({ as: { anyone: true } })
    const answer = await explain({ as: { user: agent.id }, record: 1 })
    expect([answer.status, answer.body, roundTrips(answer)]).toEqual([
      200,
      {
        allowed: false,
        reason: 'No rule gives this caller "read" for the record "1".',
        standing: { signed_in: true, user: true, groups: ['agents', 'red'], permissions: [], roles: [] },
        fields: [],
        rules: [
          {
            name: 'own',
            who: 'user',
            failed: 'where',
            conditions: [
              {
                condition: { owner_id: { $: 'user.id' } },
                passes: false,
                found: customer.id,
                compared: agent.id,
              },
            ],
          },
          {
            name: 'of the team',
            who: 'group:agents',
            failed: 'where',
            conditions: [
              {
                condition: { team__in: { $: 'user.groups' } },
                passes: false,
                found: 'blue',
                compared: ['agents', 'red'],
              },
            ],
          },
          {
            name: 'shop window',
            who: 'anyone',
            failed: 'where',
            conditions: [
              {
                condition: { or: ticketRules[2]?.where.or },
                passes: false,
                conditions: [
                  { condition: { is_public: true }, passes: false, found: false },
                  {
                    condition: { not: { team: 'blue' }, title__gt: 'm' },
                    passes: false,
                    conditions: [
                      {
                        condition: { not: { team: 'blue' } },
                        passes: false,
                        conditions: [{ condition: { team: 'blue' }, passes: true, found: 'blue' }],
                      },
                      { condition: { title__gt: 'm' }, passes: false, found: 'lamp' },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      1,
    ])
  })

  it('names the rules that allow a record, and their fields', async () => {
    const { body } = await explain({ as: { user: customer.id }, record: 3 })
    expect([body.allowed, body.reason, body.fields.length]).toEqual([
      true,
      'Allowed for the record "3" by these rules: "own", "shop window".',
      6,
    ])
    expect(body.rules.map(({ failed }: { failed: string }) => failed)).toEqual([null, 'who', null])
    const anyone = await explain({ as: { anyone: true }, record: 3 })
    expect([anyone.body.allowed, anyone.body.fields, anyone.body.standing]).toEqual([
      true,
      ['id', 'title'],
      { signed_in: false, user: false, groups: [], permissions: [], roles: [] },
    ])
    const group = await explain({ as: { group: 'red' } })
    expect([
      group.body.standing.groups,
      group.body.rules.map(({ failed }: { failed: string }) => failed),
    ]).toEqual([['red'], [null, 'who', null]])
  })

  it('shows the value that was found in a related record, or none', async () => {
    const found = async (record: number) => {
      const { body } = await explain({ as: { user: customer.id }, record }, { table: 'replies' })
      const [{ found: value }] = body.rules[0].conditions
      return [body.allowed, value]
    }
    expect([await found(1), await found(2), await found(3)]).toEqual([
      [true, customer.id],
      [false, 0],
      [false, null],
    ])
  })

  it('says that a record is deleted, or that the caller has access_site and needs no rule', async () => {
    const deleted = await explain({ as: { user: customer.id }, record: 4 })
    expect([deleted.body.allowed, deleted.body.reason, deleted.body.fields]).toEqual([
      false,
      'Guests see no deleted records, and the record "4" is deleted.',
      [],
    ])
    const { body } = await explain({ as: { user: reader.id }, record: 1 })
    expect([body.allowed, body.reason, body.standing]).toEqual([
      true,
      'The caller has access_site, so access rules do not apply.',
      null,
    ])
  })

  it('names fields of a query that the caller may not use', async () => {
    const query = { owner_id: 3, ordering: '-title', fields: 'id,title' }
    const { body } = await explain({ as: { anyone: true }, query })
    expect([body.allowed, body.reason, body.problems]).toEqual([
      false,
      'No rule allows this caller to use the query: see "problems".',
      { owner_id: ['Unknown field or parameter "owner_id". Fields: id, title.'] },
    ])
    const own = await explain({ as: { user: customer.id }, query })
    expect([own.body.allowed, own.body.problems]).toEqual([true, {}])
    const versions = await explain({ as: { anyone: true }, action: 'history' })
    expect([versions.body.allowed, versions.body.rules[2].failed]).toEqual([false, 'can'])
  })
})

describe('an explanation of a write', () => {
  const writeRules = [
    { name: 'reads', who: 'anyone', can: ['read'], where: { id__lte: 3 } },
    {
      name: 'own',
      who: 'user',
      can: ['create', 'update'],
      where: { owner_id: { $: 'user.id' } },
      check: { owner_id: { $: 'user.id' }, title__ne: 'no' },
      set: { team: 'red' },
      fields: { write: ['title', 'owner_id'] },
    },
    { name: 'drop', who: 'user', can: ['delete'], where: { is_public: true } },
  ]
  const said = ({ body }: Awaited<ReturnType<typeof explain>>) => [body.allowed, body.reason]
  const failures = (body: { rules: { failed: string | null }[] }) => body.rules.map(({ failed }) => failed)

  beforeAll(() => put('tickets', writeRules))
  afterAll(() => put('tickets', ticketRules))

  it('returns 400 for members that do not apply to the action', async () => {
    const as = { anyone: true }
    for (const [question, message] of [
      [
        { action: 'create', record: 1 },
        { record: [expect.stringContaining('is not possible with "create"')] },
      ],
      [{ action: 'update', data: { title: 'x' } }, { record: [expect.stringContaining('primary key')] }],
      [
        { action: 'delete', record: 1, data: {} },
        { data: ['"data" is only possible with "create" and "update".'] },
      ],
      [{ action: 'read', data: {} }, { data: ['"data" is only possible with "create" and "update".'] }],
      [{ action: 'create', query: {} }, { query: ['"query" is only possible with "read" and "history".'] }],
    ] as const) {
      const { status, body } = await explain({ as, ...question })
      expect([question, status, body]).toEqual([question, 400, message])
    }
    expect((await explain({ as, action: 'update', record: 99 })).status).toBe(404)
  })

  it('tests `where` on the current record and `check` on the changed one, in one round trip, and writes nothing', async () => {
    const question = { as: { user: customer.id }, action: 'update', record: 1, data: { title: 'no' } }
    const before = await app.sql(`select * from ${shop.schema}.shop_tickets order by id`)
    await explain(question)
    const answer = await explain(question)
    const own = {
      condition: { owner_id: { $: 'user.id' } },
      passes: true,
      found: customer.id,
      compared: customer.id,
    }
    expect([answer.status, answer.body, roundTrips(answer)]).toEqual([
      200,
      {
        allowed: false,
        reason: 'No rule allows this caller to change the record "1" in this way.',
        standing: { signed_in: true, user: true, groups: [], permissions: ['view_site'], roles: [] },
        fields: ['title', 'owner_id'],
        rules: [
          { name: 'reads', who: 'anyone', failed: 'can', conditions: [] },
          {
            name: 'own',
            who: 'user',
            failed: 'check',
            conditions: [own],
            check: [own, { condition: { title__ne: 'no' }, passes: false, found: 'no' }],
            set: [{ field: 'team', value: 'red', passes: true }],
            unwritable: [],
          },
          { name: 'drop', who: 'user', failed: 'can', conditions: [] },
        ],
        problems: {},
      },
      1,
    ])
    expect(await app.sql(`select * from ${shop.schema}.shop_tickets order by id`)).toEqual(before)
  })

  it('names the first part of a rule that fails: who, fields, set or where', async () => {
    const user = { as: { user: customer.id }, action: 'update' }
    const anyone = await explain({ as: { anyone: true }, action: 'update', record: 1, data: {} })
    expect([...said(anyone), failures(anyone.body)[1]]).toEqual([
      false,
      'No rule allows this caller to change records of "tickets".',
      'who',
    ])
    const unwritable = await explain({ ...user, record: 1, data: { is_public: true } })
    expect([unwritable.body.rules[1].failed, unwritable.body.rules[1].unwritable]).toEqual([
      'fields',
      ['is_public'],
    ])
    expect(unwritable.body.problems).toEqual({ is_public: [expect.stringContaining('Unknown field')] })
    const filled = await explain({ ...user, record: 1, data: { team: 'blue' } })
    expect([filled.body.rules[1].failed, filled.body.rules[1].set]).toEqual([
      'set',
      [{ field: 'team', value: 'red', passes: false }],
    ])
    const other = await explain({ ...user, record: 2, data: { title: 'x' } })
    expect([other.body.allowed, failures(other.body)[1]]).toEqual([false, 'where'])
    const wrong = await explain({ ...user, record: 1, data: { title: 5 } })
    expect([wrong.body.allowed, Object.keys(wrong.body.problems), wrong.body.rules[1].check]).toEqual([
      false,
      ['title'],
      undefined,
    ])
    const moved = await explain({ ...user, record: 1, data: { id: 2 } })
    expect(moved.body.problems).toEqual({ id: ['The primary key of a record cannot be changed.'] })
  })

  it('names the rule that allows the write; holders of change_site need none', async () => {
    const user = { as: { user: customer.id } }
    expect(said(await explain({ ...user, action: 'update', record: 1, data: { title: 'yes' } }))).toEqual([
      true,
      'Allowed by the rule "own", the first that fits.',
    ])
    expect(said(await explain({ ...user, action: 'create' }))).toEqual([
      true,
      'Allowed for the records that the rules let pass: "own".',
    ])
    expect(said(await explain({ ...user, action: 'delete', record: 4 }))).toEqual([
      false,
      'Guests find no deleted records, and the record "4" is deleted.',
    ])
    const writer = await app.user('plain-writer')
    await grant(app, shop, writer, ['change_site'])
    const change = { action: 'update', record: 1, data: { title: 'x' } }
    const asked = async (id: number) => (await explain({ as: { user: id }, ...change })).body.allowed
    expect([await asked(writer.id), await asked(reader.id), await asked(admin.id)]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('names references to records that the caller may not read', async () => {
    await put('replies', [{ name: 'send', who: 'anyone', can: ['create'], fields: { write: ['ticket_id'] } }])
    const send = (ticket_id: number) =>
      explain({ as: { anyone: true }, action: 'create', data: { ticket_id } }, { table: 'replies' })
    const hidden = await send(4)
    expect([hidden.body.allowed, hidden.body.problems]).toEqual([
      false,
      { ticket_id: ['This ticket_id references no record that you may read.'] },
    ])
    expect((await send(1)).body.allowed).toBe(true)
    await put('replies', replyRules)
  })

  it('tells apart a rule of the table and one of its app that have the same name', async () => {
    const access = (rules: object[]) =>
      app.request('PUT', `${shop.api}/apps/shop/access/`, { token: shop.owner.token, body: { rules } })
    await put('replies', [{ name: 'send', who: 'group:none', can: ['create'], set: { ticket_id: 1 } }])
    const send = { name: 'send', who: 'anyone', can: ['create'], fields: { write: ['ticket_id'] } }
    expect((await access([{ ...send, tables: ['replies'] }])).status).toBe(200)
    const hidden = await explain(
      { as: { anyone: true }, action: 'create', data: { ticket_id: 4 } },
      { table: 'replies' },
    )
    expect([hidden.body.allowed, hidden.body.problems]).toEqual([
      false,
      { ticket_id: ['This ticket_id references no record that you may read.'] },
    ])
    await access([])
    await put('replies', replyRules)
  })

  it('rejects an operation on a value that the caller may not read: it may not write it', async () => {
    await put('tickets', [
      { name: 'titles', who: 'anyone', can: ['read'], fields: ['id', 'title'] },
      { name: 'own', who: 'user', can: ['read'], where: { owner_id: { $: 'user.id' } } },
      { name: 'give', who: 'user', can: ['update'], fields: { write: ['owner_id'] } },
    ])
    const data = { owner_id: { $add: 1 } }
    for (const [record, status, unwritable] of [
      [1, 200, []],
      [2, 403, ['owner_id']],
    ] as const) {
      const { body } = await explain({ as: { user: customer.id }, action: 'update', record, data })
      const isAllowed = status === 200
      expect([body.allowed, body.rules[2].failed, body.rules[2].unwritable]).toEqual([
        isAllowed,
        isAllowed ? null : 'fields',
        unwritable,
      ])
      const path = `${shop.data('tickets')}${record}/?dry_run=true`
      expect((await app.request('PATCH', path, { token: customer.token, body: data })).status).toBe(status)
    }
    await put('tickets', writeRules)
  })

  it('agrees with a dry run of the same write', async () => {
    const fitting = fc.record(
      { title: fc.constant('yes'), owner_id: fc.constant(customer.id), team: fc.constant('red') },
      { requiredKeys: ['owner_id'] },
    )
    const odd = fc.record(
      {
        title: fc.constantFrom('yes', 'no', 5),
        owner_id: fc.constantFrom(customer.id, 0, null),
        team: fc.constantFrom('red', 'blue'),
        is_public: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    const value = fc.oneof<fc.Arbitrary<object>[]>(fitting, odd)
    const writes = fc.record({
      action: fc.constantFrom('create', 'update', 'update', 'delete'),
      record: fc.constantFrom(1, 3, 3, 2, 4),
      data: value,
      isSignedIn: fc.constantFrom(true, true, true, false),
    })
    const counts = { true: 0, false: 0 }
    for (const { action, record, data, isSignedIn } of fc.sample(writes, { numRuns: runs(60, 600), seed })) {
      const isNew = action === 'create'
      const { body } = await explain({
        as: isSignedIn ? { user: customer.id } : { anyone: true },
        action,
        ...(isNew ? {} : { record }),
        ...(action === 'delete' ? {} : { data }),
      })
      const method = { create: 'POST', update: 'PATCH', delete: 'DELETE' }[action] as string
      const { status, body: written } = await app.request(
        method,
        `${shop.data('tickets')}${isNew ? '' : `${record}/`}?dry_run=true`,
        { ...(isSignedIn ? { token: customer.token } : {}), ...(action === 'delete' ? {} : { body: data }) },
      )
      const context = `seed ${seed}: ${isSignedIn} ${action} ${record} ${JSON.stringify(data)} ${JSON.stringify(body)}`
      // The rules say nothing of records that reference the deleted one.
      const isHeld = action === 'delete' && written.error === 'Cannot delete record'
      expect(body.allowed, context).toBe(status < 300 || isHeld)
      counts[status < 300 ? 'true' : 'false']++
    }
    expect(Math.min(counts.true, counts.false)).toBeGreaterThan(3)
  })
})

const see = (path: string, id: number | string, by: Partial<User> = admin, method = 'GET') =>
  app.request(method, path, {
    ...(by.token ? { token: by.token } : {}),
    headers: { 'x-view-as': String(id) },
  })

describe('X-View-As', () => {
  it.each(['0', '-1', 'x', '1.5', '12345678901234567890', 'customer'])(
    'returns 400 for "%s"',
    async (text) => {
      const { status, body } = await see(shop.data('tickets'), text)
      expect([status, body.details]).toEqual([
        400,
        { 'X-View-As': ['It must be the id of a user, for example 12.'] },
      ])
    },
  )

  it('returns 400 without a token, and with an API key', async () => {
    const needed = { 'X-View-As': ['It needs an access token (Bearer).'] }
    const anonymous = await see(shop.data('tickets'), customer.id, {})
    expect([anonymous.status, anonymous.body.details]).toEqual([400, needed])
    const made = await app.request('POST', `${shop.api}/api-keys/`, {
      token: shop.owner.token,
      body: { name: 'all', scopes: [{ app: 'shop', tables: ['*'], can: ['read'] }] },
    })
    const keyed = await app.request('GET', shop.data('tickets'), {
      headers: { authorization: `Api-Key ${made.body.key}`, 'x-view-as': String(customer.id) },
    })
    expect([keyed.status, keyed.body.details]).toEqual([400, needed])
  })

  it('returns 400 for everything but reading records, aggregates and edges', async () => {
    const only = ['It only applies to reading records, aggregates and edges.']
    const others: [method: string, path: string][] = [
      ['POST', shop.data('tickets')],
      ['PATCH', `${shop.data('tickets')}2/`],
      ['DELETE', `${shop.data('tickets')}2/`],
      ['GET', `${shop.data('tickets')}2/history/`],
      ['GET', `${shop.api}/apps/`],
      ['GET', `${shop.api}/apps/shop/access/`],
      ['POST', `${shop.api}/apps/shop/datatables/tickets/access/explain/`],
      ['POST', `${shop.api}/apps/shop/datatables/tickets/edges/`],
      ['GET', '/api/users/'],
      ['POST', `${shop.api}/apps/shop/batch/`],
    ]
    for (const [method, path] of others) {
      const { status, body } = await app.request(method, path, {
        token: admin.token,
        headers: { 'x-view-as': String(customer.id) },
        ...(method === 'POST' || method === 'PATCH' ? { body: {} } : {}),
      })
      const said = body['X-View-As'] ?? body.details?.['X-View-As'] ?? body.detail?.['X-View-As']
      expect([method, path, status, said]).toEqual([method, path, 400, only])
    }
  })

  it('returns 403 to callers who do not hold admin_site', async () => {
    for (const by of [manager, reader, customer, stranger]) {
      for (let times = 0; times < 2; times++)
        expect((await see(shop.data('tickets'), customer.id, by)).status).toBe(403)
    }
  })

  it('returns 400 for users who do not belong to the site, and for superusers', async () => {
    const root = await app.user('viewed-root', { superuser: true })
    await grant(app, shop, root, ['view_site'])
    for (const { id } of [stranger, root]) {
      const { status, body } = await see(shop.data('tickets'), id)
      expect([status, body.details]).toEqual([
        400,
        { 'X-View-As': [`The site has no person with the id ${id}.`] },
      ])
    }
    expect((await see(`${shop.data('tickets')}?x=1`, stranger.id)).status).toBe(400)
  })

  it('returns what the user would get: lists, records, aggregates, walks, edges and errors', async () => {
    const edges = `${shop.api}/apps/shop/datatables/tickets/edges/`
    const paths = [
      shop.data('tickets'),
      `${shop.data('tickets')}1/`,
      `${shop.data('tickets')}2/`,
      `${shop.data('tickets')}4/`,
      `${shop.data('tickets')}?_aggregate=count(*) as n,max(id) as m`,
      `${shop.data('tickets')}?owner_id=${customer.id}`,
      `${shop.data('tickets')}?populate=replies`,
      `${shop.data('tickets')}?format=graph`,
      `${shop.data('tickets')}2/?include=both`,
      `${shop.data('tickets')}?nothing=1`,
      shop.data('replies'),
      shop.data('makers'),
      `${shop.api}/apps/none/datatables/x/data/`,
      edges,
      `${edges}?from_id=2`,
    ]
    for (const person of [customer, agent, reader])
      for (const path of paths) {
        const own = await app.request('GET', path, { token: person.token })
        const seen = await see(path, person.id)
        expect([person.username, path, seen.status, seen.body]).toEqual([
          person.username,
          path,
          own.status,
          own.body,
        ])
      }
    const warm = await see(shop.data('tickets'), reader.id)
    expect(roundTrips(warm)).toBe(1)
  })

  it('applies changed permissions of the user at once', async () => {
    const person = await app.user('rising')
    await grant(app, shop, person, ['view_site'])
    const total = async () => (await see(shop.data('tickets'), person.id)).body.total
    expect(await total()).toBe(2)
    await grant(app, shop, person, ['access_site'])
    expect(await total()).toBe(3)
    await grant(app, shop, person, ['view_site'])
    expect(await total()).toBe(2)
    await grant(app, shop, person, [])
    expect((await see(shop.data('tickets'), person.id)).status).toBe(400)
  })

  it('adds an entry to the audit for each request that is answered', async () => {
    const entries = async () =>
      await app.request('GET', '/api/cloud/sites/desk/audit/?kind=view_as&page_size=200', {
        token: shop.owner.token,
      })
    const before = (await entries()).body.count
    const fresh = await app.user('freshly-seen')
    await grant(app, shop, fresh, ['view_site'])
    await see(shop.data('tickets'), fresh.id)
    await see(`${shop.data('tickets')}2/`, fresh.id)
    await see(shop.data('tickets'), fresh.id, reader)
    await see(shop.data('tickets'), stranger.id)
    const { body } = await entries()
    expect(body.count - before).toBe(2)
    expect(body.results[0]).toMatchObject({
      site: 'desk',
      actor: { id: admin.id, username: admin.username },
      kind: 'view_as',
      action: 'create',
      object_id: String(fresh.id),
      object: null,
      changed: [],
      values: {},
    })
  })
})

describe('explanations of random rules', () => {
  const part = fc.constantFrom<object>(
    { owner_id: { $: 'user.id' } },
    { team__in: { $: 'user.groups' } },
    { team: 'red' },
    { title__gt: 'f' },
    { not: { is_public: true } },
    { 'replies.text': 'a' },
    { id__in: [1, 2] },
    {},
  )
  const where = fc.oneof(
    part,
    fc.tuple(part, part).map(([one, other]): object => ({ or: [one, other] })),
    fc.tuple(part, part).map(([one, other]): object => ({ and: [one, { not: other }] })),
  )
  const rules = fc.array(
    fc.record({
      who: fc.constantFrom('anyone', 'signed-in', 'user', 'group:agents', 'permission:view_site'),
      where,
      fields: fc.constantFrom(undefined, ['id', 'title'], ['id', 'team', 'owner_id']),
    }),
    { minLength: 1, maxLength: 3 },
  )

  it('agree with reads: a record is allowed, with its fields, exactly if the caller can read it', async () => {
    let allowed = 0
    for (const some of fc.sample(rules, { numRuns: runs(8, 80), seed })) {
      const all = some.map(({ fields, ...rule }, number) => {
        return { name: `rule ${number}`, can: ['read'], ...rule, ...(fields ? { fields } : {}) }
      })
      await put('tickets', all)
      for (const person of [customer, agent, undefined])
        for (const record of [1, 2, 3, 4]) {
          const as = person ? { user: person.id } : { anyone: true }
          const { status, body } = await explain({ as, record })
          const path = `${shop.data('tickets')}${record}/`
          const read = await app.request('GET', path, person ? { token: person.token } : {})
          const context = `seed ${seed}: ${person?.username} ${record} ${JSON.stringify(all)}`
          expect([status, body.allowed], context).toEqual([200, read.status === 200])
          if (read.status !== 200) continue
          allowed++
          const shown = Object.entries(read.body.data).filter(([, value]) => value !== null)
          expect(body.fields, context).toEqual(expect.arrayContaining(shown.map(([name]) => name)))
        }
    }
    expect(allowed).toBeGreaterThan(0)
    await put('tickets', ticketRules)
  })
})
