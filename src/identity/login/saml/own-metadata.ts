/**
 * Writes the metadata of a site as a service provider: the document for the administrator of the provider.
 */
import { escapeHtml } from '../../../kernel/lib/escape-html.ts'
import { bindings, namespaces } from './names.ts'

/** The content of the document. */
export interface OwnMetadata {
  /** The entity id of the site: the client_id of the app. */
  entityId: string
  /** The address for responses. */
  consumer: string
  /** The certificate of the key that signs requests, in base64. Null: they are not signed. */
  certificate: string | null
}

/** Writes the document. */
export const writeOwnMetadata = ({ entityId, consumer, certificate }: OwnMetadata): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  `<md:EntityDescriptor xmlns:md="${namespaces.metadata}" entityID="${escapeHtml(entityId)}">` +
  `<md:SPSSODescriptor protocolSupportEnumeration="${namespaces.protocol}"` +
  ` AuthnRequestsSigned="${certificate !== null}" WantAssertionsSigned="true">` +
  (certificate === null ? '' : keyDescriptor(certificate)) +
  `<md:AssertionConsumerService index="0" isDefault="true" Binding="${bindings.post}"` +
  ` Location="${escapeHtml(consumer)}"/>` +
  '</md:SPSSODescriptor></md:EntityDescriptor>\n'

const keyDescriptor = (certificate: string): string =>
  `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${namespaces.signature}"><ds:X509Data>` +
  `<ds:X509Certificate>${escapeHtml(certificate)}</ds:X509Certificate>` +
  '</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>'
