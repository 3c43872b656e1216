/** The fields of an index in the console's editor of tables. */
import { describe, expect, it } from 'vitest'
import { isInField } from '../../../../console/src/pages/schema/is-in-field.ts'

describe('a name in an index', () => {
  const fields = ['o', 'o__p', 'op']

  it.each(['o', 'o.a::number', 'o__"a b"::number', '"o"."x"', "o->'x'", 'o__q', 'o::text'])(
    'belongs to its field in every spelling: %s',
    (name) => {
      expect(fields.filter((field) => isInField(name, field, fields))).toEqual(['o'])
    },
  )

  it.each([
    ['o__p.a::number', ['o__p']],
    ['op.o', ['op']],
    ['other', []],
  ])('belongs to no field whose name only begins in the same way: %s', (name, of) => {
    expect(fields.filter((field) => isInField(name, field, fields))).toEqual(of)
  })
})
