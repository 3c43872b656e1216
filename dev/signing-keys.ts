/**
 * SIGNING_KEYS: a JSON Web Key Set of private ES256 keys. The first key signs new tokens, all of them verify.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

/** Returns a set with a new first key, in front of the keys of another set. */
export async function newSigningKeys(others?: string): Promise<string> {
  const { keys } = others ? (JSON.parse(others) as { keys: JWK[] }) : { keys: [] }
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = await exportJWK(privateKey)
  return JSON.stringify({
    keys: [{ ...key, kid: await calculateJwkThumbprint(key), alg: 'ES256', use: 'sig' }, ...keys],
  })
}
