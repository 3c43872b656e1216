/** Schedules in the form of cron: five fields, which name minutes of a clock in a time zone. */
import { instantOf, instantsOf, localTime, setBack } from './time-zone.ts'

/** The times at which a clock shows a tick. */
export interface Cron {
  minutes: readonly number[]
  hours: readonly number[]
  days: ReadonlySet<number>
  months: ReadonlySet<number>
  /** The days of the week, from Sunday as 0. */
  weekdays: ReadonlySet<number>
  /**
   * Whether a match of either the day of the month or the day of the week is enough. True if both fields are
   * restricted.
   */
  isEitherDay: boolean
  /**
   * Whether the hour has `*` or a step. Such a schedule ticks whenever its clock shows one of its times;
   * others tick once for each time.
   */
  isByClock: boolean
}

interface Field {
  name: string
  from: number
  to: number
  /** The names of values, beginning with the value `from`. */
  names: readonly string[]
}

const fields: readonly Field[] = [
  { name: 'minute', from: 0, to: 59, names: [] },
  { name: 'hour', from: 0, to: 23, names: [] },
  { name: 'day of the month', from: 1, to: 31, names: [] },
  {
    name: 'month',
    from: 1,
    to: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  // Sunday is 0 and 7.
  { name: 'day of the week', from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]

/** An error of a text that is not a schedule. The message for the client gives the reason. */
export class CronProblem extends Error {}

/** Reads a schedule. Throws CronProblem. */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== fields.length)
    throw new CronProblem(
      'A schedule has five fields: minute, hour, day of the month, month, day of the week.',
    )
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = fields.map((field, at) =>
    valuesOf(field, (parts[at] ?? '').toLowerCase()),
  )
  return {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(weekdays.map((day) => day % 7)),
    isEitherDay: !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*'),
    isByClock: /[*/]/.test(parts[1] ?? ''),
  }
}

/** Returns the values of a field, in order. */
function valuesOf(field: Field, text: string): number[] {
  const values = text.split(',').flatMap((part) => rangeOf(field, part))
  return [...new Set(values)].sort((a, b) => a - b)
}

const rangeForm = /^(?:\*|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d{1,2}))?$/

/** Returns the values of a part: `*`, `5` or `mon-fri`. `*` and ranges can have a step: `0-30/10`. */
function rangeOf(field: Field, part: string): number[] {
  const [form, first, last, step] = rangeForm.exec(part) ?? []
  const from = first === undefined ? field.from : numberOf(field, first)
  // `5/10` has no end, so it continues to the last value.
  const isAlone = first !== undefined && last === undefined && step === undefined
  const open = isAlone ? from : field.to
  const to = last === undefined ? open : numberOf(field, last)
  const by = Number(step ?? 1)
  if (form === undefined || from === undefined || to === undefined || to < from || by === 0) {
    throw new CronProblem(
      `"${part}" is no ${field.name}. Write a number from ${field.from} to ${field.to}, a range such as ` +
        `${field.from}-${field.to}, * for all of them, or one of both with a step such as */2.`,
    )
  }
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by)
}

function numberOf({ from, to, names }: Field, text: string): number | undefined {
  const named = names.indexOf(text)
  if (named >= 0) return from + named
  const value = /^\d{1,2}$/.test(text) ? Number(text) : undefined
  return value !== undefined && value >= from && value <= to ? value : undefined
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** February 29 comes after eight years at the latest. */
const daysMax = 8 * 366

/**
 * Returns the first tick after a point in time; undefined if there is none in eight years. Times are in
 * milliseconds since 1970. As in Vixie cron, an hour with `*` or a step follows the clock of the zone: if
 * clocks are set back, it ticks in both passes, and a time that they skip is no tick. Any other local time is
 * one tick: its first occurrence, or the moment at which clocks skip it.
 */
export function nextTick(cron: Cron, zone: string, after: number): number | undefined {
  // The current local time, and all earlier ones, have already occurred once.
  const shown = localTime(zone, after)
  const again = cron.isByClock ? nextRepeated(cron, zone, after) : undefined
  for (const local of timesFrom(cron, shown + 1)) {
    const instants = cron.isByClock ? instantsOf(zone, local) : [instantOf(zone, local)]
    const instant = instants.find((each) => each > after)
    if (instant !== undefined) return Math.min(instant, again ?? instant)
  }
  return again
}

/** Returns the first tick at a local time that the clock has shown, and shows again within a day. */
function nextRepeated(cron: Cron, zone: string, after: number): number | undefined {
  const change = setBack(zone, after)
  if (change === undefined) return undefined
  const { instant, local } = change
  const [first] = timesFrom(cron, local)
  return first !== undefined && first <= localTime(zone, after) ? instant + first - local : undefined
}

/** Yields the local times of a schedule in order, beginning with `from`, for eight years. */
function* timesFrom(cron: Cron, from: number): Generator<number> {
  const today = from - (((from % dayMs) + dayMs) % dayMs)
  for (let day = 0; day < daysMax; day++) {
    const midnight = today + day * dayMs
    if (!isOnDay(cron, new Date(midnight))) continue
    for (const hour of cron.hours)
      for (const minute of cron.minutes) {
        const local = midnight + (hour * 60 + minute) * minuteMs
        if (local >= from) yield local
      }
  }
}

function isOnDay({ days, months, weekdays, isEitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false
  const [isDay, isWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())]
  return isEitherDay ? isDay || isWeekday : isDay && isWeekday
}
