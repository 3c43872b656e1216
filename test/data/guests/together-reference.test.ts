/**
 * Generated rules, records and requests: batches, nested records, upserts of several records, and edges of
 * guests have the results and the answers that a model predicts, with both providers, and store nothing else.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../../support/app.ts'
import { addDocuments, addTables, createShop, type Shop } from '../../support/fixtures.ts'
import {
  type Data,
  type Edge,
  Guest,
  type Operation,
  type Part,
  Refusal,
  type Row,
  type Rule,
  type State,
  type TableName,
  type World,
} from '../../support/guest-model.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'
import { seed } from '../../support/seed.ts'

const tables = [
  {
    name: 'boxes',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'code', type: 'string', constraints: { unique: true } },
        { name: 'colour', type: 'string' },
        { name: 'size', type: 'integer' },
      ],
      primaryKey: 'id',
      graph: { enabled: true, types: [{ name: 'next' }] },
    },
  },
  {
    name: 'items',
    schema: {
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'label', type: 'string' },
        { name: 'box_id', type: 'integer' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'box_id', reference: { resource: 'boxes', fields: 'id' } }],
    },
  },
]

let app: TestApp
let shop: Shop
let stranger: User
let places: ((table: string) => string)[]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'together-model')
  stranger = await app.user('stranger')
  await addTables(app, shop, tables)
  places = [shop.data, await addDocuments(app, shop, tables)]
  // The answer does not name the table of a record, so a new item must not have the number of a box.
  await app.sql(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, 500000)
       from pg_sequences where schemaname = '${shop.schema}' and sequencename like '%items%'`,
  )
})

const always: Part = { where: {}, has: () => true }
const boxParts: Part[] = [
  always,
  always,
  { where: { colour: 'red' }, has: ({ colour }) => colour === 'red' },
  { where: { not: { colour: 'red' } }, has: ({ colour }) => colour !== 'red' },
  { where: { size__gt: 4 }, has: ({ size }) => typeof size === 'number' && size > 4 },
  {
    where: { or: [{ colour: 'blue' }, { size__lte: 4 }] },
    has: ({ colour, size }) => colour === 'blue' || (typeof size === 'number' && size <= 4),
  },
]
const isInRed = ({ box_id }: Row, { boxes }: State) =>
  boxes.some(({ id, colour }) => id === box_id && colour === 'red')
const itemParts: Part[] = [
  always,
  always,
  { where: { label: 'a' }, has: ({ label }) => label === 'a' },
  { where: { 'box.colour': 'red' }, has: isInRed },
  { where: { not: { 'box.colour': 'red' } }, has: (row, state) => !isInRed(row, state) },
]

/** Generates a rule. Most rules allow a lot, so that many requests get past the first checks. */
const ruleOf = (
  actions: string[],
  parts: Part[],
  reads: string[][],
  writes: string[][],
  sets: Record<string, unknown>[],
): fc.Arbitrary<Rule> =>
  fc
    .record({
      who: fc.constantFrom<Rule['who']>('anyone', 'signed-in'),
      can: fc.oneof(
        { weight: 2, arbitrary: fc.constant(actions) },
        { weight: 3, arbitrary: fc.subarray(actions, { minLength: 2 }) },
      ),
      where: fc.constantFrom(...parts),
      check: fc.option(fc.constantFrom(...parts), { nil: undefined }),
      set: fc.option(fc.constantFrom(...sets), { nil: undefined, freq: 2 }),
      read: fc.option(fc.constantFrom(...reads), { nil: undefined }),
      write: fc.option(fc.constantFrom(...writes), { nil: undefined }),
    })
    .map((rule) =>
      rule.can.includes('create') || rule.can.includes('update')
        ? rule
        : { ...rule, check: undefined, set: undefined },
    )
const worlds: fc.Arbitrary<World> = fc.record({
  boxes: fc.array(
    ruleOf(
      ['read', 'create', 'update', 'delete', 'edges'],
      boxParts,
      [
        ['id', 'code', 'colour'],
        ['id', 'size'],
      ],
      [
        ['code', 'colour'],
        ['colour', 'size'],
      ],
      [{ size: 5 }, { colour: 'red' }],
    ),
    { minLength: 1, maxLength: 4 },
  ),
  items: fc.array(
    ruleOf(
      ['read', 'create', 'update', 'delete'],
      itemParts,
      [['id', 'label']],
      [['box_id'], ['label', 'box_id']],
      [{ label: 'a' }],
    ),
    { minLength: 1, maxLength: 3 },
  ),
})

const code = fc.constantFrom('k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8', 'k9')
const box = fc.record(
  { code, colour: fc.constantFrom('red', 'blue', null), size: fc.constantFrom(1, 5, 9, null) },
  { requiredKeys: [] },
)
const item = fc.record({ label: fc.constantFrom('a', 'b', null) }, { requiredKeys: [] })
/** Generates a box. Its code is unused or missing. */
const free = fc
  .tuple(box, fc.option(fc.nat(9_999)))
  .map(([{ code: _, ...data }, n]): Data => (n === null ? data : { ...data, code: `n${n}` }))
const coded = fc.tuple(box, code).map(([data, one]): Data => ({ ...data, code: one }))
/** The index of a stored record or edge. A larger index stands for a missing one. */
const place = fc.nat(11)

type Step = {
  op: Operation['op']
  table: TableName
  data: Data
  place: number
  other: number
  takes: boolean
}
const step: fc.Arbitrary<Step> = fc
  .record({
    op: fc.constantFrom<Operation['op']>(
      ...([
        'create',
        'create',
        'update',
        'update',
        'upsert',
        'delete',
        'create_edge',
        'delete_edge',
      ] as const),
    ),
    table: fc.constantFrom<TableName>('boxes', 'items'),
    box,
    item,
    coded,
    place,
    other: place,
    takes: fc.boolean(),
  })
  .map(({ box: ofBox, item: ofItem, coded: ofUpsert, ...one }) => {
    if (one.op === 'upsert') return { ...one, table: 'boxes' as const, data: ofUpsert }
    return { ...one, data: one.table === 'boxes' ? ofBox : ofItem }
  })
const attempts = fc.record({
  form: fc.constantFrom('batch', 'batch', 'batch', 'upserts', 'nested', 'nested', 'edges'),
  isSignedIn: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  boxes: fc.array(fc.tuple(free, fc.array(item, { minLength: 1, maxLength: 2 })), {
    minLength: 1,
    maxLength: 2,
  }),
  isOfItems: fc.boolean(),
  upserts: fc.array(coded, { minLength: 1, maxLength: 3 }),
  way: fc.constantFrom('POST', 'PATCH', 'DELETE'),
  pairs: fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 2 }),
})
type Attempt = typeof attempts extends fc.Arbitrary<infer One> ? One : never

/** Returns the operations of the steps. A negative id refers to the record of an earlier step. */
function operationsOf(steps: readonly Step[], { boxes, items, edges }: State): Operation[] {
  const made: { table: TableName; index: number }[] = []
  return steps.map(({ op, table, data, place: at, other, takes }, index): Operation => {
    const earlier = (of: TableName) => made.find((one) => one.table === of)
    const stored = { boxes, items }
    const idOf = (of: TableName, n: number): number => {
      const source = takes ? earlier(of) : undefined
      return source ? -source.index - 1 : (stored[of][n]?.id ?? 999_999)
    }
    if (op === 'create_edge') return { op, from_id: idOf('boxes', at), to_id: idOf('boxes', other) }
    if (op === 'delete_edge') return { op, id: edges[at % 6]?.id ?? '00000000-0000-4000-8000-000000000000' }
    const isMade = op === 'create' || op === 'upsert'
    const inBox = table === 'items' && (op === 'create' || takes) ? { box_id: idOf('boxes', other) } : {}
    const operation = {
      create: { op: 'create' as const, table, data: { ...data, ...inBox } },
      upsert: { op: 'upsert' as const, table: 'boxes' as const, data },
      update: { op: 'update' as const, table, id: idOf(table, at), data: { ...data, ...inBox } },
      delete: { op: 'delete' as const, table, id: idOf(table, at) },
    }[op]
    if (isMade) made.push({ table: op === 'upsert' ? 'boxes' : table, index })
    return operation
  })
}

/** Returns the operations in the form that the API accepts. */
function asSent(operations: readonly Operation[]): object[] {
  const taken = (value: unknown) =>
    typeof value === 'number' && value < 0 ? { $: `r${-value - 1}.id` } : value
  const takenIn = (data: Data) =>
    Object.fromEntries(Object.entries(data).map(([name, of]) => [name, taken(of)]))
  return operations.map((one, index): object => {
    const as = `r${index}`
    if (one.op === 'create') return { ...one, data: takenIn(one.data), as }
    if (one.op === 'update') return { ...one, id: taken(one.id), data: takenIn(one.data) }
    if (one.op === 'upsert') return { ...one, unique_fields: ['code'], as }
    if (one.op === 'delete') return { ...one, id: taken(one.id) }
    if (one.op === 'delete_edge') return { ...one, table: 'boxes' }
    const data = { from_id: taken(one.from_id), to_id: taken(one.to_id), type: 'next' }
    return { op: one.op, table: 'boxes', data }
  })
}

const edgesPath = (data: string) => data.replace('/data/', '/edges/')

async function storedIn(at: (table: string) => string): Promise<State> {
  const { token } = shop.owner
  const read = async (path: string) => {
    const { status, body } = await app.request('GET', `${path}?limit=1000`, { token })
    expect(status).toBe(200)
    return body.data
  }
  const [boxes, items, edges] = await Promise.all([
    read(at('boxes')),
    read(at('items')),
    read(edgesPath(at('boxes'))),
  ])
  const byId = (a: Row, b: Row) => a.id - b.id
  return {
    boxes: (boxes as Row[]).sort(byId),
    items: (items as Row[]).sort(byId),
    edges: (edges as Edge[]).map(({ id, from_id, to_id }) => ({ id, from_id, to_id })),
  }
}

/** Returns a state without the ids of new records and edges, in an order that two runs share. */
function comparable({ boxes, items, edges }: State, before: State) {
  const orderOf = (rows: readonly Row[]) => new Map(rows.map(({ id }, order) => [id, order]))
  const orders = orderOf([...boxes].sort((a, b) => a.id - b.id))
  const known = new Set([...before.boxes, ...before.items].map(({ id }) => id))
  const numbered = (rows: readonly Row[], old: readonly Row[]) =>
    [...rows]
      .sort((a, b) => a.id - b.id)
      .map(({ id, ...row }) => ({
        ...row,
        ...('box_id' in row ? { box_id: row.box_id === null ? null : orders.get(row.box_id as number) } : {}),
        id: old.some((one) => one.id === id) && known.has(id) ? id : 'new',
      }))
  return {
    boxes: numbered(boxes, before.boxes),
    items: numbered(items, before.items),
    edges: edges.map(({ from_id, to_id }) => `${orders.get(from_id)} ${orders.get(to_id)}`).sort(),
  }
}

/** What a guest is told, and what the model predicts. */
interface Told {
  status: number
  wanted: number
  records?: { told: unknown[]; wanted: readonly (Data | undefined)[] }
  /** The position of the operation that is refused. */
  index?: { told: boolean; wanted: number }
}

/** Sends an attempt, and executes it in the model. */
async function attempt(
  { form, steps, boxes, isOfItems, upserts, way, pairs, isSignedIn }: Attempt,
  guest: Guest,
  state: State,
  at: (table: string) => string,
): Promise<Told> {
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await app.request(method, path, { ...(isSignedIn ? { token: stranger.token } : {}), body })
    return { status: answer.status, body: answer.body }
  }
  const idOf = (n: number) => state.boxes[n]?.id ?? 999_999
  const recordsOf = (done: (Data | undefined)[] | Refusal, status: number, told: unknown[]) =>
    done instanceof Refusal
      ? { status, wanted: done.status }
      : { status, wanted: 201, records: { told, wanted: done } }
  if (form === 'batch') {
    const operations = operationsOf(steps, state)
    const { status, body } = await ask(
      'POST',
      at('boxes').replace(/datatables.*/, 'batch/'),
      asSent(operations),
    )
    const done = guest.batch(operations)
    if (!(done instanceof Refusal)) {
      const told = (body.data ?? []).map(({ data }: { data?: Data }) => data)
      return { status, wanted: 200, records: { told, wanted: done } }
    }
    const text = JSON.stringify(body)
    const { index = -1 } = done
    const isNamed = index < 0 ? !text.includes('operations[') : text.includes(`operations[${index}]: `)
    return { status, wanted: done.status, index: { told: isNamed, wanted: index } }
  }
  if (form === 'upserts') {
    const { status, body } = await ask('POST', `${at('boxes')}upsert/?unique_fields=code`, upserts)
    const done = guest.upserts(upserts)
    const told = recordsOf(done, status, body.data)
    return done instanceof Refusal ? told : { ...told, wanted: body.created ? 201 : 200 }
  }
  if (form === 'nested') {
    const table = isOfItems ? 'items' : 'boxes'
    const records = isOfItems
      ? boxes.map(([one, [first]]) => ({ ...first, box: one }))
      : boxes.map(([one, items]) => ({ ...one, items }))
    const { status, body } = await ask('POST', at(table), records)
    return recordsOf(guest.nested(table, records), status, body.data)
  }
  const path = edgesPath(at('boxes'))
  const ids = pairs.map(([n]) => state.edges[n]?.id ?? '00000000-0000-4000-8000-000000000000')
  const edges = pairs.map(([from, to]): [number, number] => [idOf(from), idOf(to)])
  const sent = edges.map(([from_id, to_id]) => ({ from_id, to_id, type: 'next' }))
  if (way === 'POST') {
    const { status } = await ask(way, path, sent)
    return { status, wanted: guest.createEdges(edges) }
  }
  const [first] = edges as [[number, number]]
  if (way === 'PATCH') {
    const { status } = await ask(way, `${path}${ids[0]}/`, sent[0])
    return { status, wanted: guest.replaceEdge(ids[0] as string, ...first) }
  }
  const { status, body } = await ask(way, path, { edge_ids: ids })
  const done = guest.deleteEdges(ids)
  if (done instanceof Refusal) return { status, wanted: done.status }
  return { status, wanted: 200, records: { told: [{ n: body.deleted }], wanted: [{ n: done }] } }
}

/** Removes the ids of new records, and the members of edges that the model does not have. */
const withoutNew = (records: readonly unknown[], state: State) =>
  records.map((record) => {
    if (record === undefined) return undefined
    const { id, type: _type, metadata: _metadata, created_at: _at, ...rest } = record as Data
    const isKnown = (value: unknown) =>
      value === null || [...state.boxes, ...state.items].some((row) => row.id === value)
    const plain = Object.entries(rest).map(([name, value]) => [
      name,
      /(^|_)(box|from|to)_id$/.test(name) && !isKnown(value) ? 'new' : value,
    ])
    return { ...Object.fromEntries(plain), ...(isKnown(id) ? { id } : {}) }
  })

async function setRules(at: (table: string) => string, world: World): Promise<void> {
  for (const table of ['boxes', 'items'] as const) {
    const rules = world[table].map(({ who, can, where, check, set, read, write }, index) => ({
      name: `rule ${index}`,
      who,
      can,
      where: where.where,
      ...(check ? { check: check.where } : {}),
      ...(set ? { set } : {}),
      ...(read || write ? { fields: { ...(read ? { read } : {}), ...(write ? { write } : {}) } } : {}),
    }))
    const path = at(table).replace('/data/', '/access/')
    const { status, body } = await app.request('PUT', path, { token: shop.owner.token, body: { rules } })
    expect([status, body.rules], `seed ${seed}`).toEqual([200, rules])
  }
}

async function addRecords(at: (table: string) => string): Promise<void> {
  const { token } = shop.owner
  const some = [1, 2, 3, 4, 5, 6].map((n) => ({
    code: `k${n}`,
    colour: n % 3 === 0 ? 'blue' : 'red',
    size: n * 1.5 > 6 ? 9 : n,
  }))
  const made = await app.request('POST', at('boxes'), { token, body: some })
  expect(made.status).toBe(201)
  const ids = made.body.data.map(({ id }: Row) => id) as number[]
  const items = ids.map((box_id, n) => ({ label: n % 2 ? 'a' : 'b', box_id })).slice(0, 4)
  expect((await app.request('POST', at('items'), { token, body: items })).status).toBe(201)
  const edges = ids.slice(1).map((to_id, n) => ({ from_id: ids[n], to_id, type: 'next' }))
  expect((await app.request('POST', edgesPath(at('boxes')), { token, body: edges })).status).toBe(201)
}

async function removeAll(at: (table: string) => string): Promise<void> {
  const { items, boxes } = await storedIn(at)
  for (const [table, rows] of [
    ['items', items],
    ['boxes', boxes],
  ] as const) {
    const ids = rows.map(({ id }) => id).join()
    const { status } = await app.request('DELETE', `${at(table)}?ids=${ids}`, { token: shop.owner.token })
    if (rows.length > 0) expect(status).toBe(200)
  }
}

describe('the writes of a guest in one request', () => {
  it(
    'do what the rules allow, completely or not at all, and return only what the guest may read',
    async () => {
      const rounds = runs(4, 60)
      const each = runs(12, 20)
      const all = fc.sample(worlds, { numRuns: rounds, seed: seed + 5 })
      const tried = fc.sample(attempts, { numRuns: rounds * each, seed: seed + 6 })
      const counts: Record<string, number> = {}
      for (const [round, world] of all.entries()) {
        const at = places[round % 2] as (typeof places)[number]
        await setRules(at, world)
        await removeAll(at)
        await addRecords(at)
        let state = await storedIn(at)
        for (const one of tried.slice(round * each, round * each + each)) {
          const guest = new Guest(world, one.isSignedIn, state)
          const what = `seed ${seed}, round ${round}: ${JSON.stringify(one)} on ${JSON.stringify(state)} by ${JSON.stringify(world)}`
          const { status, wanted, records, index } = await attempt(one, guest, state, at)
          expect(status, what).toBe(wanted)
          if (index) expect([index.wanted, index.told], what).toEqual([index.wanted, true])
          if (records)
            expect(withoutNew(records.told, state), what).toEqual(withoutNew(records.wanted, state))
          const after = await storedIn(at)
          const isDone = wanted < 300
          expect(comparable(after, state), what).toEqual(comparable(isDone ? guest.state : state, state))
          state = after
          const name = `${one.form} ${isDone ? 'done' : 'refused'}`
          counts[name] = (counts[name] ?? 0) + 1
        }
      }
      // The test proves nothing if all attempts succeed, all fail, or the attempts of one form all end alike.
      const sumOf = (end: string) =>
        Object.entries(counts).reduce((sum, [name, count]) => sum + (name.endsWith(end) ? count : 0), 0)
      for (const end of ['done', 'refused']) {
        expect([end, sumOf(end) > 5]).toEqual([end, true])
        for (const form of ['batch', 'upserts', 'nested', 'edges'])
          expect([form, end, (counts[`${form} ${end}`] ?? 0) >= runs(0, 2)]).toEqual([form, end, true])
      }
    },
    scaled(600_000),
  )
})
