/**
 * One-time passwords of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
/** The length of a code. */
const codeDigits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns bytes in Base32 (RFC 4648) without padding, the form of a secret for authenticator apps. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('')
}

export const stepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / stepSeconds)

/** Returns the code of a time step. */
export function codeAt(secret: Uint8Array, step: number, digits = codeDigits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) as number) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the time step whose code this is: the current one, the previous one or the next one, because clocks
 * differ. Undefined for another code. The work is the same for every code of six digits.
 */
export function matchingStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  const present = stepAt(now)
  const given = Buffer.from(code)
  let matching: number | undefined
  for (const step of [present - 1, present, present + 1]) {
    const expected = Buffer.from(codeAt(secret, step))
    if (given.length === expected.length && timingSafeEqual(given, expected)) matching = step
  }
  return matching
}

/** Returns the address that an authenticator app reads from a QR code. */
export function totpUri({ secret, account, issuer }: { secret: string; account: string; issuer: string }) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer })}`
}
