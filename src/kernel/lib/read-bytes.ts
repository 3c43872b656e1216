/** Reads a stream of limited size. */

/**
 * Returns the bytes of a stream; none for null. Stops as soon as there are more than `bytesMax`, and throws
 * what `tooLarge` returns.
 */
export async function readBytes(
  stream: ReadableStream<Uint8Array> | null,
  bytesMax: number,
  tooLarge: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
