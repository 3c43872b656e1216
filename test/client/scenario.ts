/** A program that uses the client, starting with no app. It runs in Node, in workerd and in a browser. */
import { type Client, computed, type TesseraError } from '../../client/src/index.ts'
import { company } from '../../dev/demo/company.ts'
import { shop } from '../../dev/demo/shop.ts'
import type { CompanyTables, ShopTables } from './demo-types.ts'

/** The apps of the scenario: the tables of the demo, with other names. */
export interface TrialApps {
  trial: ShopTables
  staff: CompanyTables
}

/** Creates the apps and uses them. Returns the results of the calls. */
export async function playScenario(db: Client<TrialApps>) {
  await makeApps(db)
  const trial = db.app('trial')
  await trial.categories.createMany([{ name: 'Lamps' }, { name: 'Rugs' }])
  await trial.suppliers.create({ name: 'Lumen', country: 'DE' })
  const written = await trial.products.createMany(
    [1, 2, 3, 4, 5].map((number) => ({
      sku: `LAM-100${number}`,
      name: `Lamp ${number}`,
      category_id: 1,
      supplier_id: 1,
      price: number * 10,
      attributes: { watts: number * 5, color: number > 3 ? 'oak' : 'red' },
    })),
  )
  return {
    written: written.data.map(({ id }) => id),
    reads: await reads(db),
    writes: await writes(db),
    orders: await orders(db),
    staff: await staff(db),
    errors: await errors(db),
    other: await others(db),
  }
}

async function makeApps(db: Client<TrialApps>): Promise<void> {
  for (const [name, { resources }] of [
    ['Trial', shop],
    ['Staff', company],
  ] as const) {
    await db.request({ method: 'POST', path: '/api/apps/', body: { name } })
    const path = `/api/apps/${name.toLowerCase()}/datatables/create_schema/`
    await db.request({ method: 'POST', path, query: { materialize: true }, body: { resources } })
  }
}

async function reads(db: Client<TrialApps>) {
  const { products, categories } = db.app('trial')
  const page = await products.list({
    where: {
      price__gte: 20,
      'category.name': 'Lamps',
      attributes__color: 'red',
      or: [{ price: 20 }, { price: 30 }],
    },
    ordering: ['-price'],
    fields: ['id', 'name', 'category.name'],
  })
  const related = await categories.get(1, {
    fields: ['name', 'n', 'dearest'],
    populate: {
      products: { where: { price__lt: 50 }, ordering: ['-price'], limit: 2, fields: ['sku'], count: true },
    },
    annotate: { n: 'count(products)', dearest: computed<number>('max(products.price)') },
  })
  const found = await products.search('lamp', {
    fields: ['id'],
    rank: true,
    highlight: ['name'],
    pageSize: 1,
  })
  const pages: number[][] = []
  for await (const { data } of products.pages({ pageSize: 2, ordering: ['-price'], fields: ['id'] }))
    pages.push(data.map(({ id }) => id))
  const each: string[] = []
  for await (const { sku } of products.each({ where: { id__in: [1, 5] }, pageSize: 1 })) each.push(sku)
  const lines: unknown[] = []
  for await (const line of products.stream({ fields: ['id', 'name'], where: { id__lte: 2 } }))
    lines.push(line)
  const rows: unknown[] = []
  for await (const row of products.csv({ fields: ['id', 'name', 'description'], where: { id: 1 } }))
    rows.push(row)
  return {
    page: { data: page.data, total: page.total, hasMore: page.hasMore },
    related,
    found: found.data.map(({ _rank, _highlight }) => [_rank > 0, _highlight.name]),
    pages,
    each,
    lines,
    rows,
    count: await products.count({ where: { price__between: [20, 40] } }),
    missing: await products.find(99),
    sums: await products.aggregate({ values: { n: 'count(*)', sum: 'sum(price)', least: 'min(price)' } }),
    groups: await products.groups({
      by: ['category.name as shelf', 'supplier_id'],
      values: { n: 'count(*)' },
      having: ['n__gte=2'],
      ordering: ['-n'],
    }),
  }
}

async function writes(db: Client<TrialApps>) {
  const { products, stock, warehouses } = db.app('trial')
  const { etag } = await products.getWithETag(2)
  const updated = await products.update(2, { price: { $add: 0.5 } }, { ifMatch: etag ?? '' })
  const stale = await products
    .update(2, { price: 1 }, { ifMatch: etag ?? '' })
    .catch((error: unknown) => error)
  const partial = await products.createMany(
    [
      { sku: 'RUG-1001', name: 'Rug', category_id: 2, supplier_id: 1, price: 5 },
      { sku: 'no', name: 'Rug', category_id: 2, supplier_id: 1, price: 5 },
    ],
    { atomic: false },
  )
  const upserted = await products.upsert({ sku: 'RUG-1001', name: 'Runner' }, { uniqueFields: ['sku'] })
  const dry = await products.create(
    { sku: 'RUG-1002', name: 'Mat', category_id: 2, supplier_id: 1, price: 5 },
    { dryRun: true },
  )
  await warehouses.create({ name: 'Harbour' })
  await stock.createMany([
    { product_id: 1, warehouse_id: 1, quantity: 3 },
    { product_id: 2, warehouse_id: 1, quantity: 4 },
  ])
  return {
    updated: updated.price,
    stale: nameOf(stale),
    partial: [partial.data.length, partial.failed.map(({ index, status }) => [index, status])],
    upserted: [upserted.created, upserted.data.name],
    dry: dry.sku,
    composite: await stock.get([2, 1]),
    changed: await products.updateWhere({ price__lte: 5 }, { price: 6 }, { expect: 1 }),
    many: (await stock.updateMany([{ product_id: 1, warehouse_id: 1, quantity: 5 }])).data,
    deleted: [await products.deleteWhere({ sku: 'RUG-1001' }), await stock.deleteMany([[1, 1]])],
    left: await products.count({ includeDeleted: true }),
  }
}

async function orders(db: Client<TrialApps>) {
  const { customers } = db.app('trial')
  const customer = await customers.create({
    name: 'Ada',
    email: 'ada@example.org',
    customer_since: '2026-01-01',
  })
  const { order, lines } = await db.app('trial').$batch((tables) => {
    const made = tables.orders.create({ customer_id: customer.id, ordered_at: '2026-02-01T10:00:00Z' })
    const line = { order_id: made.id, quantity: 2, price: 20 }
    const first = tables.order_lines.create({ ...line, product_id: 1 })
    tables.order_lines.create({ ...line, product_id: 2 })
    tables.orders.update(made.id, { status: 'paid' })
    return { order: made, lines: first }
  })
  return {
    batch: [order.status, lines.order_id === order.id],
    status: (await db.app('trial').orders.get(order.id, { fields: ['status'] })).status,
    lines: await db.app('trial').order_lines.count({ where: { 'order.customer.email__startswith': 'ada' } }),
  }
}

async function staff(db: Client<TrialApps>) {
  const { departments, people } = db.app('staff')
  const { id: department_id } = await departments.create({ name: 'All' })
  const person = { title: 'Engineer', department_id, hired_on: '2026-01-01' }
  await people.createMany(['Ada', 'Bram', 'Chioma'].map((name) => ({ ...person, name })))
  const edges = await people.edges.create([
    { from_id: 2, to_id: 1, type: 'manager' },
    { from_id: 3, to_id: 2, type: 'manager' },
  ])
  const walk = await people.walk(1, 'descendants', { depth: 2, types: ['manager'] })
  const [root] = await people.tree({ types: ['manager'] })
  const graph = await people.graph({ from: 3, include: 'ancestors' })
  return {
    edges: edges.map(({ from_id, to_id, type }) => [from_id, to_id, type]),
    listed: (await people.edges.list({ from: [3] })).total,
    uncounted: (await people.edges.list({ from: [3], total: 'none' })).total,
    walk: walk.related.reports?.map(({ name, _depth }) => [name, _depth]),
    tree: [root?.name, root?.children.map(({ name }) => name)],
    graph: [graph.nodes.length, graph.edges.length],
    removed: await people.edges.delete(edges.map(({ id }) => id)),
  }
}

async function errors(db: Client<TrialApps>) {
  const { products } = db.app('trial')
  const refused = await products
    .create({ sku: 'x', name: 'x', category_id: 1, supplier_id: 1, price: -1 })
    .catch((error: unknown) => error)
  const missing = await products.get(99).catch((error: unknown) => error)
  return {
    refused: [nameOf(refused), Object.keys((refused as TesseraError).messages).sort()],
    missing: nameOf(missing),
  }
}

async function others(db: Client<TrialApps>) {
  const secret = { key: 'MAIL', secret_type: 'api-key', value: { key: 'k-1' } }
  const { key } = await db.secrets.create(secret)
  return {
    me: (await db.accounts.me()).email.includes('@'),
    secret: (await db.secrets.get<{ key: string }>(key)).value.key,
    secrets: (await db.secrets.list()).data.map(({ key }) => key),
    events: (await db.events.list()).includes('RECORD_CREATE'),
    functions: (await db.app('trial').$functions.list()).total,
    invocations: (await db.invocations.list({ pageSize: 1 })).data.length,
  }
}

/**
 * Returns the name of an error. The built package has its own error classes, so `instanceof` does not work.
 */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'no error')
