/** The names of SAML 2.0 and of XML signatures. */

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

/** The way in which a request is sent. */
export type Binding = 'redirect' | 'post'

/** The bindings by their names in documents. */
export const bindings: Readonly<Record<Binding, string>> = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
}

/** Exclusive canonicalization without comments. */
export const exclusiveCanonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** The transform that excludes the signature itself from the signed content. */
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
