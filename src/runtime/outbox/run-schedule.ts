/**
 * Processes an outbox row that waits for the next tick of a function's schedule. When the tick has come,
 * creates a row with a run for it, and waits for the next tick. Messages may arrive twice, early or late, but
 * each tick has at most one run.
 */
import type { Database } from '../../kernel/db/database.ts'
import { isoTimestamp } from '../../kernel/db/iso-timestamp.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { sweepDueAt } from '../../kernel/db/sweep-due.ts'
import { asService } from '../../kernel/db/tenant.ts'
import type { Env } from '../../kernel/env.ts'
import { firstTick, ticksUntil } from '../functions/service.ts'
import { type OutboxMessage, queueOutboxRows } from './queue.ts'

/** The schedule of a function, and the tick for which its outbox row waits. */
export interface Schedule {
  /** The id of the function. */
  function: number
  schedule: string
  zone: string
  is_active: boolean
  /** The awaited tick. Null: it must still be computed. */
  scheduled_at: string | null
}

/**
 * Selects the schedule for which an outbox row waits. Returns no row if the outbox row is of another kind.
 */
export const selectSchedule = (rowId: number) => sql<Schedule>`
  select f.id as function, f.schedule, f.schedule_zone as zone, f.is_active and a.is_active as is_active,
         ${isoTimestamp(sql`d.scheduled_at`)} as scheduled_at
    from _deliveries d join _functions f on f.id = d.schedule_of join _apps a on a.id = f.app_id
   where d.id = ${rowId}`

/** The longest delay of a message. The sweep finds ticks that are further away. */
const delaySecondsMax = 12 * 3600

/** A schedule, and whether its ticks run the function. Those that do not are never made up for. */
type Awaited = Omit<Schedule, 'is_active'> & { runs: boolean }

/** Runs the function if its tick has come, and waits for the next one. */
export async function runSchedule(
  env: Env,
  database: Database,
  message: OutboxMessage,
  { function: id, schedule, zone, runs, scheduled_at }: Awaited,
): Promise<void> {
  const now = Date.now()
  const due = scheduled_at === null ? undefined : Date.parse(scheduled_at)
  // The message arrived early or twice. Another one, or the sweep, comes at the tick.
  if (due !== undefined && due > now) return
  const { last, missed, next } =
    due === undefined
      ? { last: undefined, missed: 0, next: firstTick(schedule, zone, now) }
      : ticksUntil(schedule, zone, due, now)
  const run = last === undefined || !runs ? null : { at: iso(last), missed }
  const nextAt = next === undefined ? null : iso(next)
  const moved = moveOn(message.rowId, { scheduledAt: scheduled_at, nextAt, id, run })
  const answers = await asService(database, message.siteId, { moved })
  // Another worker has done it.
  if (!answers.moved.first) return
  const { made } = answers.moved.first
  if (made !== null) await queueOutboxRows(env, [{ ...message, rowId: made }])
  const delaySeconds = next === undefined ? undefined : Math.ceil((next - now) / 1000)
  if (delaySeconds !== undefined && delaySeconds <= delaySecondsMax)
    await queueOutboxRows(env, [message], delaySeconds)
}

const iso = (instant: number): string => new Date(instant).toISOString()

interface Move {
  scheduledAt: string | null
  nextAt: string | null
  /** The id of the function. */
  id: number
  /** The tick that has come, and the number of missed ticks before it. Null: nothing is run. */
  run: { at: string; missed: number } | null
}

/**
 * Moves a row to the next tick. If the function runs, creates an outbox row with its invocation, and returns
 * the id of that row. Returns no row if the schedule no longer waits for the tick that was read.
 */
const moveOn = (rowId: number, { scheduledAt, nextAt, id, run }: Move): Sql<{ made: number | null }> => sql`
  with moved as (
    update _deliveries d
       set scheduled_at = ${nextAt}::timestamptz,
           due_at = coalesce(${nextAt}::timestamptz, now() + interval '1 day')
     where d.id = ${rowId} and d.scheduled_at is not distinct from ${scheduledAt}::timestamptz
    returning d.id
  ), d as (
    insert into _deliveries (functions, due_at)
    select array[${id}::bigint], ${sweepDueAt} from moved where ${run !== null}
    returning id
  ), i as (
    insert into _invocations (delivery_id, event_id, function_id, function_name, function_slug, trigger_type,
                              status, params, due_at)
    select d.id, d.id, f.id, f.name, f.slug, 'schedule', 'PENDING',
           json_build_object('type', 'SCHEDULE', 'scheduled_at', ${run?.at ?? null}::text,
                             'missed', ${run?.missed ?? 0}::integer), now()
      from d, _functions f where f.id = ${id}
  )
  select d.id as made from moved left join d on true`
