/**
 * Reads the keys of archives from files on this machine. The service encrypts and decrypts the secrets in the
 * same way.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type BoxedSecret,
  bitsMax,
  bitsMin,
  notDecrypted,
  unbox as open,
  readKey,
} from '../../../../src/operation/transfers/archive/secret-box.ts'
import { Problem } from '../../problem.ts'

/** Reads a public key in any PEM form. Throws a Problem if it is not an RSA key with 2,048 to 8,192 bits. */
export const readPublicKey = (file: string): string =>
  readKeyFile(file, createPublicKey, 'public').export({ type: 'spki', format: 'pem' }).toString()

/** Reads a private key in any PEM form. Throws a Problem in the same cases. */
export const readPrivateKey = (file: string): string =>
  readKeyFile(file, createPrivateKey, 'private').export({ type: 'pkcs8', format: 'pem' }).toString()

function readKeyFile(file: string, make: (pem: string) => KeyObject, kind: string): KeyObject {
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

/** Returns a key from a file in the form that can encrypt or decrypt. */
export async function keyOf(kind: 'public' | 'private', pem: string): Promise<CryptoKey> {
  const key = await readKey(kind, pem)
  if (!key) throw new Problem(`This ${kind} key cannot be used for archives.`)
  return key
}

/** Decrypts a value. Throws a Problem if the private key is the wrong one, or if the line was changed. */
export async function unbox(privateKey: CryptoKey, boxed: BoxedSecret): Promise<string> {
  const value = await open(privateKey, boxed)
  if (value === undefined) throw new Problem(notDecrypted(boxed))
  return value
}
