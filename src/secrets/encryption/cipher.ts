/** AES-256-GCM by Web Crypto: a text becomes `v1.<initialization vector>.<ciphertext and tag>`, bound to where it belongs. */

const algorithm = 'AES-GCM'
const ivBytes = 12
export const keyBytes = 32
const form = /^v1\.([\w-]{16})\.([\w-]+)$/

/** What a text is bound to: only who names the same can read it. */
export type Binding = readonly (string | number)[]

/** A key that encrypts, and never leaves. */
export const importKey = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, algorithm, false, ['encrypt', 'decrypt'])

export const randomBytes = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length))

/** JSON says where each part of a binding ends. */
const additionalData = (binding: Binding) => utf8(JSON.stringify(binding))

export async function seal(key: CryptoKey, binding: Binding, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = randomBytes(ivBytes)
  const sealed = await crypto.subtle.encrypt({ name: algorithm, iv, additionalData: additionalData(binding) }, key, bytes)
  return `v1.${asText(iv)}.${asText(new Uint8Array(sealed))}`
}

/** Throws when the text was not sealed by this key for this binding. */
export async function open(key: CryptoKey, binding: Binding, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const [, iv, sealed] = form.exec(text) ?? []
  if (!iv || !sealed) throw new Error('not a sealed text')
  const parameters = { name: algorithm, iv: asBytes(iv), additionalData: additionalData(binding) }
  return new Uint8Array(await crypto.subtle.decrypt(parameters, key, asBytes(sealed)))
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))
const asText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
export const asBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'))
