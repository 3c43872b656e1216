/**
 * A write in progress: one record by one command, several in a transaction, so that all are written or
 * none. A write that has conflicts writes nothing, and answers with the conflicts, as that of Postgres
 * does.
 */
import type { ClientSession, Collection, Db, Document } from 'mongodb'
import type { CollectionForm } from '../../src/data/providers/mongodb/read-forms.ts'
import type { Envelope, KeyForm, WriteForm } from '../../src/data/providers/mongodb/wire.ts'
import type { WroteRow } from '../../src/data/providers/mongodb/wire-rows.ts'
import { isInvalid, MaybeWritten, OutOfTime, Refusal, takenBy, takenConflict } from './failures.ts'
import { writeMs } from './limits.ts'
import { recordsText } from './list.ts'
import { versionOf } from './misfits.ts'
import { newVersion, type Sent } from './new-documents.ts'
import type { OpenClient } from './open-client.ts'
import { unplannedKeys } from './registered-keys.ts'
import { decode, encode, keyText, valueAt } from './values.ts'
import { answerBefore, isKept, keepNotes, prepareNotes } from './write-notes.ts'

/** What a write has done: the documents in the order of its answer. */
export interface Done {
  documents: Document[]
  /** The earlier state of each document that was changed. Omitted: all are new, or deleted. */
  before?: (Document | null)[]
  isDeletion?: boolean
  created?: number
  /** The number of records, if the documents are not read. */
  written?: number
}

/** A write that cannot be done. It is rolled back. */
export class Conflict extends Error {
  readonly conflicts: Record<string, unknown>

  constructor(conflicts: Record<string, unknown>) {
    super('conflict')
    this.conflicts = conflicts
  }
}

/** A record that a write without a transaction was to change has been named by a foreign key. */
export class Named extends Error {}

/** A write in progress. */
export interface Work {
  db: Db
  collection: Collection
  form: CollectionForm
  write: WriteForm
  session: ClientSession | undefined
  now: Date
  version: ReturnType<typeof newVersion>
  /** When the time of the write is over. */
  until: number
  /** The keys to the records: those of the plan, and then those that it does not have. */
  inbound: readonly KeyForm[]
  /** Only records that no foreign key has ever named may be changed. */
  isUnnamed?: boolean
}

/** Returns the options of each command of a write. Throws a Refusal if its time is over. */
export function optionsOf({ session, until }: Pick<Work, 'session' | 'until'>) {
  const maxTimeMS = until - Date.now()
  if (maxTimeMS <= 0) throw new Refusal('too slow', 'The write did not end in time. Nothing was changed.')
  return { maxTimeMS, ...(session && { session }) }
}

/** Why a write needs a transaction: each with what it asks for instead. */
const transactional: readonly (readonly [needs: (asked: Asked, isMany: boolean) => boolean, text: string])[] =
  [
    [({ write }) => write.isDry, 'dry_run needs a server with transactions: '],
    [
      ({ write }) => write.note !== undefined,
      'Functions hear of this write, which needs a server with transactions: ',
    ],
    [
      ({ write }) => write.computed !== undefined,
      'Operations such as {"$add": 1} need a server with transactions: ',
    ],
    [
      ({ write }) => [...(write.references ?? []), ...(write.inbound ?? [])].length > 0,
      'Foreign keys need a server with transactions: ',
    ],
    [({ repeat }) => repeat !== undefined, 'Idempotency-Key needs a server with transactions: '],
    [
      (_, isMany) => isMany,
      'Several records are written all or none. Send one record in each request, or use a server with ' +
        'transactions: ',
    ],
  ]

/** A question to write. */
type Asked = Envelope & { write: WriteForm }

/**
 * Runs a write: in a transaction if it `isMany`, keeps notes, or is rolled back in the end. If an earlier
 * request has done it, returns the answer of that one.
 */
export async function run(
  open: OpenClient,
  db: Db,
  asked: Asked,
  isMany: boolean,
  work: (work: Work) => Promise<Done>,
): Promise<WroteRow> {
  const { client, hasTransactions } = open
  const { write, repeat } = asked
  const { collection: form, isDry, note } = write
  const collection = db.collection(form.name)
  const until = Date.now() + writeMs
  const base = { db, collection, form, write, now: new Date(), version: newVersion(), until }
  const [, reason] = transactional.find(([needs]) => needs(asked, isMany)) ?? []
  if (reason && !hasTransactions)
    throw new Refusal('needs transactions', `${reason}a replica set or a sharded cluster.`)
  // Where there are no transactions, there are no foreign keys.
  const mayBeHeld = hasTransactions && write.inbound !== undefined
  let mayBeWritten = false
  let failed: unknown
  const attempt = async (session: ClientSession): Promise<WroteRow | undefined> => {
    mayBeWritten = failed !== undefined
    // The commit of the attempt before may have been done, and its answer lost.
    if (mayBeWritten && note && (await isKept(db, note.id, session))) return undefined
    if (note) mayBeWritten = false
    const before = await answerBefore(db, asked, session)
    if (before) {
      await session.abortTransaction()
      return before
    }
    const inbound = mayBeHeld ? await unplannedKeys(base, optionsOf({ session, until })) : []
    const own = { ...base, session, inbound: [...(write.inbound ?? []), ...inbound] }
    const done = await work(own)
    const row = answerOf(write, base.version, done)
    if (isDry) await session.abortTransaction()
    else await keepNotes(own, asked, done, row)
    return row
  }
  try {
    if (!reason) {
      const alone = { ...base, session: undefined, inbound: [], isUnnamed: mayBeHeld }
      const done = await work(alone).catch((error: unknown) => {
        if (error instanceof Named) return undefined
        throw error
      })
      if (done) return answerOf(write, base.version, done)
    }
    if (note || repeat) await prepareNotes(open, db)
    return await client.withSession(async (session) => {
      let row = nothing
      await session.withTransaction(async () => {
        try {
          row = (await attempt(session)) ?? row
        } catch (error) {
          if (failed && Date.now() >= until) throw new OutOfTime(failed)
          failed = error
          throw error
        }
      }, durable)
      return row
    })
  } catch (error) {
    // The conflict may be with the request that came first.
    const before = error instanceof Refusal ? undefined : await answerBefore(db, asked)
    if (before) return before
    if (error instanceof Conflict) return { ...nothing, conflicts: error.conflicts }
    const taken = takenBy(error, 0)
    if (taken) return { ...nothing, conflicts: takenConflict(taken, taken.place) }
    // The schema has changed in the meantime: everything that fits it fits the validator.
    if (isInvalid(error) && !form.isAdopted)
      throw new Refusal('stale plan', 'The schema was changed in the meantime.')
    throw mayBeWritten && !(error instanceof Refusal) ? new MaybeWritten(error) : error
  }
}

/** A write that is answered survives the loss of a server, whatever the connection string says. */
const durable = { writeConcern: { w: 'majority' }, maxCommitTimeMS: writeMs } as const

const nothing: WroteRow = { data: null, etag: null, ids: null, written: 0, created: 0 }

function answerOf(
  write: WriteForm,
  version: Work['version'],
  { documents, created, written }: Done,
): WroteRow {
  const { fields, key } = write.collection
  const keys = fields.filter(({ name }) => key.includes(name))
  const idOf = (document: Document) => {
    const texts = keys.map(({ path, type }) => decode(type, valueAt(document, path)))
    return texts.length === 1 ? texts[0] : `[${texts.join(',')}]`
  }
  return {
    data: write.returnsRecords
      ? recordsText(documents, { shown: fields, tellsMisfits: write.collection.isAdopted === true }, write)
      : null,
    etag:
      write.collection.isAdopted && documents[0]
        ? versionOf(write.collection, documents[0])
        : String(version),
    ids: write.returnsKeys ? `[${documents.map(idOf).join(',')}]` : null,
    written: written ?? documents.length,
    created: created ?? 0,
  }
}

type Keyed = Pick<CollectionForm, 'fields' | 'key'>

/** Returns the values of fields as they are stored. */
export const storedValues = (
  { fields }: Keyed,
  names: readonly string[],
  sentOf: (name: string) => unknown,
): unknown[] => names.map((name) => encode(fieldOf(fields, name).type, sentOf(name)))

const fieldOf = (fields: CollectionForm['fields'], name: string) =>
  fields.find((one) => one.name === name) ?? { path: name, type: 'string' }

/** Returns the filter of the documents that have one of some values in fields. */
export function havingAny(
  { fields }: Keyed,
  names: readonly string[],
  all: readonly (readonly unknown[])[],
): Document {
  return pathsHaveAny(
    names.map((name) => fieldOf(fields, name).path),
    all,
  )
}

/** Returns the filter of the documents that have one of some values at paths. */
export function pathsHaveAny(paths: readonly string[], all: readonly (readonly unknown[])[]): Document {
  const [only] = paths
  if (paths.length === 1 && only !== undefined) return { [only]: { $in: all.map(([value]) => value) } }
  return {
    $or: all.map((values) => ({ $and: paths.map((path, place) => ({ [path]: { $eq: values[place] } })) })),
  }
}

/** Returns a text that only documents with the same values in fields have. */
export const keyTextOf = ({ fields }: Keyed, names: readonly string[], document: Document): string =>
  keyText(names.map((name) => valueAt(document, fieldOf(fields, name).path)))

export const keyOfPath = (form: CollectionForm, key: readonly string[]): Document =>
  havingAny(form, form.key, [storedValues(form, form.key, (name) => key[form.key.indexOf(name)])])

export const visible = ({ write: { softDelete } }: Pick<Work, 'write'>, includeDeleted: boolean): Document =>
  softDelete && !includeDeleted ? { [softDelete]: { $ne: true } } : {}

/** Returns the conflicts of records that repeat the values of the fields that identify them. */
export function repeatedIn(form: CollectionForm, names: readonly string[], records: readonly Sent[]) {
  const first = new Map<string, number>()
  return records.flatMap((record, place) => {
    const own = keyText(storedValues(form, names, (name) => record[name]))
    const before = first.get(own)
    if (before !== undefined) return [[place, before]]
    first.set(own, place)
    return []
  })
}

/** Names the place of a record in a failure about a unique value. */
export async function atPlace<Result>(place: number, write: Promise<Result>): Promise<Result> {
  return write.catch((error: unknown) => {
    const taken = takenBy(error, place)
    throw taken ? new Conflict(takenConflict(taken, place)) : error
  })
}
