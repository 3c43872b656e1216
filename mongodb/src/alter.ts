/**
 * Changes collections of ours with the schema of their table. What is done twice has no other effect. Each
 * step is made only while the change holds the lease.
 */
import type { Collection, Db, Document } from 'mongodb'
import type { Altered } from '../../src/data/providers/mongodb/collection-forms.ts'
import type { CollectionForm } from '../../src/data/providers/mongodb/read-forms.ts'
import type { Ask, IndexForm } from '../../src/data/providers/mongodb/wire.ts'
import { indexOf, notOurs, ownerOf, validatorOf } from './collections.ts'
import { takenBy } from './failures.ts'
import { endLease, type Hold, takeLease } from './leases.ts'
import { readLimit, schemaLimit } from './limits.ts'

type Asked<Kind extends Ask['ask']> = Extract<Ask, { ask: Kind }>

/** How many documents one command changes, and for how long one question goes on. */
const batchMax = 1_000
const goesOnMs = 10_000

/** Takes values out of documents in batches. Returns whether there was not enough time for all. */
async function takeOut(collection: Collection, names: readonly string[], hold: Hold): Promise<boolean> {
  if (names.length === 0) return false
  const where = { $or: names.map((name) => ({ [name]: { $exists: true } })) }
  const $unset = Object.fromEntries(names.map((name) => [name, 1 as const]))
  for (const until = Date.now() + goesOnMs; Date.now() < until; ) {
    const options = { ...schemaLimit, projection: { _id: 1 } }
    const found = await collection.find(where, options).limit(batchMax).toArray()
    if (found.length === 0) return false
    const ids = found.map(({ _id }) => _id)
    await hold()
    // It has ended before the question has, so that none goes on after its change.
    await collection.updateMany({ _id: { $in: ids } }, { $unset } as Document, readLimit)
  }
  return true
}

async function requireOurs(db: Db, { collection: { name }, owner }: Asked<'alter' | 'tidy'>) {
  if ((await ownerOf(db, name)) !== owner) throw notOurs(name)
  return db.collection(name)
}

/** Returns the fields of which some document has no value. */
async function emptyIn(collection: Collection, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map((name) => collection.findOne({ [name]: null }, { ...schemaLimit, projection: { _id: 1 } })),
  )
  return names.filter((_, place) => found[place] !== null)
}

async function validate(
  db: Db,
  { collection, required }: Asked<'alter' | 'tidy'>,
  hold: Hold,
): Promise<void> {
  await hold()
  const validator = validatorOf(collection, required)
  await db.command({ collMod: collection.name, validator, ...schemaLimit })
}

/** Prepares a collection for another schema. If it does not fit, the next `tidy` undoes what was done. */
export async function alter(db: Db, asked: Asked<'alter'>): Promise<Altered> {
  const own = await requireOurs(db, asked)
  const { fresh, filled, indexes, collection, lease } = asked
  const hold = await takeLease(db, collection.name, lease)
  if (await takeOut(own, fresh, hold)) return { isLeft: true }
  const empty = await emptyIn(own, filled)
  if (empty.length > 0) return { isLeft: false, empty }
  await validate(db, asked, hold)
  // From now on, nobody can write an empty value.
  const late = await emptyIn(own, filled)
  if (late.length > 0) return { isLeft: false, empty: late }
  return { isLeft: false, ...(await makeIndexes(own, collection, indexes, hold)) }
}

/** Makes indexes that are not there. Returns the name of a unique one of which some values are repeated. */
async function makeIndexes(
  own: Collection,
  { fields }: CollectionForm,
  indexes: readonly IndexForm[],
  hold: Hold,
): Promise<Pick<Altered, 'repeated'>> {
  for (const index of indexes) {
    const { key, ...options } = indexOf(index, fields)
    await hold()
    try {
      await own.createIndex(key, { ...options, ...schemaLimit })
    } catch (error) {
      if (!takenBy(error, 0)) throw error
      return { repeated: index.name }
    }
  }
  return {}
}

/** Leaves a collection nothing but what its schema has. Indexes of others stay. */
export async function tidy(db: Db, asked: Asked<'tidy'>): Promise<Altered> {
  const own = await requireOurs(db, asked)
  const { collection, indexes, gone, lease } = asked
  const hold = await takeLease(db, collection.name, lease)
  await validate(db, asked, hold)
  const wanted = new Set(indexes.map(({ name }) => name))
  const present = await own.listIndexes(schemaLimit).toArray()
  for (const { name } of present)
    if (String(name).startsWith(`${collection.name}$`) && !wanted.has(name)) {
      await hold()
      await own.dropIndex(name, schemaLimit)
    }
  const made = await makeIndexes(own, collection, indexes, hold)
  const isLeft = await takeOut(own, gone, hold)
  await endLease(db, collection.name, lease)
  return { isLeft, ...made }
}
