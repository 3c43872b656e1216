/** Filters of MongoDB: each operator has a comparison there. One that lacks it would find nothing. */
import { describe, expect, it } from 'vitest'
import { renderPredicate } from '../../../mongodb/src/render-predicate.ts'
import { type FieldType, fieldTypes } from '../../../src/data/model/field-types.ts'
import { operators, positiveOf } from '../../../src/data/query/operators.ts'

const nothing = renderPredicate({ is: 'or', of: [] })

const comparisons = [...operators].flatMap(([name, { example }]) => {
  const operator = positiveOf(name)
  if (operator.takes === 'flag') return []
  const form = operator.forms.find(({ on }) => on(fieldTypes.get(example.type) as FieldType))
  const given = operator.takes === 'one' ? [example.value] : example.value.split(',')
  const values = given.map((value) => form?.as?.read(value, false) ?? value)
  return [{ name, type: example.type, by: String(form?.means), values }]
})

const compare = (by: string, type: string, values: readonly string[], inside: readonly string[] = []) =>
  renderPredicate({ is: 'compared', operand: { path: 'a', type, inside }, by, values })

describe('a filter of a table in MongoDB', () => {
  it.each(comparisons)('has the comparison of $name, of a field and of a property', (row) => {
    const typeInside = ['array', 'object'].includes(row.type) ? 'json' : row.type
    expect(compare(row.by, row.type, row.values)).not.toEqual(nothing)
    expect(compare(row.by, typeInside, row.values, ['inner'])).not.toEqual(nothing)
  })

  it('finds nothing by a comparison that it does not have', () => {
    expect(compare('unknown', 'string', ['a'])).toEqual(nothing)
  })
})
