/** The objects of a table's search: the vectors of stems and of words. D6. */
import { sql } from '../../../kernel/db/sql.ts'
import { constraintNames } from '../../model/names.ts'
import { searchColumn, searchedFields, searchVector, wordVector } from '../../model/search-vector.ts'
import type { Table } from '../../model/table.ts'
import { columnOf } from './fields.ts'
import type { TableObject } from './objects.ts'

/**
 * Returns the generated column of the search with its index, and the index of its words, if the schema has a
 * search. D6.
 */
export function searchOf(table: Table): TableObject[] {
  const vector = searchVector(table.schema, (field) => columnOf(table, field))
  const words = wordVector(table.schema, (field) => columnOf(table, field))
  if (!vector || !words) return []
  const names = constraintNames(table.physicalName)
  const fields = searchedFields(table.schema).map(({ field }) => field)
  return [
    {
      kind: 'index',
      name: names.wordsIndex,
      title: 'the index of searched words',
      fields,
      definition: sql`using gin ((${words}))`,
      isOfSearch: true,
    },
    {
      kind: 'search',
      name: names.searchIndex,
      title: 'the search',
      fields,
      isOfSearch: true,
      definition: sql`${searchColumn(table.schema)} tsvector generated always as (${vector}) stored`,
    },
  ]
}
