/** What benchmarks run on: the Worker on workerd, a Postgres of its own, and between the two an ear for the statements that are sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { type Client, signIn } from '../dev/client.ts'
import { createServiceRole, onConnection } from '../dev/database.ts'
import { newMasterKeys } from '../dev/master-keys.ts'
import { migrate } from '../dev/migrations.ts'
import { startNeonEndpoint } from '../dev/neon-endpoint.ts'
import { startPostgres } from '../dev/postgres.ts'
import { newSigningKeys } from '../dev/signing-keys.ts'
import { ensureSuperuser } from '../dev/superuser.ts'
import { startWorker } from '../dev/worker.ts'

export interface Statement {
  text: string
  values: unknown[]
}

export interface Stack {
  client: Client
  /** What the Worker sends to Postgres during `work`, one entry a round trip. */
  heard(work: () => Promise<unknown>): Promise<Statement[][]>
  /** A connection of the server's superuser. */
  sql: pg.Client
  stop(): Promise<void>
}

const credentials = ['bench@example.com', 'Bench-mark-1'] as const

export async function startStack(): Promise<Stack> {
  const server = await startPostgres()
  const urlOf = await createServiceRole(server, 'bench')
  await onConnection(urlOf('postgres'), (client) => client.query('create database bench'))
  const databaseUrl = urlOf('bench')
  await migrate(databaseUrl)
  await ensureSuperuser(databaseUrl, ...credentials)
  const endpoint = await startNeonEndpoint()
  const ear = await listen(endpoint.url)
  const worker = await startWorker({
    host: '127.0.0.1',
    port: 0,
    quiet: true,
    bindings: {
      DATABASE_URL: databaseUrl,
      NEON_ENDPOINT: ear.url,
      SIGNING_KEYS: await newSigningKeys(),
      MASTER_KEYS: newMasterKeys(),
      RATE_LIMIT_SCALE: '1000',
    },
  })
  const sql = new pg.Client({ connectionString: server.superuserUrl('bench') })
  await sql.connect()
  return {
    client: await signIn(worker.url.href, ...credentials),
    async heard(work) {
      ear.said.length = 0
      await work()
      return [...ear.said]
    },
    sql,
    async stop() {
      await sql.end()
      await worker.stop()
      ear.close()
      await endpoint.close()
      await server.stop()
    },
  }
}

/** Stands before the Neon endpoint, passes on what comes, and remembers its statements. */
async function listen(target: string) {
  const said: Statement[][] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { queries = [] } = JSON.parse(body) as { queries?: { query: string; params: unknown[] }[] }
    said.push(queries.map(({ query, params }) => ({ text: query, values: params })))
    const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('neon-') || name === 'content-type')
    const answer = await fetch(target, { method: 'POST', headers: Object.fromEntries(headers) as Record<string, string>, body })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { said, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sql`, close: () => server.close() }
}

/** Milliseconds: the median of runs that take turns, so that what the machine does beside them meets all alike. */
export async function medians(works: readonly (() => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const began = performance.now()
      await work()
      if (round > 0) times[index]?.push(performance.now() - began)
    }
  }
  return times.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] as number)
}
