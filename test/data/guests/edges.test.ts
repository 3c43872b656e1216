/** Edges that guests create, replace and delete by access rules, with both providers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { edgeRequests } from '../../../src/data/write/edge-requests.ts'
import { runWrite } from '../../../src/data/write/run.ts'
import type { RequestContext } from '../../../src/kernel/context.ts'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addDocuments, addTables, createShop, type Shop } from '../../support/fixtures.ts'
import { guestContext, guestOf } from '../../support/guests.ts'

let app: TestApp
let shop: Shop
let ada: User
let bob: User
let papers: (table: string) => string

const mine = { owner_id: { $: 'user.id' } }
const pages = {
  name: 'pages',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string' },
      { name: 'owner_id', type: 'integer' },
      { name: 'open', type: 'boolean' },
      { name: 'is_deleted', type: 'boolean' },
    ],
    primaryKey: 'id',
    hierarchy: true,
    graph: {
      enabled: true,
      types: [{ name: 'under', constraints: { max_outgoing: 2, max_incoming: 2 } }, { name: 'then' }],
    },
  },
}
const plain = {
  name: 'plain',
  schema: { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' },
}

const rules = [
  { name: 'open', who: 'anyone', can: ['read'], where: { open: true } },
  { name: 'own', who: 'signed-in', can: ['read', 'edges'], where: mine, fields: ['id', 'name'] },
  { name: 'named', who: 'anyone', can: ['edges'], where: { name: 'free' } },
]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'edges')
  ada = await app.user('ada')
  bob = await app.user('bob')
  await addTables(app, shop, [pages, plain])
  papers = await addDocuments(app, shop, [pages, plain])
  for (const place of ['shop', 'papers']) {
    const path = `${shop.api}/apps/${place}/datatables/pages/access/`
    const { status, body } = await app.request('PUT', path, { token: shop.owner.token, body: { rules } })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
})

const ask = async (method: string, path: string, by?: User, body?: unknown) => {
  const answer = await app.request(method, path, {
    ...(by ? { token: by.token } : {}),
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, body: answer.body }
}

const invalid = (details: object) => ({
  status: 400,
  body: { error: 'Validation failed', details, code: 'validation_failed' },
})
const refused = (where = '') => ({
  status: 403,
  body: { error: 'Not allowed', detail: `${where}No access rule allows this.`, code: 'no_access_rule' },
})
const noRecord = (id: unknown, where = '') => `${where}"pages" has no record with the id ${id}.`
const noEdge = (id: string) => ({
  status: 404,
  body: {
    error: 'Edge not found',
    detail: `"pages" has no edge with the id "${id}".`,
    code: 'edge_not_found',
  },
})

describe.each(['shop', 'papers'])('a guest in the app %s', (place) => {
  const data = () => (place === 'shop' ? shop.data('pages') : papers('pages'))
  const edges = (id = '') => `${data().replace('/data/', '/edges/')}${id === '' ? '' : `${id}/`}`
  const page = async (owner?: User, more: object = {}) => {
    const body = { name: 'x', owner_id: owner?.id ?? null, ...more }
    const answer = await ask('POST', data(), shop.owner, body)
    expect(answer.status).toBe(201)
    return answer.body.data.id as number
  }
  const edge = (from_id: unknown, to_id: unknown, type = 'then') => ({ from_id, to_id, type })
  const make = async (from: number, to: number, type?: string) => {
    const { status, body } = await ask('POST', edges(), shop.owner, [edge(from, to, type)])
    expect(status).toBe(201)
    return body.data[0].id as string
  }
  const total = async () => (await ask('GET', `${edges()}?limit=0`, shop.owner)).body.total as number
  const batch = (operations: unknown, by?: User) =>
    ask('POST', `${shop.api}/apps/${place}/batch/`, by, operations)

  it('gets 401 without credentials, and 403 with them, if no rule of the table allows edges', async () => {
    for (const table of ['plain', 'none']) {
      const path = edges().replace('/pages/', `/${table}/`)
      for (const body of ['{', [], [edge(1, 2)]])
        for (const by of [undefined, ada])
          expect((await ask('POST', path, by, body)).status).toBe(by ? 403 : 401)
    }
  })

  it('gets 400 for an edge to a record that it may not read, as for one that does not exist', async () => {
    const [own, theirs, gone] = [await page(ada), await page(bob), await page(ada)]
    expect((await ask('DELETE', `${data()}${gone}/`, shop.owner)).status).toBe(204)
    const before = await total()
    for (const id of [theirs, gone, 999_999]) {
      expect(await ask('POST', edges(), ada, [edge(own, own), edge(own, id)])).toEqual(
        invalid({ to_id: [noRecord(id, 'rows[1]: ')] }),
      )
      expect(await ask('POST', edges(), ada, [edge(id, own)])).toEqual(
        invalid({ from_id: [noRecord(id, 'rows[0]: ')] }),
      )
      const operation = { op: 'create_edge', table: 'pages', data: edge(own, id) }
      expect(await batch([operation], ada)).toEqual(invalid({ to_id: [noRecord(id, 'operations[0]: ')] }))
    }
    // Without credentials, the records of Ada are hidden, too.
    expect((await ask('POST', edges(), undefined, [edge(own, own)])).status).toBe(400)
    expect(await total()).toBe(before)
  })

  it('gets 403 for an edge of a record that it may read but not connect', async () => {
    const [own, read] = [await page(ada), await page(bob, { open: true })]
    const before = await total()
    expect(await ask('POST', edges(), ada, [edge(own, read)])).toEqual(refused('rows[0]: '))
    expect(await ask('POST', edges(), ada, [edge(read, own)])).toEqual(refused('rows[0]: '))
    expect(await batch([{ op: 'create_edge', table: 'pages', data: edge(own, read) }], ada)).toEqual(
      refused('operations[0]: '),
    )
    expect(await ask('POST', edges(), undefined, [edge(read, read)])).toEqual(refused('rows[0]: '))
    expect(await total()).toBe(before)
  })

  it('gets 404 if it replaces or deletes an edge of a record that it may not read', async () => {
    const [own, other, theirs, read] = [
      await page(ada),
      await page(ada),
      await page(bob),
      await page(bob, { open: true }),
    ]
    const hidden = await make(own, theirs)
    const seen = await make(own, read)
    const nothing = '00000000-0000-4000-8000-000000000000'
    for (const id of [hidden, nothing]) {
      expect(await ask('PATCH', edges(id), ada, edge(own, other))).toEqual(noEdge(id))
      expect(await ask('DELETE', edges(), ada, { edge_ids: [id] })).toEqual({
        status: 200,
        body: { deleted: 0, message: '0 edges were deleted.' },
      })
      const removal = await batch([{ op: 'delete_edge', table: 'pages', id }], ada)
      expect(removal.body.detail).toBe(`operations[0]: ${noEdge(id).body.detail}`)
    }
    // Both ends may be read, but only one of them belongs to the guest.
    expect(await ask('PATCH', edges(seen), ada, edge(own, other))).toEqual(refused())
    expect(await ask('DELETE', edges(), ada, { edge_ids: [nothing, seen] })).toEqual(refused('edge_ids[1]: '))
    expect(await batch([{ op: 'delete_edge', table: 'pages', id: seen }], ada)).toEqual(
      refused('operations[0]: '),
    )
    const { body } = await ask('GET', `${edges()}?from_id=${own}`, shop.owner)
    expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual([hidden, seen].sort())
  })

  it('cannot move its edge to a record that it may not read or may not connect', async () => {
    const [own, other, theirs, read] = [
      await page(ada),
      await page(ada),
      await page(bob),
      await page(bob, { open: true }),
    ]
    const id = await make(own, other)
    expect(await ask('PATCH', edges(id), ada, edge(own, theirs))).toEqual(
      invalid({ to_id: [noRecord(theirs)] }),
    )
    expect(await ask('PATCH', edges(id), ada, edge(read, other))).toEqual(refused())
    const { body } = await ask('GET', `${edges()}?from_id=${own}`, shop.owner)
    expect(body.data).toEqual([{ id, ...edge(own, other), metadata: {}, created_at: expect.any(String) }])
  })

  it("gets the errors of the graph's rules, which do not name hidden records", async () => {
    const [a, b, c] = [await page(ada), await page(ada), await page(ada)]
    const hidden = await page(bob)
    await make(b, hidden)
    await make(hidden, a)
    const cycle = {
      error: 'Edges form a cycle',
      detail: 'A record would lead back to itself by edges of type "then", which may form no cycle.',
      code: 'edge_rule_violated',
    }
    expect(await ask('POST', edges(), ada, [edge(a, b)])).toEqual({ status: 422, body: cycle })
    expect(await batch([{ op: 'create_edge', table: 'pages', data: edge(a, b) }], ada)).toEqual({
      status: 422,
      body: { ...cycle, detail: `operations[0]: ${cycle.detail}` },
    })
    await make(a, hidden, 'under')
    await make(a, b, 'under')
    expect(await ask('POST', edges(), ada, [edge(a, c, 'under')])).toEqual({
      status: 422,
      body: {
        error: 'Too many outgoing edges',
        detail: `The record "${a}" of "pages" would have more than 2 outgoing edges of type "under" (max_outgoing).`,
        code: 'edge_rule_violated',
      },
    })
    expect((await ask('POST', edges(), ada, [edge(a, b, 'under')])).status).toBe(409)
    expect((await ask('POST', edges(), ada, [edge(a, c, 'none')])).status).toBe(400)
  })

  it('creates, replaces and deletes edges between its own records', async () => {
    const [a, b, c] = [await page(ada), await page(ada), await page(undefined, { name: 'free', open: true })]
    const before = await total()
    const dry = await ask('POST', `${edges()}?dry_run=true`, ada, [edge(a, b)])
    expect([dry.status, dry.body.dry_run, await total()]).toEqual([200, true, before])
    const made = await ask('POST', edges(), ada, [{ ...edge(a, b), metadata: { n: 1 } }, edge(b, c)])
    const [first, second] = made.body.data as { id: string }[]
    const created_at = expect.any(String)
    expect([made.status, made.body.total, made.body.data]).toEqual([
      201,
      2,
      [
        { id: first?.id, ...edge(a, b), metadata: { n: 1 }, created_at },
        { id: second?.id, ...edge(b, c), metadata: {}, created_at },
      ],
    ])
    expect(await ask('PATCH', edges(first?.id), ada, edge(a, c, 'under'))).toEqual({
      status: 200,
      body: { data: { id: first?.id, ...edge(a, c, 'under'), metadata: {}, created_at } },
    })
    // Without credentials, only the open page c may be read, so an edge to the page a returns 400.
    expect((await ask('POST', edges(), undefined, [edge(c, a)])).status).toBe(400)
    expect(await ask('DELETE', edges(), ada, { edge_ids: [first?.id, second?.id] })).toEqual({
      status: 200,
      body: { deleted: 2, message: '2 edges were deleted.' },
    })
    expect(await total()).toBe(before)
  })

  it('creates and deletes edges in a batch, also between records of this batch', async () => {
    const create = [
      { name: 'own', who: 'signed-in', can: ['create'], check: mine, set: mine, fields: { write: ['name'] } },
    ]
    const path = `${shop.api}/apps/${place}/datatables/pages/access/`
    const put = (all: object[]) => ask('PUT', path, shop.owner, { rules: all })
    expect((await put([...rules, { ...create[0], name: 'make' }])).status).toBe(200)
    const creation = (as: string) => ({ op: 'create', table: 'pages', data: { name: as }, as })
    const { status, body } = await batch(
      [
        creation('a'),
        creation('b'),
        { op: 'create_edge', table: 'pages', data: edge({ $: 'a.id' }, { $: 'b.id' }) },
      ],
      ada,
    )
    const id = body.data[2].data?.id
    const [a, b] = [body.data[0].data?.id, body.data[1].data?.id]
    expect([status, body.data[2]]).toEqual([
      200,
      { status: 201, data: { id, ...edge(a, b), metadata: {}, created_at: expect.any(String) } },
    ])
    expect(await batch([{ op: 'delete_edge', table: 'pages', id }], ada)).toEqual({
      status: 200,
      body: { data: [{ status: 204, id }] },
    })
    expect((await put(rules)).status).toBe(200)
  })
})

describe('the rule "edges"', () => {
  const put = (table: string, rule: object) =>
    ask('PUT', `${shop.api}/apps/shop/datatables/${table}/access/`, shop.owner, {
      rules: [{ name: 'x', who: 'anyone', can: ['edges'], ...rule }],
    })

  it('needs a table with edges, and takes no check', async () => {
    const rulesProblem = (problem: string) => ({ status: 400, body: { rules: [problem] } })
    expect(await put('plain', {})).toEqual(
      rulesProblem('[0].can: "edges" needs a table with edges: set "hierarchy" or "graph" in its schema'),
    )
    expect(await put('pages', { check: { open: true } })).toEqual(
      rulesProblem('[0].check: only a rule that can "create" or "update" has it'),
    )
  })

  it('has explanations, and is listed in the report', async () => {
    const path = `${shop.api}/apps/shop/datatables/pages/access/explain/`
    const own = (await ask('POST', shop.data('pages'), shop.owner, { name: 'x', owner_id: ada.id })).body.data
    const explain = (caller: object, record?: number) =>
      ask('POST', path, shop.owner, {
        as: caller,
        action: 'edges',
        ...(record === undefined ? {} : { record }),
      })
    const { body } = await explain({ anyone: true }, own.id)
    expect([body.allowed, body.reason, body.fields]).toEqual([
      false,
      `The caller may not read the record "${own.id}", and cannot connect what it does not find.`,
      [],
    ])
    expect(body.rules.map(({ name, failed }: { name: string; failed: string }) => [name, failed])).toEqual([
      ['open', 'can'],
      ['own', 'who'],
      ['named', 'where'],
    ])
    const general = await explain({ anyone: true })
    expect([general.body.allowed, general.body.reason]).toEqual([
      true,
      'Allowed for the records that the rules let pass: "named".',
    ])
    const report = await ask('GET', `${shop.api}/apps/shop/access/`, shop.owner)
    expect(report.body.permits.filter(({ can }: { can: string }) => can === 'edges')).toEqual([
      { datatable: 'pages', who: 'signed-in', can: 'edges', records: 'some', fields: [], rules: ['own'] },
      { datatable: 'pages', who: 'anyone', can: 'edges', records: 'some', fields: [], rules: ['named'] },
    ])
  })
})

describe('the edges of a guest', () => {
  it('take one round trip to create, replace and delete when the tables are cached', async () => {
    const both = [1, 2].map(() => ({ name: 'x', owner_id: ada.id }))
    const made = await ask('POST', shop.data('pages'), shop.owner, both)
    const [from_id, to_id] = made.body.data.map(({ id }: { id: number }) => id)
    const path = { app: 'shop', table: 'pages' }
    const sent = (body: unknown) => ({
      body: { text: JSON.stringify(body), format: 'json' } as const,
      parameters: new URLSearchParams(),
    })
    const spend = async <Result>(run: (ctx: RequestContext) => Promise<Result>) => {
      const ctx = guestContext(app, shop, ada)
      ctx.permission = 'change_site'
      const result = await run(ctx)
      return { result, spent: ctx.database.spent.roundTrips }
    }
    const edge = { from_id, to_id, type: 'then' }
    const create = (ctx: RequestContext) => runWrite(ctx, path, edgeRequests.create, sent([edge]))
    const first = await spend(create)
    const id = JSON.parse(first.result).data[0].id as string
    const replaced = await spend((ctx) =>
      runWrite(ctx, { ...path, edge: id }, edgeRequests.replace, sent({ ...edge, type: 'under' })),
    )
    const dropped = await spend((ctx) => runWrite(ctx, path, edgeRequests.delete, sent({ edge_ids: [id] })))
    const again = await spend(create)
    expect([replaced.spent, dropped.spent, again.spent]).toEqual([1, 1, 1])
  })

  it('are written by functions that only the role of guests executes, and that are dropped with the rule', async () => {
    const functions = () =>
      app.sql(
        `select proname as name, array(select a::text from unnest(proacl) a order by 1) as executors
           from pg_proc where pronamespace = $1::text::regnamespace and proname like 'shop_pages$edges$%'
          order by 1`,
        [guestOf(shop)],
      )
    const executors = [`${shop.schema}=X/${shop.schema}`, `tessera_guest=X/${shop.schema}`]
    expect(await functions()).toEqual(
      ['create', 'delete', 'update'].map((name) => ({ name: `shop_pages$edges$${name}`, executors })),
    )
    const path = `${shop.api}/apps/shop/datatables/pages/access/`
    const put = (all: object[]) => ask('PUT', path, shop.owner, { rules: all })
    expect((await put(rules.slice(0, 1))).status).toBe(200)
    expect(await functions()).toEqual([])
    expect((await put(rules)).status).toBe(200)
  })
})
