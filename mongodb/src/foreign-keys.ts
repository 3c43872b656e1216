/**
 * Keeps foreign keys inside a transaction. A write that names a record also changes a counter in it, so that
 * it conflicts with whoever deletes that record at the same time.
 */
import type { Document } from 'mongodb'
import type { KeyForm } from '../../src/data/providers/mongodb/wire.ts'
import { Refusal } from './failures.ts'
import { readAll } from './limits.ts'
import { newVersion } from './new-documents.ts'
import { keyText, positionText, valueAt, versionName } from './values.ts'
import { Conflict, optionsOf, pathsHaveAny, type Work } from './work.ts'

/** The member that counts the writes that have named a record. */
export const counterName = '_named'
/** How many records the rules of one deletion may delete or change. */
const followedMax = 10_000

/** A changed document, with its place in the body. */
export interface Placed {
  before: Document | null
  document: Document
  place: number
}

type Side = 'near' | 'far'

const pathsOf = ({ pairs }: KeyForm, side: Side): string[] => pairs.map((pair) => pair[side])

/** Returns the values of a key in a document; undefined if one is missing, so that it names no record. */
function valuesOf({ pairs }: KeyForm, side: Side, document: Document | null): unknown[] | undefined {
  const values = pairs.map((pair) => (document ? (valueAt(document, pair[side]) ?? null) : null))
  return values.includes(null) ? undefined : values
}

/** Returns values for people. Different ones can have the same text. */
const textOf = (values: readonly unknown[]): string =>
  values.map((value) => positionText('any', value) ?? '').join(', ')

/** Returns the filter of the documents that have one of some values on a side of a key. */
const having = (key: KeyForm, side: Side, all: readonly (readonly unknown[])[]): Document =>
  pathsHaveAny(pathsOf(key, side), all)

const notDeleted = (mark: string | null): Document => (mark === null ? {} : { [mark]: { $ne: true } })

/** Returns the projection that keeps the values at paths, and the key. */
export const keeping = (paths: readonly string[]): Document => ({
  _id: 1,
  ...Object.fromEntries(paths.filter((path) => !path.startsWith('_id')).map((path) => [path, 1])),
})

/** Tells whether the values of a key in a document differ before and after a change. */
const hasChanged = (key: KeyForm, side: Side, { before, document }: Placed): boolean => {
  const [was, is] = [valuesOf(key, side, before), valuesOf(key, side, document)]
  return (was && keyText(was)) !== (is && keyText(is))
}

/** Counts each record that documents name for the first time. Throws a Conflict for one that is not there. */
export async function nameParents(work: Work, changed: readonly Placed[]): Promise<void> {
  for (const [position, key] of (work.write.references ?? []).entries()) {
    const named = changed
      .filter((one) => hasChanged(key, 'near', one))
      .flatMap(({ document, place }) => {
        const values = valuesOf(key, 'near', document)
        return values ? [{ place, values, key: keyText(values) }] : []
      })
    if (named.length === 0) continue
    const values = [...new Map(named.map((one) => [one.key, one.values])).values()]
    const wanted = { $and: [having(key, 'far', values), notDeleted(key.toDeleted)] }
    const parents = work.db.collection(key.to)
    const projection = keeping(pathsOf(key, 'far'))
    const found = await parents.find(wanted, { ...optionsOf(work), projection }).toArray()
    const there = new Set(found.map((one) => keyText(valuesOf(key, 'far', one) ?? [])))
    const missing = named.find((one) => !there.has(one.key))
    if (missing) throw new Conflict({ deletedTargets: [[missing.place, position]] })
    await parents.updateMany(wanted, { $inc: { [counterName]: 1 } }, optionsOf(work))
  }
}

/**
 * Returns the error for a record that a key holds: the plan has to be made again if it does not have the key.
 */
const heldBy = (work: Work, position: number, conflicts: Record<string, unknown>): Error =>
  position < (work.write.inbound ?? []).length
    ? new Conflict(conflicts)
    : new Refusal('stale plan', 'A foreign key was made in the meantime.')

/** Throws a Conflict if records name values that a change has taken from their records. */
export async function keepNamed(work: Work, changed: readonly Placed[]): Promise<void> {
  for (const [position, key] of work.inbound.entries()) {
    if (key.to !== work.form.name) continue
    const moved = changed.flatMap((one) => {
      const values = hasChanged(key, 'far', one) ? valuesOf(key, 'far', one.before) : undefined
      return values ? [{ place: one.place, values }] : []
    })
    const place = await placeHeld(work, key, moved)
    if (place) throw heldBy(work, position, { referenced: [[place.place, position]] })
  }
}

/** Throws a Conflict if records that are not soft-deleted keep documents from being so. */
export async function keepHeld(work: Work, marked: readonly Placed[]): Promise<void> {
  const own = marked.map(({ document }) => document._id)
  for (const [position, key] of work.inbound.entries()) {
    if (key.to !== work.form.name || !isRestricting(key)) continue
    const others = key.from === key.to ? { _id: { $nin: own } } : {}
    const named = marked.flatMap(({ document, place }) => {
      const values = valuesOf(key, 'far', document)
      return values ? [{ place, values }] : []
    })
    const held = await placeHeld(work, key, named, { $and: [notDeleted(key.fromDeleted), others] })
    if (held) throw heldBy(work, position, { held: [[held.place, position, textOf(held.values)]] })
  }
}

interface Held {
  place: number
  values: unknown[]
}

/** Returns one of some values that a record has in a key; undefined if none has. */
async function placeHeld(
  work: Work,
  key: KeyForm,
  all: readonly Held[],
  more: Document = {},
): Promise<Held | undefined> {
  if (all.length === 0) return undefined
  const where = {
    $and: [
      having(
        key,
        'near',
        all.map(({ values }) => values),
      ),
      more,
    ],
  }
  const projection = keeping(pathsOf(key, 'near'))
  const child = await work.db.collection(key.from).findOne(where, { ...optionsOf(work), projection })
  const found = valuesOf(key, 'near', child)
  return found && (all.find(({ values }) => keyText(values) === keyText(found)) ?? all[0])
}

const isRestricting = ({ rule }: KeyForm): boolean => rule === 'RESTRICT' || rule === 'NO ACTION'

/** Tells whether a key keeps records from being deleted for good: a required field cannot become null. */
const isHolding = (key: KeyForm): boolean => isRestricting(key) || (key.rule === 'SET NULL' && key.required)

/**
 * Follows the rules of the keys to documents that were deleted. Throws a Conflict if records still name them
 * in the end, and a Refusal if there are too many to follow.
 */
export async function followDeletion(work: Work, deleted: readonly Document[]): Promise<void> {
  const gone: { collection: string; documents: readonly Document[] }[] = [
    { collection: work.form.name, documents: deleted },
  ]
  let followed = 0
  const keys = work.inbound
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
    for (const key of keys.filter((one) => one.to === collection && one.rule === 'SET NULL')) {
      if (isHolding(key)) continue
      followed += (await childrenOf(work, key, documents)).length
      if (followed > followedMax) throw tooMany()
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
    const named = all.map((values) => ({ place: 0, values }))
    const held = await placeHeld(work, key, named)
    if (held) throw heldBy(work, position, { held: [[0, position, textOf(held.values)]] })
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

/** Reads the documents that name others by a key, as far as the keys to them need. */
async function childrenOf(work: Work, key: KeyForm, documents: readonly Document[]): Promise<Document[]> {
  const all = allValues(key, documents)
  if (all.length === 0) return []
  const far = work.inbound.filter(({ to }) => to === key.from).flatMap((one) => pathsOf(one, 'far'))
  const found = work.db
    .collection(key.from)
    .find(having(key, 'near', all), { ...optionsOf(work), projection: keeping(far), raw: true })
    .limit(followedMax + 1)
  return readAll(found)
}

const tooMany = (): Refusal =>
  new Refusal(
    'refused',
    `A deletion deletes or changes at most ${followedMax} related records. Delete these first.`,
  )
