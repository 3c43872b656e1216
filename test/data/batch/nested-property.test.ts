/**
 * Random records with related records inside them have the same result as a batch that creates the same
 * records.
 */
import { beforeAll, expect, it } from 'vitest'
import { type BothProviders, createInBothProviders, providers } from '../../support/both-providers.ts'
import { runs } from '../../support/runs.ts'
import { resources, tables } from './orders.ts'

let world: BothProviders

beforeAll(async () => {
  world = await createInBothProviders('nested-property', resources, [])
})

type Data = Record<string, unknown>

/** Returns a generator of numbers from 0 to below `n`. The same seed gives the same numbers. */
function dice(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

interface Relation {
  table: string
  /**
   * The fields that receive a value, each with the field that gives it. With `many`, the related records
   * receive values of their parent; otherwise the record receives values of the related one.
   */
  pairs: readonly (readonly [taker: string, giver: string])[]
  many?: true
}

/** The relationships of each table, written independently of the service. */
const relations: Record<string, Record<string, Relation>> = {
  orders: {
    customer: { table: 'customers', pairs: [['customer_id', 'id']] },
    lines: { table: 'lines', pairs: [['order_id', 'id']], many: true },
    taggings: { table: 'taggings', pairs: [['order_id', 'id']], many: true },
  },
  customers: { orders: { table: 'orders', pairs: [['customer_id', 'id']], many: true } },
  lines: {
    good: { table: 'goods', pairs: [['good', 'code']] },
    notes: {
      table: 'notes',
      pairs: [
        ['order_id', 'order_id'],
        ['place', 'place'],
      ],
      many: true,
    },
  },
  taggings: { tag: { table: 'tags', pairs: [['tag_id', 'id']] } },
  nodes: {
    above: { table: 'nodes', pairs: [['above_id', 'id']] },
    nodes: { table: 'nodes', pairs: [['above_id', 'id']], many: true },
  },
}

/** Generates a record of random values. Its label is unique, so that generated keys need not be compared. */
function randomRecord(
  roll: (n: number) => number,
  table: string,
  level = 0,
  given: readonly string[] = [],
): Data {
  const label = `${level}${roll(1e6)}`
  const values: Record<string, () => Data> = {
    orders: () => ({ total: roll(12) === 0 ? 'x' : Number(label) }),
    customers: () => ({ name: roll(3) === 0 ? `c${roll(4)}` : label }),
    lines: () => ({ place: roll(40), pieces: roll(16) }),
    notes: () => ({ text: label }),
    goods: () => ({ code: `g${roll(60)}`, price: roll(20) - 1 }),
    taggings: () => ({}),
    tags: () => ({ name: label, ...(roll(30) === 0 ? { nothing: 1 } : {}) }),
    nodes: () => ({ name: label }),
  }
  const inside = Object.entries(relations[table] ?? {}).filter(
    ([, { many, pairs }]) =>
      level < 3 && roll(2) === 0 && (many || !pairs.some(([taker]) => given.includes(taker))),
  )
  const related = inside.map(([name, { table: other, many, pairs }]): [string, unknown] => {
    const taken = many ? pairs.map(([taker]) => taker) : []
    const one = () => randomRecord(roll, other, level + 1, taken)
    return [name, many ? Array.from({ length: roll(4) }, one) : one()]
  })
  return { ...values[table]?.(), ...Object.fromEntries(related) }
}

interface Operation {
  op: 'create'
  table: string
  as: string
  data: Data
}

/** Returns the operations that create a record with its nested records, and the path of each. */
function operationsOf(table: string, roots: readonly Data[]) {
  const operations: Operation[] = []
  const places: string[] = []
  const add = (one: Data, of: string, place: string, given: Data): string => {
    const known = relations[of] ?? {}
    const data: Data = { ...given }
    for (const [name, value] of Object.entries(one)) if (!known[name]) data[name] = value
    for (const [name, { table: other, pairs, many }] of Object.entries(known)) {
      if (many || one[name] === undefined) continue
      const as = add(one[name] as Data, other, `${place}${name}.`, {})
      for (const [taker, giver] of pairs) data[taker] = { $: `${as}.${giver}` }
    }
    const as = `n${operations.length}`
    operations.push({ op: 'create', table: of, as, data })
    places.push(place)
    for (const [name, { table: other, pairs, many }] of Object.entries(known)) {
      for (const [index, child] of ((many && one[name]) as Data[] | undefined)?.entries() ?? []) {
        const taken = pairs.map(([taker, giver]) => [taker, { $: `${as}.${giver}` }])
        add(child, other, `${place}${name}[${index}].`, Object.fromEntries(taken))
      }
    }
    return as
  }
  for (const root of roots) add(root, table, '', {})
  return { operations, places }
}

/** Returns a value without generated keys, and with its lists sorted. */
function labelled(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(labelled).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'id' && !name.endsWith('_id'))
  return Object.fromEntries(members.map(([name, member]) => [name, labelled(member)]))
}

it.each(providers)(
  'in a %s datasource, creating nested records has the same result as a batch of them',
  async (provider) => {
    const slug = provider === 'flat_table' ? 'shop' : 'papers'
    const call = (method: string, path: string, body?: unknown) =>
      world.app.request(method, `${world.shop.api}/apps/${slug}/${path}`, {
        token: world.shop.owner.token,
        ...(body === undefined ? {} : { body }),
      })
    const stateNow = async () => {
      const queries = [
        'orders/data/?populate=customer,lines.good,lines.notes,taggings.tag&limit=1000',
        'customers/data/?limit=1000',
        'nodes/data/?populate=above,nodes&limit=1000',
      ]
      const lists = await Promise.all(queries.map((query) => call('GET', `datatables/${query}`)))
      return lists.map(({ body }) => labelled(body.data))
    }
    const physical = tables.map((table) => `${world.shop.schema}.${slug}_${table}`)
    const restart = () => world.app.sql(`truncate ${physical.join()}`)
    const outcomes = { written: 0, refused: 0 }

    for (let seed = 1; seed <= runs(8, 600); seed++) {
      const roll = dice(seed)
      const table = ['orders', 'customers', 'nodes'][roll(3)] as string
      const bodies = Array.from({ length: 1 + roll(3) }, () => randomRecord(roll, table))
      const { operations, places } = operationsOf(table, bodies)
      const isBulk = bodies.length > 1
      await restart()
      const nested = await call('POST', `datatables/${table}/data/`, isBulk ? bodies : bodies[0])
      const after = await stateNow()
      await restart()
      const batch = await call('POST', 'batch/', operations)
      const shown = `seed ${seed}: ${JSON.stringify(bodies)} ${nested.text} ${batch.text}`
      expect(nested.status, shown).toBe(batch.status === 200 ? 201 : batch.status)
      expect(after, shown).toEqual(await stateNow())
      if (nested.status !== 201) {
        outcomes.refused++
        if (batch.status !== 400) continue
        const wrong = Object.entries(batch.body.details as Record<string, string[]>).flatMap(
          ([field, messages]) =>
            messages.map((message) => {
              const [, index = '', text = ''] = /^operations\[(\d+)\]: (.*)$/.exec(message) ?? []
              return `${places[Number(index)]}${field}: ${text}`
            }),
        )
        const told = Object.entries(nested.body.details as Record<string, string[]>).flatMap(
          ([field, messages]) =>
            messages.map((message) => `${field}: ${message.replace(/^rows\[\d+\]: /, '')}`),
        )
        expect(told.toSorted(), shown).toEqual(wrong.toSorted())
      } else {
        outcomes.written++
        const data = isBulk ? nested.body.data : [nested.body.data]
        const roots = places.flatMap((place, index) => (place === '' ? [batch.body.data[index].data] : []))
        const plain = (records: Data[]) =>
          records.map((one) => Object.entries(one).filter(([name]) => name !== 'id' && !name.endsWith('_id')))
        expect(plain(data), shown).toEqual(plain(roots))
      }
    }
    // The test proves nothing unless both outcomes are frequent.
    expect(Math.min(outcomes.written, outcomes.refused)).toBeGreaterThan(runs(1, 3))
  },
)
