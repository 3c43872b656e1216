/**
 * Opens connections to one tenant over a WebSocket, for statements that cannot run in a transaction: building
 * an index concurrently, or holding a lock for several statements. A connection lives within one request.
 */
import { waitUntil } from 'cloudflare:workers'
import { Client } from '@neondatabase/serverless'
import type { RequestContext } from '../context.ts'
import type { Config } from '../env.ts'
import { settlesWithin } from '../lib/deadline.ts'
import { retry } from '../lib/retry.ts'
import type { Row } from './batch.ts'
import { wakeMs } from './breaker.ts'
import { asDatabaseError, monitoredDatabase, openDatabase } from './client.ts'
import type { Database } from './database.ts'
import { DatabaseFailure, DatabaseUnavailable, sqlstates } from './failures.ts'
import { withBreaker, withProbes } from './probe.ts'
import { render, renderText, type Sql, sql } from './sql.ts'
import { requireAccess } from './tenant.ts'

/** An open connection to one tenant. */
export interface Session {
  /** The name by which Postgres shows it. No other session ever has it. */
  readonly name: string
  /** Runs one statement outside a transaction. */
  run<Shape = Row>(statement: Sql): Promise<Shape[]>
  /**
   * Runs statements without values as one transaction, in one round trip, so that no lock is held during
   * network delays.
   */
  transaction(statements: readonly Sql[]): Promise<void>
  /**
   * Runs one statement outside a transaction, such as the build of an index, however long it takes. Postgres
   * ends it even if the session ends before.
   */
  runLong(statement: Sql): Promise<void>
}

/** The longest time for one statement, and for a long one. */
const [timeoutMs, longMs] = [300_000, 24 * 60 * 60_000]
const lockTimeoutMs = 60_000
/** How much longer than these to wait for the answer. */
const graceMs = 3_000

/**
 * Tells whether SCHEMA_DATABASE_URL is set. Without it, large tables are changed in a transaction, like small
 * ones.
 */
export const hasSessions = (config: Config): boolean => config.SCHEMA_DATABASE_URL !== undefined

/**
 * Runs `work` in the tenant of the request, as its role, after Postgres has checked the permission of the
 * caller.
 */
export async function inSession<Result>(
  ctx: RequestContext,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { siteId } = await requireAccess(ctx)
  return inSessionOfSite(ctx.config, siteId, work, ctx.database)
}

/**
 * Runs `work` in a site without a caller, for a job. The sessions' role is a member of the site's role until
 * `work` has ended.
 */
export async function inSessionOfSite<Result>(
  config: Config,
  siteId: number,
  work: (session: Session) => Promise<Result>,
  database: Database = openDatabase(config),
): Promise<Result> {
  const role = decodeURIComponent(new URL(urlOf(config)).username)
  const lend = () => database.batch({ lent: sql`select public.lend_site_role(${siteId}, ${role})` }, wakeMs)
  await lend()
  try {
    return await withConnection(config, database.spent, async (session) => {
      await retry({ attempts: lendsMax, isTransient: isNotLent }, () =>
        becomeTenant(session, siteId).catch(async (error) => {
          if (isNotLent(error)) await lend()
          throw error
        }),
      )
      return work(session)
    })
  } finally {
    await database
      .batch({ returned: sql`select public.return_site_role(${siteId}, ${role})` }, wakeMs)
      .catch(() => undefined)
  }
}

/**
 * How often a session asks for the role of its site. It may lose the role before it has taken it: to another
 * session of the site that ends, or to the next one of any site, which finds nobody signed in
 * (migrations/functions/run/lend_site_role.sql).
 */
const lendsMax = 5
const isNotLent = (error: unknown): boolean =>
  error instanceof DatabaseFailure && error.sqlstate === sqlstates.insufficientPrivilege

/** Runs one statement as the role that changes large tables, outside of any site. */
export const asSchemaRole = <Shape>(config: Config, statement: Sql<Shape>): Promise<Shape[]> =>
  withConnection(config, openDatabase(config).spent, (session) => session.run<Shape>(statement))

async function withConnection<Result>(
  config: Config,
  spent: Database['spent'],
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const name = `tessera ${crypto.randomUUID()}`
  const client = clientOf(config)
  const monitored = monitoredDatabase(config)
  // A broken connection rejects the statement that is running. Between statements, the event needs no
  // handling.
  client.on('error', () => undefined)
  let unavailable: Error | undefined
  const ask = async (text: string, values?: unknown[], limitMs = timeoutMs): Promise<Row[]> => {
    // A connection runs one statement after the other: if one gets no answer, later ones get none either.
    if (unavailable) throw unavailable
    const started = performance.now()
    spent.roundTrips++
    try {
      return (await withProbes(monitored, limitMs + graceMs, () => client.query(text, values))).rows
    } catch (error) {
      const failure = asDatabaseError(error)
      if (failure instanceof DatabaseUnavailable) unavailable = failure
      throw failure
    } finally {
      spent.milliseconds += performance.now() - started
    }
  }
  let isConnected = false
  try {
    await withBreaker(monitored, wakeMs, () => client.connect()).catch((error) => {
      throw error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error)
    })
    isConnected = true
    return await work({
      name,
      async run<Shape>(statement: Sql) {
        const { text, values } = render(statement)
        return (await ask(text, values.length > 0 ? values : undefined)) as Shape[]
      },
      async transaction(statements) {
        await ask(statements.map(renderText).join('; '))
      },
      async runLong(statement) {
        const limits = (statementMs: number, lockMs: number) =>
          sql`select set_config('statement_timeout', ${String(statementMs)}, false),
                     set_config('lock_timeout', ${String(lockMs)}, false)`
        await this.run(limits(0, 0))
        try {
          await ask(renderText(statement), undefined, longMs)
        } finally {
          await this.run(limits(timeoutMs, lockTimeoutMs))
        }
      },
    })
  } finally {
    const closed = close(client, isConnected)
    // Closing a connection that was never established may take as long as Postgres does not respond.
    if (isConnected) await closed
    else waitUntil(closed)
  }
}

const closeMs = 1_000

async function close(client: Client, isConnected: boolean): Promise<void> {
  // If there is a pooler that reuses the connection, it must not keep the role.
  if (isConnected) await settlesWithin(closeMs, client.query('discard all')).catch(() => undefined)
  await settlesWithin(closeMs, client.end()).catch(() => undefined)
}

/**
 * Creates a client that connects to Postgres directly, because all settings belong to the session. Neon's
 * pooler would run the next transaction on another connection, and give this connection, with its role, to
 * another client.
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
  if (SCHEMA_DATABASE_URL === undefined) throw new Error('SCHEMA_DATABASE_URL is not set.')
  return SCHEMA_DATABASE_URL
}

/**
 * Sets the role and the settings of the session. Throws DatabaseUnavailable behind a pooler that changes
 * connections.
 */
async function becomeTenant(session: Session, siteId: number): Promise<void> {
  const tenant = `site_${siteId}`
  // Claims of tables know the session by this name (src/data/catalog/claims.ts).
  const [first] = await session.run<{ pid: number }>(sql`
    select set_config('search_path', ${`tenant, ${tenant}`}, false), set_config('timezone', 'UTC', false),
           set_config('statement_timeout', ${String(timeoutMs)}, false),
           set_config('lock_timeout', ${String(lockTimeoutMs)}, false),
           set_config('application_name', ${session.name}, false),
           set_config('role', ${tenant}, false), pg_backend_pid() as pid`)
  const [second] = await session.run<{ pid: number; role: string }>(
    sql`select pg_backend_pid() as pid, current_user::text as role`,
  )
  if (first?.pid !== second?.pid || second?.role !== tenant) {
    throw new DatabaseUnavailable(
      new Error(
        'SCHEMA_DATABASE_URL must connect to Postgres directly, not to a pooler in transaction mode.',
      ),
    )
  }
}
