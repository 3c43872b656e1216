/**
 * Checks XML signatures. Afterwards, the service reads only the signed text, and never searches the original
 * document.
 */
import { SignedXml } from 'xml-crypto'
import { fitsKey, hashAlgorithms, type Key, publicKeyOf, signatureAlgorithms } from './algorithms.ts'
import { envelopedSignature, exclusiveCanonicalization, namespaces } from './names.ts'
import { SamlProblem } from './problems.ts'
import { withDescendants, type XmlElement } from './xml.ts'

const certificatesMax = 10

/** The input of a check. */
interface Check {
  /** The text of the whole document, as `strictText` returned it. */
  text: string
  /** The signed element: the parent of the signature. */
  signed: XmlElement
  signature: XmlElement
  /** The certificates of the signer, in base64. */
  certificates: readonly string[]
}

/**
 * Returns the canonical text of the signed element: exactly the text whose digest was signed. Throws
 * SamlProblem for a signature of another form or algorithm, and for a signature by another key than those of
 * the certificates.
 */
export function signedText({ text, signed, signature, certificates }: Check): string {
  const algorithm = requireForm(signature, signed)
  const keys = certificates
    .slice(0, certificatesMax)
    .flatMap((certificate) => publicKeyOf(Buffer.from(certificate, 'base64')) ?? [])
    .filter((key) => fitsKey(algorithm, key))
  for (const key of keys) {
    const found = verify(text, signature, key)
    if (found !== undefined) return found
  }
  throw new SamlProblem('forged')
}

function verify(text: string, signature: XmlElement, key: Key): string | undefined {
  const check = new SignedXml({ publicCert: key.pem, getCertFromKeyInfo: () => null })
  check.SignatureAlgorithms = { ...signatureAlgorithms }
  check.HashAlgorithms = { ...hashAlgorithms }
  check.idAttributes = ['ID']
  check.loadSignature(signature.node)
  try {
    if (!check.checkSignature(text)) return undefined
  } catch {
    // xml-crypto throws for a signature by another key.
    return undefined
  }
  const references = check.getSignedReferences()
  return references.length === 1 ? references[0] : undefined
}

/** The children of the elements of a signature: exactly these, in this order. `?` marks an optional child. */
const form: Readonly<Record<string, readonly string[]>> = {
  Signature: ['SignedInfo', 'SignatureValue', 'KeyInfo?'],
  SignedInfo: ['CanonicalizationMethod', 'SignatureMethod', 'Reference'],
  SignatureValue: [],
  SignatureMethod: [],
  Reference: ['Transforms', 'DigestMethod', 'DigestValue'],
  Transforms: ['Transform', 'Transform'],
  DigestMethod: [],
  DigestValue: [],
}

function hasForm(element: XmlElement): boolean {
  const expected = form[element.name]
  if (!expected) return true
  const names = element.children.map(({ name }) => name)
  const isOptional = (name: string) => name.endsWith('?') && !names.includes(name.slice(0, -1))
  const present = expected.filter((name) => !isOptional(name)).map((name) => name.replace('?', ''))
  return (
    names.length === present.length &&
    element.children.every(
      ({ namespace, name }, at) => namespace === namespaces.signature && name === present[at],
    ) &&
    element.children.every((child) => child.name === 'KeyInfo' || hasForm(child))
  )
}

const algorithmOf = ({ attributes }: XmlElement): string => attributes.get('Algorithm') ?? ''

/**
 * Returns the algorithm of a signature. Throws SamlProblem unless the signature covers exactly its parent, by
 * the enveloped transform and exclusive canonicalization, with accepted algorithms.
 */
function requireForm(signature: XmlElement, signed: XmlElement): string {
  const id = signed.attributes.get('ID') ?? ''
  if (!hasForm(signature) || !/^[A-Za-z_][\w.-]{0,255}$/.test(id)) throw new SamlProblem('signature')
  const parts = withDescendants(signature).filter(({ namespace }) => namespace === namespaces.signature)
  const named = (name: string) => parts.filter((part) => part.name === name)
  const methods = [...named('CanonicalizationMethod'), ...named('Transform')].map(algorithmOf)
  const covers = named('Reference').every(({ attributes }) => attributes.get('URI') === `#${id}`)
  if (!covers) throw new SamlProblem('signature')
  const expected = [exclusiveCanonicalization, envelopedSignature, exclusiveCanonicalization]
  if (methods.join(' ') !== expected.join(' ')) throw new SamlProblem('algorithm')
  const [algorithm = '', ...more] = named('SignatureMethod').map(algorithmOf)
  const digests = named('DigestMethod').map(algorithmOf)
  const isAccepted =
    more.length === 0 &&
    Object.hasOwn(signatureAlgorithms, algorithm) &&
    digests.every((digest) => Object.hasOwn(hashAlgorithms, digest))
  if (!isAccepted) throw new SamlProblem('algorithm')
  return algorithm
}
