/**
 * The format of keys: `tsk_` for keys of people, or `tsc_` for keys of organizations' directories; 8 public
 * characters, 43 secret ones, and a checksum of 6. A4.
 */
import { crc32 } from 'node:zlib'
import { sha256 } from '../../lib/sha256.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The beginnings of keys, by their holder. */
const marks = { person: 'tsk_', directory: 'tsc_' } as const
type Holder = keyof typeof marks
const format = /^[0-9A-Za-z]{57}$/
const markLength = 4
const checksumLength = 6
const prefixLength = markLength + 8

/** Computes the checksum, which detects mistyped and leaked keys without a look-up in the database. */
function checksum(text: string): string {
  let remainder = crc32(text)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = alphabet.charAt(remainder % alphabet.length) + digits
    remainder = Math.floor(remainder / alphabet.length)
  }
  return digits
}

/** A key that is shown once. The database has its prefix and its hash. */
export interface NewKey {
  key: string
  prefix: string
  hash: string
}

/** Creates a random key. */
export function newKey(holder: Holder): NewKey {
  let text: string = marks[holder]
  while (text.length < markLength + 51) {
    // Bytes from 248 are discarded. Otherwise the first characters of the alphabet would be more likely than
    // the others.
    const [byte] = crypto.getRandomValues(new Uint8Array(1))
    if (byte !== undefined && byte < 248) text += alphabet.charAt(byte % 62)
  }
  const key = text + checksum(text)
  return { key, prefix: key.slice(0, prefixLength), hash: sha256(key) }
}

/**
 * Returns the hash that a key is stored under, or undefined if it is the key of another kind of holder, or
 * the format or the checksum is wrong.
 */
export function keyHash(holder: Holder, text: string): string | undefined {
  const hasFormat = text.startsWith(marks[holder]) && format.test(text.slice(markLength))
  const isKey = hasFormat && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
  return isKey ? sha256(text) : undefined
}
