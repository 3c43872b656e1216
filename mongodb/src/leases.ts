/**
 * The lease of a collection, in its note: one change of its schema at a time, from its first question to its
 * last. It ends by itself if the request is lost.
 */
import type { Db, Document } from 'mongodb'
import type { LeaseForm } from '../../src/data/providers/mongodb/wire.ts'
import { notesOf } from './collection-notes.ts'
import { Refusal } from './failures.ts'
import { schemaLimit } from './limits.ts'

/** Longer than a batch, an index, or the transaction between two questions may take. */
const leaseMs = 60_000

const later = () => new Date(Date.now() + leaseMs)

/** Tells a change whether it may go on. Throws a Refusal if another one has come first. */
export type Hold = () => Promise<void>

/** Writes to the note of a collection if it passes a filter. Throws a Refusal otherwise. */
async function note(db: Db, name: string, filter: Document, change: Document): Promise<void> {
  const { matchedCount } = await notesOf(db).updateOne({ _id: name, ...filter }, change, schemaLimit)
  if (matchedCount === 0)
    throw new Refusal('changing', 'Another change of this table is in progress, or has just ended.')
}

/**
 * Takes the lease for a change, or goes on with it. Throws a Refusal if another change has it, or has ended
 * since this one was planned. Returns what is called before each batch.
 */
export async function takeLease(db: Db, name: string, lease: LeaseForm | undefined): Promise<Hold> {
  if (!lease) return async () => undefined
  const { change, catalog } = lease
  const isOver = [{ until: null }, { until: { $lt: new Date() } }]
  const isOlder = { change: null, ended: { $lte: catalog } }
  const go = (filter: Document) => note(db, name, filter, { $set: { change, until: later() } })
  await go({ $or: [{ change }, ...isOver, isOlder] })
  return () => go({ change })
}

/** Ends the lease. Until it would have ended by itself, changes of earlier catalogs are refused. */
export async function endLease(db: Db, name: string, lease: LeaseForm | undefined): Promise<void> {
  if (!lease) return
  const { change, catalog } = lease
  await note(db, name, { change }, { $set: { ended: catalog, until: later() }, $unset: { change: 1 } })
}
