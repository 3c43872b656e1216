/** Finds the problems of computed fields. Their expressions are planned elsewhere. D19. */
import type { FieldSchema, ForeignKeySchema, SearchField } from './schema-form.ts'
import { typeOf } from './types.ts'

/** The parts of a schema that cannot have a computed field. */
interface Schema {
  fields: readonly FieldSchema[]
  primaryKey?: readonly string[] | undefined
  foreignKeys?: readonly (ForeignKeySchema | undefined)[] | undefined
  search_fields?: readonly (SearchField | undefined)[] | undefined
}

/** Fields that the service itself writes. */
const written: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'is_deleted'])

/** The reasons for which a field cannot be computed: one row each. */
const reasons: readonly [text: string, applies: (field: FieldSchema, schema: Schema) => boolean][] = [
  ['a computed field has no default', (field) => field.default !== undefined],
  [
    'a field of this type cannot be computed: its values cannot be compared',
    (field) => !typeOf(field).comparable,
  ],
  ['a field that is searched cannot be computed', (field) => field.type === 'search_vector'],
  ['a field of this name is written by the service', ({ name }) => written.has(name)],
  ['the primary key cannot be computed', ({ name }, { primaryKey = [] }) => primaryKey.includes(name)],
  [
    'the field of a foreign key cannot be computed',
    ({ name }, { foreignKeys = [] }) => foreignKeys.some((key) => key?.fields.includes(name)),
  ],
  [
    'a field of search_fields cannot be computed: search the fields that it is computed from',
    ({ name }, { search_fields = [] }) => search_fields.some((searched) => searched?.field === name),
  ],
]

/** Returns all problems, each with its place before it. `placeOf` returns what messages call a field. */
export const generatedProblems = (schema: Schema, placeOf: (field: FieldSchema) => string): string[] =>
  schema.fields
    .filter(({ generated }) => generated !== undefined)
    .flatMap((field) =>
      reasons
        .filter(([, applies]) => applies(field, schema))
        .map(([text]) => `${placeOf(field)}.generated: ${text}`),
    )
