/** Finds the Unicode encoding of a file. */

/** The bytes that are looked at if there is no byte order mark. */
const lookedAt = 512

/**
 * Returns the encoding that the first bytes of a file tell: UTF-16 by its byte order mark, or by a zero in
 * half of the bytes, otherwise UTF-8.
 */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  const length = Math.min(bytes.length, lookedAt)
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  // Most files have more ASCII characters, whose second byte is zero, than others.
  if (length < 4 || Math.max(even, odd) < length / 4 || Math.min(even, odd) > 0) return 'utf-8'
  return odd > even ? 'utf-16le' : 'utf-16be'
}
