/** The demo's shop: products, suppliers, stock in warehouses, customers and their orders. */
import { type DemoApp, field, reference, uuidOf } from './app.ts'
import { day, dayMs, randomness } from './random.ts'

const required = { required: true }
const name = field('name', 'string', { required: true, maxLength: 120 })
const id = field('id', 'integer')

const resources = [
  { name: 'categories', schema: { fields: [id, name], primaryKey: 'id', uniqueKeys: [['name']] } },
  {
    name: 'suppliers',
    schema: {
      fields: [id, name, field('country', 'string', { required: true, pattern: '^[A-Z]{2}$' })],
      primaryKey: 'id',
    },
  },
  {
    name: 'products',
    schema: {
      title: 'Products',
      description: 'What the shop sells. Products that are no longer sold are deleted softly.',
      fields: [
        id,
        field('sku', 'string', { required: true, unique: true, pattern: '^[A-Z]{3}-[0-9]{4}$' }),
        name,
        field('description', 'string'),
        field('category_id', 'integer', required),
        field('supplier_id', 'integer', required),
        field('price', 'number', { required: true, minimum: 0 }, { description: 'In euros, with tax.' }),
        field('attributes', 'object', undefined, { description: 'Color, weight and other properties.' }),
        field('is_deleted', 'boolean'),
      ],
      primaryKey: 'id',
      foreignKeys: [reference('category_id', 'categories'), reference('supplier_id', 'suppliers')],
      search_fields: [{ field: 'name', weight: 'A' }, 'description'],
    },
  },
  {
    name: 'warehouses',
    schema: { fields: [id, name, field('place', 'geopoint')], primaryKey: 'id' },
  },
  {
    name: 'stock',
    schema: {
      description: 'How many of a product are in a warehouse. Its key is composite.',
      fields: [
        field('product_id', 'integer'),
        field('warehouse_id', 'integer'),
        field('quantity', 'integer', { required: true, minimum: 0 }),
      ],
      primaryKey: ['product_id', 'warehouse_id'],
      foreignKeys: [
        reference('product_id', 'products', 'CASCADE'),
        reference('warehouse_id', 'warehouses', 'CASCADE'),
      ],
    },
  },
  {
    name: 'customers',
    schema: {
      fields: [
        field('id', 'uuid'),
        name,
        field('email', 'string', { required: true, unique: true }, { format: 'email' }),
        field('customer_since', 'date', required),
      ],
      primaryKey: 'id',
    },
  },
  {
    name: 'orders',
    schema: {
      fields: [
        id,
        field('customer_id', 'uuid', required),
        field('status', 'string', { enum: ['cart', 'paid', 'shipped', 'returned'] }, { default: 'cart' }),
        field('ordered_at', 'datetime', required),
        field('shipped_on', 'date'),
      ],
      primaryKey: 'id',
      foreignKeys: [reference('customer_id', 'customers')],
      indexes: [{ name: 'by_status', fields: ['status', 'ordered_at'] }],
    },
  },
  {
    name: 'order_lines',
    schema: {
      fields: [
        id,
        field('order_id', 'integer', required),
        field('product_id', 'integer', required),
        field('quantity', 'integer', { required: true, minimum: 1 }),
        field('price', 'number', { required: true, minimum: 0 }),
      ],
      primaryKey: 'id',
      foreignKeys: [reference('order_id', 'orders', 'CASCADE'), reference('product_id', 'products')],
    },
  },
]

const categories = ['Lamps', 'Chairs', 'Tables', 'Shelves', 'Rugs', 'Clocks', 'Vases', 'Textiles']
const suppliers = [
  ['Atelier Norr', 'SE'],
  ['Casa Brisa', 'PT'],
  ['Hoekstra & Zoon', 'NL'],
  ['Kiso Woodworks', 'JP'],
  ['Lumen Werk', 'DE'],
  ['Terra Cotta Sud', 'IT'],
] as const
const lines = ['Alba', 'Birk', 'Cove', 'Dune', 'Ebb', 'Fjord', 'Grove', 'Haze', 'Isle', 'Juno']
const colors = ['oak', 'black', 'white', 'sage', 'rust', 'indigo']
const warehouses = [
  { name: 'Harbour', place: '4.4777,51.9244' },
  { name: 'Airport', place: '8.5706,50.0333' },
  { name: 'Outlet', place: '9.9937,53.5511' },
]
const firstNames = ['Amir', 'Bea', 'Cyril', 'Dana', 'Emeka', 'Frida', 'Goran', 'Hilde', 'Ines', 'Jonas']
const lastNames = ['Abel', 'Brandt', 'Costa', 'Diaz', 'Ekström', 'Fischer', 'Gallo', 'Horvat']
const statuses = ['cart', 'paid', 'paid', 'shipped', 'shipped', 'shipped', 'returned']

const products = 120
const orders = 200
const orderLines = 420

function rows(): ReturnType<DemoApp['rows']> {
  const { random, pick, between } = randomness(4_711)
  const start = Date.UTC(2026, 0, 5)
  const shown = Array.from({ length: products }, (_, index) => {
    const category = 1 + (index % categories.length)
    const kind = String(categories[category - 1]).replace(/s$/, '')
    const color = pick(colors)
    return {
      id: index + 1,
      sku: `${kind.slice(0, 3).toUpperCase()}-${String(1000 + index)}`,
      name: `${pick(lines)} ${kind.toLowerCase()} ${index + 1}`,
      description: `A ${kind.toLowerCase()} in ${color}, made in small series.`,
      category_id: category,
      supplier_id: between(1, suppliers.length),
      price: between(900, 60_000) / 100,
      attributes: { color, weight_kg: between(2, 300) / 10, handmade: random() < 0.3 },
    }
  })
  const customers = firstNames.flatMap((first, row) =>
    lastNames.map((last, column) => ({
      id: uuidOf(row * lastNames.length + column + 1),
      name: `${first} ${last}`,
      email: `${first}.${last}@example.net`.toLowerCase().replace('ö', 'o'),
      customer_since: day(start - between(0, 1500) * dayMs),
    })),
  )
  return [
    ['categories', categories.map((category, index) => ({ id: index + 1, name: category }))],
    [
      'suppliers',
      suppliers.map(([supplier, country], index) => ({ id: index + 1, name: supplier, country })),
    ],
    ['products', shown],
    ['warehouses', warehouses.map((warehouse, index) => ({ id: index + 1, ...warehouse }))],
    [
      'stock',
      shown.flatMap((product, index) =>
        [1 + (index % 3), 1 + ((index + 1) % 3)].map((warehouse_id) => ({
          product_id: product.id,
          warehouse_id,
          quantity: between(0, 80),
        })),
      ),
    ],
    ['customers', customers],
    [
      'orders',
      Array.from({ length: orders }, (_, index) => {
        const ordered = start + between(0, 250) * dayMs + between(0, dayMs - 1)
        const status = pick(statuses)
        const isSent = status === 'shipped' || status === 'returned'
        return {
          id: index + 1,
          customer_id: pick(customers).id,
          status,
          ordered_at: new Date(ordered).toISOString(),
          shipped_on: isSent ? day(ordered + between(1, 6) * dayMs) : null,
        }
      }),
    ],
    [
      'order_lines',
      Array.from({ length: orderLines }, (_, index) => {
        const product = pick(shown)
        return {
          id: index + 1,
          order_id: index < orders ? index + 1 : between(1, orders),
          product_id: product.id,
          quantity: between(1, 4),
          price: product.price,
        }
      }),
    ],
  ]
}

/** Products that are no longer sold. They must exist while stock and orders reference them. */
const discontinued = [40, 80, 120]

export const shop: DemoApp = {
  slug: 'shop',
  name: 'Shop',
  description: 'A furniture shop: products, stock, customers and orders.',
  resources,
  rows,
  async finish(client, path) {
    // Orders still refer to them, so DELETE would refuse.
    const marks = discontinued.map((id) => ({ id, is_deleted: true }))
    await client.request('PATCH', `${path}datatables/products/data/?include_deleted=true`, marks)
  },
}
