/** The access rules of a datatable, and what guests read by them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { listEdges } from '../../../src/data/edges/service.ts'
import { walkFrom, walkFromRoots } from '../../../src/data/graph/service.ts'
import { listVersions } from '../../../src/data/history/service.ts'
import type { RequestContext } from '../../../src/kernel/context.ts'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'
import { guestContext } from '../../support/guests.ts'

let app: TestApp
let shop: Shop
let stranger: User

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'desk')
  stranger = await app.user('stranger')
  await addTables(app, shop, [
    {
      name: 'tickets',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'title', type: 'string' },
          { name: 'notes', type: 'string' },
          { name: 'owner_id', type: 'integer' },
          { name: 'team', type: 'string' },
          { name: 'is_public', type: 'boolean' },
          { name: 'is_deleted', type: 'boolean' },
          { name: 'due', type: 'datetime' },
          { name: 'falls_within', type: 'string' },
        ],
        primaryKey: 'id',
        search_fields: ['title', 'notes'],
        graph: { enabled: true, types: [{ name: 'blocks', inverse: 'blocked_by' }] },
        history: true,
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
  const records = [
    { id: 1, title: 'lamp', notes: 'secret one', owner_id: stranger.id, team: 'blue', is_public: false },
    { id: 2, title: 'chair', notes: 'secret two', owner_id: 0, team: 'red', is_public: true },
    { id: 3, title: 'table', notes: 'secret three', owner_id: stranger.id, team: 'red', is_public: true },
    { id: 4, title: 'gone', owner_id: stranger.id, is_public: true, is_deleted: true },
  ]
  const replies = [
    { id: 1, ticket_id: 1, text: 'a' },
    { id: 2, ticket_id: 2, text: 'b' },
  ]
  for (const [table, body] of [
    ['tickets', records],
    ['replies', replies],
  ] as const)
    await app.request('POST', shop.data(table), { token: shop.owner.token, body })
})

const pathOf = (table: string) => `${shop.api}/apps/shop/datatables/${table}/access/`

const put = (table: string, rules: readonly object[], query = '') =>
  app.request('PUT', `${pathOf(table)}${query}`, { token: shop.owner.token, body: { rules } })

const read = (path: string, user?: User) =>
  app.request('GET', path, user === undefined ? {} : { token: user.token })

const own = { name: 'own', who: 'signed-in', can: ['read'], where: { owner_id: { $: 'user.id' } } }
const open = {
  name: 'shop window',
  who: 'anyone',
  can: ['read'],
  where: { is_public: true },
  fields: ['id', 'title'],
}

/** A rule that allows writes, with the wrong members of a test. */
const writes = (more: object) => ({ name: 'write', who: 'signed-in', can: ['create', 'update'], ...more })

describe('the rules of a datatable', () => {
  it.each<[string, object, string[]]>([
    ['an unknown field', { ...open, fields: ['id', 'titel'] }, ['[0].fields: there is no field "titel"']],
    [
      'fields without the primary key',
      { ...open, fields: ['title'] },
      ['[0].fields: "id" is missing: guests name records by the primary key'],
    ],
    [
      'versions without the records',
      { ...open, can: ['history'] },
      ['[0].can: "read" is missing: "history" gives the versions of records that the rule shows'],
    ],
    [
      'an unknown value of the caller',
      { ...open, where: { owner_id: { $: 'user.idd' } } },
      [
        '[0].where: There is no value {"$": "user.idd"}. Did you mean "user.id"? Values: user.id, user.uuid, ' +
          'user.email, now, user.groups, user.roles.',
      ],
    ],
    [
      'a value of another type than its field',
      { ...open, where: { owner_id: { $: 'user.email' } } },
      ['[0].where: {"$": "user.email"} is not a value of "owner_id", which is of type integer.'],
    ],
    [
      'an operator that does not compare as a whole',
      { ...open, where: { title__icontains: { $: 'user.email' } } },
      [
        '[0].where: Values of the caller can only be used with =, ne, gt, gte, lt and lte; ' +
          'user.groups and user.roles with in.',
      ],
    ],
    [
      'a range of dates by its name',
      { ...open, where: { due__within: 'today' } },
      [
        '[0].where: "due__within" is not possible in a rule: "within" is a named date range, which would stay fixed to today\'s date.',
      ],
    ],
    [
      'the negation of such a range',
      { ...open, where: { not: { or: [{ due__within: 'today' }] } } },
      [
        '[0].where: "due__within" is not possible in a rule: "within" is a named date range, which would stay fixed to today\'s date.',
      ],
    ],
    [
      'a regular expression for a related record',
      { ...open, where: { 'replies.text__imatches': '^a' } },
      [
        '[0].where: "replies.text__imatches" is not possible in a rule: "imatches" can fail in Postgres when a guest uses it.',
      ],
    ],
    [
      'a check and set values in a rule that allows no writes',
      { ...own, check: { team: 'red' }, set: { team: 'red' } },
      [
        '[0].check: only a rule that can "create" or "update" has it',
        '[0].set: only a rule that can "create" or "update" has it',
      ],
    ],
    [
      'a check that is not a valid filter of the table',
      writes({ check: { owner_id: { $: 'user.email' } } }),
      ['[0].check: {"$": "user.email"} is not a value of "owner_id", which is of type integer.'],
    ],
    [
      'set values for unknown fields, or for fields that rules cannot set',
      writes({ set: { colour: 'red', id: 5, is_deleted: true } }),
      [
        '[0].set: there is no field "colour"',
        '[0].set: "id" cannot be filled in',
        '[0].set: "is_deleted" cannot be filled in',
      ],
    ],
    [
      'set values whose types do not match their fields',
      writes({ set: { team: { $: 'user.idd' }, due: { $: 'user.id' }, owner_id: 'x', is_public: null } }),
      [
        '[0].set: There is no value {"$": "user.idd"}. Did you mean "user.id"? Values: user.id, user.uuid, ' +
          'user.email, now, user.groups, user.roles.',
        '[0].set: {"$": "user.id"} is not a value of "due", which is of type datetime.',
        '[0].set: "x" is not possible in "owner_id": A whole number is required.',
      ],
    ],
    [
      'writable fields that do not exist',
      writes({ fields: { read: ['id'], write: ['titel'] } }),
      ['[0].fields: there is no field "titel"'],
    ],
    [
      'a filter by an unknown field',
      { ...open, where: { colour: 'red' } },
      [expect.stringContaining('[0].where: Unknown field or parameter "colour".')],
    ],
  ])('return 400 for %s', async (_what, rule, messages) => {
    const { status, body } = await put('tickets', [rule])
    expect({ status, body }).toEqual({ status: 400, body: { rules: messages } })
  })

  it.each<[string, object]>([
    ['who', { ...open, who: 'everyone' }],
    ['who', { ...open, who: 'permission:fly' }],
    ['can', { ...open, can: ['fly'] }],
    ['name', { ...open, name: '' }],
    ['whom', { ...open, whom: 'anyone' }],
  ])('return 400 for a wrong member: %s', async (_member, rule) => {
    expect((await put('tickets', [rule])).status).toBe(400)
  })

  it('return 422 if the table exceeds its quotas', async () => {
    const { status, body } = await app
      .with({ QUOTA_FIELDS: '2' })
      .request('PUT', pathOf('replies'), { token: shop.owner.token, body: { rules: [] } })
    expect([status, body.detail]).toEqual([
      422,
      '"replies" would have 3 fields. A datatable may have at most 2.',
    ])
  })

  it('return 400 if two rules have the same name', async () => {
    expect((await put('tickets', [open, open])).body).toEqual({
      rules: ['[1].name: there are two rules named "shop window"'],
    })
  })

  it('can be part of a data package as x-access, and are stored as access', async () => {
    const create = (schema: object) =>
      app.request('POST', `${shop.api}/apps/shop/datatables/create_schema/?materialize=true`, {
        token: shop.owner.token,
        body: {
          resources: [{ name: 'packed', schema: { fields: [{ name: 'id', type: 'integer' }], ...schema } }],
        },
      })
    const access = { rules: [{ name: 'all', who: 'anyone', can: ['read'] }] }
    const problemsOf = async (schema: object) => {
      const { status, body } = await create(schema)
      return [status, JSON.stringify(body)]
    }
    expect(await problemsOf({ 'x-access': access, access })).toEqual([
      400,
      expect.stringContaining('x-access: the schema also has \\"access\\". Send one of them.'),
    ])
    expect(await problemsOf({ 'x-access': { rules: [{ ...access.rules[0], who: 'nobody' }] } })).toEqual([
      400,
      expect.stringContaining('access.rules[0].who: must be one of'),
    ])
    const made = await create({ 'x-access': access })
    const [{ json_schema }] = made.body.datatables
    expect([made.status, json_schema.access, json_schema['x-access']]).toEqual([201, access, undefined])
    expect((await read(pathOf('packed'), shop.owner)).body).toEqual(access)
    expect((await read(shop.data('packed'))).status).toBe(200)
    await app.request('DELETE', `${shop.api}/apps/shop/datatables/packed/`, { token: shop.owner.token })
  })

  it('can compare fields whose names end like an operator', async () => {
    const rule = { ...open, where: { falls_within: 'a month' } }
    expect((await put('tickets', [rule])).body.rules).toEqual([rule])
    await put('tickets', [])
  })

  it('are replaced by PUT, read by GET, and part of the schema and its history', async () => {
    const before = await read(pathOf('replies'), shop.owner)
    expect([before.status, before.body]).toEqual([200, { rules: [] }])
    const rules = [{ name: 'all', who: 'anyone', can: ['read'] }]
    const advice = [
      'It gives every record to everyone, also without credentials: it has no "where".',
      'It has no "fields", so it shows every field, including future ones.',
      'It shows the key of "ticket", but no rule gives a record of "tickets".',
    ].map((message) => ({ datatable: 'replies', rule: 'all', message }))
    const dry = await put('replies', rules, '?dry_run=true')
    expect([dry.status, dry.body]).toEqual([200, { changes: [], advice }])
    const keyed = () =>
      app.request('PUT', pathOf('replies'), {
        token: shop.owner.token,
        body: { rules },
        headers: { 'idempotency-key': 'rules' },
      })
    const changed = await keyed()
    expect([changed.status, changed.body]).toEqual([200, { rules, advice }])
    const repeated = await keyed()
    expect([repeated.headers.get('idempotency-replayed'), repeated.body]).toEqual(['true', changed.body])
    const after = await read(pathOf('replies'), shop.owner)
    expect([after.body, after.headers.get('etag')]).toEqual([{ rules }, changed.headers.get('etag')])
    expect((await read(shop.data('replies'))).body.total).toBe(2)

    const stale = await app.request('PUT', pathOf('replies'), {
      token: shop.owner.token,
      headers: { 'if-match': before.headers.get('etag') as string },
      body: { rules: [] },
    })
    expect([stale.status, stale.body.error]).toEqual([412, 'Precondition failed'])
    const unchanged = await app.request('GET', pathOf('replies'), {
      token: shop.owner.token,
      headers: { 'if-none-match': changed.headers.get('etag') as string },
    })
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, changed.headers.get('etag')])

    const history = await read(`${shop.api}/apps/shop/datatables/replies/operation-history/`, shop.owner)
    const undone = await app.request('POST', `${shop.api}/apps/shop/datatables/replies/rollback/`, {
      token: shop.owner.token,
      body: { revision_id: history.body.data[0].id },
    })
    expect([undone.status, undone.body.json_schema.access]).toEqual([200, undefined])
    expect((await read(shop.data('replies'))).status).toBe(401)
  })
})

describe('a guest', () => {
  it('gets 401 without credentials and 403 with them for every table name if no rule exists', async () => {
    for (const path of [
      shop.data('replies'),
      shop.data('none'),
      `${shop.api}/apps/none/datatables/x/data/`,
    ]) {
      const nobody = await read(path)
      expect([path, nobody.status, nobody.body]).toEqual([
        path,
        401,
        { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
      ])
      const somebody = await read(path, stranger)
      expect([path, somebody.status, somebody.body]).toEqual([
        path,
        403,
        { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
      ])
    }
  })

  it('reads without credentials the records and fields that a rule for anyone shows', async () => {
    await put('tickets', [own, open])
    const { status, body } = await read(shop.data('tickets'))
    expect([status, body.data, body.total]).toEqual([
      200,
      [
        { id: 2, title: 'chair' },
        { id: 3, title: 'table' },
      ],
      2,
    ])
    expect((await read(`${shop.data('tickets')}2/`)).body).toEqual({ data: { id: 2, title: 'chair' } })
    const hidden = await read(`${shop.data('tickets')}1/`)
    const missing = await read(`${shop.data('tickets')}99/`)
    expect([hidden.status, hidden.body]).toEqual([
      404,
      JSON.parse(JSON.stringify(missing.body).replaceAll('99', '1')),
    ])
  })

  it('gets 400 for a field that no rule shows, as for one that does not exist', async () => {
    for (const query of [
      'notes=x',
      'ordering=notes',
      'fields=id,notes',
      '_aggregate=max(notes)',
      '_annotate=notes as n',
    ]) {
      const { status, body } = await read(`${shop.data('tickets')}?${query}`)
      const invented = await read(`${shop.data('tickets')}?${query.replace('notes', 'notez')}`)
      expect([query, status, JSON.stringify(body)]).toEqual([
        query,
        400,
        JSON.stringify(invented.body).replaceAll('notez', 'notes'),
      ])
    }
  })

  it('reads each record with the fields of the rules that show it', async () => {
    await put('tickets', [own, open])
    const { body } = await read(`${shop.data('tickets')}?fields=id,title,notes&ordering=id`, stranger)
    expect(body.data).toEqual([
      { id: 1, title: 'lamp', notes: 'secret one' },
      { id: 2, title: 'chair', notes: null },
      { id: 3, title: 'table', notes: 'secret three' },
    ])
    const filtered = await read(`${shop.data('tickets')}?notes__icontains=secret&ordering=id`, stranger)
    expect(filtered.body.data.map(({ id }: { id: number }) => id)).toEqual([1, 3])
  })

  it('searches only in the fields that it may read', async () => {
    await put('tickets', [own, open])
    const ids = async (query: string, user?: User) =>
      (await read(`${shop.data('tickets')}?${query}`, user)).body.data.map(({ id }: { id: number }) => id)
    expect(await ids('search=chair')).toEqual([2])
    expect(await ids('search=secret')).toEqual([])
    expect((await ids('search=secret', stranger)).sort()).toEqual([1, 3])
  })

  it('gets counts, aggregates and streams only of records that it may read', async () => {
    await put('tickets', [own, open])
    const totals = await read(`${shop.data('tickets')}?_aggregate=count(*) as n,max(id) as m`)
    expect(totals.body.aggregates).toEqual({ n: 2, m: 3 })
    expect((await read(`${shop.data('tickets')}?_total=estimated&limit=1`)).body).toMatchObject({
      total: 2,
      meta: { total_is: 'exact' },
    })
    const few = app.with({ TOTAL_EXACT: '1' })
    expect((await few.request('GET', `${shop.data('tickets')}?limit=1`)).body).toMatchObject({
      total: null,
      meta: { count: null, has_more: true, total_is: 'more' },
    })
    const csv = await app.open('GET', shop.data('tickets'), { headers: { accept: 'text/csv' } })
    expect([csv.status, (await csv.text()).replaceAll('\r', '')]).toEqual([
      200,
      'id,title\n2,"chair"\n3,"table"\n',
    ])
  })

  it('follows relationships only to records that it may read', async () => {
    await put('tickets', [own, open])
    const without = await read(`${shop.data('tickets')}?populate=replies`)
    expect(without.status).toBe(400)
    await put('replies', [
      { name: 'of own', who: 'signed-in', can: ['read'], where: { 'ticket.owner_id': { $: 'user.id' } } },
    ])
    const { body } = await read(`${shop.data('tickets')}?populate=replies&ordering=id&fields=id`, stranger)
    expect(body.data).toEqual([
      { id: 1, replies: [{ id: 1, ticket_id: 1, text: 'a' }] },
      { id: 2, replies: [] },
      { id: 3, replies: [] },
    ])
    expect((await read(shop.data('replies'), stranger)).body.data).toEqual([
      { id: 1, ticket_id: 1, text: 'a' },
    ])
    expect((await read(shop.data('replies'))).status).toBe(401)
    await put('replies', [])
  })

  it('sees only edges whose ends are both visible, and walks only along these', async () => {
    const edges = `${shop.api}/apps/shop/datatables/tickets/edges/`
    const body = [
      { from_id: 2, to_id: 3, type: 'blocks' },
      { from_id: 3, to_id: 1, type: 'blocks' },
      { from_id: 1, to_id: 2, type: 'blocks' },
    ]
    await put('tickets', [])
    expect((await app.request('POST', edges, { token: shop.owner.token, body })).status).toBe(201)
    expect([(await read(edges)).status, (await read(edges, stranger)).status]).toEqual([401, 403])
    await put('tickets', [open])
    const listed = await read(edges)
    const ends = listed.body.data.map((edge: Record<string, unknown>) => [edge.from_id, edge.to_id])
    expect([listed.status, listed.body.total, ends]).toEqual([200, 1, [[2, 3]]])
    expect((await read(`${edges}?to_id=1`)).body.data).toEqual([])
    const walked = await read(`${shop.data('tickets')}2/?include=both&depth=5`)
    expect([walked.status, walked.body]).toEqual([
      200,
      {
        data: { id: 2, title: 'chair' },
        blocks: [{ id: 3, title: 'table', _depth: 1 }],
        blocked_by: [],
      },
    ])
    const tree = await read(`${shop.data('tickets')}?format=tree`)
    expect([tree.body.total, JSON.stringify(tree.body).includes('lamp')]).toEqual([2, false])
    expect((await read(`${shop.data('tickets')}1/?include=both`)).status).toBe(404)
    const write = await app.request('POST', edges, { body: body.slice(0, 1) })
    expect(write.status).toBe(401)
  })

  it('gets correct pages of few and many edges, with and without a total', async () => {
    const fields = [{ name: 'id', type: 'integer' }]
    const graph = { enabled: true, types: [{ name: 'line' }] }
    await addTables(app, shop, [{ name: 'stations', schema: { fields, primaryKey: 'id', graph } }])
    await app.sql(`insert into ${shop.schema}.shop_stations select generate_series(1, 40)`)
    await app.sql(`insert into ${shop.schema}.shop_stations_edges (from_id, to_id, type)
      select a, b, 'line' from generate_series(1, 40) a, generate_series(1, 40) b`)
    const edges = `${shop.api}/apps/shop/datatables/stations/edges/`
    // With 5 stations, 25 edges are visible; with 35, more than are sorted at once (src/data/edges/store.ts).
    for (const last of [5, 35]) {
      await put('stations', [{ name: 'near', who: 'anyone', can: ['read'], where: { id__lte: last } }])
      for (const [query, total] of [
        ['page_size=7&page=3', last * last],
        ['page_size=7&page=3&_total=none', null],
      ] as const) {
        const { status, body } = await read(`${edges}?${query}`)
        const ends = body.data.map((edge: Record<string, unknown>) => [edge.from_id, edge.to_id])
        const wanted = Array.from({ length: 7 }, (_, n) => [
          1 + Math.floor((14 + n) / last),
          1 + ((14 + n) % last),
        ])
        expect([query, last, status, body.total, ends]).toEqual([query, last, 200, total, wanted])
      }
      expect((await read(`${edges}?from_id=2,39&to_id=3,40`)).body).toMatchObject({
        total: 1,
        data: [{ to_id: 3 }],
      })
    }
    await put('stations', [])
  })

  it('reads the versions that match a rule, of records that currently match it', async () => {
    const path = `${shop.data('tickets')}2/`
    const change = (body: object) => app.request('PATCH', path, { token: shop.owner.token, body })
    await change({ is_public: false, title: 'draft', notes: 'hidden' })
    await change({ is_public: true, title: 'chairs', notes: 'more hidden' })
    await put('tickets', [open])
    expect([
      (await read(`${path}history/`)).status,
      (await read(`${path}history/`, stranger)).status,
    ]).toEqual([401, 403])
    await put('tickets', [{ ...open, can: ['read', 'history'] }])
    const versions = await read(`${path}history/`)
    const time = expect.stringMatching(/^20/)
    const rest = { changed: null, changed_by: null }
    expect([versions.status, versions.body]).toEqual([
      200,
      {
        data: [
          {
            number: 3,
            valid_from: time,
            valid_to: null,
            operation: 'update',
            ...rest,
            record: { id: 2, title: 'chairs' },
          },
          {
            number: 1,
            valid_from: time,
            valid_to: time,
            operation: 'create',
            ...rest,
            record: { id: 2, title: 'chair' },
          },
        ],
        total: 2,
        page: 1,
        page_size: 20,
      },
    ])
    expect((await read(`${path}history/?search=${shop.owner.username}`)).body.total).toBe(0)
    for (const hidden of ['1', '4', '99', 'x'])
      expect([hidden, (await read(`${shop.data('tickets')}${hidden}/history/`)).status]).toEqual([
        hidden,
        404,
      ])
    const past = await read(`${shop.data('tickets')}?as_of=2026-01-01T00:00:00Z`)
    expect([past.status, past.body.details]).toEqual([
      400,
      { as_of: ['Access rules do not show records as of a time.'] },
    ])
    await change({ title: 'chair' })
  })

  it('needs one round trip for edges, a walk, a tree or versions', async () => {
    await put('tickets', [{ ...open, can: ['read', 'history'] }])
    const path = { app: 'shop', table: 'tickets', record: '2' }
    const asks: ((ctx: RequestContext) => Promise<unknown>)[] = [
      (ctx) => listEdges(ctx, path, new URLSearchParams()),
      (ctx) => walkFrom(ctx, path, new URLSearchParams({ include: 'both' })),
      (ctx) => walkFromRoots(ctx, path, new URLSearchParams({ format: 'tree' })),
      (ctx) => listVersions(ctx, path, new URLSearchParams()),
    ]
    await read(shop.data('tickets'))
    for (const ask of asks) {
      const ctx = guestContext(app, shop)
      await ask(ctx)
      expect(ctx.database.spent.roundTrips).toBe(1)
    }
  })

  it('cannot write, and cannot read the schema or versions without a rule', async () => {
    await put('tickets', [{ name: 'all', who: 'anyone', can: ['read'] }])
    const paths: [string, string][] = [
      ['POST', shop.data('tickets')],
      ['PATCH', `${shop.data('tickets')}2/`],
      ['DELETE', `${shop.data('tickets')}2/`],
      ['GET', `${shop.data('tickets')}2/history/`],
      ['GET', `${shop.api}/apps/shop/datatables/tickets/`],
      ['GET', pathOf('tickets')],
      ['GET', `${shop.api}/apps/`],
    ]
    for (const [method, path] of paths) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: { id: 9, title: 'x' } }
      const nobody = await app.request(method, path, body)
      const somebody = await app.request(method, path, { token: stranger.token, ...body })
      expect([method, path, nobody.status, somebody.status]).toEqual([method, path, 401, 403])
    }
  })

  it('never sees a soft-deleted record', async () => {
    await put('tickets', [{ name: 'all', who: 'anyone', can: ['read'] }])
    for (const query of ['include_deleted=true', 'only_deleted=true', 'is_deleted=true']) {
      const { body } = await read(`${shop.data('tickets')}?${query}`)
      expect([query, JSON.stringify(body).includes('gone')]).toEqual([query, false])
    }
  })

  it("gets 304 only if the record would look the same, even if only a rule's condition has changed the answer", async () => {
    await put('replies', [
      { name: 'all', who: 'anyone', can: ['read'], fields: ['id', 'ticket_id'] },
      { name: 'of open ones', who: 'anyone', can: ['read'], where: { 'ticket.is_public': true } },
    ])
    const path = `${shop.data('replies')}2/`
    const unless = async (etag: string) => {
      const { status, body, headers } = await app.request('GET', path, { headers: { 'if-none-match': etag } })
      return [status, body?.data?.text, headers.get('etag')] as const
    }
    const open = (is_public: boolean) =>
      app.request('PATCH', `${shop.data('tickets')}2/`, { token: shop.owner.token, body: { is_public } })
    const [, text, first] = await unless('"none"')
    expect([text, (await unless(String(first)))[0]]).toEqual(['b', 304])
    await open(false)
    const [status, hidden, second] = await unless(String(first))
    expect([status, hidden, (await unless(String(second)))[0]]).toEqual([200, null, 304])
    await open(true)
    expect(await unless(String(second))).toEqual([200, 'b', first])
    await put('replies', [])
  })
})

describe('pages of a guest by a required field that some records hide', () => {
  it('have every record once, in either order', async () => {
    await addTables(app, shop, [
      {
        name: 'subjects',
        schema: {
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'subject', type: 'string', constraints: { required: true } },
            { name: 'owner_id', type: 'integer' },
          ],
          primaryKey: 'id',
        },
      },
    ])
    const { token } = shop.owner
    const body = Array.from({ length: 9 }, (_, n) => ({
      id: n + 1,
      subject: `${9 - n}`,
      owner_id: n % 2 ? stranger.id : 0,
    }))
    expect((await app.request('POST', shop.data('subjects'), { token, body })).status).toBe(201)
    await put('subjects', [own, { name: 'others', who: 'anyone', can: ['read'], fields: ['id'] }])
    for (const order of ['subject', '-subject']) {
      const seen: number[] = []
      for (let after = ''; ; ) {
        const page = await read(
          `${shop.data('subjects')}?ordering=${order}&page_size=2&after=${after}`,
          stranger,
        )
        expect(page.status).toBe(200)
        seen.push(...page.body.data.map(({ id }: { id: number }) => id))
        if (!page.body.meta.next) break
        after = encodeURIComponent(page.body.meta.next)
      }
      expect([order, seen.toSorted()]).toEqual([order, [1, 2, 3, 4, 5, 6, 7, 8, 9]])
    }
    await put('subjects', [])
  })
})

const forAllAccounts =
  'It is for every account of the whole service, although nobody can sign up at this site. The people of the ' +
  'site are "user".'

describe('the report of an app', () => {
  it('lists who may read which records and fields, and gives advice', async () => {
    await put('tickets', [own, open])
    await put('replies', [{ name: 'all', who: 'anyone', can: ['read'] }])
    const { status, body } = await read(`${shop.api}/apps/shop/access/`, shop.owner)
    const all = ['id', 'title', 'notes', 'owner_id', 'team', 'is_public', 'is_deleted', 'due', 'falls_within']
    const permit = { can: 'read', records: 'some' }
    const tickets = { datatable: 'tickets', ...permit }
    expect([status, body]).toEqual([
      200,
      {
        rules: [],
        permits: [
          { ...tickets, who: 'signed-in', fields: all, rules: ['own'] },
          { ...tickets, who: 'anyone', fields: ['id', 'title'], rules: ['shop window'] },
          {
            datatable: 'replies',
            who: 'anyone',
            can: 'read',
            records: 'all',
            fields: ['id', 'ticket_id', 'text'],
            rules: ['all'],
          },
        ],
        advice: [
          advice('tickets', 'own', forAllAccounts),
          advice(
            'tickets',
            'own',
            'No index begins with a field that it compares ("owner_id"), so each request reads the whole table.',
          ),
          advice(
            'replies',
            'all',
            'It gives every record to everyone, also without credentials: it has no "where".',
          ),
          advice('replies', 'all', 'It has no "fields", so it shows every field, including future ones.'),
        ],
      },
    ])
    await put('replies', [])
  })

  const advice = (datatable: string, rule: string, message: string) => ({ datatable, rule, message })
})

describe('the report of an app with rules for writes', () => {
  it('lists who may create, change and delete which records, and gives advice', async () => {
    const write = {
      name: 'write',
      who: 'signed-in',
      can: ['create', 'update', 'delete'],
      where: { owner_id: { $: 'user.id' }, is_public: false },
      check: { team: 'red' },
      set: { owner_id: { $: 'user.id' } },
      fields: { write: ['id', 'title', 'owner_id', 'is_deleted'] },
    }
    const send = { name: 'send', who: 'anyone', can: ['create', 'delete'], fields: ['text'] }
    await put('tickets', [write])
    await put('replies', [send])
    const { status, body } = await read(`${shop.api}/apps/shop/access/`, shop.owner)
    const ticket = { datatable: 'tickets', who: 'signed-in', records: 'some', rules: ['write'] }
    const reply = { datatable: 'replies', who: 'anyone', records: 'all', rules: ['send'] }
    expect([status, body]).toEqual([
      200,
      {
        rules: [],
        permits: [
          { ...ticket, can: 'create', fields: ['title'] },
          { ...ticket, can: 'update', fields: ['title'] },
          { ...ticket, can: 'delete', fields: [] },
          { ...reply, can: 'create', fields: ['text'] },
          { ...reply, can: 'delete', fields: [] },
        ],
        advice: [
          ['tickets', 'write', forAllAccounts],
          [
            'tickets',
            'write',
            'A change can take a record out of its "where": its "check" does not repeat "is_public".',
          ],
          ['tickets', 'write', 'Nobody can update or delete by it: no rule of "tickets" lets read a record.'],
          [
            'replies',
            'send',
            'It lets every record be deleted by everyone, also without credentials: it has no "where".',
          ],
          [
            'replies',
            'send',
            'It lets any record be created by everyone, also without credentials: it has no "check".',
          ],
          ['replies', 'send', 'Nobody can delete by it: no rule of "replies" lets read a record.'],
        ].map(([datatable, rule, message]) => ({ datatable, rule, message })),
      },
    ])
    await put('replies', [])
    await put('tickets', [])
  })

  it('warns of visible keys of records that nobody may read', async () => {
    await put('replies', [
      { name: 'a', who: 'anyone', can: ['read'], where: { text: 'a' }, fields: ['id', 'ticket_id'] },
    ])
    const advised = async () => (await read(`${shop.api}/apps/shop/access/`, shop.owner)).body.advice
    const scan =
      'No index begins with a field that it compares ("text"), so each request reads the whole table.'
    const key = 'It shows the key of "ticket", but no rule gives a record of "tickets".'
    const ofReplies = (message: string) => ({ datatable: 'replies', rule: 'a', message })
    expect(await advised()).toEqual([ofReplies(scan), ofReplies(key)])
    const through =
      'Its conditions follow a path to "tickets", of which guests read nothing: what it allows tells of hidden records.'
    const path = { name: 'a', who: 'user', can: ['read'], where: { 'ticket.team': 'red' } }
    const create = { ...path, can: ['create'], where: {}, check: { not: { 'ticket.team': 'red' } } }
    for (const rule of [path, create]) {
      const { body } = await put('replies', [rule], '?dry_run=true')
      expect(body.advice).toContainEqual(ofReplies(through))
    }
    await put('tickets', [{ name: 'sold', who: 'anyone', can: ['read'], where: { id: 2 } }])
    expect(await advised()).not.toContainEqual(ofReplies(key))
    expect((await put('replies', [path], '?dry_run=true')).body.advice).toEqual([])
    await put('replies', [])
    await put('tickets', [])
  })

  it('warns of deletions that also delete other records', async () => {
    const { body: table } = await read(`${shop.api}/apps/shop/datatables/replies/`, shop.owner)
    const [key] = table.json_schema.foreignKeys
    const change = (onDelete: string) =>
      app.request('PATCH', `${shop.api}/apps/shop/datatables/replies/`, {
        token: shop.owner.token,
        body: { json_schema: { ...table.json_schema, foreignKeys: [{ ...key, 'x-actions': { onDelete } }] } },
      })
    expect((await change('CASCADE')).status).toBe(200)
    await put('tickets', [{ ...own, can: ['read', 'delete'] }])
    const { body } = await read(`${shop.api}/apps/shop/access/`, shop.owner)
    expect(body.advice.map(({ message }: { message: string }) => message)).toContain(
      'A deletion for good also deletes records of "replies", whatever their rules.',
    )
    await change('RESTRICT')
    await put('tickets', [])
  })
})

describe('a change of a table', () => {
  it('returns 422 and changes nothing if rules of another table would become invalid', async () => {
    await put('replies', [
      { name: 'of teams', who: 'user', can: ['read'], where: { 'ticket.team__in': { $: 'user.groups' } } },
    ])
    await put('tickets', [])
    const path = `${shop.api}/apps/shop/datatables/tickets/`
    const { body: table } = await read(path, shop.owner)
    const fields = table.json_schema.fields.filter(({ name }: { name: string }) => name !== 'team')
    const { status, body } = await app.request('PATCH', `${path}?allow_data_loss=true`, {
      token: shop.owner.token,
      body: { json_schema: { ...table.json_schema, fields } },
    })
    expect([status, body]).toEqual([
      422,
      {
        error: 'Access rules would no longer fit',
        detail: expect.stringContaining(
          'The access rules of "replies" use what this change takes away. Change them first. ' +
            'access.rules[0].where: Unknown field "team__in" of "tickets".',
        ),
        code: 'rules_do_not_fit',
      },
    ])
    await put('replies', [])
  })

  it('makes rules ineffective if they are invalid when their table is restored', async () => {
    const replies = `${shop.api}/apps/shop/datatables/replies/`
    const tickets = `${shop.api}/apps/shop/datatables/tickets/`
    const token = shop.owner.token
    await put('tickets', [])
    await put('replies', [{ name: 'red', who: 'anyone', can: ['read'], where: { 'ticket.team': 'red' } }])
    expect((await read(shop.data('replies'))).body.total).toBe(1)
    await app.request('DELETE', replies, { token })
    const { body: table } = await read(tickets, shop.owner)
    const fields = table.json_schema.fields.filter(({ name }: { name: string }) => name !== 'team')
    const body = { json_schema: { ...table.json_schema, fields } }
    expect((await app.request('PATCH', `${tickets}?allow_data_loss=true`, { token, body })).status).toBe(200)
    expect((await app.request('POST', `${replies}restore/`, { token })).status).toBe(200)
    expect([
      (await read(shop.data('replies'))).status,
      (await read(shop.data('replies'), stranger)).status,
    ]).toEqual([401, 403])
    const question = { as: { anyone: true }, action: 'read' }
    const explained = await app.request('POST', `${replies}access/explain/`, { token, body: question })
    expect([explained.status, explained.body.error]).toEqual([422, 'Access rules do not fit'])
    await put('replies', [])
    await app.request('PATCH', tickets, { token, body: { json_schema: table.json_schema } })
  })

  it('keeps valid rules in force: after fields are added and dropped, and after the table is restored', async () => {
    await put('tickets', [{ name: 'all', who: 'anyone', can: ['read'], where: { is_public: true } }])
    const path = `${shop.api}/apps/shop/datatables/tickets/`
    const { body: table } = await read(path, shop.owner)
    const schema = table.json_schema
    const patch = (json_schema: object) =>
      app.request('PATCH', `${path}?allow_data_loss=true`, { token: shop.owner.token, body: { json_schema } })
    expect(
      (await patch({ ...schema, fields: [...schema.fields, { name: 'colour', type: 'string' }] })).status,
    ).toBe(200)
    expect(Object.keys((await read(`${shop.data('tickets')}2/`)).body.data)).toContain('colour')
    expect((await patch(schema)).status).toBe(200)
    expect(Object.keys((await read(`${shop.data('tickets')}2/`)).body.data)).not.toContain('colour')

    const replies = `${shop.api}/apps/shop/datatables/replies/`
    await put('replies', [{ name: 'all', who: 'anyone', can: ['read'] }])
    expect((await app.request('DELETE', replies, { token: shop.owner.token })).status).toBe(204)
    expect((await read(shop.data('replies'))).status).toBe(401)
    expect((await app.request('POST', `${replies}restore/`, { token: shop.owner.token })).status).toBe(200)
    expect((await read(shop.data('replies'))).body.total).toBe(2)
  })
})
