/** Cron schedules, and the instants at which they tick in a time zone. */
import { describe, expect, it } from 'vitest'
import { nextTick, parseCron } from '../../../../src/kernel/lib/cron.ts'

/** Returns the next ticks after an instant. */
function ticks(text: string, zone: string, after: string, count = 3): string[] {
  const cron = parseCron(text)
  const found: string[] = []
  for (let at: number | undefined = Date.parse(after); found.length < count; ) {
    at = nextTick(cron, zone, at)
    if (at === undefined) return [...found, 'none']
    found.push(new Date(at).toISOString().slice(0, 16))
  }
  return found
}

describe('a schedule', () => {
  it.each<[string, RegExp]>([
    ['', /^A schedule has five fields/],
    ['* * * *', /^A schedule has five fields/],
    ['* * * * * *', /^A schedule has five fields/],
    ['@daily', /^A schedule has five fields/],
    ['60 * * * *', /^"60" is no minute. Write a number from 0 to 59/],
    ['* 24 * * *', /^"24" is no hour/],
    ['* * 0 * *', /^"0" is no day of the month/],
    ['* * * 13 *', /^"13" is no month/],
    ['* * * * 8', /^"8" is no day of the week/],
    ['5-1 * * * *', /^"5-1" is no minute/],
    ['*/0 * * * *', /^"\*\/0" is no minute/],
    ['1,,2 * * * *', /^"" is no minute/],
    ['-1 * * * *', /^"-1" is no minute/],
    ['* * * foo *', /^"foo" is no month/],
    ['1e1 * * * *', /^"1e1" is no minute/],
  ])('"%s" is invalid', (text, problem) => {
    expect(() => parseCron(text)).toThrow(problem)
  })

  it.each<[text: string, after: string, next: string[]]>([
    ['*/20 * * * *', '2026-01-01T00:00:00Z', ['2026-01-01T00:20', '2026-01-01T00:40', '2026-01-01T01:00']],
    ['50/5 * * * *', '2026-01-01T00:51:00Z', ['2026-01-01T00:55', '2026-01-01T01:50', '2026-01-01T01:55']],
    [
      '0 9-17/4 * * mon-fri',
      '2026-01-02T13:00:00Z',
      ['2026-01-02T17:00', '2026-01-05T09:00', '2026-01-05T13:00'],
    ],
    ['0 0 1 1,JUL *', '2026-01-01T00:00:00Z', ['2026-07-01T00:00', '2027-01-01T00:00', '2027-07-01T00:00']],
    ['0 0 13 * fri', '2026-02-01T00:00:00Z', ['2026-02-06T00:00', '2026-02-13T00:00', '2026-02-20T00:00']],
    ['0 0 * * 7', '2026-01-01T00:00:00Z', ['2026-01-04T00:00', '2026-01-11T00:00', '2026-01-18T00:00']],
    ['0 0 29 2 *', '2096-03-01T00:00:00Z', ['2104-02-29T00:00', '2108-02-29T00:00', '2112-02-29T00:00']],
    ['0 0 31 2 *', '2026-01-01T00:00:00Z', ['none']],
  ])('"%s" ticks in UTC', (text, after, next) => {
    expect(ticks(text, 'UTC', after)).toEqual(next)
  })

  it.each<[what: string, text: string, zone: string, after: string, next: string[]]>([
    [
      'when the clock skips the time, at the moment of the skip',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30', '2026-03-31T00:30'],
    ],
    [
      'once for a time that the clock shows twice',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'],
    ],
    [
      'in both passes of an hour that the clock shows twice, if the hour is *',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:45:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'in both passes from the middle of the first one',
      '10 * * * *',
      'America/New_York',
      '2026-11-01T05:30:00Z',
      ['2026-11-01T06:10', '2026-11-01T07:10'],
    ],
    [
      'in both passes if the hour has a step',
      '0 */2 * * *',
      'Europe/Berlin',
      '2026-10-24T22:00:00Z',
      ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T03:00'],
    ],
    [
      'in both passes if a range of hours has a step',
      '30 2-6/4 25 10 *',
      'Europe/Berlin',
      '2026-10-24T22:00:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T05:30', '2027-10-25T00:30'],
    ],
    [
      'once for each minute of a fixed hour that the clock shows twice',
      '*/30 2 * * *',
      'Europe/Berlin',
      '2026-10-25T00:00:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:00'],
    ],
    [
      'once for each time of a range of hours without a step',
      '0 1-3 * * *',
      'Europe/Berlin',
      '2026-10-24T22:30:00Z',
      ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T02:00'],
    ],
    [
      'in both passes of half an hour',
      '*/15 * * * *',
      'Australia/Lord_Howe',
      '2026-04-04T14:40:00Z',
      ['2026-04-04T14:45', '2026-04-04T15:00', '2026-04-04T15:15', '2026-04-04T15:30'],
    ],
    [
      'only at times that the clock shows, if the hour is *',
      '15 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:00:00Z',
      ['2026-03-29T00:15', '2026-03-29T01:15', '2026-03-29T02:15'],
    ],
    [
      'not in an hour with a step that the clock skips',
      '0 */2 * * *',
      'Europe/Berlin',
      '2026-03-28T22:00:00Z',
      ['2026-03-28T23:00', '2026-03-29T02:00'],
    ],
    [
      'in a zone whose offset includes half an hour',
      '0 9 * * *',
      'Asia/Kolkata',
      '2026-01-01T03:29:00Z',
      ['2026-01-01T03:30', '2026-01-02T03:30', '2026-01-03T03:30'],
    ],
    [
      'on the days of its zone',
      '0 0 1 * *',
      'Pacific/Kiritimati',
      '2026-01-31T09:00:00Z',
      ['2026-01-31T10:00', '2026-02-28T10:00', '2026-03-31T10:00'],
    ],
  ])('ticks %s', (_what, text, zone, after, next) => {
    expect(ticks(text, zone, after, next.length)).toEqual(next)
  })
})
