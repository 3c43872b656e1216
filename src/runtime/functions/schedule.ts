/** The ticks of a function's schedule. */
import { CronProblem, nextTick, parseCron } from '../../kernel/lib/cron.ts'

/** Returns why a text is not a valid schedule; undefined if it is valid. */
export function scheduleProblem(text: string): string | undefined {
  try {
    const cron = parseCron(text)
    return nextTick(cron, 'UTC', Date.now()) === undefined ? 'There is no such day.' : undefined
  } catch (error) {
    if (error instanceof CronProblem) return error.message
    throw error
  }
}

/** The largest number of missed ticks that are counted. */
const missedMax = 1_000

/** The state of a schedule. Times are in milliseconds since 1970. */
interface Ticks {
  /** The latest tick that has come. */
  last: number
  /** The number of earlier ticks without a run, up to `missedMax`. */
  missed: number
  /** The next tick; undefined if there is none in eight years. */
  next: number | undefined
}

/** Returns the ticks from `due` to `now`. `due` is the tick that was awaited, and has come. */
export function ticksUntil(schedule: string, zone: string, due: number, now: number): Ticks {
  const cron = parseCron(schedule)
  let last = due
  let next = nextTick(cron, zone, due)
  let missed = 0
  while (next !== undefined && next <= now && missed < missedMax) {
    missed++
    last = next
    next = nextTick(cron, zone, next)
  }
  return next !== undefined && next <= now
    ? { last, missed, next: nextTick(cron, zone, now) }
    : { last, missed, next }
}

/** Returns the first tick after `now`; undefined if there is none in eight years. */
export const firstTick = (schedule: string, zone: string, now: number): number | undefined =>
  nextTick(parseCron(schedule), zone, now)
