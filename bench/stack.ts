/**
 * The system that the benchmarks measure: the whole service with its own Postgres, and a direct connection to
 * Postgres.
 */
import { rmSync } from 'node:fs'
import { neon, neonConfig } from '@neondatabase/serverless'
import type pg from 'pg'
import { type Client, signIn } from '../dev/client.ts'
import { onConnection } from '../dev/connection.ts'
import { newMasterKeys } from '../dev/master-keys.ts'
import { migrate } from '../dev/migrations.ts'
import { startNeonEndpoint } from '../dev/neon-endpoint.ts'
import { startPostgres } from '../dev/postgres.ts'
import { createRoles } from '../dev/roles.ts'
import { newSigningKeys } from '../dev/signing-keys.ts'
import { ensureSuperuser } from '../dev/superuser.ts'
import { temporaryFolder } from '../dev/temporary-folder.ts'
import { bundleWorker, type RunningWorker, startWorker } from '../dev/worker.ts'
import { cpuMsOf, startedProcesses } from './cpu/processes.ts'

export interface Stack {
  client: Client
  /** The path of the site's API. */
  api: string
  /** The name of the site's schema in Postgres. */
  schema: string
  /** A connection of the server's superuser. */
  sql: pg.Client
  /** The address of the database, as the server's superuser. */
  superuserUrl: string
  neonEndpoint: string
  /** The first process of Postgres. */
  postgresPid: number
  /** The address of the Worker. */
  url: URL
  workerPid: number
  /**
   * Starts another Worker on the same database. `variables` override its own. It ends with the others at the
   * latest.
   */
  startAnother(variables?: Record<string, string>): Promise<RunningWorker>
  /**
   * Runs statements as one transaction in one HTTP request, as every client at the edge does with Neon; as
   * the superuser, in UTC.
   */
  ask(...texts: string[]): Promise<unknown>
  /** The CPU time of the Worker's process in milliseconds. */
  workerCpuMs(): number
  /** The mean CPU time of a request to `path` in milliseconds. */
  cpuOf(path: string): Promise<number>
}

const admin = { email: 'admin@example.com', password: 'Admin-bench-1' }
const host = '127.0.0.1'

/** Starts everything, runs `work`, and stops everything. `variables`: the variables of the Worker. */
export async function withStack(
  work: (stack: Stack) => Promise<void>,
  variables: Record<string, string> = {},
): Promise<void> {
  const state = temporaryFolder('bench')
  const ends: (() => unknown)[] = [() => rmSync(state, { recursive: true, force: true })]
  try {
    const server = await startPostgres({
      settings: [
        'fsync=off',
        'shared_buffers=512MB',
        'max_wal_size=4GB',
        'autovacuum=off',
        'max_connections=300',
      ],
    })
    ends.push(() => server.stop())
    const urlsOf = await createRoles(server, 'password')
    await onConnection(urlsOf('postgres').owner, (client) => client.query('create database bench'))
    const urls = urlsOf('bench')
    await migrate(urls.owner, { roles: urls })
    await ensureSuperuser(urls.owner, admin.email, admin.password)
    const endpoint = await startNeonEndpoint()
    ends.push(endpoint.close)
    const bindings = {
      DATABASE_URL: urls.service,
      SCHEMA_DATABASE_URL: urls.schema,
      NEON_ENDPOINT: endpoint.url,
      SIGNING_KEYS: await newSigningKeys(),
      MASTER_KEYS: newMasterKeys(),
      RATE_LIMIT_SCALE: '1000000',
      SITE_CONCURRENCY: '1000',
      // Like the other measured programs, it does not log each request.
      REQUEST_LOG: 'failed',
      ...variables,
    }
    const code = bundleWorker()
    const startAnother = async (others: Record<string, string> = {}) => {
      const started = await startWorker({
        host,
        port: 0,
        quiet: true,
        code,
        version: 'bench',
        bindings: { ...bindings, ...others },
      })
      let stopping: Promise<void> | undefined
      const stop = () => (stopping ??= started.stop())
      ends.push(stop)
      return { ...started, stop }
    }
    const worker = await startAnother()
    const client = await signIn(worker.url.href, admin.email, admin.password)
    await client.request('POST', '/api/cloud/organizations/', { name: 'Bench' })
    const site = await client.request<{ schema_name: string }>(
      'POST',
      '/api/cloud/organizations/bench/sites/',
      { name: 'Bench', slug: 'bench' },
    )
    const api = '/sites/bench/api'
    await client.request('POST', `${api}/apps/`, { name: 'bench' })
    const [workerPid = 0] = startedProcesses('workerd')
    const workerCpuMs = () => cpuMsOf(workerPid)
    neonConfig.fetchEndpoint = endpoint.url
    const direct = neon(server.superuserUrl('bench'), { fullResults: true, arrayMode: true })
    await onConnection(server.superuserUrl('bench'), (sql) =>
      work({
        client,
        api,
        schema: site.schema_name,
        sql,
        superuserUrl: server.superuserUrl('bench'),
        neonEndpoint: endpoint.url,
        postgresPid: server.pid() ?? 0,
        url: worker.url,
        workerPid,
        startAnother,
        ask: (...texts) => direct.transaction(texts.map((text) => direct.query(text))),
        workerCpuMs,
        async cpuOf(path) {
          for (let warm = 0; warm < 100; warm++) await client.request('GET', path)
          const before = workerCpuMs()
          for (let run = 0; run < 500; run++) await client.request('GET', path)
          return (workerCpuMs() - before) / 500
        },
      }),
    )
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** Signs in as the superuser, and returns a token. */
export async function newToken(service: URL): Promise<string> {
  const answer = await fetch(new URL('/api/auth/jwt/token/', service), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: admin.email, password: admin.password }),
  })
  return ((await answer.json()) as { access: string }).access
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Runs two ways to do the same in turns. Returns the medians in milliseconds, and their ratio. `other`: the
 * name of the second one.
 */
export async function compare(
  name: string,
  runs: number,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
  most: number,
  other = 'the same SQL',
): Promise<void> {
  const times: [number[], number[]] = [[], []]
  await ours()
  await theirs()
  for (let run = 0; run < runs; run++) {
    times[0].push(await timed(ours))
    times[1].push(await timed(theirs))
  }
  const [a, b] = times.map(median) as [number, number]
  report(name, `${a.toFixed(1)} ms, ${other} ${b.toFixed(1)} ms`, a / b, most)
}

/** Prints one line. If a value exceeds its limit, the run fails. */
export function report(name: string, figures: string, value: number, most: number): void {
  const isMet = value <= most
  if (!isMet) process.exitCode = 1
  console.log(`${isMet ? 'ok ' : 'FAR'} ${name.padEnd(58)} ${figures}; ${value.toFixed(2)} (at most ${most})`)
}
