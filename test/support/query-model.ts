/** A model of the rows and queries of the collection: the meaning of a query, before it is written. */
type Cell = unknown
export type Row = Readonly<Record<string, Cell>>
export type Rows = Readonly<Record<string, readonly Row[]>>

/** A term of a search: its text, and its meaning as a word, a prefix, or a phrase. */
export interface Term {
  text: string
  words: readonly string[]
  isPrefix: boolean
  isExcluded: boolean
}

export interface Leaf {
  /** The alternatives of a search, each with its terms. */
  terms?: readonly (readonly Term[])[]
  /** Relationships, as they are written. */
  path: readonly string[]
  /** Empty: the relationship itself. */
  field: string
  property: readonly string[]
  operator: string
  /** Texts for the query string, one for each repetition, or one JSON value. */
  values: readonly unknown[]
  json: boolean
}
export type Node =
  | { leaf: Leaf }
  | { and: readonly Node[] }
  | { or: readonly Node[] }
  | { not: Node }
  | Together

/** Conditions that one related record meets together, or none. */
interface Together {
  path: readonly string[]
  node: Node
  isNone: boolean
}

export interface Sort {
  path: readonly string[]
  field: string
  /** Names inside the JSON of the field, and the type of the property. */
  property?: { path: readonly string[]; type: string } | undefined
  descending: boolean
  /** The place of records without a value, as it is written. */
  nulls?: 'first' | 'last' | undefined
}

/** A field to show or to exclude. */
export interface Shown {
  path: readonly string[]
  field: string
  excluded: boolean
}

/** A query of the records of one relationship. */
export interface Asked {
  name: string
  tree: Node | undefined
  sort: readonly Sort[]
  limit: number | undefined
  offset: number
  count: boolean
}

/** A computed value of each record. */
export interface Annotated {
  /** Ends with the type of the values: `c0_integer`. */
  name: string
  /** Relationships to the aggregated records, the last one to many. Empty: the record itself. */
  scope: readonly string[]
  /** Relationships from there, each to one. */
  path: readonly string[]
  /** Undefined: counts the records. */
  field: string | undefined
  fieldType: string
  /** An aggregate function, or a function of a single value. */
  of: string
  distinct: boolean
  /** A condition on the field. */
  filter: 'is null' | 'is not null' | undefined
}

export interface Query {
  table: string
  annotations: readonly Annotated[]
  /** Fields whose combinations of values appear only once. */
  distinct: readonly Pick<Sort, 'path' | 'field' | 'property'>[]
  populate: readonly Asked[]
  fields: readonly Shown[]
  filters: readonly Leaf[]
  tree: Node | undefined
  sort: readonly Sort[]
  offset: number
  limit: number
  way: 'page' | 'limit' | '_start'
  /** The kind of the total. */
  total: 'exact' | 'estimated' | 'none' | undefined
  deleted: 'excluded' | 'included' | 'only'
  /** The language of searches. Both languages treat these words in the same way. */
  language: 'simple' | 'english' | undefined
}

/** Fields by table, with their types. */
export const types: Record<string, Record<string, string>> = {
  cities: { id: 'integer', name: 'string', population: 'integer' },
  artists: {
    id: 'integer',
    name: 'string',
    born: 'date',
    city_id: 'integer',
    mentor: 'integer',
    is_deleted: 'boolean',
  },
  works: {
    id: 'integer',
    title: 'string',
    price: 'number',
    year: 'integer',
    sold: 'boolean',
    made_at: 'datetime',
    hour: 'time',
    code: 'uuid',
    about: 'object',
    tags: 'array',
    artist_id: 'integer',
    restorer_id: 'integer',
    is_deleted: 'boolean',
  },
  shows: { id: 'integer', name: 'string', city_id: 'integer', opens: 'date', closes: 'date' },
  hangings: { show_id: 'integer', work_id: 'integer', wall: 'string', is_deleted: 'boolean' },
}
