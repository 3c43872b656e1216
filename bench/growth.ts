/**
 * Measures lists of tables of 10,000, 100,000 and 1,000,000 records of both providers, by turns with SQL that is
 * written by hand on the same table: `npm run bench -- growth [--rows=10000,1000000] [--runs=20]`.
 */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { questions } from './growth/questions.ts'
import { median, type Stack, withStack } from './stack.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000,1000000' },
    runs: { type: 'string', default: '20' },
  },
})
const sizes = values.rows.split(',').map(Number)
const runs = Number(values.runs)
/** What a question may cost besides three times its SQL, in milliseconds: the request and the answer. */
const requestMs = 4

const schema = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'status', type: 'string', constraints: { required: true } },
    { name: 'title', type: 'string' },
    { name: 'maker_id', type: 'integer' },
    { name: 'happened_at', type: 'datetime' },
    { name: 'amount', type: 'number' },
    { name: 'is_deleted', type: 'boolean' },
  ],
  primaryKey: 'id',
  search_fields: ['title'],
  foreignKeys: [{ fields: 'maker_id', reference: { resource: 'makers', fields: 'id' } }],
  indexes: [
    { name: 'by_time', fields: ['happened_at'] },
    { name: 'by_status', fields: ['status', 'happened_at'] },
    { name: 'by_maker', fields: ['maker_id', 'happened_at'] },
    { name: 'by_title', fields: ['title'], method: 'trigram' },
  ],
}
const makers = {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
  ],
  primaryKey: 'id',
}

/** The records: one in fifty has no time, and one in a hundred is deleted. */
const generated = (rows: number) => `
  select i as id, 'status ' || i % 5 as status, 'common word ' || md5(i::text) as title, 1 + i % 1000 as maker_id,
         case when i % 50 > 0 then timestamptz '2020-01-01' + (i * 7919::bigint % ${rows}) * interval '1 minute' end as happened_at,
         (i * 31 % 10000) / 100.0 as amount, i % 100 = 7 as is_deleted
    from generate_series(1, ${rows}) i`

/** The columns of a document, as the indexes of its table have them. */
const documentColumns = `(_data ->> 'id')::bigint as id, _data ->> 'status' as status, _data ->> 'title' as title,
  (_data ->> 'maker_id')::bigint as maker_id, tessera.as_datetime(_data ->> 'happened_at') as happened_at,
  (_data ->> 'amount')::numeric as amount, (_data ->> 'is_deleted')::boolean as is_deleted`

/** The medians in milliseconds: ours, and those of SQL. Undefined: the question was refused. */
type Times = readonly [ours: number, sql: number] | undefined

await withStack(async (stack) => {
  await stack.sql.query("set timezone = 'UTC'")
  for (const kind of ['flat_table', 'jsonb'] as const) {
    const found = new Map<string, Times[]>()
    for (const rows of sizes)
      for (const [name, times] of await measure(stack, rows, kind))
        found.set(name, [...(found.get(name) ?? []), times])
    const heads = [...sizes.map((rows) => `${rows.toLocaleString('en')} | SQL`), 'growth', 'of SQL', '÷ SQL']
    console.log(`\n| ${kind} | ${heads.join(' | ')} |`)
    console.log(`|---|${'--:|'.repeat(2 * sizes.length + 3)}`)
    for (const [name, all] of found)
      console.log(`| ${name} | ${[...all.map(cells), ...factors(all)].join(' | ')} |`)
    const [one, five, fifteen] = loadavg().map((load) => load.toFixed(1))
    console.log(`\n${cpus().length} cores; load ${one}, ${five}, ${fifteen} of the last 1, 5 and 15 minutes.`)
    for (const [name, all] of found)
      for (const line of missed(all)) console.log(`FAR ${kind}: ${name}: ${line}`)
  }
})

/** Returns the goals that the times of a question miss, from the smallest size to the largest. */
function missed(all: readonly Times[]): string[] {
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return ['refused']
  const [growth, ofSql] = [last[0] / first[0], last[1] / first[1]]
  const most = ofSql <= 1.5 ? 1.5 : 1.3 * ofSql
  const limit = 3 * last[1] + requestMs
  return [
    ...(growth > most ? [`grows by ${growth.toFixed(2)}, at most ${most.toFixed(2)}`] : []),
    ...(last[0] > limit ? [`takes ${last[0].toFixed(1)} ms, at most ${limit.toFixed(1)}`] : []),
  ]
}

function cells(times: Times): string {
  return times?.map((ms) => ms.toFixed(1)).join(' | ') ?? 'refused | '
}

/**
 * Returns by how much our time and that of SQL grow from the smallest size to the largest, and our time divided by
 * that of SQL at the largest.
 */
function factors(all: readonly Times[]): string[] {
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return ['', '', '']
  return [last[0] / first[0], last[1] / first[1], last[0] / last[1]].map((factor) => factor.toFixed(2))
}

/** Makes the tables of a size, and asks every question. */
async function measure(stack: Stack, rows: number, kind: 'flat_table' | 'jsonb') {
  const app = `${kind.replace('_', '')}${rows}`
  const source = await fill(stack, { rows, kind, app })
  const times: [name: string, Times][] = []
  for (const { name, table = 'happenings', record = '', query, statement } of questions(rows)) {
    const path = encodeURI(`${stack.api}/apps/${app}/datatables/${table}/data/${record}?${query}`)
    const plain = statement.replaceAll(
      /\bfrom ([tmv])\b/g,
      (_, of: 't' | 'm' | 'v') => `from ${source[of]} ${of}`,
    )
    times.push([
      name,
      await byTurns(
        () => stack.client.request('GET', path),
        () => stack.ask(plain),
      ),
    ])
  }
  return times
}

async function byTurns(ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<Times> {
  const [one, other]: [number[], number[]] = [[], []]
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  try {
    await ours()
    await theirs()
    for (let run = 0; run < runs; run++) {
      one.push(await timed(ours))
      other.push(await timed(theirs))
    }
  } catch (error) {
    console.error(String(error))
    return undefined
  }
  return [median(one), median(other)]
}

interface Filled {
  rows: number
  kind: 'flat_table' | 'jsonb'
  app: string
}

/** Creates and fills the tables. Returns subqueries with their columns. */
async function fill({ client, api, sql, schema: namespace }: Stack, { rows, kind, app }: Filled) {
  await client.request('POST', `${api}/apps/`, { name: app })
  const own = { name: 'Own', slug: 'own', provider_type: kind }
  await client.request('POST', `${api}/apps/${app}/datasources/`, own)
  await client.request(
    'POST',
    `${api}/apps/${app}/datatables/create_schema/?materialize=true&datasource=own`,
    {
      resources: [
        { name: 'makers', schema: makers },
        { name: 'happenings', schema },
      ],
    },
  )
  const relation = (table: string) => `${namespace}.${app}_${table}`
  const columns = [schema, makers].map(({ fields }) => fields.map(({ name }) => name).join())
  const [ofHappenings = '', ofMakers = ''] = columns
  const insert = (table: string, names: string, query: string) =>
    kind === 'jsonb'
      ? sql.query(`insert into ${relation(table)} select to_jsonb(g) from (${query}) g`)
      : sql.query(`insert into ${relation(table)} (${names}) ${query}`)
  await insert('makers', ofMakers, "select i as id, 'Maker ' || i as name from generate_series(1, 1000) i")
  // References are not checked one by one.
  await sql.query('set session_replication_role = replica')
  await insert('happenings', ofHappenings, generated(rows))
  await sql.query('set session_replication_role = origin')
  await sql.query(`vacuum analyze ${relation('happenings')}, ${relation('makers')}`)
  const [happenings, others] = [relation('happenings'), relation('makers')]
  const vector = `setweight(to_tsvector('english', coalesce(_data ->> 'title', '')), 'D') as words`
  return kind === 'jsonb'
    ? {
        t: `(select ${documentColumns} from ${happenings})`,
        v: `(select ${documentColumns}, ${vector} from ${happenings})`,
        m: `(select (_data ->> 'id')::bigint as id, _data ->> 'name' as name from ${others})`,
      }
    : {
        t: `(select ${ofHappenings} from ${happenings})`,
        v: `(select ${ofHappenings}, search_vector as words from ${happenings})`,
        m: `(select ${ofMakers} from ${others})`,
      }
}
