/** A short code that two screens show for the same text, so that a user can compare them. */
import { createHash } from 'node:crypto'

/** Consonants that are not easily confused. Without vowels, a code does not form a word (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** Returns the code of a text, such as `WDJB-MJHT`. */
export function comparisonCode(text: string): string {
  const bytes = createHash('sha256').update(`comparison code ${text}`).digest()
  const code = [...bytes.subarray(0, length * 2)]
    .flatMap((byte, index, all) => (index % 2 === 0 ? [byte * 256 + (all[index + 1] ?? 0)] : []))
    .map((number) => letters[number % letters.length])
    .join('')
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
}
