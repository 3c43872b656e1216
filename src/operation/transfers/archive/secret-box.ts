/**
 * Secrets in an archive. Each has its own key (AES-256-GCM), which is encrypted with an RSA public key (OAEP,
 * SHA-256): only the owner of the private key can read them. The command line uses the same format.
 */

/** A secret in an archive, without its value. */
export interface SecretHead {
  key: string
  app: string | null
  secret_type: string
  tags: readonly string[]
}

/** A line of the files with secrets. Bytes are in base64url. */
export interface BoxedSecret extends SecretHead {
  /** The key of the value, encrypted. */
  wrapped: string
  iv: string
  /** The JSON of the value, encrypted, with the tag at its end. */
  value: string
}

const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' } as const
/** The minimum length of a key's modulus, in bits. */
export const bitsMin = 2048
/** The maximum length of the modulus: the work grows with its third power. */
export const bitsMax = 8192

/** Returns the requirements for a key, for messages. */
export const keyRule = (kind: 'public' | 'private'): string =>
  `Must be a ${kind} key of RSA in PEM (${kind === 'public' ? 'SPKI' : 'PKCS #8'}), ` +
  `with ${bitsMin} to ${bitsMax} bits.`

/** Reads a key in PEM. Returns undefined if it is not an RSA key with an allowed length. */
export async function readKey(kind: 'public' | 'private', pem: string): Promise<CryptoKey | undefined> {
  const label = kind === 'public' ? 'PUBLIC KEY' : 'PRIVATE KEY'
  const [, body] =
    new RegExp(`^-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----\\s*$`).exec(pem) ?? []
  if (body === undefined) return undefined
  const usage = kind === 'public' ? 'encrypt' : 'decrypt'
  try {
    const bytes = Buffer.from(body, 'base64')
    const key = await crypto.subtle.importKey(kind === 'public' ? 'spki' : 'pkcs8', bytes, oaep, false, [
      usage,
    ])
    const { modulusLength = 0 } = key.algorithm as { modulusLength?: number }
    return modulusLength >= bitsMin && modulusLength <= bitsMax ? key : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the data to which an encrypted value is bound: its key and its level. So the value cannot be
 * decrypted as the value of another secret.
 */
const boundTo = ({ key, app }: SecretHead) => new TextEncoder().encode(JSON.stringify([key, app]))

/** Encrypts a value. */
export async function box(publicKey: CryptoKey, head: SecretHead, value: string): Promise<BoxedSecret> {
  const raw = crypto.getRandomValues(new Uint8Array(32))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt'])
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: boundTo(head) },
    key,
    new TextEncoder().encode(value),
  )
  return {
    ...head,
    wrapped: base64url(await crypto.subtle.encrypt(oaep, publicKey, raw)),
    iv: base64url(iv),
    value: base64url(encrypted),
  }
}

/** Returns the message for a secret that cannot be decrypted. */
export const notDecrypted = ({ key }: SecretHead): string =>
  `The secret ${key} does not decrypt with this private key.`

/** Decrypts a value. Returns undefined if the private key does not fit, or if the line was changed. */
export async function unbox(privateKey: CryptoKey, boxed: BoxedSecret): Promise<string | undefined> {
  try {
    const raw = await crypto.subtle.decrypt(oaep, privateKey, bytesOf(boxed.wrapped))
    const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt'])
    const decrypted = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytesOf(boxed.iv), additionalData: boundTo(boxed) },
      key,
      bytesOf(boxed.value),
    )
    return new TextDecoder().decode(decrypted)
  } catch {
    return undefined
  }
}

const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  Buffer.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)).toString('base64url')
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
