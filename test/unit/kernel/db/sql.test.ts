/** SQL fragments: bound values, quoted identifiers and constants. */
import { describe, expect, it } from 'vitest'
import { renderAll } from '../../../../src/kernel/db/run.ts'
import {
  emptySql,
  identifier,
  join,
  literal,
  OwnSchema,
  render,
  renderTemplate,
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

describe('a statement that is sent to several sites', () => {
  const place = sql`${new OwnSchema()}.${identifier('visits')}`
  const counted: (string | null | OwnSchema)[] = []
  const inner = renderTemplate(sql`select from ${place} where a = ${1}`, counted, null, new OwnSchema())
  const statement = sql`select count(${inner}, ${counted}) from ${place} where b = ${2}`

  it('has the same text for each, in which Postgres quotes the name of the schema', () => {
    const rendered = [`site_7`, 'site_"9'].map((own) => renderAll([statement], own))
    const templates = rendered[0]?.templates
    expect(templates).toEqual(['rselect count(%1$L, %2$L) from %3$I."visits" where b = %4$L'])
    expect(rendered.map(({ templates, values }) => [templates, values])).toEqual([
      [templates, ['select from %1$I."visits" where a = %2$L', '{"site_7","1"}', 'site_7', '2']],
      [templates, ['select from %1$I."visits" where a = %2$L', '{"site_\\"9","1"}', 'site_"9', '2']],
    ])
  })

  it('is refused where it is sent to one site, is a parameter, or DDL', () => {
    expect(() => renderAll([statement])).toThrow('sent to no site of several')
    expect(() => renderAll([sql`select ${counted}`])).toThrow('sent to no site of several')
    expect(() => render(place)).toThrow('cannot be the name of a schema')
    expect(() => renderText(withInlineValues(place))).toThrow('DDL takes no parameters')
  })
})
