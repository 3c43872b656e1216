/**
 * The two interfaces of a Neon database that `@neondatabase/serverless` uses, in front of any Postgres: `POST
 * /sql` takes a query, or a batch that runs as one transaction; the WebSocket `/v1?address=<host>:<port>` is
 * a connection. So the Worker uses the same driver locally and in production. Runs in a thread, which
 * neon-endpoint.ts starts. `POST /sql?distance_ms=40` simulates a distance: it waits that long before it runs
 * anything.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { type WebSocket, WebSocketServer } from 'ws'

interface Query {
  query: string
  params: unknown[]
}

/** Queries of one transaction, and their results. */
export interface Exchange {
  connectionString: string
  queries: readonly Query[]
  results: readonly { fields: readonly { name: string }[]; rows: readonly unknown[][] }[]
}

/** What neon-endpoint.ts starts the thread with. `observer`: a module that gets each Exchange. */
export interface EndpointData {
  port: number
  observer?: string
}

/** The parts of an error that the driver reads. */
const errorFields = [
  'message',
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
] as const

/** Neon sends every value as Postgres prints it. */
const asText = { getTypeParser: () => (text: string) => text }

/**
 * Limits the time to connect. The pool's own option would also limit how long a request waits for a free
 * connection.
 */
class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 10_000 })
  }
}

/**
 * The maximum number of connections per connection string. Neon allows more; the local Postgres allows a
 * hundred in total.
 */
const connectionsMax = 50

/** Marks the connection strings of the Worker's probes. */
const probeMark = 'application_name=tessera-probe'

/** Returns the URL of the database that every server has, so that all probes share connections. */
function anyDatabase(connectionString: string): string {
  const url = new URL(connectionString)
  url.pathname = '/postgres'
  return url.href
}

interface NeonServer {
  url: string
  close(): Promise<void>
}

/** Listens on a loopback port; 0: on a free one. `observe` is called before each answer. */
async function startServer(port: number, observe?: (of: Exchange) => Promise<void>): Promise<NeonServer> {
  const pools = new Map<string, pg.Pool>()

  function poolOf(requested: string): pg.Pool {
    const isProbe = requested.includes(probeMark)
    const connectionString = isProbe ? anyDatabase(requested) : requested
    let pool = pools.get(connectionString)
    if (!pool) {
      pool = new pg.Pool({
        connectionString,
        max: connectionsMax,
        // A new connection would take the time that a probe has on a busy machine.
        idleTimeoutMillis: isProbe ? 0 : 10_000,
        Client: Connection,
      })
      // A connection that Postgres ends, idle or at work, must not end this process.
      pool.on('error', () => undefined)
      pool.on('connect', (client) => client.on('error', () => undefined))
      pools.set(connectionString, pool)
    }
    return pool
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (request.method !== 'POST' || pathname !== '/sql')
      return reply(response, 404, { message: 'POST /sql' })
    const connectionString = request.headers['neon-connection-string']
    if (typeof connectionString !== 'string')
      return reply(response, 400, { message: 'Neon-Connection-String is missing' })
    const body = JSON.parse(await read(request)) as Query | { queries: Query[] }
    const distance = searchParams.get('distance_ms')
    if (distance !== null) await pause(Number(distance))
    let client: pg.PoolClient
    try {
      client = await poolOf(connectionString).connect()
    } catch (error) {
      return reply(response, isAnswer(error) ? 400 : 502, describe(error))
    }
    // The client has disconnected while it waited for a connection, so its query does not run.
    if (response.destroyed) return client.release()
    // The client has disconnected: its query is cancelled with its connection, because nobody would get the
    // answer.
    let finished = false
    response.once('close', () => {
      if (!finished) client.release(true)
      finished = true
    })
    try {
      const queries = 'queries' in body ? body.queries : [body]
      const results = 'queries' in body ? await transaction(client, queries) : [await run(client, body)]
      await observe?.({ connectionString, queries, results })
      const result = 'queries' in body ? { results } : results[0]
      if (finished) return
      finished = true
      client.release()
      await replyWithResults(response, result)
    } catch (error) {
      if (finished) return
      finished = true
      client.release(!isAnswer(error))
      reply(response, isAnswer(error) ? 400 : 502, describe(error))
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => reply(response, 500, describe(error)))
  })
  // A Worker that hashes a password does not react for a while. Its idle connection must not be closed
  // meanwhile.
  server.keepAliveTimeout = 600_000
  const sockets = new WebSocketServer({ server, path: '/v1' })
  sockets.on('connection', (socket, request) => passOn(socket, request))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sql`,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

/** Forwards the messages between a driver and its Postgres. If either end closes, so does the other. */
function passOn(socket: WebSocket, request: IncomingMessage): void {
  const address = new URL(request.url ?? '', 'ws://localhost').searchParams.get('address') ?? ''
  const [host, port] = address.split(/:(?=\d+$)/)
  const database = connect(Number(port), host)
  database.on('data', (bytes) => socket.send(bytes))
  database.on('close', () => socket.close())
  database.on('error', () => socket.close())
  socket.on('message', (bytes: Buffer) => database.write(bytes))
  socket.on('close', () => database.destroy())
  socket.on('error', () => database.destroy())
}

async function transaction(client: pg.PoolClient, queries: Query[]) {
  await client.query('begin')
  try {
    const results = []
    for (const query of queries) results.push(await run(client, query))
    await client.query('commit')
    return results
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function run(client: pg.PoolClient, { query, params }: Query) {
  const { fields, rows, command, rowCount } = await client.query({
    text: query,
    values: params,
    rowMode: 'array',
    types: asText,
  })
  return {
    command,
    rowCount,
    rowAsArray: true,
    fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })),
    rows,
  }
}

/** Returns whether an error is from Postgres, with a SQLSTATE, and not a failure to reach it. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}

function describe(error: unknown) {
  const source = error as Record<string, unknown>
  return Object.fromEntries(errorFields.map((field) => [field, source[field]]))
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, [Buffer.from(JSON.stringify(body))])
}

/** A text from this length on is written in parts. */
const partLength = 64 * 1024

/**
 * Answers with results. Between the parts of long texts, other answers get their turn: while megabytes become
 * JSON at once, a probe would go without a response.
 */
async function replyWithResults(response: ServerResponse, body: unknown): Promise<void> {
  const long: string[] = []
  // A text cannot contain the mark, because Postgres stores no such character.
  const text = JSON.stringify(body, (_, value) =>
    typeof value === 'string' && value.length > partLength ? `\0${long.push(value) - 1}\0` : value,
  )
  const parts: Buffer[] = []
  for (const [position, piece] of text.split(/\\u0000(\d+)\\u0000/).entries()) {
    const whole = position % 2 === 0 ? undefined : long[Number(piece)]
    if (whole === undefined) parts.push(Buffer.from(piece))
    for (let at = 0; whole !== undefined && at < whole.length; at += partLength) {
      parts.push(Buffer.from(JSON.stringify(whole.slice(at, at + partLength)).slice(1, -1)))
      await immediate()
    }
  }
  send(response, 200, parts)
}

function send(response: ServerResponse, status: number, parts: readonly Buffer[]): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': parts.reduce((sum, { length }) => sum + length, 0),
  })
  for (const part of parts) response.write(part)
  response.end()
}

const parent = parentPort as MessagePort
const { port, observer } = workerData as EndpointData
const { url, close } = await startServer(port, observer && (await import(observer)).observe)
parent.once('message', () => void close().finally(() => process.exit()))
parent.postMessage(url)
