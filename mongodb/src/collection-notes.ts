/** The notes about the collections of tables: whose each is, the keys to it, its numbers and its lease. */
import type { Db } from 'mongodb'
import type { KeyForm } from '../../src/data/providers/mongodb/wire.ts'

/** A foreign key to a collection, without its rule. */
export type Registered = Pick<KeyForm, 'from' | 'pairs'>

/** What is noted of a collection of a table. */
interface CollectionNote {
  _id: string
  owner?: string
  /** The foreign keys to the collection. */
  keys?: Registered[]
  /** The last number that a key was given. */
  n?: bigint
  /** The change of its schema that has the lease, and the catalog that the last one has ended with. */
  change?: string
  until?: Date
  ended?: number
}

export const notesOf = (db: Db) => db.collection<CollectionNote>('tessera_tables')
