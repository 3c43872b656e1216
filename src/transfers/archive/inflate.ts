/** Unpacks compressed bytes as they are asked for: a few kilobytes may stand for megabytes. */
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

/** How many bytes are unpacked at a time. */
const chunkBytes = 64 * 1024

/**
 * Unpacks deflated bytes, no faster than the result is read. A `DecompressionStream` of workerd unpacks all
 * that it is given, whether it is read or not. Throws a TypeError for damaged bytes.
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
