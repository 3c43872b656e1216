/** Unpacks compressed bytes only as fast as they are read, because a few kilobytes can contain megabytes. */
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

/** The number of bytes that are unpacked at a time. */
const chunkBytes = 64 * 1024

/**
 * Unpacks deflated bytes, no faster than the result is read. A `DecompressionStream` of workerd unpacks
 * everything that it gets, whether it is read or not. Throws a TypeError for damaged bytes.
 */
export async function* inflated(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: chunkBytes })
  const source = Readable.from(packed, { highWaterMark: 1 })
  let failure: unknown
  source.once('error', (error) => {
    failure = error
    inflate.destroy(error)
  })
  try {
    for await (const chunk of source.pipe(inflate)) yield chunk
  } catch (error) {
    throw failure ?? new TypeError('The bytes are damaged.', { cause: error })
  } finally {
    source.destroy()
    inflate.destroy()
  }
}
