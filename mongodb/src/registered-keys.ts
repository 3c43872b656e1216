/**
 * The foreign keys to each collection, beside whose it is. A write may have been planned before another
 * request made a key: so what deletes records, or changes values that a key could reference, reads here which
 * there are.
 */
import type { ClientSession, Db } from 'mongodb'
import type { KeyForm } from '../../src/data/providers/mongodb/wire.ts'
import { notesOf, type Registered } from './collection-notes.ts'
import { schemaLimit } from './limits.ts'
import type { Work } from './work.ts'

/** Registers the keys of a collection, before any record of it can name others by them. */
export async function registerKeys(db: Db, keys: readonly KeyForm[]): Promise<void> {
  for (const { from, to, pairs } of keys) {
    const key = { from, pairs: pairs.map(({ near, far }) => ({ near, far })) }
    await notesOf(db).updateOne({ _id: to }, { $addToSet: { keys: key } }, { upsert: true, ...schemaLimit })
  }
}

/** Forgets the keys of a collection that no records of a table are in any longer. */
export const forgetKeys = (db: Db, from: string) =>
  notesOf(db).updateMany({ 'keys.from': from }, { $pull: { keys: { from } } }, schemaLimit)

const isSame = (one: Registered, other: Registered): boolean =>
  one.from === other.from && JSON.stringify(pairsOf(one)) === JSON.stringify(pairsOf(other))
const pairsOf = ({ pairs }: Registered) => pairs.map(({ near, far }) => [near, far])

/**
 * Returns the keys to the collections of a write that its plan does not have. A record that one of them holds
 * must not be deleted.
 */
export async function unplannedKeys(
  { db, form, write }: Pick<Work, 'db' | 'form' | 'write'>,
  options: { session?: ClientSession },
): Promise<KeyForm[]> {
  const planned = write.inbound ?? []
  const concerned = [...new Set([form.name, ...planned.map(({ from }) => from)])]
  const found = await notesOf(db)
    .find({ _id: { $in: concerned }, keys: { $exists: true } }, options)
    .toArray()
  return found.flatMap(({ _id: to, keys = [] }) =>
    keys
      .filter((key) => !planned.some((one) => one.to === to && isSame(one, key)))
      .map((key) => ({
        ...{ from: key.from, to, pairs: key.pairs },
        ...{ rule: 'RESTRICT' as const, required: false, fromDeleted: null, toDeleted: null },
      })),
  )
}
