/** What the Worker of MongoDB tells of servers and collections. */

/** How far a collection is changed. */
export interface Altered {
  /** Whether documents are left that the time did not suffice for. The question is asked again. */
  isLeft: boolean
  /** Fields without a value in some document, and an index of which some values are repeated. */
  empty?: string[]
  repeated?: string
}

/** A collection of a database. */
export interface FoundCollection {
  name: string
  /** `collection`, `view` or `timeseries`. */
  kind: string
  /** Whether it was made for a table. */
  isOurs: boolean
  /** Null: the server does not say. */
  documents: number | null
  bytes: number | null
}

/** A member of sampled documents. */
export interface SampledMember {
  name: string
  /** How many values there are of each type of BSON, and the key of the first document with one. */
  types: Record<string, number>
  first: Record<string, string>
  /** The different texts; null: there are many. */
  texts: string[] | null
}

export interface SampledDocuments {
  documents: number
  members: SampledMember[]
}

/** What a check has found. */
export interface Checked {
  server: string
  transactions: boolean
  /** The actions that are needed and missing. */
  missing: string[]
  milliseconds: number
}
