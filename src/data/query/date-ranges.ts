/**
 * Named ranges of dates, such as `today`, `last_7_days` and `2026-W07`. A range can name a zone:
 * `today@Europe/Berlin`.
 */

import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { instantOf, isCommonZone, localTime } from '../../kernel/lib/time-zone.ts'

/** A range of local dates, in days since 1970. The end is exclusive. */
interface Days {
  from: number
  to: number
}

const dayMs = 86_400_000
const dayOf = (year: number, month: number, day = 1): number => Date.UTC(year, month, day) / dayMs

/** Returns the first day of the month that is `months` after the month of a day. */
function monthOf(day: number, months: number): number {
  const date = new Date(day * dayMs)
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** Returns the Monday of a day's week. The first day of 1970 was a Thursday. */
const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)

const yearOf = (day: number, years: number): number =>
  dayOf(new Date(day * dayMs).getUTCFullYear() + years, 0)

/** The ranges that depend on the current day. */
const relative = new Map<string, (today: number) => Days>([
  ['today', (day) => ({ from: day, to: day + 1 })],
  ['yesterday', (day) => ({ from: day - 1, to: day })],
  ['tomorrow', (day) => ({ from: day + 1, to: day + 2 })],
  ['this_week', (day) => ({ from: mondayOf(day), to: mondayOf(day) + 7 })],
  ['last_week', (day) => ({ from: mondayOf(day) - 7, to: mondayOf(day) })],
  ['this_month', (day) => ({ from: monthOf(day, 0), to: monthOf(day, 1) })],
  ['last_month', (day) => ({ from: monthOf(day, -1), to: monthOf(day, 0) })],
  ['this_year', (day) => ({ from: yearOf(day, 0), to: yearOf(day, 1) })],
  ['last_year', (day) => ({ from: yearOf(day, -1), to: yearOf(day, 0) })],
])

/** The forms of ranges with a number in their names. */
const numbered: readonly {
  form: RegExp
  days(numbers: readonly number[], today: number): Days | undefined
}[] = [
  {
    form: /^last_([1-9]\d{0,3})_days?$/,
    days: ([count = 0], today) => ({ from: today + 1 - count, to: today + 1 }),
  },
  { form: /^([1-9]\d{3})$/, days: ([year = 0]) => ({ from: dayOf(year, 0), to: dayOf(year + 1, 0) }) },
  {
    form: /^([1-9]\d{3})-Q([1-4])$/,
    days: ([year = 0, quarter = 0]) => ({
      from: dayOf(year, quarter * 3 - 3),
      to: dayOf(year, quarter * 3),
    }),
  },
  {
    form: /^([1-9]\d{3})-(0[1-9]|1[0-2])$/,
    days: ([year = 0, month = 0]) => ({ from: dayOf(year, month - 1), to: dayOf(year, month) }),
  },
  {
    form: /^([1-9]\d{3})-(\d\d)-(\d\d)$/,
    days([year = 0, month = 0, day = 0]) {
      const from = dayOf(year, month - 1, day)
      const date = new Date(from * dayMs)
      const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
      return isDate ? { from, to: from + 1 } : undefined
    },
  },
  {
    form: /^([1-9]\d{3})-W(\d\d)$/,
    days([year = 0, week = 0]) {
      // The fourth of January is always in the first week of its year.
      const from = mondayOf(dayOf(year, 0, 4)) + (week - 1) * 7
      const isWeek = week > 0 && new Date((from + 3) * dayMs).getUTCFullYear() === year
      return isWeek ? { from, to: from + 7 } : undefined
    },
  },
]

const utc = 'UTC'

/** Splits a range into its name and its zone. */
function partsOf(text: string): { name: string; zone: string } {
  const at = text.indexOf('@')
  return at === -1 ? { name: text, zone: utc } : { name: text.slice(0, at), zone: text.slice(at + 1) }
}

function daysOf(name: string, today: number): Days | undefined {
  const named = relative.get(name)
  if (named) return named(today)
  for (const { form, days } of numbered) {
    const [, ...texts] = form.exec(name) ?? []
    if (texts.length > 0) return days(texts.map(Number), today)
  }
  return undefined
}

const todayIn = (zone: string): number => Math.floor(localTime(zone, Date.now()) / dayMs)

/** Returns why a value is not the name of a range; undefined if it is. */
export function rangeProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return unknownRange(value)
  const { name, zone } = partsOf(value)
  if (!isCommonZone(zone))
    return (
      `${quoteValue(zone)} is not a time zone. Write the name of a zone after the @, for example ` +
      'today@Europe/Berlin.'
    )
  return daysOf(name, 0) ? undefined : unknownRange(name)
}

const unknownRange = (value: unknown): string =>
  `${quoteValue(value)} is not a range of dates. Ranges: ${[...relative.keys()].join(', ')}, last_7_days, ` +
  '2026, 2026-Q1, 2026-05, 2026-W07, 2026-05-17; each also with a zone, for example today@Europe/Berlin.'

/**
 * Converts a range to the syntax of Postgres. Returns undefined for any other value. `write` writes the
 * beginning of a day.
 */
function readRange(value: unknown, write: (day: number, zone: string) => string): string | undefined {
  if (typeof value !== 'string' || rangeProblem(value) !== undefined) return undefined
  const { name, zone } = partsOf(value)
  const days = daysOf(name, todayIn(zone))
  return days && `[${write(days.from, zone)},${write(days.to, zone)})`
}

/** Writes an instant without the sign that ISO has before years of five digits. */
const instantText = (instant: number): string => new Date(instant).toISOString().replace(/^\+0/, '')

export const readDates = (value: unknown): string | undefined =>
  readRange(value, (day) => instantText(day * dayMs).replace(/T.*/, ''))

/**
 * Reads a range of instants: from the beginning of its first day in the zone to the beginning of the day
 * after its last day.
 */
export const readInstants = (value: unknown): string | undefined =>
  readRange(value, (day, zone) => instantText(instantOf(zone, day * dayMs)))
