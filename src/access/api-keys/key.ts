/** The form of an API key: `tsk_`, 8 characters by which it is known, 43 that are secret, 6 of checksum. A4. */
import { crc32 } from 'node:zlib'
import { sha256 } from '../../lib/hash.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^tsk_[0-9A-Za-z]{57}$/
const checksumLength = 6
const prefixLength = 'tsk_'.length + 8

/** The checksum lets a mistyped key be refused, and a leaked one be recognised, without asking anybody. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let index = 0; index < checksumLength; index++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

export interface NewKey {
  key: string
  prefix: string
  hash: string
}

export function newKey(): NewKey {
  let text = 'tsk_'
  while (text.length < 'tsk_'.length + 51) {
    // Bytes beyond a multiple of 62 would make the first characters likelier.
    const [byte] = crypto.getRandomValues(new Uint8Array(1))
    if (byte !== undefined && byte < 248) text += alphabet.charAt(byte % 62)
  }
  const key = text + checksum(text)
  return { key, prefix: key.slice(0, prefixLength), hash: sha256(key) }
}

/** What a key is looked up by; undefined for a text that is none. */
export function keyHash(text: string): string | undefined {
  const isKey = form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
  return isKey ? sha256(text) : undefined
}
