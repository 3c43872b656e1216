/** Finds the documents that a write changes, and changes them together. */
import { type AnyBulkWriteOperation, type Document, Long } from 'mongodb'
import type { MatchForm } from '../../src/data/providers/mongodb/wire.ts'
import { hasOperation, withResults } from './arithmetic.ts'
import { takenBy, takenConflict } from './failures.ts'
import { counterName, keeping, type Placed } from './foreign-keys.ts'
import { readAll } from './limits.ts'
import { unchanged, versionOf } from './misfits.ts'
import { defaultValue, put, type Sent } from './new-documents.ts'
import { filterStages } from './related.ts'
import { sorting } from './sorting.ts'
import { encode, keyText, valueAt, versionName } from './values.ts'
import { Conflict, havingAny, keyTextOf, Named, optionsOf, storedValues, visible, type Work } from './work.ts'

/** How many documents one operation names. */
const namedMax = 1_000

/** A record that changes a document: its place in the body, and what it has. */
interface Change {
  before: Document
  record: Sent
  place: number
}

/**
 * How records change documents: whether fields that they omit get their defaults, and which they do not set.
 */
interface How {
  whole?: boolean
  kept?: readonly string[]
}

/** Returns what a change sets. */
export function changesOf(
  { form, write, now, version }: Work,
  record: Sent,
  { whole = false, kept = [] }: How,
): Document {
  const set: Document = {}
  const unset = [...form.key, ...kept, write.createdAt, write.updatedAt]
  for (const { name, path, type } of form.fields.filter((field) => !unset.includes(field.name))) {
    const own = write.defaults.find(({ field }) => field === name)
    if (Object.hasOwn(record, name)) put(set, path, encode(type, record[name]))
    else if (whole) put(set, path, own ? defaultValue(own, type, now, () => 0n) : null)
  }
  if (write.updatedAt) set[write.updatedAt] = now
  if (!form.isAdopted) set[versionName] = version
  return set
}

/** Tells whether a record has another key than the document that it changes. */
export const movesKey = ({ form }: Work, record: Sent, document: Document): boolean =>
  form.fields.some(
    ({ name, path, type }) =>
      form.key.includes(name) &&
      Object.hasOwn(record, name) &&
      keyText([encode(type, record[name])]) !== keyText([valueAt(document, path)]),
  )

/** An operation on documents, with the place of its record in the body. */
export interface Operation {
  place: number
  does: AnyBulkWriteOperation<Document>
}

/** Does operations in their order. Throws a Conflict for a value that another record has. */
export async function writeAll(work: Work, operations: readonly Operation[]): Promise<void> {
  if (operations.length === 0) return
  const all = operations.map(({ does }) => does)
  const [only] = all
  try {
    if (all.length === 1 && only && 'insertOne' in only)
      await work.collection.insertOne(only.insertOne.document, optionsOf(work))
    else await work.collection.bulkWrite(all, { ...optionsOf(work), ordered: true })
  } catch (error) {
    const taken = takenBy(error, 0)
    throw taken ? new Conflict(takenConflict(taken, operations[taken.place]?.place ?? 0)) : error
  }
}

/** Plans the change of a document that was read in the same transaction. */
export function planned(work: Work, { before, record, place }: Change, how: How): Placed & Operation {
  if (movesKey(work, record, before)) throw new Conflict({ moved: [place] })
  const sent = hasOperation(work.write, record) ? withResults(work, record, before, place) : record
  const $set = changesOf(work, sent, how)
  return {
    ...{ before, document: { ...before, ...$set }, place },
    does: { updateOne: { filter: { _id: before._id }, update: { $set } } },
  }
}

/** Changes documents by the same record. */
export async function changeAll(work: Work, found: readonly Document[], record: Sent): Promise<Placed[]> {
  const changed = found.map((before) => planned(work, { before, record, place: 0 }, {}))
  if (hasOperation(work.write, record)) await writeAll(work, changed)
  else {
    const update = { $set: changesOf(work, record, {}) }
    await writeAll(
      work,
      idsOf(found).map((ids) => ({
        place: 0,
        does: { updateMany: { filter: { _id: { $in: ids } }, update } },
      })),
    )
  }
  return changed
}

/** Deletes documents. */
export const deleteAll = (work: Work, found: readonly Document[]): Promise<void> =>
  writeAll(
    work,
    idsOf(found).map((ids) => ({ place: 0, does: { deleteMany: { filter: { _id: { $in: ids } } } } })),
  )

const idsOf = (documents: readonly Document[]): Document['_id'][][] =>
  Array.from({ length: Math.ceil(documents.length / namedMax) }, (_, part) =>
    documents.slice(part * namedMax, (part + 1) * namedMax).map(({ _id }) => _id),
  )

/**
 * Returns what has to be read of the documents that a write changes or deletes; undefined: all. A note and
 * the answer have whole records, and an operation needs its field.
 */
function neededOf({ form, write, inbound }: Work, paths: readonly string[] = []): Document | undefined {
  if (write.note || write.returnsRecords || write.computed || form.isAdopted) return undefined
  return keeping([
    ...paths,
    ...[versionName, counterName, ...(write.softDelete ? [write.softDelete] : [])],
    ...(write.references ?? []).flatMap(({ pairs }) => pairs.map(({ near }) => near)),
    ...inbound.filter(({ to }) => to === form.name).flatMap(({ pairs }) => pairs.map(({ far }) => far)),
  ])
}

/** Returns the options of a command that reads documents for a write, at least the values at paths. */
function reading(work: Work, paths: readonly string[] = []) {
  const projection = neededOf(work, paths)
  return { raw: true, ...(projection && { projection }) }
}

/**
 * Returns the documents that a filter selects. Throws a Conflict if their number is not the expected one.
 */
export async function matching(work: Work, match: MatchForm, includeDeleted: boolean): Promise<Document[]> {
  const { collection } = work
  const where = [{ $match: visible(work, includeDeleted) }, ...filterStages(match.where)]
  const { stages } = sorting(match.order)
  const limit = match.limit ?? match.rowsMax + 1
  const needed = neededOf(work)
  const pipeline = [...where, ...stages, { $limit: limit }, ...(needed ? [{ $project: needed }] : [])]
  const found = await readAll(collection.aggregate(pipeline, { ...optionsOf(work), raw: true }))
  if (found.length > match.rowsMax) {
    const counting = [...where, { $limit: match.countMax + 1 }, { $count: 'n' }]
    const [counted] = match.isMeant ? [] : await collection.aggregate(counting, optionsOf(work)).toArray()
    throw new Conflict({ many: [counted ? Number(counted.n) : found.length] })
  }
  if (match.expected !== null && match.expected !== found.length)
    throw new Conflict({ unexpected: [found.length] })
  return found
}

/** Returns the documents that have the values of records in some fields, by the texts of these. */
export async function foundBy(
  work: Work,
  names: readonly string[],
  records: readonly Sent[],
  includeDeleted: boolean,
): Promise<(record: Sent) => Document | undefined> {
  const { collection, form } = work
  const values = records.map((record) => storedValues(form, names, (name) => record[name]))
  const where = { $and: [havingAny(form, names, values), visible(work, includeDeleted)] }
  const paths = form.fields.filter(({ name }) => names.includes(name)).map(({ path }) => path)
  const found = await readAll(collection.find(where, { ...optionsOf(work), ...reading(work, paths) }))
  const byText = new Map(found.map((document) => [keyTextOf(form, names, document), document]))
  return (record) => byText.get(keyText(storedValues(form, names, (name) => record[name])))
}

/** Returns the documents with these keys, in their order. */
export async function withKeys(
  work: Work,
  keys: readonly (readonly string[])[],
  includeDeleted: boolean,
): Promise<Document[]> {
  if (keys.length === 0) return []
  const { collection, form } = work
  const values = keys.map((key) => storedValues(form, form.key, (name) => key[form.key.indexOf(name)]))
  const where = { $and: [havingAny(form, form.key, values), visible(work, includeDeleted)] }
  return readAll(collection.find(where, { ...optionsOf(work), ...reading(work) }).sort({ _id: 1 }))
}

/**
 * Returns the filter of the one document that a write outside of a transaction may change; one that a foreign
 * key has named, it may not.
 */
export const alone = ({ isUnnamed }: Work, filter: Document): Document =>
  isUnnamed ? { $and: [filter, { [counterName]: { $exists: false } }] } : filter

/** Throws the error for a write outside of a transaction that has not found its document. */
export function requireFound(work: Work, conflicts: Record<string, unknown>): never {
  throw work.isUnnamed ? new Named() : new Conflict(conflicts)
}

/**
 * Returns the condition that the document of a filter still has one of some versions; null: any. Where only
 * the whole of it tells, reads it, and throws a Conflict if it has another one.
 */
export async function hasVersion(
  work: Work,
  seen: Document,
  versions: readonly string[] | null,
): Promise<Document> {
  if (versions === null) return {}
  if (!work.form.isAdopted)
    return { [versionName]: { $in: versions.map((version) => Long.fromString(version)) } }
  const before = await work.collection.findOne(seen, optionsOf(work))
  if (before && !versions.includes(versionOf(work.form, before))) throw new Conflict({ stale: [0] })
  return before ? unchanged(before) : {}
}
