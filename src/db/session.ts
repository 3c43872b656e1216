/**
 * A connection of a tenant's own, over a WebSocket, for the little that no transaction can hold: an index that is built
 * while others write, a lock that outlives a statement. It lives within one request.
 */
import { Client } from '@neondatabase/serverless'
import type { RequestContext } from '../context.ts'
import { classified } from './client.ts'
import { DatabaseAway } from './failures.ts'
import type { Row } from './results.ts'
import { render, renderText, type Sql, sql } from './sql.ts'
import { type EnteredRow, enterTenant, guardsOf, refusalOf } from './tenant.ts'

export interface Session {
  /** Runs one statement outside of any transaction. */
  run<Shape = Row>(statement: Sql): Promise<Shape[]>
  /** Runs statements without values as one transaction, in one round trip: nothing of it is held while the network is waited for. */
  transaction(statements: readonly Sql[]): Promise<void>
}

/** What one statement may take, and how much longer its answer is waited for. */
const timeoutMs = 600_000
const graceMs = 3_000

/** Does work in the request's tenant, as its role, after Postgres has checked the caller's permission. */
export async function inSession<Result>(ctx: RequestContext, work: (session: Session) => Promise<Result>): Promise<Result> {
  const client = connection(ctx)
  // A connection that breaks fails the statement that waits for it; between statements nobody has to hear of it.
  client.on('error', () => undefined)
  const ask = async (text: string, values?: unknown[]): Promise<Row[]> => {
    const started = performance.now()
    ctx.database.spent.roundTrips++
    try {
      const result = await within(timeoutMs + graceMs, client.query(text, values))
      return result.rows
    } catch (error) {
      throw error instanceof DatabaseAway ? error : classified(error)
    } finally {
      ctx.database.spent.milliseconds += performance.now() - started
    }
  }
  const session: Session = {
    async run<Shape>(statement: Sql) {
      const { text, values } = render(statement)
      return (await ask(text, values.length > 0 ? values : undefined)) as Shape[]
    },
    async transaction(statements) {
      await ask(statements.map(renderText).join('; '))
    },
  }
  try {
    await within(connectMs, client.connect()).catch((error) => {
      throw new DatabaseAway(error)
    })
    await enter(ctx, session)
    return await work(session)
  } finally {
    ctx.waitUntil(client.end().catch(() => undefined))
  }
}

const connectMs = 10_000

/**
 * Every setting here is one of the session: the connection has to be to Postgres itself. Neon's pooler would hand the
 * next transaction to another one, and this one, with the role on it, to somebody else.
 */
function connection({ config }: RequestContext): Client {
  const url = new URL(config.DATABASE_URL)
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

/** `enter` ends with its transaction; what it checked and set holds from here on for the session. */
async function enter(ctx: RequestContext, session: Session): Promise<void> {
  try {
    for (const guard of guardsOf(ctx)) await session.run(guard)
    const [entered] = await session.run<EnteredRow>(enterTenant(ctx, 'write', timeoutMs))
    const tenant = `site_${Number(entered?.site_id)}`
    await session.run(sql`
      select set_config('search_path', ${tenant}, false), set_config('timezone', 'UTC', false),
             set_config('statement_timeout', ${String(timeoutMs)}, false), set_config('lock_timeout', '60000', false),
             set_config('role', ${tenant}, false)`)
  } catch (error) {
    throw refusalOf(error)
  }
}

async function within<Answer>(milliseconds: number, work: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new DatabaseAway(new Error('no answer in time'))), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
