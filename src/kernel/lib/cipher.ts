/** AES-256-GCM by Web Crypto. Bytes become the text `v1.<initialization vector>.<ciphertext and tag>`. */

const algorithm = 'AES-GCM'
const ivBytes = 12
/** The length of a key. */
export const keyBytes = 32
const form = /^v1\.([\w-]{16})\.([\w-]+)$/

/** Additional data to which a text is bound: the text can be decrypted only with the same data. */
export type Binding = readonly (string | number)[]

/** Imports a key in a form that cannot be exported. */
export const importKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, algorithm, false, ['encrypt', 'decrypt'])

/** Returns cryptographically secure random bytes. */
export const randomBytes = (length: number): Uint8Array<ArrayBuffer> =>
  crypto.getRandomValues(new Uint8Array(length))

/** Returns a binding as bytes. JSON separates its parts. */
const additionalData = (binding: Binding) => utf8(JSON.stringify(binding))

/** Encrypts bytes for a binding. */
export async function encryptBytes(
  key: CryptoKey,
  binding: Binding,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const iv = randomBytes(ivBytes)
  const ciphertext = await crypto.subtle.encrypt(
    { name: algorithm, iv, additionalData: additionalData(binding) },
    key,
    bytes,
  )
  return `v1.${asText(iv)}.${asText(new Uint8Array(ciphertext))}`
}

/** Decrypts a text. Rejects if it was not encrypted with this key for this binding. */
export async function decryptBytes(
  key: CryptoKey,
  binding: Binding,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const [, iv, ciphertext] = form.exec(text) ?? []
  if (!iv || !ciphertext) throw new Error('not an encrypted text')
  const parameters = { name: algorithm, iv: asBytes(iv), additionalData: additionalData(binding) }
  return new Uint8Array(await crypto.subtle.decrypt(parameters, key, asBytes(ciphertext)))
}

/** Returns the bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))
const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
/** Decodes base64url. */
export const asBytes = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'))
