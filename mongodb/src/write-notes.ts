/**
 * The notes of writes, in the collection `tessera_notes`. A write keeps its notes in its own transaction: one
 * of its events, until they are in the outbox, and one of its answer for a day, for repetitions.
 */
import { type ClientSession, type Db, type Document, Long, type TransactionOptions } from 'mongodb'
import type { Envelope } from '../../src/data/providers/mongodb/wire.ts'
import type { NotedEvent, NotesRow, WroteRow } from '../../src/data/providers/mongodb/wire-rows.ts'
import { Refusal } from './failures.ts'
import { readLimit, schemaLimit } from './limits.ts'
import { recordsText } from './list.ts'
import type { OpenClient } from './open-client.ts'
import type { Done, Work } from './work.ts'

interface WriteNote {
  _id: string
  /** Whose events these are. Omitted: it is the note of an answer. */
  of?: string
  /** The place of the events in the order of their commits, as far as they are about the same records. */
  n?: Long
  table?: Long
  key?: string[]
  events?: NotedEvent[]
  /** The hash of the request, its answer as JSON, and the version of the catalog that it was planned with. */
  request?: string
  answer?: string
  catalog?: number
  expires?: Date
}

const name = 'tessera_notes'
/** Below the 16 MB of a document. */
const bytesMax = 15 * 2 ** 20
const keptMs = 24 * 3600 * 1000

const notesOf = (db: Db) => db.collection<WriteNote>(name)

/** Makes the collection with its indexes, unless they are there: once for each client. */
export function prepareNotes(open: OpenClient, db: Db): Promise<unknown> {
  open.notes ??= notesOf(db).createIndexes(
    [
      { name: 'of', key: { of: 1, n: 1 } },
      { name: 'expires', key: { expires: 1 }, expireAfterSeconds: 0 },
    ],
    schemaLimit,
  )
  open.notes.catch(() => delete open.notes)
  return open.notes
}

let last = 0n
/** Returns a number above those of all earlier writes. A later write of the same record asks for it later. */
function nextPlace(): Long {
  const now = BigInt(Date.now()) * 1000n
  last = now > last ? now : last + 1n
  return Long.fromBigInt(last)
}

const kindOf = ({ isDeletion, before = [] }: Done, place: number): string => {
  if (isDeletion) return 'RECORD_DELETE'
  return before[place] ? 'RECORD_UPDATE' : 'RECORD_CREATE'
}

/** Returns the events that a write has to note. Throws a Refusal if they are too long. */
function eventsOf({ form, write }: Work, done: Done): NotedEvent[] {
  const { documents, before = [] } = done
  return (write.note?.events ?? []).flatMap((event): NotedEvent[] => {
    const places = [...documents.keys()].filter((place) => kindOf(done, place) === event)
    if (places.length === 0) return []
    const textOf = (all: readonly (Document | null)[]) =>
      recordsText(
        places.map((place) => all[place] ?? {}),
        { shown: form.fields },
        { bytesMax },
      )
    return [
      { event, records: textOf(documents), previous: event === 'RECORD_UPDATE' ? textOf(before) : null },
    ]
  })
}

const answerId = ({ owner, repeat }: Pick<Envelope, 'owner' | 'repeat'>): string => `${owner} ${repeat?.hash}`

/** Keeps the notes of a write that has done its work, and will answer with a row. */
export async function keepNotes(work: Work, asked: Envelope, done: Done, row: WroteRow): Promise<void> {
  const { db, session, write, form, now } = work
  const options = { ...readLimit, ...(session && { session }) }
  const events = eventsOf(work, done)
  const answer = JSON.stringify(row)
  const bytes = [answer, ...events.flatMap(({ records, previous }) => [records, previous ?? ''])].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  )
  if (bytes > bytesMax) throw new Refusal('answer too large', 'The notes of this write would be too large.')
  if (write.note && events.length > 0)
    await notesOf(db).insertOne(
      {
        _id: write.note.id,
        of: asked.owner,
        n: nextPlace(),
        table: Long.fromNumber(write.note.table),
        key: [...form.key],
        events,
      },
      options,
    )
  if (asked.repeat) {
    const { request, catalog } = asked.repeat
    const expires = new Date(now.getTime() + keptMs)
    const note = { request, answer, catalog, expires }
    await notesOf(db).replaceOne({ _id: answerId(asked) }, note, { ...options, upsert: true })
  }
}

/** Tells whether a write has kept the note of its events. */
export const isKept = async (db: Db, id: string, session: ClientSession): Promise<boolean> =>
  (await notesOf(db).findOne({ _id: id }, { session, projection: { _id: 1 }, ...readLimit })) !== null

/**
 * Returns the answer of an earlier request with the same Idempotency-Key. Throws a Refusal if the key belongs
 * to another request.
 */
export async function answerBefore(
  db: Db,
  asked: Envelope,
  session?: ClientSession,
): Promise<WroteRow | undefined> {
  if (!asked.repeat) return undefined
  const found = await notesOf(db).findOne(
    { _id: answerId(asked) },
    { ...readLimit, ...(session && { session }) },
  )
  if (!found?.answer || (found.expires?.getTime() ?? 0) <= Date.now()) return undefined
  if (found.request !== asked.repeat.request)
    throw new Refusal('key reused', 'The key belongs to another request.')
  return { ...(JSON.parse(found.answer) as WroteRow), replayed: { catalog: Number(found.catalog) } }
}

/**
 * Returns the events of a note, of which a write has two at most. Whoever may write to the database can make
 * other documents: what has another form is no event.
 */
function foundIn({ _id, table, key, events }: Record<string, unknown>): NotesRow['notes'] {
  if (!Array.isArray(events) || !Array.isArray(key)) return []
  return events.slice(0, 2).flatMap((one) => {
    const { event, records, previous } = Object(one) as Record<string, unknown>
    const isText = typeof event === 'string' && typeof records === 'string'
    if (!isText || (previous !== null && typeof previous !== 'string')) return []
    return [{ id: String(_id), table: Number(table), key: key.map(String), event, records, previous }]
  })
}

/**
 * A transaction that reads has one moment, and ends when the majority of the servers has what it read. So no
 * write that had ended before can still come.
 */
const settled: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  maxCommitTimeMS: 10_000,
}

/** Reads the notes of events in their order, up to a number of bytes. */
export async function readNotes(
  { client, hasTransactions }: OpenClient,
  db: Db,
  { owner }: Pick<Envelope, 'owner'>,
  bytesMax: number,
): Promise<NotesRow> {
  if (!hasTransactions) return { notes: [], isAll: true }
  return client.withSession((session) =>
    session.withTransaction(
      async () => ({ ...(await firstNotes(db, owner, bytesMax, session)), isSettled: true }),
      settled,
    ),
  )
}

async function firstNotes(db: Db, of: string, limit: number, session: ClientSession): Promise<NotesRow> {
  const notes: NotesRow['notes'] = []
  let bytes = 0
  const found = notesOf(db)
    .find({ of }, { session, ...schemaLimit })
    .sort({ n: 1 })
  for await (const note of found) {
    for (const event of foundIn({ ...note })) {
      notes.push(event)
      bytes += event.records.length + (event.previous?.length ?? 0)
    }
    if (bytes > limit) return { notes, isAll: false }
  }
  return { notes, isAll: true }
}

/** Deletes notes of events. */
export async function forgetNotes(
  db: Db,
  { owner }: Pick<Envelope, 'owner'>,
  ids: readonly string[],
): Promise<object> {
  await notesOf(db).deleteMany({ _id: { $in: [...ids] }, of: owner }, schemaLimit)
  return {}
}
