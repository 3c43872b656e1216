/**
 * The data of the questions: the tables of the service, and a copy of them in the schema `peers` for the
 * other peers.
 */
import type pg from 'pg'
import type { Stack } from '../stack.ts'
import { categoryCount, firstOrder, minutesBetweenOrders, type Size, statuses, words } from './questions.ts'

/** The schema with the copies. */
export const peersSchema = 'peers'

const id = { name: 'id', type: 'integer' }
const required = { required: true }
const resources = [
  {
    name: 'customers',
    schema: {
      primaryKey: 'id',
      fields: [id, ...['name', 'email', 'city'].map((name) => ({ name, type: 'string' }))],
    },
  },
  {
    name: 'products',
    schema: {
      primaryKey: 'id',
      fields: [
        id,
        { name: 'sku', type: 'string', constraints: { required: true, unique: true } },
        { name: 'name', type: 'string', constraints: required },
        { name: 'category', type: 'string', constraints: required },
        { name: 'price', type: 'number', constraints: required },
        { name: 'stock', type: 'integer' },
        { name: 'is_active', type: 'boolean' },
        { name: 'listed_at', type: 'datetime', constraints: required },
      ],
      indexes: [
        { name: 'by_category', fields: ['category', 'listed_at'] },
        { name: 'by_time', fields: ['listed_at'] },
        { name: 'words', fields: ['name'], method: 'trigram' },
      ],
    },
  },
  {
    name: 'orders',
    schema: {
      primaryKey: 'id',
      fields: [
        id,
        { name: 'customer_id', type: 'integer', constraints: required },
        { name: 'product_id', type: 'integer', constraints: required },
        { name: 'status', type: 'string', constraints: required },
        { name: 'quantity', type: 'integer', constraints: required },
        { name: 'total', type: 'number', constraints: required },
        { name: 'ordered_at', type: 'datetime', constraints: required },
      ],
      foreignKeys: ['customer', 'product'].map((name) => ({
        fields: `${name}_id`,
        reference: { resource: `${name}s`, fields: 'id' },
      })),
      indexes: [{ name: 'by_time', fields: ['ordered_at'] }],
    },
  },
  {
    name: 'employees',
    schema: {
      primaryKey: 'id',
      fields: [id, { name: 'name', type: 'string' }, { name: 'title', type: 'string' }],
      hierarchy: true,
    },
  },
]

/** The tables, each after the tables that it references, with its referencing columns. */
const tables: [name: string, references: [column: string, table: string][]][] = [
  ['customers', []],
  ['products', []],
  [
    'orders',
    [
      ['customer_id', 'customers'],
      ['product_id', 'products'],
    ],
  ],
  ['employees', []],
  [
    'employees_edges',
    [
      ['from_id', 'employees'],
      ['to_id', 'employees'],
    ],
  ],
]

const arrayOf = (texts: readonly string[]) => `array[${texts.map((text) => `'${text}'`).join()}]`

/**
 * Returns the rows of each table. The words of products, and the products and times of orders, are
 * distributed, and the same in every run.
 */
const rowsOf = (size: Size): [table: string, columns: string, rows: string][] => [
  [
    'customers',
    'id, name, email, city',
    `select i, 'Customer ' || i, 'customer-' || i || '@example.com', 'City ' || i % 300
       from generate_series(1, ${size.customers}) i`,
  ],
  [
    'products',
    'id, sku, name, category, price, stock, is_active, listed_at',
    `select i, 'sku-' || i,
            'Item ' || i || case when i % 10 = 0 then ' ' || (${arrayOf(words)})[1 + (i / 10) % ${words.length}] else '' end,
            'category ' || i % ${categoryCount}, ((i * 7919) % 10000) / 100.0 + 1, i % 1000, i % 7 <> 0,
            timestamptz '2020-01-01' + ((i * 104729::bigint) % ${size.products}) * interval '17 minutes'
       from generate_series(1, ${size.products}) i`,
  ],
  [
    'orders',
    'id, customer_id, product_id, status, quantity, total, ordered_at',
    `select i, 1 + (i * 7) % ${size.customers}, 1 + (i * 13) % ${size.products},
            (${arrayOf(statuses)})[1 + (i * 31 / 7) % ${statuses.length}], 1 + i % 9, (i * 37) % 90000 / 100.0 + 5,
            timestamptz '${new Date(firstOrder).toISOString()}'
              + ((i * 15485863::bigint) % ${size.orders}) * interval '${minutesBetweenOrders} minutes'
       from generate_series(1, ${size.orders}) i`,
  ],
  [
    'employees',
    'id, name, title',
    `select i, 'Employee ' || i, 'Title ' || i % 20 from generate_series(1, ${size.employees}) i`,
  ],
  [
    'employees_edges',
    'from_id, to_id, type',
    `select i, (i + 1) / 3, 'parent' from generate_series(2, ${size.employees}) i`,
  ],
]

/**
 * Creates the tables with their rows, and the copies. Physical tables, indexes and rows are the same in both.
 */
export async function createData({ client, api, sql, schema }: Stack, size: Size): Promise<void> {
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, { resources })
  await sql.query(`create schema ${peersSchema}`)
  await sql.query("set timezone = 'UTC'")
  for (const [table, columns, rows] of rowsOf(size))
    await sql.query(`insert into ${schema}.bench_${table} (${columns}) ${rows}`)
  for (const [table, references] of tables) {
    const [ours, copy] = [`${schema}.bench_${table}`, `${peersSchema}.${table}`]
    await sql.query(`create table ${copy} (like ${ours} including all)`)
    await sql.query(`insert into ${copy} select * from ${ours}`)
    for (const [column, other] of references)
      await sql.query(
        `alter table ${copy} add foreign key (${column}) references ${peersSchema}.${other} (id)`,
      )
    if (table === 'employees_edges') continue
    for (const each of [ours, copy]) {
      const sequence = `pg_get_serial_sequence('${each}', 'id')`
      await sql.query(`select setval(${sequence}, (select max(id) from ${each}))`)
    }
  }
  await sql.query('vacuum analyze')
}

/** Undoes the changes of writes in one of the two product tables. */
export async function restoreProducts(sql: pg.Client, table: string, size: Size): Promise<void> {
  const [, columns = '', rows = ''] = rowsOf(size).find(([name]) => name === 'products') ?? []
  const changed = columns.split(', ').slice(2)
  await sql.query(`delete from ${table} where id > ${size.products}`)
  await sql.query(
    `update ${table} t set (${changed}) = (select ${changed.map((name) => `o.${name}`)})
       from (${rows}) o (${columns}) where o.id = t.id and t.name like 'New %'`,
  )
  await sql.query(`select setval(pg_get_serial_sequence('${table}', 'id'), ${size.products})`)
  await sql.query(`vacuum analyze ${table}`)
}
