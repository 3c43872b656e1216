/**
 * Measures a list with three annotated aggregates of the children of 100,000 parents, compared with the best
 * SQL written by hand.
 */
import { compare, withStack } from './stack.ts'

const parents = 100_000
const childrenEach = 5

const resources = [
  {
    name: 'parents',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'string' },
        { name: 'part', type: 'integer' },
      ],
      indexes: [{ name: 'by_part', fields: ['part'] }],
    },
  },
  {
    name: 'children',
    schema: {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'parent_id', type: 'integer', constraints: { required: true } },
        { name: 'rating', type: 'integer' },
        { name: 'price', type: 'number' },
      ],
      foreignKeys: [{ fields: 'parent_id', reference: { resource: 'parents', fields: 'id' } }],
      indexes: [{ name: 'by_parent', fields: ['parent_id'] }],
    },
  },
]

await withStack(async (stack) => {
  const { client, api, sql, schema } = stack
  await client.request('POST', `${api}/apps/bench/datatables/create_schema/?materialize=true`, { resources })
  await sql.query(`
    insert into ${schema}.bench_parents select i, 'Parent ' || i, i % 1000 from generate_series(1, ${parents}) i;
    insert into ${schema}.bench_children (id, parent_id, rating, price)
      select i, 1 + (i * 7919::bigint) % ${parents}, (i * 31) % 6, (i * 37) % 9000 / 100.0
        from generate_series(1, ${parents * childrenEach}) i`)
  await sql.query('vacuum analyze')
  const path = `${api}/apps/bench/datatables/parents/data/`
  const annotated = '_annotate=count(children) as n,avg(children.rating) as rating,sum(children.price) as sum'
  const ask = (query: string) => () => client.request('GET', `${path}?${annotated}&${query}&page_size=20`)
  const parentsTable = `${schema}.bench_parents`
  const childrenTable = `${schema}.bench_children`
  /** Returns the statement. It sorts the list by one aggregate, and computes the others only for the page. */
  const ordered = (where: string) => `
    with page as (
      select p.*, c.rating from ${parentsTable} p
        left join (select parent_id, avg(rating) as rating from ${childrenTable} group by parent_id) c
               on c.parent_id = p.id
       where ${where} order by c.rating desc nulls last, p.id limit 20)
    select (select count(*) from ${parentsTable} where ${where}), (select json_agg(t) from (
      select page.*, c.n, c.sum from page
       cross join lateral (select count(*) as n, sum(price) as sum from ${childrenTable} where parent_id = page.id) c
       order by rating desc nulls last, id) t)`
  const filtered = `
    with found as materialized (
      select p.*, c.rating from ${parentsTable} p
        join (select parent_id, avg(rating) as rating from ${childrenTable} group by parent_id having avg(rating) >= 4) c
          on c.parent_id = p.id),
    page as (select * from found order by rating desc, id limit 20)
    select (select count(*) from found), (select json_agg(t) from (
      select page.*, c.n, c.sum from page
       cross join lateral (select count(*) as n, sum(price) as sum from ${childrenTable} where parent_id = page.id) c
       order by rating desc, id) t)`
  const few = `
    with found as materialized (select * from ${parentsTable} where part < 10)
    select (select count(*) from found), (select json_agg(t) from (
      select found.*, c.* from found
       cross join lateral (select count(*) as n, avg(rating) as rating, sum(price) as sum
                             from ${childrenTable} where parent_id = found.id) c
       order by rating desc nulls last, id limit 20) t)`
  // A list of a few milliseconds is measured with the cost of a request apart from its statement, as in
  // records.ts.
  const cases: [name: string, query: string, byHand: string, runs: number, most: number][] = [
    ['of all, ordered by one', 'ordering=-rating', ordered('true'), 15, 1.2],
    ['of 90 %, ordered by one', 'part__lt=900&ordering=-rating', ordered('part < 900'), 15, 1.2],
    ['of 1 %, ordered by one', 'part__lt=10&ordering=-rating', few, 41, 2],
    ['of all, filtered by one', 'rating__gte=4&ordering=-rating', filtered, 15, 1.2],
  ]
  for (const [name, query, byHand, runs, most] of cases)
    await compare(name, runs, ask(query), () => stack.ask(byHand), most)
})
