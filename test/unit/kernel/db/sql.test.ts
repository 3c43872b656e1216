/** SQL fragments: bound values, quoted identifiers and constants. */
import { describe, expect, it } from 'vitest'
import {
  emptySql,
  identifier,
  join,
  literal,
  render,
  renderText,
  sql,
  withInlineValues,
} from '../../../../src/kernel/db/sql.ts'

describe('a fragment of SQL', () => {
  it('rejects undefined, which would otherwise disappear from the text', () => {
    expect(() => sql`select ${undefined as never}`).toThrow('undefined is not an SQL value')
  })

  it('binds every value, numbered across nested fragments', () => {
    const inner = sql`b = ${2} and ${sql`c = ${'three'}`}`
    expect(render(sql`select ${1} where ${inner} limit ${4}`)).toEqual({
      text: 'select $1 where b = $2 and c = $3 limit $4',
      values: [1, 2, 'three', 4],
    })
  })

  it('never turns a value into text', () => {
    const hostile = `'; drop table x; --`
    expect(render(sql`select ${hostile}`)).toEqual({ text: 'select $1', values: [hostile] })
  })

  it('joins fragments with a separator', () => {
    expect(render(join([sql`a`, sql`${1}`, sql`c`], sql` + `))).toEqual({ text: 'a + $1 + c', values: [1] })
    expect(join([])).toBe(emptySql)
  })
})

describe('an identifier', () => {
  it.each(['', 'a\0b', 'a\ud800', 'x'.repeat(64), 'ä'.repeat(32)])(
    'refuses %j, which Postgres would not keep as it is',
    (name) => {
      expect(() => identifier(name)).toThrow('Not an identifier')
    },
  )

  it('is quoted, with its quotes doubled', () => {
    expect(renderText(identifier('a"; drop table b; --'))).toBe('"a""; drop table b; --"')
    expect(renderText(identifier('x'.repeat(63)))).toBe(`"${'x'.repeat(63)}"`)
  })
})

describe('a constant of DDL', () => {
  it.each(['a\0b', '\ud800'])('rejects %j, which Postgres cannot store', (text) => {
    expect(() => literal(text)).toThrow('Not a string that Postgres can store')
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('rejects %s', (number) => {
    expect(() => literal(number)).toThrow('Not a finite number')
  })

  it.each([
    ["it's", "'it''s'"],
    ['back\\slash', "E'back\\\\slash'"],
    ["\\'; drop table x; --", "E'\\\\''; drop table x; --'"],
    [-1, '(-1)'],
    [1.5, '1.5'],
    [true, 'true'],
    [null, 'null'],
  ])('writes %j as %s', (value, text) => {
    expect(renderText(literal(value))).toBe(text)
  })

  it('replaces bound values in conditions of DDL', () => {
    expect(
      renderText(withInlineValues(sql`a = ${"o'clock"}::text and b = any (${['x', 'y']}::text[])`)),
    ).toBe("a = 'o''clock'::text and b = any (array['x', 'y']::text[])")
    expect(() => renderText(sql`a = ${1}`)).toThrow('DDL takes no parameters')
  })
})
