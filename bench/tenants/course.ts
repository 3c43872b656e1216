/** The measurements of `npm run bench -- tenants`. */
import { setTimeout as pause } from 'node:timers/promises'
import { onConnection } from '../../dev/connection.ts'
import { eachAtOnce } from '../../src/kernel/lib/each-at-once.ts'
import { ownMemoryMiB } from '../cpu/memory.ts'
import { cpuMsOf, processesBelow } from '../cpu/processes.ts'
import { type Amount, loadWith, quantile } from '../side-by-side/load.ts'
import { median, type Stack } from '../stack.ts'
import type { LoadFigures } from './document.ts'
import { createTenant, fillTenant, kinds, readsOf, requestTo, type Tenant, tableCount } from './sites.ts'
import { randomNumbers, zipf } from './zipf.ts'

/** How many sites are created for one figure. */
const creationsEach = 10

/**
 * Sessions that create sites end after so many. Postgres looks at all plans of a session whenever a table
 * changes, and a session that has created 600 sites has 26,000 plans.
 */
const sitesPerSession = 50

/** Ends the idle sessions of the service, as a pooler does after a time, and waits until its pool has noticed. */
async function endSessions({ sql }: Stack): Promise<void> {
  await sql.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`,
  )
  await pause(500)
}

/** Creates the sites, and measures how long that takes at 1, 10, 100, … sites. */
export async function createSites(stack: Stack, siteCount: number) {
  const tenants: Tenant[] = []
  const times: number[] = []
  for (let number = 1; number <= siteCount; number++) {
    const { tenant, milliseconds } = await createTenant(stack.client, number)
    await fillTenant(stack, tenant)
    tenants.push(tenant)
    times.push(milliseconds)
    if (number % 100 === 0) console.log(`${number} sites`)
    if (number % sitesPerSession === 0) await endSessions(stack)
  }
  const counts = [0, 10, 100, siteCount - creationsEach].filter((count) => count + creationsEach <= siteCount)
  const creation = [...new Set(counts)].map((sites) => ({
    sites,
    milliseconds: Number(median(times.slice(sites, sites + creationsEach)).toFixed(1)),
  }))
  return { tenants, creation }
}

/**
 * Sends one request to each site from a new isolate, and counts the round trips; then from another one of the
 * same data centre, which shares the catalogs of the first one.
 */
export async function askFirst(stack: Stack, tenants: readonly Tenant[], token: string) {
  const worker = await stack.startAnother({ ENVIRONMENT: 'development' })
  const alone = await countRoundTrips(worker.url, tenants, token)
  await worker.restart()
  const shared = await countRoundTrips(worker.url, tenants, token)
  await worker.stop()
  return { alone, shared }
}

async function countRoundTrips(url: URL, tenants: readonly Tenant[], token: string) {
  const counts = new Map<number, number>()
  for (const tenant of tenants) {
    const { path } = requestTo(tenant, 0.1, 0)
    const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    const roundTrips = Number(/desc="(\d+)"/.exec(answer.headers.get('server-timing') ?? '')?.[1])
    counts.set(roundTrips, (counts.get(roundTrips) ?? 0) + 1)
  }
  return [...counts].map(([roundTrips, sites]) => ({ roundTrips, sites }))
}

/**
 * Puts both loads on the Worker in turns, after filling its caches and those of Postgres's sessions. The first
 * turn of each is not counted.
 */
export async function compareLoads(
  stack: Stack,
  tenants: readonly Tenant[],
  token: string,
  { rounds, ...amount }: Amount & { rounds: number },
) {
  const rankOf = zipf(tenants.length)
  const only = tenants[0] as Tenant
  const loads = { one: () => only, many: (share: number) => tenants[rankOf(share)] as Tenant }
  const turns: Record<keyof typeof loads, LoadFigures[]> = { one: [], many: [] }
  await fillCaches(stack.url, tenants, token, amount.concurrency)
  for (let round = 0; round <= rounds; round++)
    for (const name of ['one', 'many'] as const) {
      const figures = await takeTurn(stack, token, loads[name], { ...amount, seed: round })
      if (round > 0) turns[name].push(figures)
      console.log(`${name.padEnd(5)} p95 ${figures.p95.toFixed(1)} ms, ${JSON.stringify(figures)}`)
    }
  return { one: medians(turns.one), many: medians(turns.many) }
}

/**
 * Sends each kind of request to each table of each site so often that nearly every session of Postgres has had
 * it: three times as often as requests run at once, because a session is taken at random.
 */
async function fillCaches(url: URL, tenants: readonly Tenant[], token: string, atOnce: number) {
  const random = randomNumbers(1)
  for (let pass = 0; pass < 3 * atOnce; pass++) {
    for (let table = 0; table < tableCount; table++)
      for (const kind of kinds)
        await eachAtOnce(tenants, atOnce, (tenant) =>
          askOnce(url, token, requestTo(tenant, (table + random()) / tableCount, kind)),
        )
    console.log(`caches filled: ${pass + 1} of ${3 * atOnce}`)
  }
}

/** Sends a request, and throws an error if it is refused. */
async function askOnce(url: URL, token: string, { method, path, body }: ReturnType<typeof requestTo>) {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
}

async function takeTurn(
  { url, postgresPid, workerCpuMs, workerPid }: Stack,
  token: string,
  siteOf: (share: number) => Tenant,
  { seed, ...amount }: Amount & { seed: number },
): Promise<LoadFigures> {
  const random = randomNumbers(seed)
  const send = () => askOnce(url, token, requestTo(siteOf(random()), random(), random()))
  const before = { server: workerCpuMs(), postgres: cpuMsOf(postgresPid) }
  const load = await loadWith(send, 0, amount)
  const used = { server: workerCpuMs() - before.server, postgres: cpuMsOf(postgresPid) - before.postgres }
  const backends = memoryOfProcesses(postgresPid)
  return {
    p50: quantile(load.latencies, 0.5),
    p95: quantile(load.latencies, 0.95),
    p99: quantile(load.latencies, 0.99),
    perSecond: load.count / load.seconds,
    server: used.server / load.count,
    postgres: used.postgres / load.count,
    worker: ownMemoryMiB(workerPid) ?? Number.NaN,
    backend: backends.reduce((sum, each) => sum + each, 0) / backends.length,
    backendMax: Math.max(...backends),
  }
}

/** Returns the private memory of each process of Postgres in mebibytes. */
export const memoryOfProcesses = (postgresPid: number): number[] =>
  processesBelow(postgresPid).flatMap((pid) => ownMemoryMiB(pid) ?? [])

/** How many plans a session keeps while a table is created, and how many tables are created for a figure. */
const plansKept = 1_000
const tablesMade = 9

/**
 * Creates tables in a session of Postgres that has planned a thousand reads of the sites' tables. Returns the
 * median of the milliseconds, and that of a session without plans.
 */
export async function createWithPlans({ superuserUrl }: Stack, tenants: readonly Tenant[]) {
  const reads = tenants.flatMap(({ schema }) => readsOf(schema))
  const timesWith = (count: number) =>
    onConnection(superuserUrl, async (session) => {
      for (let n = 0; n < count; n++) {
        await session.query(`prepare kept_${n} (int) as ${reads[n % reads.length]}`)
        await session.query(`execute kept_${n} (1)`)
      }
      const times: number[] = []
      for (let n = 0; n < tablesMade; n++) {
        await session.query('begin')
        const began = performance.now()
        await session.query(`create table ${tenants[0]?.schema}.made (id int primary key, name text unique)`)
        times.push(performance.now() - began)
        await session.query('rollback')
      }
      return median(times)
    })
  return { kept: await timesWith(plansKept), none: await timesWith(0) }
}

function medians(turns: readonly LoadFigures[]): LoadFigures {
  const names = Object.keys(turns[0] as LoadFigures) as (keyof LoadFigures)[]
  return Object.fromEntries(
    names.map((name) => [name, Number(median(turns.map((turn) => turn[name])).toPrecision(4))]),
  ) as unknown as LoadFigures
}
