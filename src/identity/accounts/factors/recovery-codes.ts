/**
 * Recovery codes: ten for an account, each of 100 random bits, each for one use. The database stores their
 * hashes.
 */

import { sha256 } from '../../../kernel/lib/sha256.ts'
import { base32 } from '../../../kernel/lib/totp.ts'

const codesOfAccount = 10
const groups = /.{5}/g
const length = 20

/** Creates ten codes, such as `ABCDE-FGHIJ-KLMNO-PQRST`. */
export const newCodes = (): string[] =>
  Array.from({ length: codesOfAccount }, () => {
    const text = base32(crypto.getRandomValues(new Uint8Array(13))).slice(0, length)
    return (text.match(groups) ?? []).join('-')
  })

/** Returns the hash of a code. Case, spaces and hyphens do not count. */
export const codeHash = (code: string): string =>
  sha256(`recovery code ${code.replaceAll(/[\s-]/g, '').toUpperCase()}`)
