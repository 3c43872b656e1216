/** The accepted algorithms of signatures (RSA or ECDSA, with SHA-256 or stronger), and their keys. */
import {
  createHash,
  createPrivateKey,
  createSign,
  createVerify,
  type KeyObject,
  X509Certificate,
} from 'node:crypto'
import type { HashAlgorithm, SignatureAlgorithm } from 'xml-crypto'

const [more, encryption] = ['http://www.w3.org/2001/04/xmldsig-more#', 'http://www.w3.org/2001/04/xmlenc#']
const hashes = ['sha256', 'sha384', 'sha512'] as const
type Hash = (typeof hashes)[number]

const kinds = ['rsa', 'ec'] as const
type KeyKind = (typeof kinds)[number]

/** A key as a PEM text. Both Node and workerd accept this form with options. */
export interface Key {
  kind: KeyKind
  pem: string
}

/** The names of the hashes in documents. */
const digestNames: Readonly<Record<Hash, string>> = {
  sha256: `${encryption}sha256`,
  sha384: `${more}sha384`,
  sha512: `${encryption}sha512`,
}

const nameOf = (kind: KeyKind, hash: Hash): string => `${more}${kind === 'rsa' ? 'rsa' : 'ecdsa'}-${hash}`

/** In documents, an ECDSA signature is its two numbers one after the other, not ASN.1. */
const dsaEncoding = 'ieee-p1363'

/** Signs a text with a private key in PEM. Returns base64. */
export const signText = (text: string, pem: string, hash: Hash = 'sha256'): string =>
  createSign(hash).update(text).sign({ key: pem, dsaEncoding }, 'base64')

/** Returns whether a base64 signature is valid for a text and a public key in PEM. */
export const isSignatureOf = (text: string, pem: string, signature: string, hash: Hash = 'sha256'): boolean =>
  createVerify(hash).update(text).verify({ key: pem, dsaEncoding }, signature, 'base64')

const signatureAlgorithm = (name: string, hash: Hash) =>
  class implements SignatureAlgorithm {
    getAlgorithmName(): string {
      return name
    }
    getSignature(text: unknown, pem: unknown): string {
      return signText(String(text), String(pem), hash)
    }
    verifySignature(text: string, pem: unknown, signature: string): boolean {
      return isSignatureOf(text, String(pem), signature, hash)
    }
  }

const hashAlgorithm = (hash: Hash) =>
  class implements HashAlgorithm {
    getAlgorithmName(): string {
      return digestNames[hash]
    }
    getHash(text: string): string {
      return createHash(hash).update(text, 'utf8').digest('base64')
    }
  }

const accepted = kinds.flatMap((kind) => hashes.map((hash) => ({ kind, hash, name: nameOf(kind, hash) })))

/** The accepted algorithms of signatures by name, in the form of xml-crypto. */
export const signatureAlgorithms: Readonly<Record<string, new () => SignatureAlgorithm>> = Object.fromEntries(
  accepted.map(({ name, hash }) => [name, signatureAlgorithm(name, hash)]),
)

/** The accepted algorithms of digests by name, in the form of xml-crypto. */
export const hashAlgorithms: Readonly<Record<string, new () => HashAlgorithm>> = Object.fromEntries(
  hashes.map((hash) => [digestNames[hash], hashAlgorithm(hash)]),
)

/** Tells whether an algorithm works with keys of this kind. */
export const fitsKey = (algorithm: string, key: Key): boolean =>
  accepted.some(({ name, kind }) => name === algorithm && kind === key.kind)

/** Returns the names of the algorithms that sign requests with a key. */
export const algorithmsOfRequests = ({ kind }: Key) => ({
  signature: nameOf(kind, 'sha256'),
  digest: digestNames.sha256,
})

const modulusBitsMin = 2048

/** Returns the kind of a key that is accepted: RSA with at least 2048 bits, or ECDSA. */
function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyKind | undefined {
  if (asymmetricKeyType === 'ec') return 'ec'
  const isStrong = (asymmetricKeyDetails?.modulusLength ?? 0) >= modulusBitsMin
  return asymmetricKeyType === 'rsa' && isStrong ? 'rsa' : undefined
}

/** Returns the public key of a certificate, in PEM or in DER. Undefined if it is not supported. */
export function publicKeyOf(certificate: string | Uint8Array): Key | undefined {
  try {
    const { publicKey } = new X509Certificate(certificate)
    const kind = kindOf(publicKey)
    return kind && { kind, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
  } catch {
    return undefined
  }
}

/** Returns a private key in PEM (PKCS #8). Undefined if it is not supported. */
export function privateKeyOf(pem: string): Key | undefined {
  try {
    const kind = kindOf(createPrivateKey({ key: pem, format: 'pem' }))
    return kind && { kind, pem }
  } catch {
    return undefined
  }
}

/** Returns a certificate as base64 (DER). Throws an Error if the text is not a certificate. */
export const certificateOf = (pem: string): string => new X509Certificate(pem).raw.toString('base64')
