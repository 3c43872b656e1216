/** Reads the metadata of a provider: its entity id, its addresses and its certificates. */
import { isAllowedAddress, type OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import { publicKeyOf } from './algorithms.ts'
import { type Binding, bindings, namespaces } from './names.ts'
import { DocumentProblem } from './problems.ts'
import {
  childrenNamed,
  metadataLimits,
  parseXml,
  strictText,
  withDescendants,
  type XmlElement,
} from './xml.ts'

/** The data about a provider. */
export interface SamlMetadata {
  /** The entity id. */
  issuer: string
  /** The addresses for requests, by binding. There is at least one. */
  endpoints: Partial<Record<Binding, string>>
  /** The certificates of the keys that sign, in base64. There is at least one. */
  certificates: readonly string[]
}

const entityLengthMax = 1024

/** Reads a document. Throws DocumentProblem. */
export function readMetadata(config: OutgoingConfig, document: string): SamlMetadata {
  const root = parseXml(strictText(document, metadataLimits), metadataLimits)
  if (root.namespace !== namespaces.metadata || root.name !== 'EntityDescriptor')
    throw new DocumentProblem('The metadata is not one EntityDescriptor.')
  const issuer = root.attributes.get('entityID') ?? ''
  if (!/^[\x21-\x7e]+$/.test(issuer) || issuer.length > entityLengthMax)
    throw new DocumentProblem('The metadata has no entityID that can be used.')
  requireCurrent(root)
  const [role, ...others] = childrenNamed(root, namespaces.metadata, 'IDPSSODescriptor')
  if (!role || others.length > 0)
    throw new DocumentProblem('The metadata does not have exactly one IDPSSODescriptor.')
  requireCurrent(role)
  return { issuer, endpoints: endpointsOf(config, role), certificates: certificatesOf(role) }
}

function requireCurrent({ attributes }: XmlElement): void {
  const until = attributes.get('validUntil')
  if (until !== undefined && !(Date.parse(until) > Date.now()))
    throw new DocumentProblem('The metadata has expired: its validUntil has passed.')
}

function endpointsOf(config: OutgoingConfig, role: XmlElement): SamlMetadata['endpoints'] {
  const services = childrenNamed(role, namespaces.metadata, 'SingleSignOnService')
  const addressOf = (binding: Binding): string | undefined =>
    services
      .filter(({ attributes }) => attributes.get('Binding') === bindings[binding])
      .map(({ attributes }) => attributes.get('Location') ?? '')
      .find((address) => isAllowedAddress(config, address) && !address.includes('#'))
  const [redirect, post] = [addressOf('redirect'), addressOf('post')]
  if (redirect === undefined && post === undefined)
    throw new DocumentProblem(
      'The metadata names no SingleSignOnService at a public https address, for HTTP-Redirect or HTTP-POST.',
    )
  return { ...(redirect === undefined ? {} : { redirect }), ...(post === undefined ? {} : { post }) }
}

function certificatesOf(role: XmlElement): string[] {
  const certificates = childrenNamed(role, namespaces.metadata, 'KeyDescriptor')
    .filter(({ attributes }) => attributes.get('use') !== 'encryption')
    .flatMap(withDescendants)
    .filter(({ namespace, name }) => namespace === namespaces.signature && name === 'X509Certificate')
    .map(({ text }) => text.replaceAll(/\s/g, ''))
    .filter((certificate) => publicKeyOf(Buffer.from(certificate, 'base64')) !== undefined)
  if (certificates.length === 0)
    throw new DocumentProblem(
      'The metadata has no certificate to sign with whose key is RSA with at least 2048 bits, or ECDSA.',
    )
  return [...new Set(certificates)]
}
