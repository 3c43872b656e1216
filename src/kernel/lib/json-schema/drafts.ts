/** The supported drafts of JSON Schema: one row each, by the URI in `$schema`. */

export interface Draft {
  /** The number of an old draft, or the year of a newer one. Greater for later drafts. */
  readonly age: 4 | 6 | 7 | 2019 | 2020
  /** Whether `format` rejects values. Since 2019-09, the standard treats it as an annotation. */
  readonly checksFormats: boolean
}

const newest: Draft = { age: 2020, checksFormats: false }

/** The drafts by their URIs, without scheme and empty fragment. */
const drafts: ReadonlyMap<string, Draft> = new Map<string, Draft>([
  ['json-schema.org/draft-04/schema', { age: 4, checksFormats: true }],
  ['json-schema.org/draft-06/schema', { age: 6, checksFormats: true }],
  ['json-schema.org/draft-07/schema', { age: 7, checksFormats: true }],
  ['json-schema.org/draft/2019-09/schema', { age: 2019, checksFormats: false }],
  ['json-schema.org/draft/2020-12/schema', newest],
])

/** The draft of a schema without `$schema`. The standard does not define which draft it has. */
export const unnamedDraft: Draft = { ...newest, checksFormats: true }

/** Returns the draft with this URI; undefined if there is none. */
export const draftAt = (uri: string): Draft | undefined =>
  drafts.get(uri.replace(/^https?:\/\//, '').replace(/#$/, ''))

/** The problem of an unknown `$schema`. */
export const draftProblem =
  'must be the URI of draft 04, 06, 07, 2019-09 or 2020-12, ' +
  'for example "https://json-schema.org/draft/2020-12/schema"'
