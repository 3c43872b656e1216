/**
 * Collections that were there before: which there are, what is in them, and whether one can be used as it is.
 */
import { Binary, BSON, type Db, type Document } from 'mongodb'
import type {
  FoundCollection,
  SampledDocuments,
  SampledMember,
} from '../../src/data/providers/mongodb/collection-forms.ts'
import type { Ask, IndexForm } from '../../src/data/providers/mongodb/wire.ts'
import { notesOf } from './collection-notes.ts'
import { Refusal } from './failures.ts'
import { heldBytesMax, schemaLimit } from './limits.ts'
import type { OpenClient } from './open-client.ts'
import { positionText } from './values.ts'
import { prepareNotes } from './write-notes.ts'

type Asked<Kind extends Ask['ask']> = Extract<Ask, { ask: Kind }>

/** The collections of the server, and ours beside those of tables. */
const reserved = /^(?:system\.|tessera_)/
/** How many collections are told, and how many of them are asked for their sizes at a time. */
const collectionsMax = 500
const askedMax = 16

const ownersOf = async (db: Db): Promise<Set<string>> => {
  const found = await notesOf(db)
    .find({ owner: { $exists: true } }, schemaLimit)
    .toArray()
  return new Set(found.map(({ _id }) => _id))
}

/** Returns the collections of a database in the order of their names, without those of the server. */
export async function collectionsOf(db: Db): Promise<{ collections: FoundCollection[] }> {
  const [all, ours] = await Promise.all([
    db.listCollections({}, { nameOnly: true, ...schemaLimit }).toArray(),
    ownersOf(db),
  ])
  const named = all
    .filter(({ name }) => !reserved.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, collectionsMax)
  const collections: FoundCollection[] = []
  for (let first = 0; first < named.length; first += askedMax)
    collections.push(
      ...(await Promise.all(
        named.slice(first, first + askedMax).map(async ({ name, type = 'collection' }) => ({
          name,
          kind: String(type),
          isOurs: ours.has(name),
          ...(await sizesOf(db, name, type)),
        })),
      )),
    )
  return { collections }
}

/** Returns how much is in a collection; null: the server does not say, as of views. */
async function sizesOf(db: Db, name: string, type: unknown) {
  if (type !== 'collection') return { documents: null, bytes: null }
  const { count, size } = await db
    .command({ collStats: name, ...schemaLimit })
    .catch((): Document => ({ count: undefined, size: undefined }))
  const numberOf = (value: unknown) => (value === undefined ? null : Number(value))
  return { documents: numberOf(count), bytes: numberOf(size) }
}

/** The names of types of BSON, by those of the classes that the driver reads them as. */
const kinds: Readonly<Record<string, string>> = {
  Int32: 'int',
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return 'date'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Binary) return value.sub_type === Binary.SUBTYPE_UUID ? 'uuid' : 'binary'
  return value instanceof BSON.BSONValue ? (kinds[value._bsontype] ?? value._bsontype) : typeof value
}

/** How many members are told, and how many different texts of one, each up to a length. */
const membersMax = 1_000
const textsMax = 20
const lengthMax = 100

/**
 * Tells what is in some documents of a collection: so many, or as many as may be held. Throws a Refusal if
 * no table can be made of it.
 */
export async function sampleOf(db: Db, { name, size }: Asked<'sample'>): Promise<SampledDocuments> {
  await requireFree(db, name)
  const members = new Map<string, SampledMember>()
  let documents = 0
  let bytes = 0
  const found = db.collection(name).aggregate([{ $sample: { size } }], { ...schemaLimit, raw: true })
  for await (const one of found) {
    const raw = one as Uint8Array
    bytes += raw.byteLength
    if (bytes > heldBytesMax) break
    documents++
    const document = BSON.deserialize(raw, { promoteValues: false })
    const id = positionText('any', document._id) ?? 'null'
    for (const [member, value] of Object.entries(document)) {
      const own = members.get(member) ?? { name: member, types: {}, first: {}, texts: [] }
      if (members.size < membersMax) members.set(member, own)
      const type = typeOf(value)
      own.types[type] = (own.types[type] ?? 0) + 1
      own.first[type] ??= id
      if (type !== 'string' || own.texts === null || own.texts.includes(value)) continue
      const isFew = own.texts.length < textsMax && value.length <= lengthMax
      own.texts = isFew ? [...own.texts, value] : null
    }
  }
  return { documents, members: [...members.values()] }
}

/** Throws a Refusal if no table can be made of a collection. */
async function requireFree(db: Db, name: string): Promise<void> {
  const [[found], ours] = await Promise.all([
    db.listCollections({ name }, { nameOnly: true, ...schemaLimit }).toArray(),
    ownersOf(db),
  ])
  const quoted = JSON.stringify(name)
  if (!found || reserved.test(name))
    throw new Refusal('not ours', `The database has no collection ${quoted} that a table can be made of.`)
  if (found.type !== undefined && found.type !== 'collection')
    throw new Refusal('not ours', `${quoted} is a ${found.type}, of which no table can be made.`)
  if (ours.has(name)) throw new Refusal('not ours', `The collection ${quoted} belongs to another table.`)
}

/** Checks that a collection can be used as it is. Throws a Refusal with what to do otherwise. */
export async function adopt(open: OpenClient, db: Db, { name, indexes }: Asked<'adopt'>): Promise<object> {
  await requireFree(db, name)
  const present = await db.collection(name).listIndexes(schemaLimit).toArray()
  const missing = indexes.filter((index) => !present.some((one) => serves(one, index)))
  if (missing.length > 0)
    throw new Refusal(
      'not ours',
      `A collection that was there before is not changed. Create its indexes yourself: ${missing
        .map((index) => commandFor(name, index))
        .join(' ')}`,
    )
  if (open.hasTransactions) await prepareNotes(open, db)
  return {}
}

/** Tells whether an index of the server is as the schema wants it. */
const serves = ({ key, unique, partialFilterExpression }: Document, index: IndexForm): boolean =>
  Object.keys(key).join() === index.paths.join() &&
  (!index.unique || unique === true) &&
  (partialFilterExpression === undefined || index.unique)

const commandFor = (name: string, { paths, unique }: IndexForm): string => {
  const keys = JSON.stringify(Object.fromEntries(paths.map((path) => [path, 1])))
  return `db.getCollection(${JSON.stringify(name)}).createIndex(${keys}${unique ? ', {"unique": true}' : ''})`
}
