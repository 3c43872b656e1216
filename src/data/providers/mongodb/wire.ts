/**
 * What the Worker asks the Worker of MongoDB, as plain data: questions with the version of their form,
 * and their answers. Either Worker may be one release older than the other. docs/guide/mongodb.md.
 */

import type { FieldSchema } from '../../model/schema-form.ts'
import type { Altered, Checked, FoundCollection, SampledDocuments } from './collection-forms.ts'
import type { CollectionForm, GroupForm, PageForm, PairForm, PredicateForm, TermForm } from './read-forms.ts'
import type { FoundRow, ListedRow, NotesRow, WroteRow } from './wire-rows.ts'

/**
 * The version of the form. A Worker that does not know it does not answer, and the client tries again.
 */
export const wireVersion = 4

/** How to reach a server. It is sent only when the object asks for it, because it has a password. */
export interface Connection {
  /** The connection string, with options of `connection-string.ts` alone. */
  url: string
  /** Whether servers with private addresses may be called. S8. */
  allowsPrivate: boolean
  /** The URL of the resolver that addresses are looked up with before they are connected to. */
  resolver: string
}

/** The default of a field that a new record omits. */
export interface DefaultForm {
  field: string
  /** A value as JSON, or where it comes from. */
  from: { json: string } | 'clock' | 'uuid' | 'number' | 'object id'
}

/** A foreign key from the records of a collection to those of another. */
export interface KeyForm {
  from: string
  to: string
  /** The paths of the fields of the key, each with that of the field that it references. */
  pairs: readonly PairForm[]
  rule: 'CASCADE' | 'SET NULL' | 'RESTRICT' | 'NO ACTION'
  /** Whether a field of the key may not be null. */
  required: boolean
  /** The fields that mark records of the two as deleted. Null: there is none. */
  fromDeleted: string | null
  toDeleted: string | null
}

/** The note that a write keeps in its transaction, if functions hear of its events. */
interface NoteForm {
  /** A UUID, under which the write is announced in Postgres. */
  id: string
  /** The id of the table. */
  table: number
  events: readonly string[]
}

/** What every write is told of its collection. */
export interface WriteForm {
  collection: CollectionForm
  /** Omitted: nobody hears of it. */
  note?: NoteForm
  /** The JSON text of an array of records with the names of fields. */
  records: string
  defaults: readonly DefaultForm[]
  /** The names of the fields that the database sets itself. */
  createdAt: string | null
  updatedAt: string | null
  softDelete: string | null
  /** The fields that have an operation instead of a value in any record. Omitted: none. */
  computed?: readonly FieldSchema[]
  /** The keys of the collection that the write may change. Omitted: none. */
  references?: readonly KeyForm[]
  /**
   * The keys to the collection, and those to collections from which their rules delete records. Omitted: the
   * write deletes no records, and changes no values that a key could reference.
   */
  inbound?: readonly KeyForm[]
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

/** The change of a schema that a question is part of. */
export interface LeaseForm {
  /** A UUID. */
  change: string
  /** The version of the catalog that the question is planned with. */
  catalog: number
}

export type Ask =
  | { ask: 'check' }
  | {
      ask: 'make'
      collection: CollectionForm
      owner: string
      required: string[]
      indexes: IndexForm[]
      /** Until version 3, instead of `keys`. */
      hasKeys?: boolean
      /** The keys of the collection. Omitted: none. */
      keys?: readonly KeyForm[]
    }
  /** `keys`: those of the collection under its new name. Omitted: none, because it is put aside. */
  | { ask: 'rename'; from: string; to: string; owner: string; keys?: readonly KeyForm[] }
  /**
   * Prepares a collection for another schema: new `indexes`, no values in `fresh` fields, and values in all
   * fields that have to be `filled`.
   */
  | {
      ask: 'alter'
      collection: CollectionForm
      owner: string
      required: string[]
      indexes: IndexForm[]
      fresh: string[]
      filled: string[]
      /** Omitted by a Worker of an earlier release. */
      lease?: LeaseForm
    }
  /** Leaves a collection these `indexes` alone, and no values in the fields that are `gone`. */
  | {
      ask: 'tidy'
      collection: CollectionForm
      owner: string
      required: string[]
      indexes: IndexForm[]
      gone: string[]
      lease?: LeaseForm
    }
  | { ask: 'drop'; name: string; owner: string }
  /** Which collections there are, what is in the documents of one, and whether one can be used as it is. */
  | { ask: 'collections' }
  | { ask: 'sample'; name: string; size: number }
  | { ask: 'adopt'; name: string; indexes: IndexForm[] }
  /** Which of some keys records have that reference nothing. */
  | { ask: 'dangling'; keys: readonly KeyForm[] }
  | { ask: 'list'; collection: CollectionForm; page: PageForm }
  | { ask: 'one'; collection: CollectionForm; page: PageForm }
  | { ask: 'groups'; collection: CollectionForm; groups: GroupForm }
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
  | { ask: 'notes'; bytesMax: number }
  | { ask: 'forget'; ids: readonly string[] }

/** The Idempotency-Key of a request that writes. */
export interface RepeatForm {
  /** The hash of the key and its owner, and that of the request. */
  hash: string
  request: string
  /** The version of the catalog that the write is planned with. */
  catalog: number
}

/** What every question is sent with. */
export interface Envelope {
  version: number
  database: string
  /** The datasource, by which notes say whose they are. */
  owner: string
  repeat?: RepeatForm
  connection?: Connection
}

export type Question = Ask & Envelope

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
    | 'key reused'
    | 'not computed'
    | 'not ours'
    /** Another change of the schema holds the collection. Only of questions with a lease. */
    | 'changing'
    /** Another write has come first. */
    | 'lost race'
    /** A foreign key is newer than the plan. */
    | 'stale plan'
    /** A document would be larger than MongoDB takes. */
    | 'too large'
  /** A sentence for people. It has no part of the connection string. */
  reason: string
  /** The question has certainly written nothing. Omitted: nobody knows. */
  isUnwritten?: boolean
}

/** The answer of each kind of question. */
export interface Answers {
  check: Checked
  make: Record<never, never>
  alter: Altered
  tidy: Altered
  rename: Record<never, never>
  drop: Record<never, never>
  collections: { collections: FoundCollection[] }
  sample: SampledDocuments
  adopt: Record<never, never>
  /** The positions of the keys. */
  dangling: { keys: number[] }
  list: ListedRow
  one: FoundRow
  groups: ListedRow
  create: WroteRow
  update: WroteRow
  upsert: WroteRow
  delete: WroteRow
  notes: NotesRow
  forget: Record<never, never>
}

/** The Worker of MongoDB, as it is bound. */
export interface MongodbService {
  /** `object`: the name of the object that asks. `near`: a location hint of Cloudflare. */
  answer(object: string, near: string | null, question: Question): Promise<Answers[Ask['ask']] | Failed>
}
