/**
 * Bounds how much of an isolate one tenant uses at a time, so that the others can proceed: statements in
 * flight, heavy statements, streams, and memory for bodies. Requests are counted for the tenant that they
 * name, and without a tenant for their caller. Bodies are read before the caller is known, so they are
 * counted for the client's address.
 */
import { type RequestContext, siteName } from '../context.ts'
import { busy } from '../errors.ts'
import { type Entry, Gate, type Release } from '../lib/gate.ts'
import { noteRoundTrip } from '../telemetry/round-trips.ts'
import { openDatabase } from './client.ts'
import type { Database } from './database.ts'
import { resultMemoryFor } from './result-memory.ts'

type Sharer = Pick<RequestContext, 'config' | 'tenant' | 'caller' | 'address' | 'permission' | 'trace'>

const statements = new Gate()
const heavyStatements = new Gate()
const streams = new Gate()
const bodies = new Gate()
/** Enough for one body of the largest size: a body takes ten times its size until it is stored. */
const bodyBytesMax = 12 * 1024 * 1024
/** How long a body may take to arrive and be stored. */
const bodyMs = 100_000
/** How long heavy work may take. It is one statement, which Postgres cancels earlier. */
const heavyMs = 10_000
/** How much longer than its deadline a statement may hold its place. */
const graceMs = 1_000

/** The database and its replica, if there is one, as one request uses them, and its share. */
type Opened = Pick<RequestContext, 'database' | 'replica' | 'share'>

/**
 * Opens the database of one request, and its share. `ctx.caller` must be set when the first statement is
 * sent.
 */
export function openShare(ctx: Sharer, isRead: boolean): Opened {
  const { config } = ctx
  const resultMemory = resultMemoryFor(siteName(ctx), isRead)
  const { READ_DATABASE_URL } = config
  let releaseBody: Release | undefined

  async function enter(gate: Gate, entry: Omit<Entry, 'share' | 'waitMs'>): Promise<Release> {
    const release = await gate.enter({ ...entry, share: shareName(ctx), waitMs: config.BUSY_WAIT_MS })
    if (!release) throw busy()
    return release
  }

  async function within<Result>(
    gate: Gate,
    { cost = 1, shareMax, holdMs }: { cost?: number | undefined; shareMax: number; holdMs: number },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const release = await enter(gate, { cost, shareMax, holdMs })
    try {
      return await work()
    } finally {
      release()
    }
  }

  function inShare<Result>(deadlineMs: number, work: () => Promise<Result>): Promise<Result> {
    resultMemory.release()
    return within(statements, { shareMax: config.SITE_CONCURRENCY, holdMs: deadlineMs + graceMs }, work)
  }

  /** The maximum number of heavy statements, and of streams, of a share at a time. */
  const fewMax = Math.max(1, Math.floor(config.SITE_CONCURRENCY / 4))

  function open(url: string): Database {
    const { NEON_ENDPOINT } = config
    const database = openDatabase({ DATABASE_URL: url, NEON_ENDPOINT }, resultMemory.reserve, (trip) =>
      noteRoundTrip(ctx.trace, trip),
    )
    return {
      spent: database.spent,
      batch: (statements, deadlineMs) => inShare(deadlineMs, () => database.batch(statements, deadlineMs)),
      batchInParts: (platform, parts, deadlineMs) =>
        inShare(deadlineMs, () => database.batchInParts(platform, parts, deadlineMs)),
      batchInSite: (platform, site, deadlineMs, oneCall) =>
        inShare(deadlineMs, () => database.batchInSite(platform, site, deadlineMs, oneCall)),
    }
  }

  return {
    database: open(config.DATABASE_URL),
    replica: READ_DATABASE_URL === undefined ? null : open(READ_DATABASE_URL),
    share: {
      async reserveBody(bytes) {
        releaseBody = await enter(bodies, { cost: bytes, shareMax: bodyBytesMax, holdMs: bodyMs })
      },
      runHeavy: (work, cost) => within(heavyStatements, { cost, shareMax: fewMax, holdMs: heavyMs }, work),
      openStream: (ms) => enter(streams, { cost: 1, shareMax: fewMax, holdMs: ms }),
      release() {
        resultMemory.release()
        releaseBody?.()
      },
    },
  }
}

/** Returns the name under which a request is counted. `permission` is set on routes of a tenant. */
function shareName({ config, tenant, caller, address, permission }: Sharer): string {
  return `${config.DATABASE_URL} ${nameInDatabase()}`

  function nameInDatabase(): string {
    if (permission !== undefined) return `site ${tenant.host} ${tenant.slug}`
    return caller ? `user ${caller.userId}` : `address ${address}`
  }
}
