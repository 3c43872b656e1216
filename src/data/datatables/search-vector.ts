/** What of a record is searched: the fields of `search_fields`, and those of the type `search_vector`. D6. */
import { identifier, join, literal, type Sql, sql } from '../../db/sql.ts'
import type { SearchField, TableSchema } from './schema-form.ts'

/** The column that has it. No field's name begins with an underscore. */
export const searchColumn = ({ fields }: TableSchema): Sql => identifier(fields.some(({ name }) => name === plainName) ? `_${plainName}` : plainName)
const plainName = 'search_vector'

/** The fields that are searched, in the order of the schema. What a client writes for the search alone counts most. */
export const searchedFields = ({ fields, search_fields: said = [] }: TableSchema): SearchField[] => [
  ...fields.filter(({ type }) => type === plainName).map(({ name }) => ({ field: name, weight: 'A' as const })),
  ...said.filter(({ field }) => fields.find(({ name }) => name === field)?.type !== plainName),
]

/** As an expression of fields; undefined where a schema has no search. */
export function searchVector(schema: TableSchema, columnOf: (field: string) => Sql): Sql | undefined {
  const { search_language: language = 'english' } = schema
  const parts = searchedFields(schema).map(
    ({ field, weight }) => sql`setweight(to_tsvector(${literal(language)}::regconfig, coalesce(${columnOf(field)}, '')), ${literal(weight)})`,
  )
  return parts.length > 0 ? join(parts, sql` || `) : undefined
}
