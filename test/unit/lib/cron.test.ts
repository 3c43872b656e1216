/** Cron schedules, and the instants at which they tick in a time zone. */
import { describe, expect, it } from 'vitest'
import { nextTick, parseCron } from '../../../src/lib/cron.ts'

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
      'once for each time of an hour that the clock shows twice',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:00:00Z',
      ['2026-10-25T00:30', '2026-10-25T02:00', '2026-10-25T02:30'],
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
    expect(ticks(text, zone, after)).toEqual(next)
  })
})
