/**
 * Keeps foreign keys inside a transaction. A write that names a record also changes a counter in it, so that
 * it conflicts with whoever deletes that record at the same time.
 */
import type { Document } from 'mongodb'
import type { KeyForm } from '../../src/data/providers/mongodb/wire.ts'
import { Refusal } from './failures.ts'
import { versionName } from './list.ts'
import { newVersion } from './new-documents.ts'
import { positionText, valueAt } from './values.ts'
import { Conflict, optionsOf, type Work } from './work.ts'

/** The member that counts the writes that have named a record. */
const counterName = '_named'
/** How many records the rules of one deletion may delete or change. */
const followedMax = 10_000

/** A changed document, with its place in the body. */
export interface Placed {
  before: Document | null
  document: Document
  place: number
}

type Side = 'near' | 'far'

/** Returns the values of a key in a document; undefined if one is missing, so that it names no record. */
function valuesOf({ pairs }: KeyForm, side: Side, document: Document | null): unknown[] | undefined {
  const values = pairs.map((pair) => (document ? (valueAt(document, pair[side]) ?? null) : null))
  return values.includes(null) ? undefined : values
}

const textOf = (values: readonly unknown[]): string =>
  values.map((value) => positionText('any', value) ?? '').join(', ')

/** Returns the filter of the documents that have one of some values on a side of a key. */
const having = ({ pairs }: KeyForm, side: Side, all: readonly (readonly unknown[])[]): Document => ({
  $or: all.map((values) => ({
    $and: pairs.map((pair, place) => ({ [pair[side]]: { $eq: values[place] } })),
  })),
})

const notDeleted = (mark: string | null): Document => (mark === null ? {} : { [mark]: { $ne: true } })

/** Tells whether two texts of values differ: those of a document before and after a change. */
const hasChanged = (key: KeyForm, side: Side, { before, document }: Placed): boolean => {
  const [was, is] = [valuesOf(key, side, before), valuesOf(key, side, document)]
  return (was && textOf(was)) !== (is && textOf(is))
}

/** Counts each record that documents name for the first time. Throws a Conflict for one that is not there. */
export async function nameParents(work: Work, changed: readonly Placed[]): Promise<void> {
  for (const [position, key] of (work.write.references ?? []).entries()) {
    const named = changed
      .filter((one) => hasChanged(key, 'near', one))
      .flatMap(({ document, place }) => {
        const values = valuesOf(key, 'near', document)
        return values ? [{ place, values, text: textOf(values) }] : []
      })
    if (named.length === 0) continue
    const values = [...new Map(named.map((one) => [one.text, one.values])).values()]
    const wanted = { $and: [having(key, 'far', values), notDeleted(key.toDeleted)] }
    const parents = work.db.collection(key.to)
    const found = await parents.find(wanted, optionsOf(work)).toArray()
    const there = new Set(found.map((one) => textOf(valuesOf(key, 'far', one) ?? [])))
    const missing = named.find(({ text }) => !there.has(text))
    if (missing) throw new Conflict({ deletedTargets: [[missing.place, position]] })
    await parents.updateMany(wanted, { $inc: { [counterName]: 1 } }, optionsOf(work))
  }
}

/** Throws a Conflict if records name values that a change has taken from their records. */
export async function keepNamed(work: Work, changed: readonly Placed[]): Promise<void> {
  for (const [position, key] of (work.write.inbound ?? []).entries()) {
    if (key.to !== work.form.name) continue
    for (const one of changed.filter((each) => hasChanged(key, 'far', each))) {
      const values = valuesOf(key, 'far', one.before)
      if (values && (await firstOf(work, key, [values])))
        throw new Conflict({ referenced: [[one.place, position]] })
    }
  }
}

/** Throws a Conflict if records that are not soft-deleted keep documents from being so. */
export async function keepHeld(work: Work, marked: readonly Placed[]): Promise<void> {
  const own = marked.map(({ document }) => document._id)
  for (const [position, key] of (work.write.inbound ?? []).entries()) {
    if (key.to !== work.form.name || !isHolding(key)) continue
    const others = key.from === key.to ? { _id: { $nin: own } } : {}
    for (const { document, place } of marked) {
      const values = valuesOf(key, 'far', document)
      const more = { $and: [notDeleted(key.fromDeleted), others] }
      if (values && (await firstOf(work, key, [values], more)))
        throw new Conflict({ held: [[place, position, textOf(values)]] })
    }
  }
}

const isHolding = ({ rule, required }: KeyForm): boolean =>
  rule === 'RESTRICT' || rule === 'NO ACTION' || (rule === 'SET NULL' && required)

const firstOf = (work: Work, key: KeyForm, values: unknown[][], more: Document = {}) =>
  work.db
    .collection(key.from)
    .findOne({ $and: [having(key, 'near', values), more] }, { ...optionsOf(work), projection: { _id: 1 } })

/**
 * Follows the rules of the keys to documents that were deleted. Throws a Conflict if records still name them
 * in the end, and a Refusal if there are too many to follow.
 */
export async function followDeletion(work: Work, deleted: readonly Document[]): Promise<void> {
  const gone: { collection: string; documents: readonly Document[] }[] = [
    { collection: work.form.name, documents: deleted },
  ]
  let followed = 0
  const keys = work.write.inbound ?? []
  for (const { collection, documents } of gone) {
    for (const key of keys.filter(({ to, rule }) => to === collection && rule === 'CASCADE')) {
      const children = await childrenOf(work, key, documents)
      followed += children.length
      if (followed > followedMax) throw tooMany()
      if (children.length === 0) continue
      const ids = children.map(({ _id }) => _id)
      await work.db.collection(key.from).deleteMany({ _id: { $in: ids } }, optionsOf(work))
      gone.push({ collection: key.from, documents: children })
    }
  }
  for (const { collection, documents } of gone)
    for (const [position, key] of keys.entries())
      if (key.to === collection) await release(work, key, position, documents)
}

async function release(
  work: Work,
  key: KeyForm,
  position: number,
  documents: readonly Document[],
): Promise<void> {
  const all = allValues(key, documents)
  if (all.length === 0) return
  if (isHolding(key)) {
    const child = await work.db.collection(key.from).findOne(having(key, 'near', all), optionsOf(work))
    const values = valuesOf(key, 'near', child)
    if (values) throw new Conflict({ held: [[0, position, textOf(values)]] })
  } else if (key.rule === 'SET NULL') {
    const empty = Object.fromEntries(key.pairs.map(({ near }) => [near, null]))
    await work.db
      .collection(key.from)
      .updateMany(
        having(key, 'near', all),
        { $set: { ...empty, [versionName]: newVersion() } },
        optionsOf(work),
      )
  }
}

const allValues = (key: KeyForm, documents: readonly Document[]): unknown[][] =>
  documents.flatMap((document) => {
    const values = valuesOf(key, 'far', document)
    return values ? [values] : []
  })

async function childrenOf(work: Work, key: KeyForm, documents: readonly Document[]): Promise<Document[]> {
  const all = allValues(key, documents)
  if (all.length === 0) return []
  return work.db
    .collection(key.from)
    .find(having(key, 'near', all), optionsOf(work))
    .limit(followedMax + 1)
    .toArray()
}

const tooMany = (): Refusal =>
  new Refusal('refused', `A deletion deletes at most ${followedMax} related records. Delete these first.`)
