/**
 * The full-text search of a table: the fields of `search_fields`, and fields of the type `search_vector`. D6.
 */
import { identifier, join, literal, type Sql, sql } from '../../db/sql.ts'
import type { SearchField, TableSchema } from './schema-form.ts'

/**
 * Returns the column of the search vector. Its name begins with an underscore if a field has the plain name.
 */
export const searchColumn = ({ fields }: TableSchema): Sql =>
  identifier(fields.some(({ name }) => name === plainName) ? `_${plainName}` : plainName)

/** The name of the column, and of the type of fields that are written only to be searched. */
const plainName = 'search_vector'

/**
 * Returns the fields that are searched, in the order of the schema. Fields of the type `search_vector` weigh
 * most.
 */
export const searchedFields = ({ fields, search_fields: declared = [] }: TableSchema): SearchField[] => [
  ...fields
    .filter(({ type }) => type === plainName)
    .map(({ name }) => ({ field: name, weight: 'A' as const })),
  ...declared.filter(({ field }) => fields.find(({ name }) => name === field)?.type !== plainName),
]

/**
 * Returns the search vector as an expression of fields; undefined if the schema has no search. `language` is
 * by default that of the schema.
 */
export function searchVector(
  schema: TableSchema,
  columnOf: (field: string) => Sql,
  language = literal(schema.search_language ?? 'english'),
): Sql | undefined {
  const parts = searchedFields(schema).map(({ field, weight }) => {
    const vector = sql`to_tsvector(${language}::regconfig, coalesce(${columnOf(field)}, ''))`
    return sql`setweight(${vector}, ${literal(weight)})`
  })
  return parts.length > 0 ? join(parts, sql` || `) : undefined
}
