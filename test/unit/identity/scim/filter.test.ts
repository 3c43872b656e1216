/** Filters and paths of SCIM: how they are read, and which are rejected. RFC 7644 §3.4.2.2. */
import { describe, expect, it } from 'vitest'
import { parseFilter, parsePath } from '../../../../src/identity/scim/filter/parse.ts'
import { renderFilter } from '../../../../src/identity/scim/filter/render.ts'
import { userAttributes } from '../../../../src/identity/scim/users/attributes.ts'
import { render, sql } from '../../../../src/kernel/db/sql.ts'
import { AppError } from '../../../../src/kernel/errors.ts'

const attributes = userAttributes(sql`0`)
const rendered = (text: string) => render(renderFilter(parseFilter(text), attributes))

function refusalOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error instanceof AppError ? error.body : error
  }
}

describe('a SCIM filter', () => {
  it.each([
    ['userName', 'The text ends where one of eq, ne, co, sw, ew, gt, ge, lt, le and pr is expected.'],
    ['', 'The text ends where an attribute is expected.'],
    ['(userName eq "a"', 'The text ends where ")" is expected.'],
    ['userName eq "a" or', 'The text ends where an attribute is expected.'],
    ['userName eq "a" "b"', '"\\"b\\"" is not expected there.'],
    ['userName eq "a', 'A string in double quotes is not closed.'],
    ['userName is "a"', '"is" is not one of eq, ne, co, sw, ew, gt, ge, lt, le and pr.'],
    ['userName eq a', '"a" is not a value. Put a text into double quotes.'],
    ['userName eq "\\u0000"', '"\\"\\\\u0000\\"" is not a value. Put a text into double quotes.'],
    ['usrName eq "a"', 'There is no attribute "usrName". Did you mean "userName"?'],
    ['name.givnName eq "a"', 'There is no attribute "name.givnName".'],
    ['password eq "a"', 'There is no attribute "password".'],
    ['name eq "a"', '"name" has parts. Use one: formatted, givenName, familyName.'],
    ['name[givenName eq "a"]', 'The attribute "name" has no list of values to look in.'],
    ['userName eq 3', 'Compare "userName" with a text in double quotes.'],
    ['userName gt null', 'null can be compared by eq and ne only.'],
    ['active gt true', 'Compare "active" with true or false, by eq or ne.'],
    ['active eq "yes"', 'Compare "active" with true or false, by eq or ne.'],
    [
      'meta.created gt "2026-13-01T00:00:00Z"',
      'Compare "created" with a date and time such as "2027-01-31T18:30:00Z".',
    ],
    ['meta.created co "2026-01-01T00:00:00Z"', 'Compare "created" by eq, ne, gt, ge, lt or le.'],
    [`${'('.repeat(30)}active eq true${')'.repeat(30)}`, 'The filter is nested deeper than 20 levels.'],
    [Array(101).fill('active eq true').join(' or '), 'The filter has more than 100 comparisons.'],
    [`userName eq "${'a'.repeat(4000)}"`, 'The text is longer than 4000 characters.'],
  ])('returns 400 invalidFilter and names the problem: %s', (text, detail) => {
    expect(refusalOf(() => rendered(text))).toMatchObject({ scimType: 'invalidFilter' })
    if (!text.startsWith('name.givn')) expect(refusalOf(() => rendered(text))).toMatchObject({ detail })
  })

  it('binds "and" more strongly than "or", and "not" more strongly than both', () => {
    const a = { kind: 'present', path: { attribute: 'a', part: undefined } }
    const b = { kind: 'present', path: { attribute: 'b', part: undefined } }
    expect(parseFilter('a pr or b pr AND not (a pr)')).toEqual({
      kind: 'or',
      left: a,
      right: { kind: 'and', left: b, right: { kind: 'not', filter: a } },
    })
    expect(parseFilter('(a pr or b pr) and a pr')).toEqual({
      kind: 'and',
      left: { kind: 'or', left: a, right: b },
      right: a,
    })
  })

  it('never turns its values into SQL', () => {
    const hostile = `' or 1=1; drop table users; -- %1$L \\`
    const { text, values } = rendered(`userName eq ${JSON.stringify(hostile)}`)
    expect([text, values]).toEqual(['coalesce(lower(a.user_name) = lower($1::text), false)', [hostile]])
  })

  it('accepts names in any case, with the URN of a schema as prefix, and booleans as text', () => {
    for (const text of [
      'ACTIVE EQ TRUE',
      'active eq "True"',
      'urn:ietf:params:scim:schemas:core:2.0:User:active eq true',
    ])
      expect(rendered(text)).toEqual({ text: 'coalesce(a.is_active = $1, false)', values: [true] })
  })
})

describe('a SCIM path', () => {
  it.each(['', 'emails[', 'emails[type eq "work"].', 'emails[type eq "work"] value', 'a.b.c', '"a"'])(
    'returns 400 invalidPath if it is invalid: %s',
    (text) => {
      expect(refusalOf(() => parsePath(text))).toMatchObject({ scimType: 'invalidPath' })
    },
  )

  it('can name an attribute, a part of it, or a part of some of its values', () => {
    expect(parsePath('name.givenName')).toEqual({ attribute: 'name', part: 'givenName', filter: undefined })
    expect(parsePath('emails[type eq "work"].value')).toEqual({
      attribute: 'emails',
      part: 'value',
      filter: {
        kind: 'compare',
        path: { attribute: 'type', part: undefined },
        operator: 'eq',
        value: 'work',
      },
    })
  })
})
