/** What of a record is searched. D6. */
import { join, literal, type Sql, sql } from '../../db/sql.ts'
import type { TableSchema } from './table-schema.ts'

/** As an expression of its fields; undefined where a schema has no search. */
export function searchVector(
  { search_fields: searched, search_language: language = 'english' }: TableSchema,
  columnOf: (field: string) => Sql,
): Sql | undefined {
  const parts = searched?.map(
    ({ field, weight }) => sql`setweight(to_tsvector(${literal(language)}::regconfig, coalesce(${columnOf(field)}, '')), ${literal(weight)})`,
  )
  return parts && join(parts, sql` || `)
}
