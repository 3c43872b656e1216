/** Regular expressions and named date ranges as values of filters. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readDates, readInstants } from '../../../../src/data/query/date-ranges.ts'
import { patternProblem, readPattern } from '../../../../src/data/query/patterns.ts'
import { renderPredicate } from '../../../../src/data/query/render/render.ts'
import { row } from '../../../../src/data/query/row.ts'
import { oneLine, planOf, refusalOf } from '../../../support/queries.ts'
import { tableOf } from '../../../support/tables.ts'

const things = tableOf('things', {
  fields: [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
    { name: 'made_at', type: 'datetime' },
    { name: 'made_on', type: 'date' },
    { name: 'tags', type: 'array' },
  ],
  primaryKey: 'id',
})
const query = (name: string, value: string) => new URLSearchParams([[name, value]]).toString()
const problemOf = (name: string, value: string) =>
  (refusalOf(things, new Map(), query(name, value)) as { details: Record<string, string[]> }).details[name]
const where = (name: string, value: string) =>
  oneLine(renderPredicate(planOf(things, new Map(), query(name, value)).where, row))

afterEach(() => {
  vi.useRealTimers()
})

describe('a pattern', () => {
  const unsupported = (at: number) =>
    `Not a pattern: position ${at} has something that is not supported. Supported: characters, ., classes as in [a-z], \\d, \\w, \\s, \\b, ^, $, groups, |, *, +, ? and {n,m}; other signs after a \\.`
  it.each([
    ['a(', 'Not a pattern: error parsing regexp: missing closing ): `a(`.'],
    ['(a)\\1', 'Not a pattern: error parsing regexp: invalid escape sequence: `\\1`.'],
    ['a(?=b)', 'Not a pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`.'],
    ['(?i)a', unsupported(1)],
    ['\\p{L}', unsupported(1)],
    ['a\\Qb\\E', unsupported(2)],
    ['a{', unsupported(2)],
    ['^*', unsupported(1)],
    ['[a[]', unsupported(1)],
    ['a{256}', 'Not a pattern: a part may be repeated 255 times at most, position 2.'],
    ['a'.repeat(501), 'Not a pattern: a pattern has at most 500 characters.'],
    [
      '((a{50}){50}){50}',
      'Not a pattern: a pattern has at most 2000 states, and this one has more: a part repeated by {n} counts n times, and nested repetitions multiply.',
    ],
    ['\0', 'Text may not contain the NUL character.'],
  ])('%s is rejected', (pattern, problem) => {
    expect(problemOf('name__matches', pattern)).toEqual([problem])
    expect(problemOf('name__imatches', pattern)).toEqual([problem])
    expect(problemOf('tags__0__matches', pattern)).toEqual([problem])
  })

  it('is rejected if it is not a string, or if the field does not store strings', () => {
    expect(patternProblem(5)).toBe('A pattern must be a string.')
    expect(problemOf('id__matches', 'a')).toEqual([
      '"matches" does not work on "id", which is of type integer. Operators: exact, ne, gt, gte, lt, lte, between, nbetween, in, nin, ins, nins, null, nnull.',
    ])
  })

  it('is translated into the syntax of Postgres and bound', () => {
    expect(where('name__matches', '^(?<year>\\d{4})\\b[a-z[:digit:]_]+?\\.x$')).toEqual({
      text: '"_row"."name" ~ $1::text',
      values: ['^(\\d{4})\\y[a-z[:digit:]_]+?\\.x$'],
    })
    expect(where('name__imatches', 'ä|b').text).toBe('"_row"."name" ~* $1::text')
    expect(readPattern('[]a\\]-]')).toBe('[]a\\]-]')
  })
})

describe('the elements of overlaps', () => {
  it('are rejected if they are objects or arrays', () => {
    expect(problemOf('tags__overlaps', 'a,[1]')).toEqual([
      '"[1]" cannot be compared with elements: these are texts, numbers, true, false and null.',
    ])
  })

  it('are read as JSON, or otherwise as text', () => {
    expect(where('tags__overlaps', 'red,5,true,null,"5"')).toEqual({
      text: '"_row"."tags" @> any ($1::jsonb[])',
      values: [['["red"]', '[5]', '[true]', '[null]', '["5"]']],
    })
  })
})

describe('a named date range', () => {
  const ranges =
    'Ranges: today, yesterday, tomorrow, this_week, last_week, this_month, last_month, this_year, last_year, last_7_days, 2026, 2026-Q1, 2026-05, 2026-W07, 2026-05-17; each also with a zone, for example today@Europe/Berlin.'
  it.each([
    ['soon', `"soon" is not a range of dates. ${ranges}`],
    ['', `"" is not a range of dates. ${ranges}`],
    ['2026-13', `"2026-13" is not a range of dates. ${ranges}`],
    ['2026-02-30', `"2026-02-30" is not a range of dates. ${ranges}`],
    ['2026-W54', `"2026-W54" is not a range of dates. ${ranges}`],
    ['2025-W53', `"2025-W53" is not a range of dates. ${ranges}`],
    ['2026-W00', `"2026-W00" is not a range of dates. ${ranges}`],
    ['2026-Q5', `"2026-Q5" is not a range of dates. ${ranges}`],
    ['0000', `"0000" is not a range of dates. ${ranges}`],
    ['last_0_days', `"last_0_days" is not a range of dates. ${ranges}`],
    [
      'today@Mars/Base',
      '"Mars/Base" is not a time zone. Write the name of a zone after the @, for example today@Europe/Berlin.',
    ],
    [
      '2026@CET',
      '"CET" is not a time zone. Write the name of a zone after the @, for example today@Europe/Berlin.',
    ],
    [
      'today@',
      '"" is not a time zone. Write the name of a zone after the @, for example today@Europe/Berlin.',
    ],
  ])('%s is rejected', (range, problem) => {
    expect(problemOf('made_at__within', range)).toEqual([problem])
    expect(problemOf('made_on__within', range)).toEqual([problem])
  })

  it('is half-open, and its ends are constants', () => {
    expect(where('made_at__within', '2026-05')).toEqual({
      text: '("_row"."made_at" >= lower($1::tstzrange) and "_row"."made_at" < upper($2::tstzrange))',
      values: Array(2).fill('[2026-05-01T00:00:00.000Z,2026-06-01T00:00:00.000Z)'),
    })
    expect(where('made_on__within', '2026-05@Asia/Tokyo').values[0]).toBe('[2026-05-01,2026-06-01)')
  })

  it.each([
    ['today', '[2026-11-01,2026-11-02)'],
    ['today@Asia/Tokyo', '[2026-11-02,2026-11-03)'],
    ['yesterday', '[2026-10-31,2026-11-01)'],
    ['tomorrow', '[2026-11-02,2026-11-03)'],
    ['this_week', '[2026-10-26,2026-11-02)'],
    ['last_week', '[2026-10-19,2026-10-26)'],
    ['this_month', '[2026-11-01,2026-12-01)'],
    ['last_month', '[2026-10-01,2026-11-01)'],
    ['this_year', '[2026-01-01,2027-01-01)'],
    ['last_year', '[2025-01-01,2026-01-01)'],
    ['last_7_days', '[2026-10-26,2026-11-02)'],
    ['last_1_day', '[2026-11-01,2026-11-02)'],
    ['9999', '[9999-01-01,10000-01-01)'],
    ['2026-Q4', '[2026-10-01,2027-01-01)'],
    ['2020-W53', '[2020-12-28,2021-01-04)'],
    ['2026-W01', '[2025-12-29,2026-01-05)'],
  ])('%s on a Sunday in November 2026 is %s', (range, days) => {
    vi.useFakeTimers({ now: Date.parse('2026-11-01T20:00:00Z') })
    expect(readDates(range)).toBe(days)
  })

  it.each([
    ['2026-03-29@Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z', '23 hours'],
    ['2026-10-25@Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z', '25 hours'],
    ['2018-11-04@America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z', 'no midnight'],
    ['2020-11-01@America/Havana', '2020-11-01T04:00:00.000Z', '2020-11-02T05:00:00.000Z', 'two midnights'],
    [
      '2011-12-30@Pacific/Apia',
      '2011-12-30T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      'a day that does not exist',
    ],
    [
      '2026-01-01@Asia/Kathmandu',
      '2025-12-31T18:15:00.000Z',
      '2026-01-01T18:15:00.000Z',
      'an offset with 45 minutes',
    ],
  ])('%s begins at %s and ends at %s: %s', (range, from, to) => {
    expect(readInstants(range)).toBe(`[${from},${to})`)
  })
})
