/** The types of fields, and which constraints each can have. docs/guide/apps-and-tables.md#field-types. */

const ordered = ['minimum', 'maximum'] as const
const lengths = ['minLength', 'maxLength'] as const
const equal = ['unique', 'enum'] as const

/** A constraint that has an input. Every type has `required`. */
export type Bound = (typeof ordered)[number] | (typeof lengths)[number] | (typeof equal)[number] | 'pattern'

/** The types with their constraints. */
const bounds: Readonly<Record<string, readonly Bound[]>> = {
  string: ['unique', ...lengths, 'pattern', 'enum'],
  integer: [...equal, ...ordered],
  number: [...equal, ...ordered],
  boolean: [],
  date: [...equal, ...ordered],
  time: [...equal, ...ordered],
  datetime: [...equal, ...ordered],
  uuid: equal,
  object: lengths,
  array: lengths,
  year: [...equal, ...ordered],
  yearmonth: [...equal, ...ordered],
  duration: ordered,
  geopoint: [],
  geojson: [],
  list: lengths,
  any: [],
}

export const typeNames: readonly string[] = Object.keys(bounds)

/** The types whose values are numbers. */
export const numericTypes = new Set(['integer', 'number', 'year'])
/** The types whose values are, or can be, JSON. */
export const jsonTypes = new Set(['object', 'array', 'any', 'geojson', 'geopoint', 'list'])

/** Returns the constraints of a type. */
export const boundsOf = (type: string): readonly Bound[] => bounds[type] ?? []

export const textFormats = ['email', 'uri', 'uuid', 'binary', 'date', 'datetime'] as const

/** The languages of searches, by their names in Postgres. */
// biome-ignore format: a list of names
export const searchLanguages = [
  'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german',
  'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian',
  'portuguese', 'romanian', 'russian', 'serbian', 'simple', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish',
] as const

/** The methods of indexes. docs/guide/apps-and-tables.md#indexes. */
export const indexMethods = ['btree', 'hash', 'brin', 'gin', 'trigram'] as const
