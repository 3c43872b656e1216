/**
 * A connection of a tenant's own, over a WebSocket, for the little that no transaction can hold: an index that is built
 * while others write, a lock that outlives a statement. It lives within one request.
 */
import { waitUntil } from 'cloudflare:workers'
import { Client } from '@neondatabase/serverless'
import type { RequestContext } from '../context.ts'
import type { Config } from '../env.ts'
import { isDoneWithin } from '../lib/deadline.ts'
import { wakeMs } from './breaker.ts'
import { classified, type Database, monitoredDatabase, openDatabase } from './client.ts'
import { DatabaseAway } from './failures.ts'
import { withBreaker, withProbes } from './probe.ts'
import type { Row } from './results.ts'
import { render, renderText, type Sql, sql } from './sql.ts'
import { requireAccess } from './tenant.ts'

export interface Session {
  /** Runs one statement outside of any transaction. */
  run<Shape = Row>(statement: Sql): Promise<Shape[]>
  /** Runs statements without values as one transaction, in one round trip: nothing of it is held while the network is waited for. */
  transaction(statements: readonly Sql[]): Promise<void>
}

/** What one statement may take, and how much longer its answer is waited for. */
const timeoutMs = 600_000
const graceMs = 3_000

/** Whether there is a role for sessions. Without it, a large table is changed like a small one. */
export const hasSessions = (config: Config): boolean => config.SCHEMA_DATABASE_URL !== undefined

/** Does work in the request's tenant, as its role, after Postgres has checked the caller's permission. */
export async function inSession<Result>(ctx: RequestContext, work: (session: Session) => Promise<Result>): Promise<Result> {
  const { siteId } = await requireAccess(ctx)
  return inSessionOfSite(ctx.config, siteId, work, ctx.database)
}

/** The same for a job, which no caller asks for. The role of the sessions is given that of the site for as long as the session takes. */
export async function inSessionOfSite<Result>(
  config: Config,
  siteId: number,
  work: (session: Session) => Promise<Result>,
  database: Database = openDatabase(config),
): Promise<Result> {
  const role = decodeURIComponent(new URL(urlOf(config)).username)
  await database.batch({ lent: sql`select public.lend_site_role(${siteId}, ${role})` }, wakeMs)
  try {
    return await connected(config, database.spent, async (session) => {
      await becomeTenant(session, siteId)
      return work(session)
    })
  } finally {
    await database.batch({ returned: sql`select public.return_site_role(${siteId}, ${role})` }, wakeMs).catch(() => undefined)
  }
}

async function connected<Result>(config: Config, spent: Database['spent'], work: (session: Session) => Promise<Result>): Promise<Result> {
  const client = clientOf(config)
  const monitored = monitoredDatabase(config)
  // A connection that breaks fails the statement that waits for it; between statements nobody has to hear of it.
  client.on('error', () => undefined)
  let away: Error | undefined
  const ask = async (text: string, values?: unknown[]): Promise<Row[]> => {
    // A connection runs one statement after the other: behind one that was not answered, none is.
    if (away) throw away
    const started = performance.now()
    spent.roundTrips++
    try {
      return (await withProbes(monitored, timeoutMs + graceMs, () => client.query(text, values))).rows
    } catch (error) {
      const failure = classified(error)
      if (failure instanceof DatabaseAway) away = failure
      throw failure
    } finally {
      spent.milliseconds += performance.now() - started
    }
  }
  let isConnected = false
  try {
    await withBreaker(monitored, wakeMs, () => client.connect()).catch((error) => {
      throw error instanceof DatabaseAway ? error : new DatabaseAway(error)
    })
    isConnected = true
    return await work({
      async run<Shape>(statement: Sql) {
        const { text, values } = render(statement)
        return (await ask(text, values.length > 0 ? values : undefined)) as Shape[]
      },
      async transaction(statements) {
        await ask(statements.map(renderText).join('; '))
      },
    })
  } finally {
    const closed = close(client, isConnected)
    // A connection that was never made may take as long to close as Postgres is silent.
    if (isConnected) await closed
    else waitUntil(closed)
  }
}

const closeMs = 1_000

async function close(client: Client, isConnected: boolean): Promise<void> {
  // Should there be a pooler that keeps the connection, it keeps it without the role.
  if (isConnected) await isDoneWithin(closeMs, client.query('discard all')).catch(() => undefined)
  await isDoneWithin(closeMs, client.end()).catch(() => undefined)
}

/**
 * Every setting here is one of the session: the connection has to be to Postgres itself. Neon's pooler would hand the
 * next transaction to another one, and this one, with the role on it, to somebody else.
 */
function clientOf(config: Config): Client {
  const url = new URL(urlOf(config))
  url.hostname = url.hostname.replace(/-pooler(?=\.)/, '')
  const client = new Client(url.href)
  if (config.NEON_ENDPOINT) {
    const endpoint = new URL(config.NEON_ENDPOINT)
    client.neonConfig.wsProxy = (host, port) => `${endpoint.host}/v1?address=${host}:${port}`
    client.neonConfig.useSecureWebSocket = false
    client.neonConfig.pipelineTLS = false
    client.neonConfig.pipelineConnect = false
  }
  return client
}

function urlOf({ SCHEMA_DATABASE_URL }: Config): string {
  if (SCHEMA_DATABASE_URL === undefined) throw new Error('SCHEMA_DATABASE_URL is not set')
  return SCHEMA_DATABASE_URL
}

/** These settings hold for the session. Behind a pooler that hands each statement to another connection, they would not: it is refused. */
async function becomeTenant(session: Session, siteId: number): Promise<void> {
  const tenant = `site_${siteId}`
  const [first] = await session.run<{ pid: number }>(sql`
    select set_config('search_path', ${tenant}, false), set_config('timezone', 'UTC', false),
           set_config('statement_timeout', ${String(timeoutMs)}, false), set_config('lock_timeout', '60000', false),
           set_config('role', ${tenant}, false), pg_backend_pid() as pid`)
  const [second] = await session.run<{ pid: number; role: string }>(sql`select pg_backend_pid() as pid, current_user::text as role`)
  if (first?.pid !== second?.pid || second?.role !== tenant) {
    throw new DatabaseAway(new Error('SCHEMA_DATABASE_URL leads to a pooler in transaction mode: it has to lead to Postgres itself'))
  }
}
