/** The drafts of JSON Schema that are understood: one row each, by the `$schema` that names it. */
export interface Draft {
  /** The number of an old draft, the year of a newer one: a later draft has a greater one. */
  readonly age: 4 | 6 | 7 | 2019 | 2020
  /** Whether `format` refuses values. Otherwise it describes them, as the standard has it since 2019-09. */
  readonly checksFormats: boolean
}

const newest: Draft = { age: 2020, checksFormats: false }

/** Without `http://`, `https://` and an empty fragment. */
const drafts: ReadonlyMap<string, Draft> = new Map<string, Draft>([
  ['json-schema.org/draft-04/schema', { age: 4, checksFormats: true }],
  ['json-schema.org/draft-06/schema', { age: 6, checksFormats: true }],
  ['json-schema.org/draft-07/schema', { age: 7, checksFormats: true }],
  ['json-schema.org/draft/2019-09/schema', { age: 2019, checksFormats: false }],
  ['json-schema.org/draft/2020-12/schema', newest],
])

/** A schema that names no draft. The standard leaves open what it means. */
export const unnamedDraft: Draft = { ...newest, checksFormats: true }

/** The draft whose own schema has this address; undefined when there is none. */
export const draftAt = (uri: string): Draft | undefined => drafts.get(uri.replace(/^https?:\/\//, '').replace(/#$/, ''))

export const draftProblem =
  'must be the address of the draft 04, 06, 07, 2019-09 or 2020-12, for example "https://json-schema.org/draft/2020-12/schema"'
