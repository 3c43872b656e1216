/** SIGNING_KEYS: a JSON Web Key Set of private ES256 keys. The first signs new tokens, all of them verify. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'

export async function newSigningKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = await exportJWK(privateKey)
  return JSON.stringify({
    keys: [{ ...key, kid: await calculateJwkThumbprint(key), alg: 'ES256', use: 'sig' }],
  })
}
