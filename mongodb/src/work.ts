/**
 * A write in progress: one record by one command, several in a transaction, so that all are written or
 * none. A write that has conflicts writes nothing, and answers with the conflicts, as that of Postgres
 * does.
 */
import type { ClientSession, Collection, Db, Document } from 'mongodb'
import type { CollectionForm } from '../../src/data/providers/mongodb/read-forms.ts'
import type { Envelope, WriteForm, WroteRow } from '../../src/data/providers/mongodb/wire.ts'
import { Refusal, takenBy } from './failures.ts'
import { recordsText } from './list.ts'
import { newVersion, type Sent } from './new-documents.ts'
import type { OpenClient } from './open-client.ts'
import { decode, encode, valueAt } from './values.ts'
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

/** A write in progress. */
export interface Work {
  db: Db
  collection: Collection
  form: CollectionForm
  write: WriteForm
  session: ClientSession | undefined
  now: Date
  version: ReturnType<typeof newVersion>
}

export const optionsOf = ({ session }: Pick<Work, 'session'>) => (session ? { session } : {})

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
      ({ write }) => (write.references ?? write.inbound) !== undefined,
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
  const base = { db, collection, form, write, now: new Date(), version: newVersion() }
  const [, reason] = transactional.find(([needs]) => needs(asked, isMany)) ?? []
  if (reason && !hasTransactions)
    throw new Refusal('needs transactions', `${reason}a replica set or a sharded cluster.`)
  try {
    if (!reason) return answerOf(write, base.version, await work({ ...base, session: undefined }))
    if (note || repeat) await prepareNotes(open, db)
    return await client.withSession(async (session) => {
      let row = nothing
      let attempts = 0
      await session.withTransaction(async () => {
        // The commit of the attempt before may have been done, and its answer lost.
        if (attempts++ > 0 && note && (await isKept(db, note.id, session))) return
        const before = await answerBefore(db, asked, session)
        const done = before ?? (await work({ ...base, session }))
        row = 'documents' in done ? answerOf(write, base.version, done) : done
        if (isDry || !('documents' in done)) await session.abortTransaction()
        else await keepNotes({ ...base, session }, asked, done, row)
      }, durable)
      return row
    })
  } catch (error) {
    // The conflict may be with the request that came first.
    const before = error instanceof Refusal ? undefined : await answerBefore(db, asked)
    if (before) return before
    if (error instanceof Conflict) return { ...nothing, conflicts: error.conflicts }
    const taken = takenBy(error, 0)
    if (taken) return { ...nothing, conflicts: { taken: [[taken.place, taken.index]] } }
    throw error
  }
}

/** A write that is answered survives the loss of a server, whatever the connection string says. */
const durable = { writeConcern: { w: 'majority' } } as const

const nothing: WroteRow = { data: null, etag: null, ids: null, written: 0, created: 0 }

function answerOf(
  write: WriteForm,
  version: Work['version'],
  { documents, created, written }: Done,
): WroteRow {
  const { fields, key } = write.collection
  const keys = fields.filter(({ name }) => key.includes(name))
  const keyText = (document: Document) => {
    const texts = keys.map(({ path, type }) => decode(type, valueAt(document, path)))
    return texts.length === 1 ? texts[0] : `[${texts.join(',')}]`
  }
  return {
    data: write.returnsRecords ? recordsText(documents, { shown: fields }, write) : null,
    etag: String(version),
    ids: write.returnsKeys ? `[${documents.map(keyText).join(',')}]` : null,
    written: written ?? documents.length,
    created: created ?? 0,
  }
}

/** Returns the filter of the documents with values in fields; undefined if a value is missing. */
export function keyFilter(
  { fields }: CollectionForm,
  names: readonly string[],
  sentOf: (name: string) => unknown,
) {
  const parts = names.map((name) => {
    const field = fields.find((one) => one.name === name)
    return { [field?.path ?? name]: { $eq: encode(field?.type ?? 'string', sentOf(name)) } }
  })
  return { $and: parts }
}

export const keyOfPath = (form: CollectionForm, key: readonly string[]): Document =>
  keyFilter(form, form.key, (name) => key[form.key.indexOf(name)])

export const visible = ({ write: { softDelete } }: Work, includeDeleted: boolean): Document =>
  softDelete && !includeDeleted ? { [softDelete]: { $ne: true } } : {}

const textOf = (values: readonly unknown[]): string => JSON.stringify(values.map((value) => String(value)))

/** Returns the conflicts of records that repeat the values of the fields that identify them. */
export function repeatedIn({ fields }: CollectionForm, names: readonly string[], records: readonly Sent[]) {
  const first = new Map<string, number>()
  return records.flatMap((record, place) => {
    const own = textOf(
      names.map((name) => decode(typeOf(fields, name), encode(typeOf(fields, name), record[name]))),
    )
    const before = first.get(own)
    if (before !== undefined) return [[place, before]]
    first.set(own, place)
    return []
  })
}
const typeOf = (fields: CollectionForm['fields'], name: string): string =>
  fields.find((field) => field.name === name)?.type ?? 'string'

/** Names the place of a record in a failure about a unique value. */
export async function atPlace<Result>(place: number, write: Promise<Result>): Promise<Result> {
  return write.catch((error: unknown) => {
    const taken = takenBy(error, place)
    throw taken ? new Conflict({ taken: [[place, taken.index]] }) : error
  })
}
