/** Generates random text for secrets. */

/** Returns `bytes` cryptographically random bytes in base64. */
export const randomText = (bytes: number): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64')
