/**
 * The full-text search of a table: the fields of `search_fields`, and fields of the type `search_vector`. D6.
 */
import { identifier, join, literal, type Sql, sql } from '../../kernel/db/sql.ts'
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
  return weighted(
    schema,
    (field) => sql`to_tsvector(${language}::regconfig, coalesce(${columnOf(field)}, ''))`,
  )
}

/**
 * Returns the vector of the words themselves, as an expression of fields; undefined if the schema has no
 * search. Stems do not begin like their words: `runn` is the beginning of `running`, whose stem is `run`.
 * Punctuation separates words, so that Postgres does not take an address or a number for one word.
 */
export const wordVector = (schema: TableSchema, columnOf: (field: string) => Sql): Sql | undefined =>
  weighted(schema, (field) => {
    const text = sql`translate(coalesce(${columnOf(field)}, ''), ${literal(punctuation)}, ${literal(blanks)})`
    return sql`to_tsvector('simple'::regconfig, ${text})`
  })

/** The signs of ASCII that are neither letters nor digits. */
export const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const blanks = ' '.repeat(punctuation.length)

function weighted(schema: TableSchema, vectorOf: (field: string) => Sql): Sql | undefined {
  const parts = searchedFields(schema).map(
    ({ field, weight }) => sql`setweight(${vectorOf(field)}, ${literal(weight)})`,
  )
  return parts.length > 0 ? join(parts, sql` || `) : undefined
}
