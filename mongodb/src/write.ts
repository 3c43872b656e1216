/** Writes records: creates, changes and deletes them. */
import { type Db, type Document, Long } from 'mongodb'
import type { MatchForm, Question, WriteForm, WroteRow } from '../../src/data/providers/mongodb/wire.ts'
import { hasOperation, withResults } from './arithmetic.ts'
import { followDeletion, keepHeld, keepNamed, nameParents, type Placed } from './foreign-keys.ts'
import { versionName } from './list.ts'
import {
  countUnnumbered,
  defaultValue,
  newDocument,
  nextNumber,
  put,
  type Sent,
  sentRecords,
  skipNumbers,
} from './new-documents.ts'
import type { OpenClient } from './open-client.ts'
import { filterStages } from './related.ts'
import { sorting } from './sorting.ts'
import { decode, encode, valueAt } from './values.ts'
import {
  atPlace,
  Conflict,
  type Done,
  keyFilter,
  keyOfPath,
  optionsOf,
  repeatedIn,
  run,
  visible,
  type Work,
} from './work.ts'

type Asked<Kind extends Question['ask']> = Extract<Question, { ask: Kind }>

/** Inserts records, and returns their documents. */
async function insert(work: Work, records: readonly Sent[]): Promise<Document[]> {
  const { db, collection, form, write, now, version } = work
  const options = write.isDry ? optionsOf(work) : {}
  if (write.highest !== null) await skipNumbers(db, form.name, write.highest, options)
  const count = countUnnumbered(write, records)
  let number = count > 0 ? await nextNumber(db, form.name, count, options) : 0n
  const documents = records.map((record) =>
    newDocument(form, write, record, { now, version, number: () => number++ }),
  )
  const [only] = documents
  if (documents.length === 1 && only) await collection.insertOne(only, optionsOf(work))
  else if (documents.length > 1) await collection.insertMany(documents, { ...optionsOf(work), ordered: true })
  return documents
}

/** Creates records. */
export function create(open: OpenClient, db: Db, asked: Asked<'create'>): Promise<WroteRow> {
  const records = sentRecords(asked.write)
  return run(open, db, asked, records.length > 1, async (work) => {
    const documents = await insert(work, records)
    await nameParents(
      work,
      documents.map((document, place) => ({ before: null, document, place })),
    )
    return { documents }
  })
}

/** Returns what a change sets. `whole`: fields that the record omits get their defaults. */
function changesOf(
  { form, write, now, version }: Work,
  record: Sent,
  whole: boolean,
  kept: readonly string[] = [],
) {
  const set: Document = {}
  const unset = [...form.key, ...kept, write.createdAt, write.updatedAt]
  for (const { name, path, type } of form.fields.filter((field) => !unset.includes(field.name))) {
    const own = write.defaults.find(({ field }) => field === name)
    if (Object.hasOwn(record, name)) put(set, path, encode(type, record[name]))
    else if (whole) put(set, path, own ? defaultValue(own, type, now, () => 0n) : null)
  }
  if (write.updatedAt) set[write.updatedAt] = now
  set[versionName] = version
  return { $set: set }
}

/** Tells whether a record has another key than the document that it changes. */
const movesKey = ({ form }: Work, record: Sent, document: Document): boolean =>
  form.fields.some(
    ({ name, path, type }) =>
      form.key.includes(name) &&
      Object.hasOwn(record, name) &&
      decode(type, encode(type, record[name])) !== decode(type, valueAt(document, path)),
  )

/**
 * Ends a change of documents, of which each has its earlier state if a note or a key needs it. Throws a
 * Conflict if a foreign key is broken.
 */
async function doneBy(work: Work, changed: readonly Placed[], includeDeleted: boolean): Promise<Done> {
  const { softDelete } = work.write
  await nameParents(work, changed)
  await keepNamed(work, changed)
  if (softDelete && !includeDeleted)
    await keepHeld(
      work,
      changed.filter(({ before, document }) => !before?.[softDelete] && document[softDelete]),
    )
  return { documents: changed.map(({ document }) => document), before: changed.map(({ before }) => before) }
}

const needsBefore = ({ note, references, inbound }: WriteForm): boolean =>
  (note ?? references ?? inbound) !== undefined

/**
 * Changes the one record that a filter finds. Throws a Conflict if there is none, or of another version.
 */
async function changeOne(
  work: Work,
  {
    filter,
    record,
    place,
    versions,
    whole,
    includeDeleted,
  }: {
    filter: Document
    record: Sent
    place: number
    versions: readonly string[] | null
    whole: boolean
    includeDeleted: boolean
  },
): Promise<Placed> {
  const { collection, form, write } = work
  const seen = { $and: [filter, visible(work, includeDeleted)] }
  // The key is compared with that of the document, which only a record that sends one needs.
  const hasKey = form.key.some((name) => Object.hasOwn(record, name))
  const isComputed = hasOperation(write, record)
  const before =
    hasKey || needsBefore(write) || isComputed ? await collection.findOne(seen, optionsOf(work)) : null
  if (before && movesKey(work, record, before)) throw new Conflict({ moved: [place] })
  const own =
    versions === null
      ? seen
      : { $and: [seen, { [versionName]: { $in: versions.map((version) => Long.fromString(version)) } }] }
  const options = { ...optionsOf(work), returnDocument: 'after' as const }
  const sent = isComputed && before ? withResults(work, record, before, place) : record
  const changed = await atPlace(
    place,
    collection.findOneAndUpdate(own, changesOf(work, sent, whole), options),
  )
  if (changed) return { before, document: changed, place }
  const exists = versions !== null && (await collection.findOne(seen, optionsOf(work)))
  throw new Conflict(exists ? { stale: [place] } : { missing: [place] })
}

/**
 * Returns the documents that a filter selects. Throws a Conflict if their number is not the expected one.
 */
async function matching(work: Work, match: MatchForm, includeDeleted: boolean): Promise<Document[]> {
  const { collection } = work
  const where = [{ $match: visible(work, includeDeleted) }, ...filterStages(match.where)]
  const read = (...stages: Document[]) =>
    collection.aggregate([...where, ...stages], optionsOf(work)).toArray()
  const limit = match.limit ?? match.rowsMax + 1
  const found = await read(...sorting(match.order).stages, { $limit: limit })
  if (found.length > match.rowsMax) {
    const [counted] = match.isMeant ? [] : await read({ $limit: match.countMax + 1 }, { $count: 'n' })
    throw new Conflict({ many: [counted ? Number(counted.n) : found.length] })
  }
  if (match.expected !== null && match.expected !== found.length)
    throw new Conflict({ unexpected: [found.length] })
  return found
}

/** Changes records. */
export function update(open: OpenClient, db: Db, asked: Asked<'update'>): Promise<WroteRow> {
  const { write, which, includeDeleted, versions, whole } = asked
  const records = sentRecords(write)
  const common = { versions, whole, includeDeleted }
  if (which && 'match' in which)
    return run(open, db, asked, true, async (work) => {
      const [record = {}] = records
      const found = await matching(work, which.match, includeDeleted)
      const changed: Placed[] = []
      for (const { _id } of found)
        changed.push(
          await changeOne(work, { ...common, filter: { _id }, record, place: 0, includeDeleted: true }),
        )
      return doneBy(work, changed, includeDeleted)
    })
  if (which) {
    const [record = {}] = records
    return run(open, db, asked, false, async (work) => {
      const filter = keyOfPath(work.form, which.key)
      return doneBy(work, [await changeOne(work, { ...common, filter, record, place: 0 })], includeDeleted)
    })
  }
  return run(open, db, asked, records.length > 1, async (work) => {
    const repeated = repeatedIn(work.form, work.form.key, records)
    if (repeated.length > 0) throw new Conflict({ repeated })
    const changed: Placed[] = []
    for (const [place, record] of records.entries()) {
      const filter = keyFilter(work.form, work.form.key, (name) => record[name])
      changed.push(await changeOne(work, { ...common, filter, record, place }))
    }
    return doneBy(work, changed, includeDeleted)
  })
}

/** Changes the records that exist, and creates the others. */
export function upsert(open: OpenClient, db: Db, asked: Asked<'upsert'>): Promise<WroteRow> {
  const { write, unique, needed, includeDeleted } = asked
  const records = sentRecords(write)
  // A record that is looked for and then inserted is two commands.
  return run(open, db, asked, records.length > 1, async (work) => {
    const repeated = repeatedIn(work.form, unique, records)
    if (repeated.length > 0) throw new Conflict({ repeated })
    const changed: Placed[] = []
    for (const [place, record] of records.entries()) {
      const filter = keyFilter(work.form, unique, (name) => record[name])
      const before = await work.collection.findOne(filter, optionsOf(work))
      if (!before) {
        if (needed.some((name) => !Object.hasOwn(record, name))) throw new Conflict({ incomplete: [place] })
        for (const document of await insertAt(work, record, place)) changed.push({ before, document, place })
        continue
      }
      const isHidden = write.softDelete && !includeDeleted && before[write.softDelete] === true
      if (isHidden) throw new Conflict({ hidden: [place] })
      if (movesKey(work, record, before)) throw new Conflict({ moved: [place] })
      const document = await changedAt(work, before, changesOf(work, record, false, unique), place)
      changed.push({ before, document, place })
    }
    const done = await doneBy(work, changed, includeDeleted)
    return { ...done, created: changed.filter(({ before }) => !before).length }
  })
}

const insertAt = (work: Work, record: Sent, place: number) => atPlace(place, insert(work, [record]))

async function changedAt(work: Work, { _id }: Document, change: Document, place: number): Promise<Document> {
  const changed = await atPlace(
    place,
    work.collection.findOneAndUpdate({ _id }, change, { ...optionsOf(work), returnDocument: 'after' }),
  )
  if (!changed) throw new Conflict({ missing: [place] })
  return changed
}

/** Deletes records, or marks them as deleted. */
export function remove(open: OpenClient, db: Db, asked: Asked<'delete'>): Promise<WroteRow> {
  const { write, which, hard, versions } = asked
  const isMany = 'match' in which || which.keys.length > 1
  return run(open, db, asked, isMany, async (work) => {
    const isSoft = write.softDelete !== null && !hard
    const found =
      'match' in which
        ? await matching(work, which.match, !isSoft)
        : await withKeys(work, which.keys, isSoft, versions)
    if (isSoft)
      await keepHeld(
        work,
        found.map((document) => ({ before: document, document, place: 0 })),
      )
    const documents: Document[] = []
    for (const document of found) {
      const version = versions ? { [versionName]: document[versionName] } : {}
      const own = { $and: [{ _id: document._id }, visible(work, !isSoft), version] }
      const record = isSoft && write.softDelete ? { [write.softDelete]: true } : null
      const removed = record
        ? await work.collection.findOneAndUpdate(own, changesOf(work, record, false), {
            ...optionsOf(work),
            returnDocument: 'after',
          })
        : await work.collection.findOneAndDelete(own, optionsOf(work))
      if (removed) documents.push(removed)
      else if (versions) throw new Conflict({ stale: [0] })
    }
    if (!isSoft) await followDeletion(work, documents)
    return { documents, isDeletion: true }
  })
}

/** Returns the documents with these keys. Throws a Conflict if one has another version. */
async function withKeys(
  work: Work,
  keys: readonly (readonly string[])[],
  isSoft: boolean,
  versions: readonly string[] | null,
): Promise<Document[]> {
  if (keys.length === 0) return []
  const any = { $or: keys.map((key) => keyOfPath(work.form, key)) }
  const where = { $and: [any, visible(work, !isSoft)] }
  const found = await work.collection.find(where, optionsOf(work)).sort({ _id: 1 }).toArray()
  if (versions && found.some((document) => !versions.includes(String(document[versionName]))))
    throw new Conflict({ stale: [0] })
  return found
}
