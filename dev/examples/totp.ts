/** Computes the codes that an authenticator app shows. */
import { codeAt, stepAt } from '../../src/kernel/lib/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the bytes of a secret in Base32. */
export function secretBytes(base32: string): Uint8Array {
  const bits = [...base32].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/**
 * Returns the code that an app shows for a secret now; `stepsLater` selects a later code, because each code
 * works once.
 */
export const codeOf = (secret: Uint8Array, stepsLater = 0): string =>
  codeAt(secret, stepAt(new Date()) + stepsLater)
