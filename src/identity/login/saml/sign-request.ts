/** Signs a request that is sent in a form (HTTP-POST). The signature is a part of the document. */
import { SignedXml } from 'xml-crypto'
import { algorithmsOfRequests, type Key, signatureAlgorithms } from './algorithms.ts'
import { envelopedSignature, exclusiveCanonicalization } from './names.ts'

/** Returns the document with its signature after the issuer. `certificate` is a PEM text. */
export function signRequest(document: string, key: Key, certificate: string): string {
  const { signature, digest } = algorithmsOfRequests(key)
  const signed = new SignedXml({
    privateKey: key.pem,
    publicCert: certificate,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: exclusiveCanonicalization,
    idAttribute: 'ID',
  })
  signed.SignatureAlgorithms = { ...signatureAlgorithms }
  signed.addReference({
    xpath: '/*',
    transforms: [envelopedSignature, exclusiveCanonicalization],
    digestAlgorithm: digest,
  })
  signed.computeSignature(document, {
    prefix: 'ds',
    location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
  })
  return signed.getSignedXml()
}
