/** A read as of a time returns what the list was then, regardless of later writes and schema changes. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../support/app.ts'
import { createShop, type Shop } from '../../support/fixtures.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await startApp()
  shop = await createShop(app, 'past')
  const { token } = shop.owner
  const post = (path: string, body: unknown) =>
    app.request('POST', `${shop.api}/apps/${path}`, { token, body })
  await post('', { name: 'papers' })
  await post('papers/datasources/', { name: 'Main', slug: 'main', provider_type: 'jsonb' })
})

type Value = string | number | boolean | object | null | undefined
type Fields = Record<string, Value>

/** A list at a time, with the field names and types of the current schema. */
interface Snapshot {
  time: string
  records: Fields[]
}

interface FieldForm {
  name: string
  type: string
  default?: number
  'x-rename-from'?: string
}

/** A table in use: its paths, its current schema, and the lists of earlier times. */
interface World {
  api: string
  parts: string
  makers: string
  fields: FieldForm[]
  others: object
  snapshots: Snapshot[]
  /** Undoes the last schema change, also in the snapshots. */
  undo: (() => void) | undefined
}

async function send(method: string, path: string, body?: unknown) {
  const answer = await app.request(method, path, {
    token: shop.owner.token,
    ...(body === undefined ? {} : { body }),
  })
  expect(answer.status, JSON.stringify([method, path, body, answer.body])).toBeLessThan(500)
  return answer
}

let made = 0

async function makeWorld(name: string): Promise<World> {
  const number = made++
  const api = `${shop.api}/apps/${name}/datatables/`
  const fields = [
    { name: 'id', type: 'integer' },
    { name: 'title', type: 'string' },
    { name: 'price', type: 'integer' },
    { name: 'maker_id', type: 'integer' },
    { name: 'is_deleted', type: 'boolean' },
  ]
  const key = {
    fields: 'maker_id',
    reference: { resource: `makers${number}`, fields: 'id' },
    'x-actions': { onDelete: number % 2 === 0 ? 'CASCADE' : 'SET NULL' },
  }
  const others = { primaryKey: 'id', foreignKeys: [key], history: true }
  const makers = {
    fields: [{ name: 'id', type: 'integer' }, { name: 'name' }],
    primaryKey: 'id',
    history: true,
  }
  const resources = [
    { name: `makers${number}`, schema: makers },
    { name: `parts${number}`, schema: { fields, ...others } },
  ]
  const { status } = await send('POST', `${api}create_schema/?materialize=true&datasource=main`, {
    resources,
  })
  expect(status).toBe(201)
  const [parts, all] = [`${api}parts${number}/data/`, `${api}makers${number}/data/`]
  await send(
    'POST',
    all,
    [1, 2, 3].map((id) => ({ id, name: `Maker ${id}` })),
  )
  return { api: `${api}parts${number}/`, parts, makers: all, fields, others, snapshots: [], undo: undefined }
}

const whole = 'include_deleted=true&ordering=id&limit=500&populate=*'

async function take(world: World): Promise<void> {
  const { body } = await send('GET', `${world.parts}?${whole}`)
  const [row] = await app.sql<{ time: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`,
  )
  world.snapshots.push({ time: row?.time ?? '', records: body.data })
}

const mapped = (world: World, change: (record: Fields) => Fields) => {
  for (const snapshot of world.snapshots) snapshot.records = snapshot.records.map(change)
}

/** Changes the schema, and converts the snapshots to it. */
async function change(
  world: World,
  fields: FieldForm[],
  forth: (record: Fields) => Fields,
  back: (record: Fields) => Fields,
): Promise<void> {
  const body = { json_schema: { ...world.others, fields } }
  const { status, body: answer } = await send('PATCH', `${world.api}?allow_data_loss=true`, body)
  expect([status, answer.violations]).toEqual([200, undefined])
  const before = world.fields
  world.fields = fields.map(({ 'x-rename-from': _, ...field }) => field)
  mapped(world, forth)
  world.undo = () => {
    world.fields = before
    mapped(world, back)
  }
}

const without = (record: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))

const ids = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })
const step = fc.record({
  kind: fc.constantFrom(
    ...([
      'create',
      'create',
      'patch',
      'patch',
      'many',
      'upsert',
      'upsert',
      'delete',
      'hide',
      'filter',
    ] as const),
    ...(['maker', 'restore', 'rename', 'convert', 'add', 'addFilled', 'drop', 'undo', 'partial'] as const),
  ),
  ids,
  number: fc.integer({ min: 0, max: 99 }),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const unique = (numbers: number[]) => [...new Set(numbers)]

/** Executes one step. Many steps are refused, for example the creation of a record that exists. */
async function act(world: World, { kind, ids: some, number }: Step): Promise<void> {
  const { parts, fields } = world
  const [id = 1] = some
  const text = fields.find(({ name }) => name === 'title' || name === 'label') as FieldForm
  const price = fields.find(({ name }) => name === 'price') as FieldForm
  const values = () => ({
    [text.name]: number % 7 === 0 ? null : `Part ${number}`,
    price: price.type === 'integer' ? number : String(number),
    maker_id: number % 4 === 0 ? null : (number % 3) + 1,
  })
  const extra = fields.find(({ name }) => name === 'extra')
  switch (kind) {
    case 'create':
      return void (await send('POST', parts, { id, ...values() }))
    case 'patch':
      return void (await send('PATCH', `${parts}${id}/?include_deleted=true`, values()))
    case 'many':
      return void (await send(
        'PATCH',
        parts,
        unique(some).map((one) => ({ id: one, ...values() })),
      ))
    case 'partial':
      return void (await send(
        'POST',
        `${parts}?atomic=false`,
        some.map((one) => ({ id: one, ...values() })),
      ))
    case 'upsert': {
      const records = unique(some).map((one) => ({ id: one, ...values() }))
      return void (await send('POST', `${parts}upsert/?unique_fields=id&include_deleted=true`, records))
    }
    case 'delete':
      return void (await send('DELETE', `${parts}?hard_delete=true&ids=${some.slice(0, 2).join()}`))
    case 'hide':
      return void (await send('DELETE', `${parts}${id}/`))
    case 'filter': {
      const filter = encodeURIComponent(JSON.stringify({ id__lte: id }))
      return void (await send('PATCH', `${parts}?filter=${filter}`, values()))
    }
    case 'maker':
      if (number % 2 === 0)
        return void (await send('POST', world.makers, { id: (number % 3) + 1, name: 'New' }))
      return void (await send('DELETE', `${world.makers}${(number % 3) + 1}/`))
    case 'restore':
      return void (await send('POST', `${parts}${id}/restore/${(number % 3) + 1}/`))
    case 'rename': {
      const [from, to] = [text.name, text.name === 'title' ? 'label' : 'title']
      const renamed = (one: string, other: string) => (record: Fields) => ({
        ...without(record, one),
        [other]: record[one],
      })
      return change(
        world,
        fields.map((field) => (field === text ? { ...field, name: to, 'x-rename-from': from } : field)),
        renamed(from, to),
        renamed(to, from),
      )
    }
    case 'convert': {
      const toText = price.type === 'integer'
      const as = (isText: boolean) => (record: Fields) => ({
        ...record,
        price: record.price === null ? null : (isText ? String : Number)(record.price),
      })
      const type = toText ? 'string' : 'integer'
      return change(
        world,
        fields.map((field) => (field === price ? { ...field, type } : field)),
        as(toText),
        as(!toText),
      )
    }
    case 'add':
    case 'addFilled': {
      if (extra) return
      const field = { name: 'extra', type: 'number', ...(kind === 'add' ? {} : { default: number }) }
      return change(
        world,
        [...fields, field],
        (record) => ({ ...record, extra: null }),
        (record) => without(record, 'extra'),
      )
    }
    case 'drop':
      if (!extra) return
      return change(
        world,
        fields.filter((field) => field !== extra),
        (record) => without(record, 'extra'),
        (record) => ({ ...record, extra: null }),
      )
    case 'undo': {
      if (!world.undo) return
      const { body } = await send('GET', `${world.api}operation-history/?status=success`)
      const revision = body.data.find(
        ({ operation_type }: { operation_type: string }) => operation_type === 'alter_table',
      )
      const answer = await send('POST', `${world.api}rollback/`, { revision_id: revision.id })
      expect(answer.status, answer.text).toBe(200)
      world.undo()
      world.undo = undefined
    }
  }
}

async function compareAll(world: World): Promise<void> {
  for (const { time, records } of world.snapshots) {
    const asOf = `as_of=${time}`
    const list = await send('GET', `${world.parts}?${whole}&${asOf}`)
    expect([list.status, list.body.data]).toEqual([200, records])
    const visible = records.filter(({ is_deleted }) => is_deleted !== true)
    const count = await send('GET', `${world.parts}?_aggregate=count(*)&${asOf}`)
    expect(count.body.aggregates).toEqual({ count: visible.length })
    const related = await send(
      'GET',
      `${world.parts}?maker.name__startswith=Maker&ordering=-id&limit=2&${asOf}`,
    )
    const made = visible.filter(({ maker }) => String((maker as Fields | null)?.name).startsWith('Maker'))
    expect(related.body.total).toBe(made.length)
    const keyset = await send('GET', `${world.parts}?after=&limit=2&ordering=-id&${asOf}`)
    const ids = visible.map(({ id }) => id).toReversed()
    expect(keyset.body.data.map(({ id }: Fields) => id)).toEqual(ids.slice(0, 2))
    const [first] = visible
    const one = await send('GET', `${world.parts}${first?.id ?? 1}/?populate=*&${asOf}`)
    expect(one.body.data).toEqual(first ?? undefined)
  }
}

describe.each(['shop', 'papers'])('in the app %s', (name) => {
  it('a read as of a time returns the list of that time', { timeout: scaled(300_000) }, async () => {
    const sequences = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 24 }), async (steps) => {
      const world = await makeWorld(name)
      await take(world)
      for (const one of steps) {
        await act(world, one)
        await take(world)
      }
      await compareAll(world)
      // As of a time in the future, the list is the current one.
      const [now] = world.snapshots.slice(-1)
      const future = await send('GET', `${world.parts}?${whole}&as_of=9999-01-01T00:00:00Z`)
      expect(future.body.data).toEqual(now?.records)
    })
    await fc.assert(sequences, { numRuns: runs(2, 60), endOnFailure: true })
  })
})
