/** Schedules in words, as the settings of a function show them. */
import { expect, it } from 'vitest'
import { describeSchedule } from '../../../../console/src/pages/function/describe-schedule.ts'
import { scheduleTexts } from '../../../../console/src/pages/function/texts-schedule.ts'

const describe = (schedule: string, zone = 'UTC', language: 'en' | 'de' = 'en') =>
  describeSchedule(schedule, zone, scheduleTexts[language], language)

it.each([
  ['* * * *', 'UTC', 'A schedule has five fields: minute, hour, day of the month, month, day of the week.'],
  ['0 9 * * *', 'Middle/Earth', 'There is no time zone with this name. Write one such as Europe/Berlin.'],
  ['0 9 31 2 *', 'UTC', 'There is no such day.'],
])('the schedule "%s" in the zone %s is invalid', (schedule, zone, problem) => {
  expect(describe(schedule, zone)).toEqual({ problem })
})

it('an empty schedule has no description', () => {
  expect(describe(' ')).toBeUndefined()
})

it.each([
  ['* * * * *', 'Every minute, every day'],
  ['*/5 * * * *', 'Every 5 minutes, every day'],
  ['0 * * * *', 'Every hour, on the hour, every day'],
  ['5,35 * * * *', 'Every hour at minute 5 and 35, every day'],
  ['0 9 * * *', 'At 09:00, every day'],
  ['30 8,17 * * mon-fri', 'At 08:30 and 17:30, on Monday, Tuesday, Wednesday, Thursday, and Friday'],
  ['0 0 1 * *', 'At 00:00, on day 1 of the month'],
  ['0 0 1 * 1', 'At 00:00, on day 1 of the month or on Monday'],
  ['0 6 * 7,8 *', 'At 06:00, every day, in July and August'],
  [
    '*/20 9-17 * * *',
    'At minute 0, 20, and 40 of the hours 9, 10, 11, 12, 13, 14, 15, 16, and 17, every day',
  ],
])('the schedule "%s" is described as: %s', (schedule, words) => {
  expect(describe(schedule)).toMatchObject({ words })
})

it('a schedule is described in German, with its next three runs', () => {
  const described = describe('0 9 * * 1', 'Europe/Berlin', 'de')
  expect(described).toEqual({
    words: 'Um 09:00, am Montag',
    next: Array.from({ length: 3 }, () => expect.stringMatching(/^\d\d\.\d\d\.\d{4}, 09:00$/)),
  })
})
