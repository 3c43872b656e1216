/** Equal sites: an app with five tables, and rows in them. */
import type { Client } from '../../dev/client.ts'
import type { Stack } from '../stack.ts'

const tableNames = ['customers', 'products', 'orders', 'lines', 'notes']
const rowsEach = 200
/** How many tables a site has. */
export const tableCount = tableNames.length

const text = (name: string) => ({ name, type: 'string' })
const resources = tableNames.map((name) => ({
  name,
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'code', type: 'string', constraints: { required: true } },
      text('title'),
      text('city'),
      { name: 'amount', type: 'number' },
      { name: 'stock', type: 'integer' },
      { name: 'is_active', type: 'boolean' },
      { name: 'created_at', type: 'datetime' },
    ],
    indexes: [{ name: 'by_city', fields: ['city', 'amount'] }],
  },
}))

export interface Tenant {
  slug: string
  schema: string
}

/** Creates one site, and returns it with the milliseconds that this took. */
export async function createTenant(
  client: Client,
  number: number,
): Promise<{ tenant: Tenant; milliseconds: number }> {
  const slug = `tenant-${number}`
  const started = performance.now()
  const { schema_name } = await client.request<{ schema_name: string }>(
    'POST',
    '/api/cloud/organizations/bench/sites/',
    { name: slug, slug },
  )
  return { tenant: { slug, schema: schema_name }, milliseconds: performance.now() - started }
}

/** Creates the tables of a site, with their rows. */
export async function fillTenant({ client, sql }: Stack, { slug, schema }: Tenant): Promise<void> {
  const api = `/sites/${slug}/api`
  await client.request('POST', `${api}/apps/`, { name: 'shop' })
  await client.request('POST', `${api}/apps/shop/datatables/create_schema/?materialize=true`, { resources })
  for (const name of tableNames)
    await sql.query(
      `insert into ${schema}.shop_${name} (code, title, city, amount, stock, is_active)
       select 'code ' || i, 'Title ' || i, 'City ' || i % 20, i % 97, i % 13, i % 3 = 0
         from generate_series(1, ${rowsEach}) i`,
    )
}

/** Returns a read of one record for each table of a site, with the id as its parameter. */
export const readsOf = (schema: string): string[] =>
  tableNames.map((name) => `select * from ${schema}.shop_${name} where id = $1`)

/** One number for each kind of request: see requestTo. */
export const kinds = [0, 0.6, 0.9]

/**
 * Returns a request to a site, chosen by two numbers from 0 to 1. Of ten requests, six read one record, three
 * read a page, and one creates a record.
 */
export function requestTo(
  { slug }: Tenant,
  which: number,
  what: number,
): { method: 'GET' | 'POST'; path: string; body?: unknown } {
  const table = tableNames[Math.floor(which * tableNames.length)] as string
  const data = `/sites/${slug}/api/apps/shop/datatables/${table}/data/`
  const number = Math.floor(((which * tableNames.length) % 1) * rowsEach)
  if (what < 0.6) return { method: 'GET', path: `${data}${1 + number}/` }
  if (what < 0.9)
    return { method: 'GET', path: `${data}?city=City%20${number % 20}&ordering=-amount&page_size=20` }
  return { method: 'POST', path: data, body: { code: `new ${number}`, title: 'New', amount: number } }
}
