/** The credentials that sign requests: a private key and its certificate, both as PEM texts. */
import { isSignatureOf, privateKeyOf, publicKeyOf, signText } from './algorithms.ts'

/** The secret and the key of an app. */
interface Credentials {
  readonly secret: string
  readonly key: string
}

/** Returns messages by field. The result is empty if the credentials can sign and belong together. */
export function signerProblems({ secret, key }: Credentials): Record<string, string[]> {
  const signer = privateKeyOf(secret)
  const verifier = publicKeyOf(key)
  if (!signer)
    return {
      secret: ['Signed requests need a private key in PEM (PKCS #8): RSA with at least 2048 bits, or ECDSA.'],
    }
  if (!verifier) return { key: ['Signed requests need the certificate of the private key, in PEM.'] }
  const text = 'Do the two belong together?'
  const areTogether =
    signer.kind === verifier.kind && isSignatureOf(text, verifier.pem, signText(text, signer.pem))
  return areTogether ? {} : { key: ['The certificate is that of another private key.'] }
}
