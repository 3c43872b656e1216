/** Describes a schedule in words, with its next runs. */
import { type Cron, CronProblem, nextTick, parseCron } from '../../../../src/kernel/lib/cron.ts'
import { isZone } from '../../../../src/kernel/lib/time-zone.ts'
import type { ScheduleTexts } from './texts-schedule.ts'

/** The description of a schedule. */
export type Described = { words: string; next: string[] } | { problem: string }

const minutesOfHour = 60
const hoursOfDay = 24
const daysOfMonth = 31
const monthsOfYear = 12
const daysOfWeek = 7
const timesMax = 8
const nextCount = 3

/** Describes a schedule; undefined for none. */
export function describeSchedule(
  schedule: string,
  zone: string,
  texts: ScheduleTexts,
  language: string,
): Described | undefined {
  if (schedule.trim() === '') return undefined
  if (!isZone(zone)) return { problem: texts.noZone }
  try {
    const cron = parseCron(schedule)
    const clock = new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: zone,
    })
    const next: string[] = []
    let after: number | undefined = Date.now()
    while (next.length < nextCount && after !== undefined) {
      after = nextTick(cron, zone, after)
      if (after !== undefined) next.push(clock.format(after))
    }
    return next.length === 0 ? { problem: texts.never } : { words: wordsOf(cron, texts, language), next }
  } catch (error) {
    if (error instanceof CronProblem) return { problem: error.message }
    throw error
  }
}

function wordsOf(cron: Cron, texts: ScheduleTexts, language: string): string {
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  const { days, weekdays, months } = cron
  const names = (form: Intl.DateTimeFormatOptions, dates: readonly Date[]) =>
    list.format(
      dates.map((date) => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }).format(date)),
    )
  const onWeekdays =
    weekdays.size < daysOfWeek
      ? // August 1, 2027 is a Sunday.
        texts.onWeekdays(
          names(
            { weekday: 'long' },
            sorted(weekdays).map((day) => new Date(Date.UTC(2027, 7, 1 + day))),
          ),
        )
      : undefined
  const onDays = days.size < daysOfMonth ? texts.onDays(list.format(sorted(days).map(String))) : undefined
  const either = [onDays, onWeekdays].filter((one) => one !== undefined)
  const day = either.length === 0 ? texts.daily : either.join(cron.isEitherDay ? texts.or : ', ')
  const inMonths =
    months.size < monthsOfYear
      ? texts.inMonths(
          names(
            { month: 'long' },
            sorted(months).map((month) => new Date(Date.UTC(2027, month - 1, 1))),
          ),
        )
      : undefined
  return [timeOf(cron, texts, list), day, inMonths].filter(Boolean).join(', ')
}

const sorted = (values: ReadonlySet<number>): number[] => [...values].sort((a, b) => a - b)

function timeOf({ minutes, hours }: Cron, texts: ScheduleTexts, list: Intl.ListFormat): string {
  const [first = 0, second] = minutes
  if (hours.length === hoursOfDay) {
    const step = (second ?? minutesOfHour) - first
    const isRegular = first === 0 && minutes.length === Math.ceil(minutesOfHour / step)
    if (isRegular && minutes.every((minute, index) => minute === index * step))
      return step === minutesOfHour ? texts.hourly : texts.everyMinutes(step)
    return texts.atMinutes(list.format(minutes.map(String)))
  }
  const times = hours.flatMap((hour) =>
    minutes.map((minute) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`),
  )
  if (times.length <= timesMax) return texts.atTimes(list.format(times))
  return texts.inHours(list.format(minutes.map(String)), list.format(hours.map(String)))
}
