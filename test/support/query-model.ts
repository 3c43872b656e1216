/** Rows of the collection and queries of them, as a model: what is meant, before it is written. */
type Cell = unknown
export type Row = Readonly<Record<string, Cell>>
export type Rows = Readonly<Record<string, readonly Row[]>>

/** A term of a search, as it is written, and what it means: a word, a beginning, or words in their order. */
export interface Term {
  text: string
  words: readonly string[]
  isPrefix: boolean
  isExcluded: boolean
}

export interface Leaf {
  /** The alternatives of a search, each of which has terms. */
  terms?: readonly (readonly Term[])[]
  /** Relationships, as they are written. */
  path: readonly string[]
  field: string
  property: readonly string[]
  operator: string
  /** Texts of the query string, one for each time that it is sent, or one value of JSON. */
  values: readonly unknown[]
  json: boolean
}
export type Node = { leaf: Leaf } | { and: readonly Node[] } | { or: readonly Node[] } | { not: Node }

export interface Sort {
  path: readonly string[]
  field: string
  /** Names inside the field's JSON, and the type that the property is read as. */
  property?: { path: readonly string[]; type: string } | undefined
  descending: boolean
  /** Where records without a value are; as it is written. */
  nulls?: 'first' | 'last' | undefined
}

/** A field that is to be shown, or to be left out. */
export interface Shown {
  path: readonly string[]
  field: string
  excluded: boolean
}

/** What is asked of the records of one relationship. */
export interface Asked {
  name: string
  tree: Node | undefined
  sort: readonly Sort[]
  limit: number | undefined
  offset: number
  count: boolean
}

/** What is computed for each record. */
export interface Annotated {
  /** Ends with the type of the values: `c0_integer`. */
  name: string
  /** Relationships to aggregated records, the last one to many. Empty: the record itself. */
  scope: readonly string[]
  /** Relationships, each to one, from there. */
  path: readonly string[]
  /** Undefined: the records are counted. */
  field: string | undefined
  fieldType: string
  /** An aggregate function, or one of a single value. */
  of: string
  distinct: boolean
  /** Only where the field has this. */
  filter: 'is null' | 'is not null' | undefined
}

export interface Query {
  table: string
  annotations: readonly Annotated[]
  /** Fields of which each combination of values is there once. */
  distinct: readonly { path: readonly string[]; field: string }[]
  populate: readonly Asked[]
  fields: readonly Shown[]
  filters: readonly Leaf[]
  tree: Node | undefined
  sort: readonly Sort[]
  offset: number
  limit: number
  way: 'page' | 'limit' | '_start'
  /** What is said of the total. */
  total: 'exact' | 'estimated' | 'none' | undefined
  deleted: 'excluded' | 'included' | 'only'
  /** The language of searches. Both know the same words here. */
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
  shows: { id: 'integer', name: 'string', city_id: 'integer' },
  hangings: { show_id: 'integer', work_id: 'integer', wall: 'string', is_deleted: 'boolean' },
}
