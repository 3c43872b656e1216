/**
 * What one tenant may take of an isolate at a time, so that the others go on: so many statements in flight, and of those
 * that compute long, fewer. The tenant is the one that a request names; a request of the platform's own counts for its caller,
 * and a body, which comes before anybody knows who calls, for its address.
 */
import type { RequestContext } from '../context.ts'
import { busy } from '../errors.ts'
import { type Entry, Gate, type Leave } from '../lib/gate.ts'
import { roomFor } from './answers.ts'
import { sendOf } from './batch.ts'
import { type Database, openDatabase } from './client.ts'

export interface Share {
  /** Takes room for a body of so many bytes. Throws the 503 when its address has too many under way. */
  takeIn(bytes: number): Promise<void>
  /** Runs what may take Postgres seconds: aggregations, walks. Throws the 503 when too much of it is under way. */
  heavily<Result>(work: () => Promise<Result>): Promise<Result>
  /** Ends the request's share: nothing of what it sent and was answered is held any more. */
  release(): void
}

type Sharer = Pick<RequestContext, 'config' | 'tenant' | 'caller' | 'address' | 'permission'>

const statements = new Gate()
const heavyStatements = new Gate()
const bodies = new Gate()
/** One of the largest at a time: until it is stored, a body takes ten times its size. */
const bodyBytesMax = 12 * 1024 * 1024
/** However slowly it comes. */
const bodyMs = 100_000
/** Heavy work is one statement, which Postgres ends before this. */
const heavyMs = 10_000
/** How much longer than its deadline a request to the database may hold its place. */
const graceMs = 1_000

/** The database of one request, and its share of it. By the time a statement is sent, `ctx` has who calls. */
export function openShare(ctx: Sharer, isRead: boolean): { database: Database; share: Share } {
  const { config, tenant } = ctx
  const room = roomFor([config.DATABASE_URL, tenant.host, tenant.slug].join(' '), isRead)
  const database = openDatabase(config, room.reserve)
  let leaveBody: Leave | undefined

  async function enter(gate: Gate, entry: Omit<Entry, 'share' | 'waitMs'>): Promise<Leave> {
    const leave = await gate.enter({ ...entry, share: nameOf(ctx), waitMs: config.BUSY_WAIT_MS })
    if (!leave) throw busy()
    return leave
  }

  async function within<Result>(gate: Gate, shareMax: number, holdMs: number, work: () => Promise<Result>): Promise<Result> {
    const leave = await enter(gate, { cost: 1, shareMax, holdMs })
    try {
      return await work()
    } finally {
      leave()
    }
  }

  function inShare<Result>(deadlineMs: number, work: () => Promise<Result>): Promise<Result> {
    room.release()
    return within(statements, config.SITE_CONCURRENCY, deadlineMs + graceMs, work)
  }

  return {
    database: {
      spent: database.spent,
      batch: sendOf((statements, deadlineMs) => inShare(deadlineMs, () => database.batch(statements, deadlineMs))),
      visit: (platform, site, deadlineMs) => inShare(deadlineMs, () => database.visit(platform, site, deadlineMs)),
    },
    share: {
      async takeIn(bytes) {
        leaveBody = await enter(bodies, { cost: bytes, shareMax: bodyBytesMax, holdMs: bodyMs })
      },
      heavily: (work) => within(heavyStatements, Math.max(1, Math.floor(config.SITE_CONCURRENCY / 4)), heavyMs, work),
      release() {
        room.release()
        leaveBody?.()
      },
    },
  }
}

/** Routes of a tenant have said what they ask of its callers. */
function nameOf({ config, tenant, caller, address, permission }: Sharer): string {
  const name = permission !== undefined ? `site ${tenant.host} ${tenant.slug}` : caller ? `user ${caller.userId}` : `address ${address}`
  return `${config.DATABASE_URL} ${name}`
}
