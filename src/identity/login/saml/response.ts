/**
 * Reads the response of a provider. It must have exactly one assertion, and the response or the assertion
 * must be signed.
 */
import { namespaces } from './names.ts'
import { SamlCancelled, SamlProblem } from './problems.ts'
import { signedText } from './signature.ts'
import {
  childrenNamed,
  messageLimits,
  parseXml,
  strictText,
  withDescendants,
  type XmlElement,
} from './xml.ts'

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** A response and its assertion. */
export interface ReadResponse {
  /** The response as it was sent. It can be trusted only if `isSigned`. */
  response: XmlElement
  /** Whether the response itself is signed. Otherwise only its assertion is. */
  isSigned: boolean
  /** The assertion, read from the signed text. */
  assertion: XmlElement
}

/**
 * Reads the form field of a response, and verifies each of its signatures. Throws SamlProblem, and
 * SamlCancelled if the provider says that it has not signed the person in.
 */
export function readResponse(field: string, certificates: readonly string[]): ReadResponse {
  const { text, root } = parseField(field)
  requireOneResponse(root)
  const [status] = childrenNamed(root, namespaces.protocol, 'Status')
  const code = status && childrenNamed(status, namespaces.protocol, 'StatusCode')[0]
  if (code && code.attributes.get('Value') !== success) throw new SamlCancelled()
  const assertion = requireOneAssertion(root)
  requireUniqueIds(root)
  const signatures = signaturesOf(root, assertion)
  const texts = new Map(
    [...signatures].map(([signed, signature]) => [
      signed,
      signedText({ text, signed, signature, certificates }),
    ]),
  )
  const [ofResponse, ofAssertion] = [texts.get(root), texts.get(assertion)]
  if (!code) throw new SamlProblem('form')
  if (ofResponse !== undefined) {
    const signed = parseSigned(ofResponse)
    return { response: signed, isSigned: true, assertion: requireOneAssertion(signed) }
  }
  if (ofAssertion === undefined) throw new SamlProblem('unsigned')
  const signed = parseSigned(ofAssertion)
  if (!isAssertion(signed)) throw new SamlProblem('form')
  return { response: root, isSigned: false, assertion: signed }
}

function parseField(field: string): { text: string; root: XmlElement } {
  try {
    const base64 = field.replaceAll(/\s/g, '')
    if (base64.length > messageLimits.length || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
      throw new SamlProblem('encoding')
    const bytes = Buffer.from(base64, 'base64')
    const text = strictText(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes),
      messageLimits,
    )
    return { text, root: parseXml(text, messageLimits) }
  } catch (cause) {
    throw new SamlProblem('encoding', cause)
  }
}

const parseSigned = (text: string): XmlElement => parseXml(strictText(text, messageLimits), messageLimits)

const isAssertion = ({ namespace, name }: XmlElement): boolean =>
  namespace === namespaces.assertion && name === 'Assertion'

function requireOneResponse(root: XmlElement): void {
  const responses = withDescendants(root).filter(({ name }) => name === 'Response')
  const isOne = responses.length === 1 && responses[0] === root && root.namespace === namespaces.protocol
  if (!isOne) throw new SamlProblem('form')
}

/**
 * Returns the only assertion, which must be a child of the response. Throws if the response has another one
 * anywhere.
 */
function requireOneAssertion(root: XmlElement): XmlElement {
  const elements = withDescendants(root)
  if (elements.some(({ name }) => name === 'EncryptedAssertion')) throw new SamlProblem('encrypted')
  const assertions = elements.filter(({ name }) => name === 'Assertion')
  const [assertion] = assertions
  const isOne = assertion && assertions.length === 1 && root.children.includes(assertion)
  if (!isOne || !isAssertion(assertion)) throw new SamlProblem('form')
  return assertion
}

/** Throws if two elements have the same id, under any name of the attribute. */
function requireUniqueIds(root: XmlElement): void {
  const ids = withDescendants(root).flatMap(({ attributes }) =>
    [...attributes].filter(([name]) => /(?:^|\})id$/i.test(name)).map(([, value]) => value),
  )
  if (new Set(ids).size < ids.length) throw new SamlProblem('form')
}

/**
 * Returns the signatures by the element that each one signs: the response or its assertion. A signature is a
 * child of that element.
 */
function signaturesOf(root: XmlElement, assertion: XmlElement): Map<XmlElement, XmlElement> {
  const all = withDescendants(root).filter(({ name }) => name === 'Signature')
  if (all.length === 0) throw new SamlProblem('unsigned')
  const found = new Map<XmlElement, XmlElement>()
  for (const parent of [root, assertion]) {
    const [signature] = childrenNamed(parent, namespaces.signature, 'Signature')
    // It must be the first child after the issuer.
    if (signature && parent.children.indexOf(signature) <= 1) found.set(parent, signature)
  }
  if (found.size < all.length) throw new SamlProblem('signature')
  return found
}
