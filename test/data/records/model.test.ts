/**
 * Random sequences of writes leave the rows and return the statuses that a plain model of the specification
 * predicts.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addTables, createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

let app: TestApp
let shop: Shop
let token: string

interface Item {
  id: number
  sku: string
  label: string
  n: number
  owner_id: number | null
  is_deleted: boolean
}
type Given = Partial<Item> & { sku?: string }
interface Note {
  id: number
  item_id: number | null
}

const number = { type: 'integer' }
const resources = [
  { name: 'owners', schema: { fields: [{ name: 'id', ...number }], primaryKey: 'id' } },
  {
    name: 'items',
    schema: {
      fields: [
        { name: 'id', ...number },
        { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
        { name: 'label', type: 'string', constraints: { required: true } },
        { name: 'n', ...number, default: 0, constraints: { minimum: 0 } },
        { name: 'owner_id', ...number },
        { name: 'is_deleted', type: 'boolean' },
      ],
      primaryKey: 'id',
      foreignKeys: [{ fields: 'owner_id', reference: { resource: 'owners', fields: 'id' } }],
    },
  },
  ...['CASCADE', 'SET NULL'].map((onDelete) => ({
    name: onDelete === 'CASCADE' ? 'notes' : 'marks',
    schema: {
      fields: [
        { name: 'id', ...number },
        { name: 'item_id', ...number },
      ],
      primaryKey: 'id',
      foreignKeys: [
        { fields: 'item_id', reference: { resource: 'items', fields: 'id' }, 'x-actions': { onDelete } },
      ],
    },
  })),
]

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'modelled')
  token = shop.owner.token
  await addTables(app, shop, resources)
})

/**
 * The rules of the specification. Each write returns its status, and changes the model only if it succeeds.
 */
class Model {
  items = new Map<number, Item>()
  notes = new Map<number, Note>()
  marks = new Map<number, Note>()
  owners = new Set<number>()

  /**
   * Keeps a changed copy of the items unless it has a conflict. 409 takes precedence over the 400 of a
   * foreign key.
   */
  #settle(items: Map<number, Item>): number | undefined {
    const skus = [...items.values()].map(({ sku }) => sku)
    if (new Set(skus).size < skus.length) return 409
    if ([...items.values()].some(({ owner_id }) => owner_id !== null && !this.owners.has(owner_id)))
      return 400
    this.items = items
    return undefined
  }

  create(records: Given[]): number {
    if (
      records.some((record) => record.sku === undefined || record.label === undefined || (record.n ?? 0) < 0)
    )
      return 400
    const items = new Map(this.items)
    for (const record of records) {
      if (items.has(record.id as number)) return 409
      items.set(record.id as number, { n: 0, owner_id: null, is_deleted: false, ...record } as Item)
    }
    return this.#settle(items) ?? 201
  }

  patch(records: Given[], includeDeleted: boolean): number {
    if (records.some(({ n }) => (n ?? 0) < 0)) return 400
    if (new Set(records.map(({ id }) => id)).size < records.length) return 400
    const items = new Map(this.items)
    for (const record of records) {
      const item = items.get(record.id as number)
      if (!item || (item.is_deleted && !includeDeleted)) return 404
      items.set(item.id, { ...item, ...record })
    }
    return this.#settle(items) ?? 200
  }

  /** `idOf` returns the generated id of a new record. */
  upsert(
    records: Given[],
    key: 'sku' | 'id',
    includeDeleted: boolean,
    idOf: (position: number) => number,
  ): number {
    if (records.some((record) => record[key] === undefined || (record.n ?? 0) < 0)) return 400
    if (new Set(records.map((record) => record[key])).size < records.length) return 400
    const found = records.map((record) => [...this.items.values()].find((item) => item[key] === record[key]))
    if (
      records.some(
        (record, position) => !found[position] && (record.sku === undefined || record.label === undefined),
      )
    )
      return 400
    if (records.some(({ id }, position) => found[position] && id !== undefined && id !== found[position].id))
      return 400
    if (found.some((item) => item?.is_deleted && !includeDeleted)) return 409
    const items = new Map(this.items)
    let created = false
    for (const [position, record] of records.entries()) {
      const item = found[position]
      const id = item?.id ?? record.id ?? idOf(position)
      if (!item && items.has(id)) return 409
      created ||= !item
      items.set(id, { ...(item ?? { n: 0, owner_id: null, is_deleted: false }), ...record, id } as Item)
    }
    return this.#settle(items) ?? (created ? 201 : 200)
  }

  /** Returns the ids of the deleted items. */
  delete(ids: number[], hard: boolean): number[] {
    const meant = ids.filter((id) => this.items.has(id) && (hard || !this.items.get(id)?.is_deleted))
    for (const id of meant) {
      if (!hard) {
        this.items.set(id, { ...(this.items.get(id) as Item), is_deleted: true })
        continue
      }
      this.items.delete(id)
      for (const [key, note] of this.notes) if (note.item_id === id) this.notes.delete(key)
      for (const [key, mark] of this.marks)
        if (mark.item_id === id) this.marks.set(key, { ...mark, item_id: null })
    }
    return meant
  }

  deleteOwner(id: number): number {
    if (!this.owners.has(id)) return 404
    if ([...this.items.values()].some(({ owner_id }) => owner_id === id)) return 403
    this.owners.delete(id)
    return 204
  }

  /** A missing or soft-deleted item cannot be referenced. This is checked before a taken id. */
  refer(to: Map<number, Note>, note: Note): number {
    const item = note.item_id === null ? undefined : this.items.get(note.item_id)
    if (note.item_id !== null && (!item || item.is_deleted)) return 400
    if (to.has(note.id)) return 409
    to.set(note.id, note)
    return 201
  }
}

const id = fc.integer({ min: 1, max: 5 })
const sku = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const seldom = <Value>(often: fc.Arbitrary<Value>, otherwise: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 19, arbitrary: often }, { weight: 1, arbitrary: otherwise })
const fields = {
  label: fc.constantFrom('x', 'y'),
  n: seldom(fc.nat(9), fc.constant(-1)),
  owner_id: seldom(fc.constantFrom(1, 2, null), fc.constant(3)),
}
const flag = fc.boolean()
const some = <Value>(one: fc.Arbitrary<Value>, selector: (value: Value) => unknown) =>
  seldom(
    fc.uniqueArray(one, { minLength: 1, maxLength: 4, selector }),
    fc.array(one, { minLength: 2, maxLength: 4 }),
  )
const idOf = (one: object) => (one as { id?: number }).id
const skuOf = (one: object) => (one as { sku?: string }).sku
const whole = seldom<object>(
  fc.record({ id, sku, ...fields }, { requiredKeys: ['id', 'sku', 'label'] }),
  fc.record({ id, sku, ...fields }, { requiredKeys: ['id'] }),
)
const part = fc.record({ id, sku, ...fields, is_deleted: flag }, { requiredKeys: ['id'] })
const named = seldom<object>(
  fc.record({ sku, ...fields }, { requiredKeys: ['sku', 'label'] }),
  fc.record({ sku, ...fields }, { requiredKeys: [] }),
)
const kind = <Kind extends string>(value: Kind) => fc.constant(value)
const one = fc.constant(false)
const many = fc.constant(true)
const write = fc.oneof(
  fc.record({ kind: kind('create'), bulk: flag, records: some(whole, idOf) }),
  fc.record({ kind: kind('patch'), bulk: one, records: fc.tuple(part), loose: flag }),
  // A bulk changes no unique value, because Postgres decides in which order it changes two records that swap
  // values.
  fc.record({
    kind: kind('patch'),
    bulk: many,
    records: some(
      part.map(({ sku: _, ...rest }) => rest),
      idOf,
    ),
    loose: flag,
  }),
  fc.record({
    kind: kind('upsert'),
    bulk: one,
    key: fc.constantFrom('sku', 'id'),
    records: fc.tuple(whole),
    loose: flag,
  }),
  fc.record({ kind: kind('upsert'), bulk: flag, key: kind('sku'), records: some(named, skuOf), loose: flag }),
  fc.record({ kind: kind('delete'), bulk: flag, ids: some(id, (value) => value), hard: flag }),
  fc.record({ kind: kind('filter'), from: fc.integer({ min: 5, max: 9 }), hard: flag }),
  fc.record({ kind: kind('owner'), id: fc.integer({ min: 1, max: 3 }), gone: flag }),
  fc.record({ kind: fc.constantFrom('notes', 'marks'), id, item_id: fc.option(id, { nil: null }) }),
)
type Write = { kind: string }

const beginning = [
  ...[1, 2].map((owner) => ({ kind: 'owner', id: owner, gone: false })),
  {
    kind: 'create',
    bulk: true,
    records: ['a', 'b', 'c'].map((name, index) => ({
      id: index + 1,
      sku: name,
      label: 'x',
      owner_id: 1,
      is_deleted: index === 2,
    })),
  },
  ...['notes', 'marks'].map((name) => ({ kind: name, id: 1, item_id: 1 })),
]

/** Executes a write in the service and in the model. Returns the expected and the actual status or body. */
async function perform(model: Model, given: Write): Promise<[wanted: unknown, got: unknown]> {
  const call = async (method: string, table: string, path: string, body?: unknown) =>
    app.request(method, `${shop.data(table)}${path}`, { token, body })
  const bodyOf = ({ bulk, records }: { bulk: boolean; records: unknown[] }) => (bulk ? records : records[0])
  switch (given.kind) {
    case 'create': {
      const { bulk, records } = given as unknown as { bulk: boolean; records: Given[] }
      const answer = await call('POST', 'items', '', bodyOf({ bulk, records }))
      return [model.create(bulk ? records : records.slice(0, 1)), answer.status]
    }
    case 'patch': {
      const { bulk, records, loose } = given as unknown as { bulk: boolean; records: Given[]; loose: boolean }
      const answer = await call(
        'PATCH',
        'items',
        `${bulk ? '' : `${records[0]?.id}/`}?include_deleted=${loose}`,
        bodyOf({ bulk, records }),
      )
      return [model.patch(records, loose), answer.status]
    }
    case 'upsert': {
      const { bulk, records, key, loose } = given as unknown as {
        bulk: boolean
        records: Given[]
        key: 'sku' | 'id'
        loose: boolean
      }
      const answer = await call(
        'POST',
        'items',
        `upsert/?unique_fields=${key}&include_deleted=${loose}`,
        bodyOf({ bulk, records }),
      )
      const data = [answer.body.data].flat()
      return [
        model.upsert(
          bulk ? records : records.slice(0, 1),
          key,
          loose,
          (position) => data[position]?.id ?? -1 - position,
        ),
        answer.status,
      ]
    }
    case 'delete': {
      const { bulk, ids, hard } = given as unknown as { bulk: boolean; ids: number[]; hard: boolean }
      const answer = await call(
        'DELETE',
        'items',
        bulk ? `?ids=${ids.join()}&hard_delete=${hard}` : `${ids[0]}/?hard_delete=${hard}`,
      )
      const deleted = model.delete([...new Set(bulk ? ids : ids.slice(0, 1))], hard)
      return bulk
        ? [{ deleted: deleted.length, ids: deleted }, answer.body]
        : [deleted.length ? 204 : 404, answer.status]
    }
    case 'filter': {
      const { from, hard } = given as unknown as { from: number; hard: boolean }
      const meant = [...model.items.values()].filter(({ n }) => n >= from).map((item) => item.id)
      const answer = await call('DELETE', 'items', `?filter={"n__gte":${from}}&hard_delete=${hard}`)
      return [{ deleted: model.delete(meant, hard).length }, answer.body]
    }
    case 'owner': {
      const { id: owner, gone } = given as unknown as { id: number; gone: boolean }
      if (gone) return [model.deleteOwner(owner), (await call('DELETE', 'owners', `${owner}/`)).status]
      model.owners.add(owner)
      return [true, (await call('POST', 'owners', 'upsert/?unique_fields=id', { id: owner })).status < 300]
    }
    default: {
      const { kind, ...note } = given as unknown as { kind: 'notes' | 'marks' } & Note
      return [model.refer(model[kind], note), (await call('POST', kind, '', note)).status]
    }
  }
}

async function rows() {
  const table = (name: string) =>
    `(select coalesce(json_agg(t order by id), '[]') from ${shop.schema}.shop_${name} t)`
  const [row] = await app.sql<{ all: unknown }>(
    `select json_build_object('items', ${table('items')}, 'notes', ${table('notes')}, 'marks', ${table('marks')}, 'owners', ${table('owners')}) as all`,
  )
  return row?.all
}
const sorted = <Row extends { id: number }>(values: Iterable<Row>) => [...values].sort((a, b) => a.id - b.id)

describe('a sequence of creates, patches, upserts and deletes', () => {
  it('leaves the rows of the model, and returns its statuses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 12, maxLength: 12 }), async (writes) => {
        await app.sql(
          `do $$ begin ${['notes', 'marks', 'items', 'owners'].map((table) => `delete from ${shop.schema}.shop_${table};`).join(' ')} end $$`,
        )
        const model = new Model()
        for (const next of [...beginning, ...writes]) {
          const [wanted, got] = await perform(model, next)
          expect([next, got]).toEqual([next, wanted])
        }
        expect(await rows()).toEqual({
          items: sorted(model.items.values()),
          notes: sorted(model.notes.values()),
          marks: sorted(model.marks.values()),
          owners: sorted([...model.owners].map((owner) => ({ id: owner }))),
        })
      }),
      { numRuns: runs(10, 100) },
    )
  }, 120_000)
})
