/** Makes documents of the records of a body. */
import { type Db, type Document, Long, ObjectId, UUID } from 'mongodb'
import type { CollectionForm } from '../../src/data/providers/mongodb/read-forms.ts'
import type { DefaultForm, WriteForm } from '../../src/data/providers/mongodb/wire.ts'
import { readJsonVerbatim } from '../../src/kernel/lib/exact-json.ts'
import { notesOf } from './collection-notes.ts'
import { readLimit } from './limits.ts'
import { encode, versionName } from './values.ts'

/** A record as it was sent. */
export type Sent = Readonly<Record<string, unknown>>

/** Returns the records of a body. */
export const sentRecords = ({ records }: WriteForm): Sent[] => readJsonVerbatim(records) as Sent[]

/** Returns a new version: 32 bits that no two states of a record share but by chance. */
export function newVersion(): Long {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Long.fromNumber(bits)
}

/** Returns the first of `count` numbers that no record has got before. */
export async function nextNumber(db: Db, name: string, count: number, options: Document): Promise<bigint> {
  const row = await notesOf(db).findOneAndUpdate(
    { _id: name },
    { $inc: { n: Long.fromNumber(count) as unknown as bigint } },
    { ...readLimit, ...options, upsert: true, returnDocument: 'after' },
  )
  return BigInt(row?.n ?? count) - BigInt(count) + 1n
}

/** Moves the numbers beyond the highest one that a client has sent. */
export async function skipNumbers(db: Db, name: string, highest: string, options: Document): Promise<void> {
  await notesOf(db).updateOne(
    { _id: name },
    { $max: { n: Long.fromString(highest) as unknown as bigint } },
    { ...readLimit, ...options, upsert: true },
  )
}

/** Returns the value of a default. */
export function defaultValue({ from }: DefaultForm, type: string, now: Date, number: () => bigint): unknown {
  if (from === 'clock') return now
  if (from === 'uuid') {
    const uuid = crypto.randomUUID()
    return type === 'uuid' ? new UUID(uuid) : uuid
  }
  if (from === 'object id') return new ObjectId()
  if (from === 'number') return Long.fromBigInt(number())
  return encode(type, readJsonVerbatim(from.json))
}

/** Puts a value at the path of a field: its own member, or one of the key. */
export function put(document: Document, path: string, value: unknown): void {
  if (!path.startsWith('_id.')) document[path] = value
  else document._id = { ...document._id, [path.slice(4)]: value }
}

/** Makes the document of a new record: every field has a value or null, in a collection of ours. */
export function newDocument(
  { fields, key, isAdopted }: CollectionForm,
  { defaults }: Pick<WriteForm, 'defaults'>,
  record: Sent,
  { now, version, number }: { now: Date; version: Long; number: () => bigint },
): Document {
  const document: Document = {}
  // The members of a key of several fields are always in its order.
  const inOrder = [
    ...key.flatMap((name) => fields.filter((field) => field.name === name)),
    ...fields.filter(({ name }) => !key.includes(name)),
  ]
  for (const { name, path, type } of inOrder) {
    const own = defaults.find(({ field }) => field === name)
    const isSent = Object.hasOwn(record, name)
    // Those who made a collection may not know null.
    if (!isSent && !own && isAdopted) continue
    const filled = !isSent && own ? defaultValue(own, type, now, number) : null
    put(document, path, isSent ? encode(type, record[name]) : filled)
  }
  if (!isAdopted) document[versionName] = version
  return document
}

/** Returns how many of the records get a number as their key. */
export const countUnnumbered = ({ defaults }: WriteForm, records: readonly Sent[]): number => {
  const numbered = defaults.find(({ from }) => from === 'number')
  return numbered ? records.filter((record) => !Object.hasOwn(record, numbered.field)).length : 0
}
