/** Writes records: creates, changes and deletes them. */
import type { Db, Document } from 'mongodb'
import type { Question, WriteForm } from '../../src/data/providers/mongodb/wire.ts'
import type { WroteRow } from '../../src/data/providers/mongodb/wire-rows.ts'
import { hasOperation, withResults } from './arithmetic.ts'
import {
  alone,
  changeAll,
  changesOf,
  deleteAll,
  foundBy,
  hasVersion,
  matching,
  movesKey,
  planned,
  requireFound,
  withKeys,
  writeAll,
} from './changes.ts'
import { followDeletion, keepHeld, keepNamed, nameParents, type Placed } from './foreign-keys.ts'
import { versionOf } from './misfits.ts'
import {
  countUnnumbered,
  newDocument,
  nextNumber,
  type Sent,
  sentRecords,
  skipNumbers,
} from './new-documents.ts'
import type { OpenClient } from './open-client.ts'
import {
  atPlace,
  Conflict,
  type Done,
  havingAny,
  keyOfPath,
  optionsOf,
  repeatedIn,
  run,
  storedValues,
  visible,
  type Work,
} from './work.ts'

type Asked<Kind extends Question['ask']> = Extract<Question, { ask: Kind }>

/** Makes the documents of new records. */
async function newDocuments(work: Work, records: readonly Sent[]): Promise<Document[]> {
  const { db, form, write, now, version } = work
  // Numbers are given once, also to writes that are rolled back. Those of dry runs are not given.
  const options = write.isDry ? optionsOf(work) : {}
  if (write.highest !== null) await skipNumbers(db, form.name, write.highest, options)
  const count = countUnnumbered(write, records)
  let number = count > 0 ? await nextNumber(db, form.name, count, options) : 0n
  return records.map((record) => newDocument(form, write, record, { now, version, number: () => number++ }))
}

/** Creates records. */
export function create(open: OpenClient, db: Db, asked: Asked<'create'>): Promise<WroteRow> {
  const records = sentRecords(asked.write)
  return run(open, db, asked, records.length > 1, async (work) => {
    const documents = await newDocuments(work, records)
    await writeAll(work, inserting(documents))
    await nameParents(
      work,
      documents.map((document, place) => ({ before: null, document, place })),
    )
    return { documents }
  })
}

const inserting = (documents: readonly Document[]) =>
  documents.map((document, place) => ({ place, does: { insertOne: { document } } }))

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

interface One {
  filter: Document
  record: Sent
  versions: readonly string[] | null
  whole: boolean
  includeDeleted: boolean
}

/**
 * Changes the one record that a filter finds. Throws a Conflict if there is none, or of another version.
 */
async function changeOne(
  work: Work,
  { filter, record, versions, whole, includeDeleted }: One,
): Promise<Placed> {
  const { collection, form, write } = work
  const place = 0
  const seen = { $and: [filter, visible(work, includeDeleted)] }
  // The key is compared with that of the document, which only a record that sends one needs.
  const hasKey = form.key.some((name) => Object.hasOwn(record, name))
  const isComputed = hasOperation(write, record)
  const isRead = hasKey || isComputed || (work.session !== undefined && needsBefore(write))
  const before = isRead ? await collection.findOne(seen, optionsOf(work)) : null
  if (before && movesKey(work, record, before)) throw new Conflict({ moved: [place] })
  const own = { $and: [seen, await hasVersion(work, seen, versions)] }
  const options = { ...optionsOf(work), returnDocument: 'after' as const }
  const sent = isComputed && before ? withResults(work, record, before, place) : record
  const change = { $set: changesOf(work, sent, { whole }) }
  const changed = await atPlace(place, collection.findOneAndUpdate(alone(work, own), change, options))
  if (changed) return { before, document: changed, place }
  const exists = versions !== null && (await collection.findOne(seen, optionsOf(work)))
  return requireFound(work, exists ? { stale: [place] } : { missing: [place] })
}

/** Changes records. */
export function update(open: OpenClient, db: Db, asked: Asked<'update'>): Promise<WroteRow> {
  const { write, which, includeDeleted, versions, whole } = asked
  const records = sentRecords(write)
  const [record = {}] = records
  if (which && 'match' in which)
    return run(open, db, asked, true, async (work) => {
      const found = await matching(work, which.match, includeDeleted)
      return doneBy(work, await changeAll(work, found, record), includeDeleted)
    })
  return run(open, db, asked, records.length > 1, async (work) => {
    const { form } = work
    const one = { record, versions, whole, includeDeleted }
    if (which) {
      const filter = keyOfPath(form, which.key)
      return doneBy(work, [await changeOne(work, { ...one, filter })], includeDeleted)
    }
    const repeated = repeatedIn(form, form.key, records)
    if (repeated.length > 0) throw new Conflict({ repeated })
    if (!work.session) {
      const filter = havingAny(form, form.key, [storedValues(form, form.key, (name) => record[name])])
      return doneBy(work, [await changeOne(work, { ...one, filter })], includeDeleted)
    }
    const documentOf = await foundBy(work, form.key, records, includeDeleted)
    const changed = records.map((sent, place) => {
      const before = documentOf(sent)
      if (!before) throw new Conflict({ missing: [place] })
      if (versions && !versions.includes(versionOf(form, before))) throw new Conflict({ stale: [place] })
      return planned(work, { before, record: sent, place }, { whole })
    })
    await writeAll(work, changed)
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
    const documentOf = await foundBy(work, unique, records, true)
    const places = records.map((record, place) => ({ record, place, before: documentOf(record) }))
    const created = places.filter(({ before }) => !before)
    const lacking = created.find(({ record }) => needed.some((name) => !Object.hasOwn(record, name)))
    if (lacking) throw new Conflict({ incomplete: [lacking.place] })
    const isHidden = ({ before }: (typeof places)[number]) =>
      write.softDelete && !includeDeleted && before?.[write.softDelete] === true
    const hidden = places.find(isHidden)
    if (hidden) throw new Conflict({ hidden: [hidden.place] })
    const made = await newDocuments(
      work,
      created.map(({ record }) => record),
    )
    let next = 0
    const changed = places.map(({ record, place, before }) => {
      if (before) return planned(work, { before, record, place }, { kept: unique })
      const document = made[next++] as Document
      return { before: null, document, place, does: { insertOne: { document } } }
    })
    if (work.session) await writeAll(work, changed)
    else for (const one of changed) one.document = await writtenAlone(work, one)
    const done = await doneBy(work, changed, includeDeleted)
    return { ...done, created: created.length }
  })
}

/** Writes the one record of an upsert without a transaction. */
async function writtenAlone(work: Work, { before, document, place, does }: ReturnType<typeof planned>) {
  if (!before || !('updateOne' in does)) {
    await writeAll(work, inserting([document]))
    return document
  }
  const options = { ...optionsOf(work), returnDocument: 'after' as const }
  const { update } = does.updateOne
  const own = alone(work, { _id: before._id })
  const changed = await atPlace(place, work.collection.findOneAndUpdate(own, update, options))
  return changed ?? requireFound(work, { missing: [place] })
}

/** Deletes records, or marks them as deleted. */
export function remove(open: OpenClient, db: Db, asked: Asked<'delete'>): Promise<WroteRow> {
  const { write, which, hard, versions } = asked
  const isMany = 'match' in which || which.keys.length > 1
  return run(open, db, asked, isMany, async (work) => {
    const isSoft = write.softDelete !== null && !hard
    const mark = isSoft && write.softDelete ? { [write.softDelete]: true } : null
    if (!work.session && 'keys' in which) return removeAlone(work, which.keys, versions, mark)
    const found =
      'match' in which
        ? await matching(work, which.match, !isSoft)
        : await withKeys(work, which.keys, !isSoft)
    if (versions && found.some((document) => !versions.includes(versionOf(work.form, document))))
      throw new Conflict({ stale: [0] })
    if (mark) {
      await keepHeld(
        work,
        found.map((document) => ({ before: document, document, place: 0 })),
      )
      const changed = await changeAll(work, found, mark)
      return { documents: changed.map(({ document }) => document), isDeletion: true }
    }
    await deleteAll(work, found)
    await followDeletion(work, found)
    return { documents: found, isDeletion: true }
  })
}

/** Deletes at most one record without a transaction. */
async function removeAlone(
  work: Work,
  [key]: readonly (readonly string[])[],
  versions: readonly string[] | null,
  mark: Sent | null,
): Promise<Done> {
  if (!key) return { documents: [], isDeletion: true }
  const { collection, form } = work
  const seen = { $and: [keyOfPath(form, key), visible(work, !mark)] }
  const own = alone(work, { $and: [seen, await hasVersion(work, seen, versions)] })
  const options = optionsOf(work)
  const removed = mark
    ? await collection.findOneAndUpdate(
        own,
        { $set: changesOf(work, mark, {}) },
        { ...options, returnDocument: 'after' },
      )
    : await collection.findOneAndDelete(own, options)
  if (removed) return { documents: [removed], isDeletion: true }
  if (work.isUnnamed || (versions && (await collection.findOne(seen, options))))
    return requireFound(work, { stale: [0] })
  return { documents: [], isDeletion: true }
}
