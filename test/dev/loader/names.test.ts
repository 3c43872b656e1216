/** Turns labels into names of fields and tables. */
import { describe, expect, it } from 'vitest'
import { chooseNames } from '../../../dev/loader/names.ts'

describe('the names of fields from a file', () => {
  it('stay the same if they are valid, and otherwise become words with underscores', () => {
    expect(
      chooseNames('field', ['id', 'firstName', 'Country Name', 'amount $', '2014', 'Größe', 'a__b']),
    ).toEqual(['id', 'firstName', 'country_name', 'amount', 'field_2014', 'groesse', 'a_b'])
  })

  it('are unique: the second of two gets a number, except if it is the name in the file', () => {
    expect(chooseNames('field', ['Full Name', 'full_name', 'full-name', '??', '!!'])).toEqual([
      'full_name_2',
      'full_name',
      'full_name_3',
      'field_4',
      'field_5',
    ])
  })

  it('are not the names of Postgres system columns', () => {
    expect(chooseNames('field', ['ctid', 'xmin'])).toEqual(['field_ctid', 'field_xmin'])
  })
})

describe('the names of tables from a file', () => {
  it('are in lower case, begin with a letter, and are not words in the paths of the API', () => {
    expect(chooseNames('table', ['Tour-Stops.v1', '2024 sales', 'stats', 'people'])).toEqual([
      'tour_stops_v1',
      'table_2024_sales',
      'table_stats',
      'people',
    ])
  })
})
