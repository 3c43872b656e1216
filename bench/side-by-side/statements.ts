/**
 * One statement for each question, written by hand for the copied tables. The floor and plain SQL run them.
 */
import { peersSchema } from './data.ts'
import type { Input, QuestionName } from './questions.ts'

/** A question that needs a statement. */
export type Statement = Exclude<QuestionName, 'healthz'>

const { products, orders, customers, employees, edges } = Object.fromEntries(
  ['products', 'orders', 'customers', 'employees', 'edges'].map((name) => [
    name,
    `${peersSchema}.${name === 'edges' ? 'employees_edges' : name}`,
  ]),
) as Record<'products' | 'orders' | 'customers' | 'employees' | 'edges', string>

const newColumns = 'sku, name, category, price, stock, is_active, listed_at'
const recordset = `jsonb_to_recordset($1::jsonb) x (sku text, name text, category text, price numeric,
  stock bigint, is_active boolean, listed_at timestamptz)`

/** The statement of each question. */
export const statements: Record<Statement, string> = {
  get: `select * from ${products} where id = $1`,
  'list-total': `
    select *, count(*) over () as total from ${products} where category = $1 and price < $2
     order by listed_at desc limit 20`,
  list: `select * from ${products} where category = $1 and price < $2 order by listed_at desc limit 20`,
  word: `select * from ${products} where name ilike '%' || $1 || '%' order by listed_at desc limit 20`,
  populate: `
    select o.*, to_json(c) as customer, to_json(p) as product
      from (select * from ${orders} where ordered_at >= $1 and ordered_at < $2
             order by total desc, id limit 50) o
      join ${customers} c on c.id = o.customer_id
      join ${products} p on p.id = o.product_id
     order by o.total desc, o.id`,
  groups: `
    select status, quantity, count(*) as count, sum(total) as sum_total, avg(total) as avg_total, count(*) over () as total
      from ${orders} group by status, quantity having avg(total) >= $1
     order by sum_total desc, status, quantity limit 20`,
  descendants: `
    with recursive walk (id, depth) as (
      select $1::bigint, 0
       union select e.from_id, w.depth + 1 from walk w join ${edges} e on e.to_id = w.id and e.type = 'parent'
       where w.depth < 5)
    select n.*, w.depth from walk w join ${employees} n using (id) order by w.depth, n.id`,
  create: `
    insert into ${products} (${newColumns}) values ($1, $2, $3, $4, $5, $6, $7) returning *`,
  bulk: `insert into ${products} (${newColumns}) select * from ${recordset} returning *`,
  upsert: `
    insert into ${products} (${newColumns}) select * from ${recordset}
        on conflict (sku) do update set name = excluded.name, category = excluded.category,
           price = excluded.price, stock = excluded.stock, is_active = excluded.is_active,
           listed_at = excluded.listed_at
    returning *`,
}

const filters = ({ category, priceBelow }: Input) => [category, priceBelow]

/** The values of each statement. */
export const valuesOf: Record<Statement, (input: Input) => unknown[]> = {
  get: ({ id }) => [id],
  'list-total': filters,
  list: filters,
  word: ({ word }) => [word],
  populate: ({ from, to }) => [from, to],
  groups: ({ averageFrom }) => [averageFrom],
  descendants: ({ employee }) => [employee],
  create: ({ product: { sku, name, category, price, stock, is_active, listed_at } }) => [
    sku,
    name,
    category,
    price,
    stock,
    is_active,
    listed_at,
  ],
  bulk: ({ bulk }) => [JSON.stringify(bulk())],
  upsert: ({ upsert }) => [JSON.stringify(upsert())],
}
