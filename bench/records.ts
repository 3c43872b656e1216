/**
 * Measures requests for a table of a million records (lists, one record, aggregations, bulk writes), compared
 * with plain SQL.
 */
import { compare, report, type Stack, withStack } from './stack.ts'

const rows = 1_000_000

const fields = [
  { name: 'id', type: 'integer' },
  { name: 'city', type: 'string', constraints: { required: true } },
  { name: 'kind', type: 'string' },
  { name: 'price', type: 'number' },
  { name: 'stock', type: 'integer' },
  { name: 'sold_at', type: 'datetime', constraints: { required: true } },
  { name: 'note', type: 'string' },
]
const schema = { fields, primaryKey: 'id', indexes: [{ name: 'by_city', fields: ['city', 'sold_at'] }] }

const generated = `
  select i as id, 'city ' || i % 500 as city, 'kind ' || (i * 7) % 40 as kind, ((i * 31) % 10000) / 100.0 as price, i % 1000 as stock,
         timestamptz '2020-01-01' + i * interval '1 minute' as sold_at, md5(i::text) as note
    from generate_series(1, ${rows}) i`

await withStack(async (stack) => {
  const { client, api, sql, schema: namespace } = stack
  await client.request('POST', `${api}/apps/bench/datasources/`, {
    name: 'Documents',
    slug: 'documents',
    provider_type: 'jsonb',
  })
  const make = (query: string, name: string, json_schema: unknown) =>
    client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true${query}`, {
      resources: [{ name, schema: json_schema }],
    })
  await make('', 'sales', schema)
  await make('&datasource=documents', 'papers', schema)
  await make('', 'wide', {
    fields: [
      { name: 'id', type: 'integer' },
      ...Array.from({ length: 30 }, (_, n) => ({ name: `t${n}`, type: 'string' })),
    ],
    primaryKey: 'id',
  })
  await sql.query("set timezone = 'UTC'")
  await sql.query(`insert into ${namespace}.bench_sales ${generated}`)
  await sql.query(`insert into ${namespace}.bench_papers select to_jsonb(g) from (${generated}) g`)
  await sql.query(
    `insert into ${namespace}.bench_wide select i, ${Array.from({ length: 30 }, (_, n) => `repeat('${n} ', 20)`).join()} from generate_series(1, 1000) i`,
  )
  await sql.query(`vacuum analyze`)
  console.log(`${rows.toLocaleString('en')} rows a table`)
  for (const table of ['sales', 'papers']) await reading(stack, table)
  for (const table of ['sales', 'papers']) await writing(stack, table)

  const wide = `${api}/apps/bench/datatables/wide/data/?ordering=id`
  report(
    'Worker CPU of a list of 20',
    'ms',
    await stack.cpuOf(`${data(stack, 'sales')}?city=city 7&ordering=-sold_at&page_size=20`),
    1.5,
  )
  report('Worker CPU of a list of 20, five times as wide', 'ms', await stack.cpuOf(wide), 1.5)
})

function data({ api }: Stack, table: string): string {
  return `${api}/apps/bench/datatables/${table}/data/`
}

async function reading(stack: Stack, table: string): Promise<void> {
  const { client, schema: namespace } = stack
  const isDocument = table === 'papers'
  // The same rows by SQL written by hand. For documents, it has the casts of their indexes.
  const columns = `(_data ->> 'id')::bigint as id, _data ->> 'city' as city, _data ->> 'kind' as kind, (_data ->> 'price')::numeric as price,
    (_data ->> 'stock')::bigint as stock, tessera.as_datetime(_data ->> 'sold_at') as sold_at, _data ->> 'note' as note`
  const relation = isDocument
    ? `(select ${columns} from ${namespace}.bench_papers) t`
    : `${namespace}.bench_sales t`
  const get = (query: string) => () => client.request('GET', `${data(stack, table)}${query}`)
  const ask =
    (...texts: string[]) =>
    () =>
      stack.ask(...texts)
  await compare(
    `${table}: a filtered, sorted page with its total`,
    41,
    get('?city=city 7&ordering=-sold_at&page_size=20'),
    ask(
      `select * from ${relation} where city = 'city 7' order by sold_at desc limit 20`,
      `select count(*) from ${relation} where city = 'city 7'`,
    ),
    2,
  )
  await compare(
    `${table}: the same of half a million`,
    7,
    get('?stock__lt=500&ordering=-id&page_size=20'),
    ask(
      `select * from ${relation} where stock < 500 order by id desc limit 20`,
      `select count(*) from ${relation} where stock < 500`,
    ),
    2,
  )
  await compare(
    `${table}: two keys, having, sort, of all`,
    7,
    get(
      '?_aggregate=count(*),sum(price),avg(stock) as mean&_group_by=kind,city&_having=count__gte=10&ordering=-sum_price,kind,city&page_size=20',
    ),
    ask(`with groups as (select kind, city, count(*) as count, sum(price) as sum_price, avg(stock) as mean from ${relation} group by 1, 2 having count(*) >= 10)
         select (select count(*) from groups), g.* from groups g order by sum_price desc, kind, city limit 20`),
    1.3,
  )
}

async function writing(stack: Stack, table: string): Promise<void> {
  const { client, sql, schema: namespace } = stack
  const path = data(stack, table)
  const count = 10_000
  const body = (first: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: first + n,
      city: `city ${n % 500}`,
      price: n / 4,
      stock: n,
      sold_at: '2026-01-01T00:00:00Z',
      note: 'bulk',
    }))
  let last = rows
  const next = () => {
    last += count
    return body(last - count + 1)
  }
  const isDocument = table === 'papers'
  const relation = `${namespace}.bench_${table}`
  const values = (rows: unknown) => [JSON.stringify(rows)]
  const recordset =
    'jsonb_to_recordset($1::jsonb) x (id bigint, city text, price numeric, stock bigint, sold_at timestamptz, note text)'
  const insert = isDocument
    ? `insert into ${relation} select to_jsonb(x) from ${recordset} returning *`
    : `insert into ${relation} (id, city, price, stock, sold_at, note) select x.* from ${recordset} returning *`
  await compare(
    `${table}: 10,000 records created`,
    5,
    () => client.request('POST', path, next()),
    () => sql.query(insert, values(next())),
    2.5,
  )
  let round = 0
  const changes = () =>
    Array.from({ length: count }, (_, n) => ({ id: n * 50 + 1, stock: round, price: ++round }))
  const patch = isDocument
    ? `update ${relation} t set _data = t._data || jsonb_build_object('stock', x.stock, 'price', x.price)
         from jsonb_to_recordset($1::jsonb) x (id bigint, stock bigint, price numeric) where (t._data ->> 'id')::bigint = x.id returning t.*`
    : `update ${relation} t set stock = x.stock, price = x.price from jsonb_to_recordset($1::jsonb) x (id bigint, stock bigint, price numeric)
        where t.id = x.id returning t.*`
  await compare(
    `${table}: 10,000 records patched`,
    5,
    () => client.request('PATCH', path, changes()),
    () => sql.query(patch, values(changes())),
    4,
  )
}
