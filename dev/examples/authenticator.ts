/**
 * A software authenticator: it creates ES256 passkeys and signs with them, correctly or with the deliberate
 * errors of a test.
 */

type Bytes = Uint8Array<ArrayBuffer>
type Cbor = number | string | Bytes | ReadonlyMap<number | string, Cbor>

const utf8 = (text: string): Bytes => new Uint8Array(Buffer.from(text))
const joined = (...parts: Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts))
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Returns the first bytes of a CBOR item: its major type, and its length or value. */
function head(major: number, value: number): Bytes {
  if (value < 24) return Uint8Array.of((major << 5) | value)
  return value < 256
    ? Uint8Array.of((major << 5) | 24, value)
    : Uint8Array.of((major << 5) | 25, value >> 8, value & 255)
}

/** Encodes CBOR (RFC 8949), as far as WebAuthn needs it. */
function cbor(value: Cbor): Bytes {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return joined(head(3, utf8(value).length), utf8(value))
  if (value instanceof Uint8Array) return joined(head(2, value.length), value)
  return joined(head(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)]))
}

/** Encodes an integer of a signature in DER. */
function derInteger(bytes: Bytes): Bytes {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.slice(start)
  const padded = (digits[0] as number) > 127 ? joined(Uint8Array.of(0), digits) : digits
  return joined(Uint8Array.of(2, padded.length), padded)
}

/** Converts a signature to DER: Web Crypto concatenates both numbers, authenticators write DER. */
function asDer(signature: Bytes): Bytes {
  const numbers = joined(derInteger(signature.slice(0, 32)), derInteger(signature.slice(32)))
  return joined(Uint8Array.of(0x30, numbers.length), numbers)
}

/** Deliberate errors of a response. */
export interface Lies {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  crossOrigin?: boolean
  /** Whether the response says that the person was present, and was verified. */
  isPresent?: boolean
  isVerified?: boolean
  counter?: number
  userHandle?: string | null
  id?: string
  algorithm?: number
  format?: string
  statement?: ReadonlyMap<string, Cbor>
  /** Changes the signed data. */
  tamper?(part: { authenticatorData: Bytes; signature: Bytes }): void
}

/** A passkey that the authenticator holds. */
export interface Held {
  id: string
  rpId: string
  userHandle: string
  counter: number
  keys: CryptoKeyPair
}

async function clientDataOf(type: string, challenge: string, origin: string, lies: Lies): Promise<Bytes> {
  return utf8(
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
      crossOrigin: lies.crossOrigin ?? false,
    }),
  )
}

async function headOf(rpId: string, counter: number, lies: Lies, hasKey: boolean): Promise<Bytes> {
  const { isPresent = true, isVerified = true } = lies
  const flags = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (hasKey ? 64 : 0)
  const count = new DataView(new ArrayBuffer(4))
  count.setUint32(0, lies.counter ?? counter)
  return joined(await sha256(utf8(lies.rpId ?? rpId)), Uint8Array.of(flags), new Uint8Array(count.buffer))
}

interface Creation {
  rp: { id: string }
  user: { id: string }
  challenge: string
}

/** Creates a passkey with the service's options. Returns it, and the data that a browser would send. */
export async function makePasskey(options: Creation, origin: string, lies: Lies = {}) {
  const keys = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const raw = new Uint8Array((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer)
  const id = crypto.getRandomValues(new Uint8Array(32))
  const key = new Map<number, Cbor>([
    [1, 2],
    [3, lies.algorithm ?? -7],
    [-1, 1],
    [-2, raw.slice(1, 33)],
    [-3, raw.slice(33, 65)],
  ])
  const authData = joined(
    await headOf(options.rp.id, 0, lies, true),
    new Uint8Array(16),
    Uint8Array.of(0, id.length),
    id,
    cbor(key),
  )
  const attestation = new Map<string, Cbor>([
    ['fmt', lies.format ?? 'none'],
    ['attStmt', lies.statement ?? new Map()],
    ['authData', authData],
  ])
  const text = lies.id ?? base64url(id)
  const clientData = await clientDataOf('webauthn.create', options.challenge, origin, lies)
  const credential = {
    id: text,
    rawId: text,
    type: 'public-key',
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
    response: {
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(cbor(attestation)),
      transports: ['internal'],
    },
  }
  const held: Held = { id: text, rpId: options.rp.id, userHandle: options.user.id, counter: 0, keys }
  return { held, credential }
}

/**
 * Signs the options of a sign-in with a passkey, and increases its counter. Returns the data that a browser
 * would send.
 */
export async function signWith(
  held: Held,
  { challenge }: { challenge: string },
  origin: string,
  lies: Lies = {},
) {
  held.counter++
  const clientData = await clientDataOf('webauthn.get', challenge, origin, lies)
  const authenticatorData = await headOf(held.rpId, held.counter, lies, false)
  const signed = joined(authenticatorData, await sha256(clientData))
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = asDer(new Uint8Array(await crypto.subtle.sign(algorithm, held.keys.privateKey, signed)))
  lies.tamper?.({ authenticatorData, signature })
  const id = lies.id ?? held.id
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: lies.userHandle === undefined ? held.userHandle : lies.userHandle,
    },
  }
}
