/** Random batches have the same result as the same operations, sent as single requests one after another. */
import { beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { addDocuments, createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'

const resources = [
  {
    name: 'makers',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string', constraints: { unique: true } },
        { name: 'rank', type: 'integer', constraints: { minimum: 0 } },
        { name: 'above', type: 'integer' },
      ],
      foreignKeys: [{ fields: 'above', reference: { resource: '', fields: 'id' } }],
    },
  },
  {
    name: 'goods',
    schema: {
      primaryKey: 'code',
      fields: [
        { name: 'code', type: 'string' },
        { name: 'maker_id', type: 'integer' },
        { name: 'stock', type: 'integer', default: 1, constraints: { minimum: 0, required: true } },
        { name: 'is_deleted', type: 'boolean' },
      ],
      foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
    },
  },
]
const tables = ['goods', 'makers']

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'property', { resources })
  await addDocuments(app, shop, resources)
})

type Data = Record<string, unknown>
interface Operation extends Data {
  op: string
  table: string
  data?: Data
}

/** Returns a generator of numbers from 0 to below `n`. The same seed gives the same numbers. */
function dice(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

function randomBatch(roll: (n: number) => number): Operation[] {
  const named: { table: string; as: string }[] = []
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)] as Item
  const maybe = (data: Data) => Object.fromEntries(Object.entries(data).filter(() => roll(3) > 0))
  const referenceTo = (table: string, field: string, otherwise: unknown) => {
    const own = named.filter((one) => one.table === table)
    return own.length > 0 && roll(2) === 0 ? { $: `${pick(own).as}.${field}` } : otherwise
  }
  // Two makers that exist and one that never does. Other keys are not used, because failed attempts consume
  // generated keys.
  const maker = () => referenceTo('makers', 'id', pick([1, 2, 99]))
  const good = () => referenceTo('goods', 'code', pick(['a', 'b', 'c', 'd']))
  const contents: Record<string, () => Data> = {
    makers: () => maybe({ name: pick(['x', 'y', 'z', 'w', 'v', 'u']), rank: roll(9), above: maker() }),
    goods: () => maybe({ maker_id: maker(), stock: roll(20) - 1 }),
  }
  const repeated = (operation: () => Operation) => Array.from({ length: 1 + roll(4) }, operation)
  const kinds: ((table: string) => Operation)[] = [
    (table) => {
      const as = `n${named.length}`
      const key = table === 'goods' ? { code: pick(['a', 'b', 'c', 'd', 'e', 'f']) } : {}
      const id = table === 'makers' && roll(5) === 0 ? { id: 7 + roll(4) } : {}
      const operation = { op: 'create', table, data: { ...contents[table]?.(), ...key, ...id }, as }
      named.push({ table, as })
      return operation
    },
    (table) => ({
      op: 'update',
      table,
      id: table === 'goods' ? good() : maker(),
      data: {
        ...contents[table]?.(),
        ...(table === 'goods' && roll(2) ? { stock: { $add: roll(5) - 2 } } : {}),
      },
    }),
    (table) =>
      table === 'goods'
        ? { op: 'upsert', table, unique_fields: ['code'], data: { ...contents[table]?.(), code: good() } }
        : {
            op: 'upsert',
            table,
            unique_fields: ['name'],
            data: { ...contents[table]?.(), name: pick(['x', 'q']) },
          },
    (table) => ({
      op: 'delete',
      table,
      id: table === 'goods' ? good() : maker(),
      ...(roll(2) ? { hard_delete: true } : {}),
    }),
  ]
  return Array.from({ length: 1 + roll(4) }, () => {
    const [kind, table] = [pick([...kinds, kinds[0] as (typeof kinds)[number]]), pick(tables)]
    return repeated(() => kind(table))
  }).flat()
}

it.each([
  ['flat_table', 'shop'],
  ['jsonb', 'papers'],
])(
  'a batch in a %s datasource has the result of its operations one after another, or changes nothing',
  async (_, slug) => {
    const call = (method: string, path: string, body?: unknown) =>
      app.request(method, `${shop.api}/apps/${slug}/${path}`, { token: shop.owner.token, body })
    const stateNow = async () => {
      const lists = await Promise.all(
        tables.map((table) => call('GET', `datatables/${table}/data/?include_deleted=true&limit=1000`)),
      )
      return lists.map(({ body }) => body.data)
    }
    const restart = async () => {
      for (const table of tables)
        await app.sql(`truncate ${shop.schema}.${slug}_${table} restart identity cascade`)
      const sequences = await app.sql<{ name: string }>(
        `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
        where schemaname = '${shop.schema}' and sequencename like '${slug}%'`,
      )
      for (const { name } of sequences) await app.sql(`alter sequence ${name} restart`)
      await call('POST', 'batch/', [
        { op: 'create', table: 'makers', data: { name: 'x' } },
        { op: 'create', table: 'makers', data: { name: 'y', rank: 1 } },
        { op: 'create', table: 'goods', data: { code: 'a', maker_id: 1 } },
      ])
    }
    const single = ({ op, table, data, id, unique_fields, hard_delete }: Operation) => {
      const path = `datatables/${table}/data/`
      if (op === 'create') return call('POST', path, data)
      if (op === 'update') return call('PATCH', `${path}${id}/`, data)
      if (op === 'upsert') return call('POST', `${path}upsert/?unique_fields=${unique_fields}`, data)
      return call('DELETE', `${path}${id}/?return=records${hard_delete ? '&hard_delete=true' : ''}`)
    }
    const outcomes = { written: 0, refused: 0 }

    for (let seed = 1; seed <= runs(15, 1000); seed++) {
      const operations = randomBatch(dice(seed))
      await restart()
      const before = await stateNow()
      const answer = await call('POST', 'batch/', operations)
      const after = await stateNow()
      await restart()
      const records: Record<string, Data> = {}
      const resolved = (value: unknown): unknown => {
        const [, name = '', field = ''] =
          /^(\w+)\.(\w+)$/.exec((value as { $?: string } | null)?.$ ?? '') ?? []
        return field ? (records[name]?.[field] ?? null) : value
      }
      const expected: unknown[] = []
      let wrong: { index: number; status: number } | undefined
      for (const [index, operation] of operations.entries()) {
        const data = Object.entries(operation.data ?? {}).map(([name, value]) => [name, resolved(value)])
        const one = { ...operation, id: resolved(operation.id), data: Object.fromEntries(data) }
        const { status, body } = await single(one)
        if (status >= 400) {
          wrong = { index, status }
          break
        }
        if (operation.as) records[String(operation.as)] = body.data
        const isDeletion = operation.op === 'delete'
        expected.push(
          isDeletion
            ? { status: 204, id: body.data[operation.table === 'goods' ? 'code' : 'id'] }
            : { status, data: body.data },
        )
      }
      const shown = `seed ${seed}: ${JSON.stringify(operations)} ${answer.text}`
      if (wrong) {
        outcomes.refused++
        expect(after, shown).toEqual(before)
        const named = [...answer.text.matchAll(/operations\[(\d+)\]/g)].map(([, index]) => Number(index))
        // Validation reports all of its errors before the batch is sent to Postgres, also those of later
        // operations.
        const isInvalid = answer.status === 400 && answer.body.error === 'Validation failed'
        expect(answer.status, shown).toBe(isInvalid ? 400 : wrong.status)
        if (!isInvalid) expect(named, shown).toEqual([wrong.index])
        else expect(named.length, shown).toBeGreaterThan(0)
      } else {
        outcomes.written++
        expect(answer.status, shown).toBe(200)
        const results = answer.body.data.map(({ etag: _etag, ...result }: Data) => result)
        expect(results, shown).toEqual(expected)
        expect(after, shown).toEqual(await stateNow())
      }
    }
    // The test proves nothing unless both outcomes are frequent.
    expect(Math.min(outcomes.written, outcomes.refused)).toBeGreaterThan(runs(2, 5))
  },
)
