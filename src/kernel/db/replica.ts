/**
 * Reads from a replica of the database, for requests that allow older answers. Asks the primary in parallel
 * whether the caller may read, and for the position of its log.
 */
import type { RequestContext } from '../context.ts'
import type { Batch, BatchRows } from './batch.ts'
import type { PlannedFor } from './enter-tenant.ts'
import { graceMs, timeoutMs } from './entering.ts'
import { type Sql, sql } from './sql.ts'
import { inTenant } from './tenant.ts'

/** The milliseconds for which requests do not use a replica after it could not give an answer. */
const restMs = 1_000

/**
 * By the URL of a replica: the time until which no request uses it that allows an age of less than `age`
 * seconds.
 */
const resting = new Map<string, { until: number; age: number }>()

/**
 * Runs statements that only read in the tenant of the request, as its role, after Postgres has checked the
 * permission of the caller, like `inTenant`. Runs them on the replica if the request allows answers of the
 * replica's age, and records the age. Statements of guests, and of callers who see as another person, run on
 * the primary, because only it signs claims and writes the audit log.
 */
export async function readInTenant<Of extends Batch>(
  ctx: RequestContext,
  statements: Of,
  planned: PlannedFor,
): Promise<BatchRows<Of>> {
  if (mayAskReplica(ctx) && !planned.standing && ctx.viewAs === null) {
    const asked = askReplica(ctx, statements, planned).catch(() => undefined)
    const { position } = await inTenant(ctx, 'read', { position: ofPrimary }, { planned })
    const replica = await asked
    const age = replica ? ageOf(position.one, replica.position) : Number.POSITIVE_INFINITY
    if (replica && age <= ctx.ageMax) {
      ctx.age = Math.max(ctx.age ?? 0, age)
      return replica.answers
    }
    resting.set(String(ctx.config.READ_DATABASE_URL), { until: Date.now() + restMs, age })
  }
  return inTenant(ctx, 'read', statements, { planned })
}

function mayAskReplica({ replica, ageMax, config }: RequestContext): boolean {
  if (replica === null || ageMax === 0) return false
  const rest = resting.get(String(config.READ_DATABASE_URL))
  return rest === undefined || ageMax >= rest.age || Date.now() >= rest.until
}

/** The position of the primary: the bytes of its log, and its time in milliseconds since the epoch. */
interface Position {
  bytes: number
  at: number
}

/** Includes committed data that is not yet on the disk. */
const ofPrimary = sql<Position>`
  select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint as bytes,
         (1000 * extract(epoch from clock_timestamp()))::bigint as at`

/** The position of the replica. Null: it is not a replica. */
interface ReplicaPosition {
  replayed_bytes: number | null
  /** Null also if it has replayed no commit since it started. */
  replayed_at: number | null
}

/**
 * Returns the age of the replica relative to the primary in seconds, rounded up. A replica that has replayed
 * the whole log of the primary has the age 0, even if its last commit is old.
 */
function ageOf(primary: Position, { replayed_bytes, replayed_at }: ReplicaPosition): number {
  if (replayed_bytes === null || replayed_bytes >= primary.bytes) return 0
  if (replayed_at === null) return Number.POSITIVE_INFINITY
  return Math.max(1, Math.ceil((primary.at - replayed_at) / 1000))
}

async function askReplica<Of extends Batch>(
  { replica }: RequestContext,
  statements: Of,
  { siteId, catalogVersion }: PlannedFor,
): Promise<{ position: ReplicaPosition; answers: BatchRows<Of> } | undefined> {
  const entered: Sql<ReplicaPosition> = sql`
    select replayed_bytes, replayed_at from public.enter_replica(
      row(${siteId}, ${catalogVersion}, 'read', ${timeoutMs.read})::public.visit)`
  const answer = await replica?.batchInSite({ entered }, statements, timeoutMs.read + graceMs)
  return answer && { position: answer.platform.entered.one, answers: answer.site }
}
