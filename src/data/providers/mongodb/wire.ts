/**
 * What the Worker asks the Worker of MongoDB, as plain data: questions with the version of their form,
 * and their answers. Either Worker may be one release older than the other. docs/guide/mongodb.md.
 */

/**
 * The version of the form. A Worker that does not know it does not answer, and the client tries again.
 */
export const wireVersion = 1

/** How to reach a server. It is sent only when the object asks for it, because it has a password. */
export interface Connection {
  /** The connection string, with options of `connection-string.ts` alone. */
  url: string
  /** Whether servers with private addresses may be called. S8. */
  allowsPrivate: boolean
  /** The URL of the resolver that addresses are looked up with before they are connected to. */
  resolver: string
}

/** A field: its path in a document, and the type that its values are stored as. */
export interface FieldForm {
  name: string
  path: string
  /** The name of a type of `fieldTypes`. */
  type: string
}

/** A collection, as far as a question is about it. */
export interface CollectionForm {
  name: string
  fields: readonly FieldForm[]
  /** The names of the fields of the primary key. */
  key: readonly string[]
}

/** What the value of a field is compared with, or a property inside it. */
export interface OperandForm {
  path: string
  /** The type of the values that it is compared with, or as which a property is read. */
  type: string
  /** The names that lead to a property inside the field. Empty: the field itself. */
  inside: readonly string[]
}

/** A planned filter. */
export type PredicateForm =
  | { is: 'and' | 'or'; of: readonly PredicateForm[] }
  | { is: 'not'; of: PredicateForm }
  | { is: 'has value'; operand: OperandForm; wanted: boolean }
  | { is: 'true'; path: string; wanted: boolean }
  | { is: 'compared'; operand: OperandForm; by: string; values: readonly string[] }

/** A term of an order. */
export interface TermForm {
  operand: OperandForm
  descending: boolean
  nullable: boolean
  nullsFirst: boolean
}

/** A page of a list. */
export interface PageForm {
  where: PredicateForm
  order: readonly TermForm[]
  offset: number
  limit: number
  countOnly: boolean
  total: 'exact' | 'limited' | 'none'
  /** The most records that a limited total counts. */
  countedMax: number
  /** The fields to show, in their order. */
  shown: readonly FieldForm[]
  /** A page at a position. */
  seek?: { isBackward: boolean; values: readonly (string | null)[] | null }
  bytesMax: number
}

/** The default of a field that a new record omits. */
export interface DefaultForm {
  field: string
  /** A value as JSON, or where it comes from. */
  from: { json: string } | 'clock' | 'uuid' | 'number'
}

/** What every write is told of its collection. */
export interface WriteForm {
  collection: CollectionForm
  /** The JSON text of an array of records with the names of fields. */
  records: string
  defaults: readonly DefaultForm[]
  /** The names of the fields that the database sets itself. */
  createdAt: string | null
  updatedAt: string | null
  softDelete: string | null
  /** The highest number that a record of the body has as its key. */
  highest: string | null
  returnsRecords: boolean
  returnsKeys: boolean
  isDry: boolean
  bytesMax: number
}

/** Records that a filter selects. See `FilteredRecords`. */
export interface MatchForm {
  where: PredicateForm
  order: readonly TermForm[]
  limit: number | null
  expected: number | null
  isMeant: boolean
  rowsMax: number
  countMax: number
}

/** An index of a collection of ours. */
export interface IndexForm {
  name: string
  paths: readonly string[]
  unique: boolean
  /** Omitted: all records. */
  where?: PredicateForm
}

export type Ask =
  | { ask: 'check' }
  | { ask: 'make'; collection: CollectionForm; owner: string; required: string[]; indexes: IndexForm[] }
  | { ask: 'rename'; from: string; to: string; owner: string }
  | { ask: 'drop'; name: string; owner: string }
  | { ask: 'list'; collection: CollectionForm; page: PageForm }
  | { ask: 'one'; collection: CollectionForm; page: PageForm }
  | { ask: 'create'; write: WriteForm }
  | {
      ask: 'update'
      write: WriteForm
      /** The key of the path, a filter, or null: the keys of the records. */
      which: { key: readonly string[] } | { match: MatchForm } | null
      includeDeleted: boolean
      versions: readonly string[] | null
      whole: boolean
    }
  | {
      ask: 'upsert'
      write: WriteForm
      unique: readonly string[]
      needed: readonly string[]
      includeDeleted: boolean
    }
  | {
      ask: 'delete'
      write: WriteForm
      which: { keys: readonly (readonly string[])[] } | { match: MatchForm }
      hard: boolean
      versions: readonly string[] | null
    }

export type Question = Ask & { version: number; database: string; connection?: Connection }

/** What a check has found. */
export interface Checked {
  server: string
  transactions: boolean
  /** The actions that are needed and missing. */
  missing: string[]
  milliseconds: number
}

/** The answer of a list. See `ListRow`. */
export interface ListedRow {
  data: string
  found: number | null
  counted: { total: number | null; is: 'exact' | 'estimated' | 'more' } | null
  ends: readonly [first: (string | null)[] | null, last: (string | null)[] | null]
  /** The version of the first record. */
  etag: string | null
}

/** The answer of one record. Its data are empty if there is none. */
interface FoundRow {
  data: string
  etag: string
}

/** The answer of a write. See `WrittenRecords`, `UpsertedRecords` and `WriteConflicts`. */
export interface WroteRow {
  data: string | null
  etag: string | null
  ids: string | null
  written: number
  created: number
  conflicts?: Record<string, unknown>
}

/** Why a question has no answer. */
export interface Failed {
  failed:
    | 'other version'
    | 'not connected'
    | 'unreachable'
    | 'refused'
    | 'too slow'
    | 'too busy'
    | 'answer too large'
    | 'needs transactions'
    | 'not ours'
  /** A sentence for people. It has no part of the connection string. */
  reason: string
}

/** The answer of each kind of question. */
export interface Answers {
  check: Checked
  make: Record<never, never>
  rename: Record<never, never>
  drop: Record<never, never>
  list: ListedRow
  one: FoundRow
  create: WroteRow
  update: WroteRow
  upsert: WroteRow
  delete: WroteRow
}

/** The Worker of MongoDB, as it is bound. */
export interface MongodbService {
  /** `object`: the name of the object that asks. `near`: a location hint of Cloudflare. */
  answer(object: string, near: string | null, question: Question): Promise<Answers[Ask['ask']] | Failed>
}
