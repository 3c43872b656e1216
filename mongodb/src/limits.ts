/**
 * How long the server may work on a command, and how many bytes of documents a question holds at a time. The
 * times are those of Postgres, but for writes, which may have to wait for others here.
 */
import { BSON, type Document } from 'mongodb'
import { Refusal } from './failures.ts'

/** For commands that read, and for those about collections and their indexes. */
export const readLimit = { maxTimeMS: 5_000 } as const
export const schemaLimit = { maxTimeMS: 15_000 } as const
/** For the total of a list: one that the client asks for, and any other. R22. */
export const totalLimits = { exact: { maxTimeMS: 2_000 }, limited: { maxTimeMS: 150 } } as const
/** For all commands of a write, also if it has to be repeated. */
export const writeMs = 10_000

/** The most bytes of documents that a write reads, and a proposal of a schema. */
export const heldBytesMax = 24 * 2 ** 20

/** Documents that the driver leaves as bytes. */
type Raw = AsyncIterable<unknown> & { close(): Promise<void> }

/** Reads documents of a cursor with the option `raw`. Throws a Refusal if they are too many bytes. */
export async function readAll(cursor: Raw): Promise<Document[]> {
  const documents: Document[] = []
  let bytes = 0
  for await (const found of cursor) {
    const raw = found as Uint8Array
    bytes += raw.byteLength
    if (bytes > heldBytesMax)
      throw new Refusal('answer too large', 'The records of this write are too large together.')
    documents.push(BSON.deserialize(raw, { useBigInt64: true }))
  }
  return documents
}
