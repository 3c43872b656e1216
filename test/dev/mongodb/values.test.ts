/** Values of fields as BSON. */
import { describe, expect, it } from 'vitest'
import { encoders } from '../../../mongodb/src/values.ts'
import { fieldTypes } from '../../../src/data/model/field-types.ts'

describe('a type of fields with a column of its own', () => {
  it('has a form in BSON, without which its values would be compared as texts', () => {
    expect([...fieldTypes.keys()].filter((name) => !Object.hasOwn(encoders, name))).toEqual([])
  })
})
