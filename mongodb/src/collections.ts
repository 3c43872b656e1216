/** Makes, renames and drops the collections of tables. Notes beside them say whose they are. */
import type { Db, Document } from 'mongodb'
import type { CollectionForm, FieldForm } from '../../src/data/providers/mongodb/read-forms.ts'
import type { Ask, IndexForm } from '../../src/data/providers/mongodb/wire.ts'
import { notesOf } from './collection-notes.ts'
import { Refusal } from './failures.ts'
import { schemaLimit } from './limits.ts'
import type { OpenClient } from './open-client.ts'
import { forgetKeys, registerKeys } from './registered-keys.ts'
import { renderPredicate } from './render-predicate.ts'
import { versionName } from './values.ts'
import { prepareNotes } from './write-notes.ts'

type Asked<Kind extends Ask['ask']> = Extract<Ask, { ask: Kind }>

/** The types of BSON in which values are stored. */
const bsonTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'long',
  number: 'decimal',
  boolean: 'bool',
  date: 'date',
  time: 'string',
  datetime: 'date',
  uuid: 'binData',
  object: 'object',
  array: 'array',
}

const bsonTypeOf = (type: string): string => bsonTypes[type] ?? 'object'

/** Returns the validator of a collection: everybody who writes to it keeps to the types of its fields. */
export function validatorOf({ fields, key }: CollectionForm, required: readonly string[]): Document {
  const ofField = ({ name, type }: FieldForm) => ({
    bsonType: required.includes(name) ? bsonTypeOf(type) : [bsonTypeOf(type), 'null'],
  })
  const others = fields.filter(({ name }) => !key.includes(name))
  const keys = fields.filter(({ name }) => key.includes(name))
  const [only] = keys
  const ofKey =
    keys.length === 1 && only
      ? ofField(only)
      : {
          bsonType: 'object',
          required: key,
          properties: Object.fromEntries(keys.map((one) => [one.name, ofField(one)])),
        }
  return {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', ...required.filter((name) => !key.includes(name))],
      properties: {
        _id: ofKey,
        [versionName]: { bsonType: ['long', 'int'] },
        ...Object.fromEntries(others.map((field) => [field.name, ofField(field)])),
      },
    },
  }
}

/** Returns whose a collection is; null if it does not exist, and the empty text if it is nobody's. */
export async function ownerOf(db: Db, name: string): Promise<string | null> {
  const [[found], note] = await Promise.all([
    db.listCollections({ name }, { nameOnly: true, ...schemaLimit }).toArray(),
    notesOf(db).findOne({ _id: name }, schemaLimit),
  ])
  return found ? (note?.owner ?? '') : null
}

export const notOurs = (name: string): Refusal =>
  new Refusal('not ours', `The database has a collection "${name}" that this table did not make.`)

/**
 * Returns an index. One of unique values leaves out documents without a value, so that several may have
 * none, as on Postgres.
 */
export function indexOf({ name, paths, unique, where }: IndexForm, fields: readonly FieldForm[]) {
  const values = paths.map((path) => {
    const type = fields.find((field) => field.path === path)?.type ?? 'string'
    return { [path]: { $type: bsonTypeOf(type) } }
  })
  const filter = [...(unique ? values : []), ...(where ? [renderPredicate(where)] : [])]
  return {
    name,
    key: Object.fromEntries(paths.map((path) => [path, 1 as const])),
    ...(unique && { unique }),
    ...(filter.length > 0 && { partialFilterExpression: { $and: filter } }),
  }
}

/** Makes a collection with its indexes. If this table has made it before, makes what is missing. */
export async function make(
  open: OpenClient,
  db: Db,
  { collection, owner, required, indexes, keys = [], hasKeys = keys.length > 0 }: Asked<'make'>,
): Promise<object> {
  if (hasKeys && !open.hasTransactions)
    throw new Refusal(
      'needs transactions',
      'Foreign keys need a server with transactions: a replica set or a sharded cluster.',
    )
  const { name, fields } = collection
  const present = await ownerOf(db, name)
  if (present !== null && present !== owner) throw notOurs(name)
  await prepareNotes(open, db)
  const validator = validatorOf(collection, required)
  if (present === null) {
    await notesOf(db).updateOne({ _id: name }, { $set: { owner } }, { upsert: true, ...schemaLimit })
    await db.createCollection(name, { validator, validationLevel: 'strict', ...schemaLimit })
  }
  if (indexes.length > 0)
    await db.collection(name).createIndexes(
      indexes.map((index) => indexOf(index, fields)),
      schemaLimit,
    )
  await registerKeys(db, keys)
  return {}
}

/** Gives a collection another name. If it has the name already, does nothing. */
export async function rename(db: Db, { from, to, owner, keys = [] }: Asked<'rename'>): Promise<object> {
  const [present, there] = await Promise.all([ownerOf(db, from), ownerOf(db, to)])
  if (there === owner && present !== owner) return {}
  if (present !== owner) throw notOurs(from)
  await registerKeys(db, keys)
  const { _id, ...noted } = (await notesOf(db).findOne({ _id: from }, schemaLimit)) ?? { _id: from }
  const note = { ...noted, owner }
  // The note comes first, so that the collection has its owner under each of its names.
  await notesOf(db).updateOne({ _id: to }, { $set: note }, { upsert: true, ...schemaLimit })
  await db.renameCollection(from, to, schemaLimit)
  await notesOf(db).deleteOne({ _id: from }, schemaLimit)
  await forgetKeys(db, from)
  return {}
}

/** Drops a collection of ours. */
export async function drop(db: Db, { name, owner }: Asked<'drop'>): Promise<object> {
  const present = await ownerOf(db, name)
  if (present === null) return {}
  if (present !== owner) throw notOurs(name)
  await db.dropCollection(name, schemaLimit)
  await notesOf(db).deleteOne({ _id: name }, schemaLimit)
  await forgetKeys(db, name)
  return {}
}
