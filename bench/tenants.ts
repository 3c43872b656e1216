/**
 * Measures many sites in one isolate and one database: the cost of a request, compared with that of a single
 * site. docs/performance.md.
 */
import { parseArgs } from 'node:util'
import { circumstances } from './report/circumstances.ts'
import { keep, sectionOf } from './report/page.ts'
import { newToken, report, type Stack, withStack } from './stack.ts'
import { askFirst, compareLoads, createSites, createWithPlans, memoryOfProcesses } from './tenants/course.ts'
import { type TenantsResults, tenantsResults } from './tenants/document.ts'

const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '4' },
    keep: { type: 'boolean', default: false },
  },
})
const [siteCount, rounds, seconds, concurrency] = [
  values.sites,
  values.rounds,
  values.seconds,
  values.concurrency,
].map(Number) as [number, number, number, number]

/** The conditions that the results must meet. */
const goals = { p95Ratio: 1.05, firstRoundTrips: 2, sharedRoundTrips: 1, creationMs: 1000, tableMs: 100 }

await withStack(run, { QUOTA_SITES: '100000', SITES_MAX: '100000', ACCESS_TOKEN_SECONDS: '86400' })

async function run(stack: Stack): Promise<void> {
  const { tenants, creation } = await createSites(stack, siteCount)
  await stack.sql.query('vacuum analyze')
  const token = await newToken(stack.url)
  const { alone: firstRequests, shared } = await askFirst(stack, tenants, token)
  const { one, many } = await compareLoads(stack, tenants, token, { rounds, seconds, concurrency })
  const processes = memoryOfProcesses(stack.postgresPid)
  const tables = await createWithPlans(stack, tenants)
  const results: TenantsResults = {
    ...(await circumstances(stack.sql)),
    sites: siteCount,
    concurrency,
    rounds,
    seconds,
    creation,
    firstRequests,
    one,
    many,
  }
  report(
    'p95, all sites ÷ one',
    `${one.p95.toFixed(1)}, ${many.p95.toFixed(1)} ms`,
    many.p95 / one.p95,
    goals.p95Ratio,
  )
  const most = (counts: typeof shared) => Math.max(...counts.map(({ roundTrips }) => roundTrips))
  report(
    'round trips of a first request',
    JSON.stringify(firstRequests),
    most(firstRequests),
    goals.firstRoundTrips,
  )
  report(
    'the same where the data centre has the catalog',
    JSON.stringify(shared),
    most(shared),
    goals.sharedRoundTrips,
  )
  report(
    'milliseconds in which a session with 1,000 plans creates a table',
    `${tables.none.toFixed(1)} ms without plans`,
    tables.kept,
    goals.tableMs,
  )
  const memory = processes.reduce((sum, each) => sum + each, 0)
  console.log(`memory of all ${processes.length} processes of Postgres: ${memory.toFixed(0)} MiB`)
  const slowest = Math.max(...creation.map(({ milliseconds }) => milliseconds))
  report('milliseconds in which a site is created', JSON.stringify(creation), slowest, goals.creationMs)
  console.log(`\n${sectionOf(tenantsResults, results)}`)
  if (values.keep) console.log(`Written: ${keep(tenantsResults, results).join(', ')}`)
}
