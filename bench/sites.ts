/**
 * Measures what a site costs the database: relations, files, the memory of a session, the CPU time to make, to use
 * and to erase it, and the locks of a dump; with one site and with many. docs/performance.md.
 *
 * It uses the functions of the database that every layout has, so that two layouts can be compared: the same file
 * runs in a checkout of either. Only Linux tells the CPU time of a process in nanoseconds.
 */
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { onConnection } from '../dev/connection.ts'
import { ownMemoryMiB } from './cpu/memory.ts'
import { short, table } from './report/table.ts'
import { requests, seed } from './sites/requests.ts'
import { Session } from './sites/session.ts'
import { median, type Stack, withStack } from './stack.ts'

const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '300' },
  },
})
const [siteCount, callCount] = [values.sites, values.calls].map(Number) as [number, number]

/** How many sites are erased. */
const erasedCount = 20

await withStack(run)

async function run({ client, api, schema, sql, superuserUrl }: Stack): Promise<void> {
  const owner = await Session.open(superuserUrl)
  await owner.query('set role tessera')
  const first = Number(schema.slice('site_'.length))
  const guest = await guestPage(client, api, superuserUrl, first)

  const before = await sizes(sql)
  const [empty] = await makeSites(owner, 1, 'empty')
  const after = await sizes(sql)
  const one = Number(empty?.id)
  await withSession(superuserUrl, (session) => seed(session, one))
  await sql.query('vacuum analyze')
  const alone = await withSession(superuserUrl, (session) => timeRequests(session, [one]))

  const start = await sizes(sql)
  const made = await makeSites(owner, siteCount, 'site')
  const many = await sizes(sql)
  const ids = made.map(({ id }) => id)
  await withSession(superuserUrl, async (session) => {
    for (const id of ids) await seed(session, id)
  })
  await sql.query('vacuum analyze')
  const visit = await withSession(superuserUrl, (session) => visitAll(session, ids))
  const dump = await lockAll(superuserUrl)
  const erased: number[] = []
  for (const id of ids.slice(0, erasedCount)) erased.push(await erase(owner, id))
  await owner.end()

  const rows: [string, string][] = [
    ['Rows of pg_class of an empty site', `${after.relations - before.relations}`],
    ['Files of an empty site', `${after.files - before.files}`],
    [`Rows of pg_class, ${siteCount} empty sites`, `${many.relations - start.relations}`],
    [`Files, ${siteCount} empty sites`, `${many.files - start.files}`],
    [`Size, ${siteCount} empty sites, MiB`, short((many.bytes - start.bytes) / 2 ** 20)],
    ['CPU to make a site, ms', short(median(made.map(({ cpuMs }) => cpuMs)))],
    ['CPU to make one of the last 50, ms', short(median(made.slice(-50).map(({ cpuMs }) => cpuMs)))],
    ['CPU to erase a site with rows and a table, ms', short(median(erased))],
    [`Memory of a session after ${siteCount} sites, MiB`, short(visit.mebibytes)],
    [`CPU of the first ${siteCount * requests.length} requests, s`, short(visit.cpuMs / 1000)],
    ['Tables that a dump locks', dump],
    ...requests.map(({ name }, index): [string, string] => [
      `${name}, µs, one site and ${siteCount}`,
      `${short((alone[index] ?? 0) * 1000)}, ${short((visit.warm[index] ?? 0) * 1000)}`,
    ]),
    ["A guest's page of 20, with its entry, µs", short(guest * 1000)],
  ]
  console.log(`\n${table(['', 'Result'], rows)}`)
}

async function withSession<Result>(
  url: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await Session.open(url)
  try {
    return await work(session)
  } finally {
    await session.end()
  }
}

async function sizes(sql: pg.Client): Promise<{ relations: number; files: number; bytes: number }> {
  await sql.query('checkpoint')
  const { rows } = await sql.query<Record<'relations' | 'files' | 'bytes', string>>(
    `select (select count(*) from pg_class) as relations, pg_database_size(d.oid) as bytes,
            (select count(*) from pg_ls_dir('base/' || d.oid)) as files
       from pg_database d where d.datname = current_database()`,
  )
  const [row] = rows
  return { relations: Number(row?.relations), files: Number(row?.files), bytes: Number(row?.bytes) }
}

async function makeSites(
  owner: Session,
  count: number,
  name: string,
): Promise<{ id: number; cpuMs: number }[]> {
  const made: { id: number; cpuMs: number }[] = []
  for (let number = 0; number < count; number++) {
    let id = 0
    const cpuMs = await owner.cpuOf(async () => {
      const [row] = await owner.query<{ id: string }>(
        `select (public.create_site((select id from public.organizations limit 1), null, $1, $1, 'production')).id`,
        [`${name}-${number}`],
      )
      id = Number(row?.id)
    })
    made.push({ id, cpuMs })
  }
  return made
}

/** Returns the median CPU milliseconds of each kind of request in random sites, in a session that knows them. */
async function timeRequests(session: Session, ids: readonly number[]): Promise<number[]> {
  const times = requests.map((): number[] => [])
  for (let call = 0; call < callCount; call++) {
    for (const [kind, { texts }] of requests.entries()) {
      const id = ids[Math.floor(Math.random() * ids.length)] as number
      times[kind]?.push(await session.cpuInSite(id, texts(id)))
    }
  }
  // The first calls fill the caches of the session.
  return times.map((each) => median(each.slice(20)))
}

async function visitAll(session: Session, ids: readonly number[]) {
  const cpuMs = await session.cpuOf(async () => {
    for (const id of ids) for (const { texts } of requests) await session.inSite(id, texts(id))
  })
  const mebibytes = ownMemoryMiB(session.pid) ?? Number.NaN
  return { cpuMs, mebibytes, warm: await timeRequests(session, ids) }
}

/** Locks all tables in one transaction, as pg_dump does. Returns how many it locked, of how many, and the time. */
function lockAll(url: string): Promise<string> {
  return onConnection(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)'`,
    )
    await client.query('begin')
    const began = performance.now()
    let locked = 0
    try {
      for (; locked < rows.length; locked++)
        await client.query(`lock table ${rows[locked]?.name} in access share mode`)
      return `${locked} of ${rows.length} in ${short(performance.now() - began)} ms`
    } catch (error) {
      return `${locked} of ${rows.length}, then ${(error as Error).message}`
    }
  })
}

/** Returns the CPU milliseconds of all steps. */
async function erase(owner: Session, id: number): Promise<number> {
  await owner.query(`update public.sites set deletes_at = now() - interval '1 day' where id = $1`, [id])
  return owner.cpuOf(async () => {
    for (let more = true; more; ) {
      const [row] = await owner.query<{ more: boolean }>('select public.erase_site($1, 50) as more', [id])
      more = row?.more ?? false
    }
  })
}

/** Returns the median CPU milliseconds of a page of 20 records that a rule shows to everybody. */
async function guestPage(client: Stack['client'], api: string, url: string, id: number): Promise<number> {
  const tables = `${api}/apps/bench/datatables/`
  await client.request('POST', `${tables}create_schema/?materialize=true`, {
    resources: [
      {
        name: 'goods',
        schema: {
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'name', type: 'string' },
          ],
          primaryKey: 'id',
        },
      },
    ],
  })
  const rules = [{ name: 'anyone', who: 'anyone', can: ['read'], where: { id__gt: 0 } }]
  await client.request('PUT', `${tables}goods/access/`, { rules })
  await client.request(
    'POST',
    `${tables}goods/data/`,
    Array.from({ length: 500 }, (_, i) => ({ name: `Good ${i}` })),
  )
  return withSession(url, async (session) => {
    const times: number[] = []
    for (let call = 0; call < callCount; call++)
      times.push(
        await session.cpuAsGuest('bench', id, [
          `select id, name from site_${id}_guest.bench_goods order by id limit 20`,
        ]),
      )
    return median(times.slice(20))
  })
}
