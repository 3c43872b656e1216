/**
 * Secrets in an archive. Each has a key of its own (AES-256-GCM), which is encrypted with a public key of RSA
 * (OAEP, SHA-256): only who has the private key can read them.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Problem } from '../../problem.ts'

/** A secret in an archive, without its value. */
export interface SecretHead {
  key: string
  app: string | null
  secret_type: string
  tags: readonly string[]
}

/** A line of `secrets.jsonl`. Bytes are in base64url. */
export interface BoxedSecret extends SecretHead {
  /** The key of the value, encrypted. */
  wrapped: string
  iv: string
  /** The JSON of the value, encrypted, with the tag at its end. */
  value: string
}

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
const algorithm = 'aes-256-gcm'
const tagBytes = 16
/** The shortest and the longest modulus that a key may have, as of the service. */
const bitsMin = 2048
const bitsMax = 8192

/** Reads a public key in PEM. Throws a Problem if it is none of RSA with 2,048 to 8,192 bits. */
export const readPublicKey = (file: string): KeyObject => readKey(file, createPublicKey, 'public')

/** Reads a private key in PEM. Throws a Problem, as above. */
export const readPrivateKey = (file: string): KeyObject => readKey(file, createPrivateKey, 'private')

function readKey(file: string, make: (pem: string) => KeyObject, kind: string): KeyObject {
  const needed = `${file} must be a ${kind} key of RSA in PEM, with ${bitsMin} to ${bitsMax} bits.`
  let key: KeyObject
  try {
    key = make(readFileSync(file, 'utf8'))
  } catch {
    throw new Problem(needed)
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType !== 'rsa' || bits < bitsMin || bits > bitsMax) throw new Problem(needed)
  return key
}

/** A value belongs to its key and level: another secret's value in its place does not decrypt. */
const boundTo = ({ key, app }: SecretHead) => Buffer.from(JSON.stringify([key, app]))

/** Encrypts a value. */
export function box(publicKey: KeyObject, head: SecretHead, value: string): BoxedSecret {
  const key = randomBytes(32)
  const iv = randomBytes(12)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(boundTo(head))
  const encrypted = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return {
    ...head,
    wrapped: publicEncrypt({ key: publicKey, ...oaep }, key).toString('base64url'),
    iv: iv.toString('base64url'),
    value: encrypted.toString('base64url'),
  }
}

/** Decrypts a value. Throws a Problem if the private key is another one, or the line was changed. */
export function unbox(privateKey: KeyObject, boxed: BoxedSecret): string {
  try {
    const key = privateDecrypt({ key: privateKey, ...oaep }, Buffer.from(boxed.wrapped, 'base64url'))
    const encrypted = Buffer.from(boxed.value, 'base64url')
    const decipher = createDecipheriv(algorithm, key, Buffer.from(boxed.iv, 'base64url'))
      .setAAD(boundTo(boxed))
      .setAuthTag(encrypted.subarray(-tagBytes))
    return Buffer.concat([decipher.update(encrypted.subarray(0, -tagBytes)), decipher.final()]).toString(
      'utf8',
    )
  } catch {
    throw new Problem(`The secret ${boxed.key} does not decrypt with this private key.`)
  }
}
