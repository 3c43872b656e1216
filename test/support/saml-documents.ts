/** Documents of a SAML provider, built from text so that a test can put any error into them. */

export const providerId = 'https://id.example.org/saml'

/** Returns a certificate in base64, without the lines around it. */
export const bareCertificate = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '')

interface Metadata {
  entityId?: string
  certificates: readonly string[]
  /** The services by the last part of their binding, such as `HTTP-POST`. */
  services?: Readonly<Record<string, string>>
  more?: string
}

/** Returns the metadata of a provider. `certificates` are PEM texts. */
export const metadataOf = ({
  entityId = providerId,
  certificates,
  services = { 'HTTP-Redirect': 'https://id.example.org/sso' },
  more = '',
}: Metadata): string =>
  `<?xml version="1.0"?><!-- a provider --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"${more}>` +
  '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">' +
  certificates
    .map(
      (pem) =>
        '<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>' +
        `<ds:X509Certificate>\n${bareCertificate(pem)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join('') +
  Object.entries(services)
    .map(
      ([binding, location]) =>
        `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`,
    )
    .join('') +
  '</md:IDPSSODescriptor></md:EntityDescriptor>'

/** The content of a response. Null leaves out a part. Times are seconds from now. */
export interface Said {
  id: string
  responseId: string
  issuer: string
  responseIssuer: string | null
  destination: string | null
  recipient: string | null
  audience: string | null
  /** The request that the response and its assertion answer. */
  answers: string | null
  notBefore: number
  ends: number
  method: string
  /** The content of the NameID, as XML. */
  nameId: string
  nameIdFormat: string
  attributes: Readonly<Record<string, string>>
  /** More conditions, as XML. */
  conditions: string
  statement: string
  status: string
}

const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const attribute = (name: string, value: string | null) => (value === null ? '' : ` ${name}="${value}"`)

const usual = {
  issuer: providerId,
  responseIssuer: providerId,
  notBefore: -10,
  ends: 300,
  method: 'bearer',
  nameId: 'ada-1',
  nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  attributes: {},
  conditions: '',
  statement: '<saml:AuthnStatement AuthnInstant="2026-01-01T00:00:00Z"/>',
  status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
}

export type Needed = Pick<Said, 'destination' | 'recipient' | 'audience' | 'answers'>

/** Returns an unsigned assertion as XML. */
export function assertionOf(said: Needed & Partial<Said>): string {
  const all = { id: `_a${crypto.randomUUID()}`, ...usual, ...said }
  const attributes = Object.entries(all.attributes)
    .map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    )
    .join('')
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${all.id}" Version="2.0" IssueInstant="${at(0)}">` +
    `<saml:Issuer>${all.issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${all.nameIdFormat}">${all.nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:${all.method}">` +
    `<saml:SubjectConfirmationData NotOnOrAfter="${at(all.ends)}"${attribute('Recipient', all.recipient)}${attribute('InResponseTo', all.answers)}/>` +
    '</saml:SubjectConfirmation></saml:Subject>' +
    `<saml:Conditions NotBefore="${at(all.notBefore)}" NotOnOrAfter="${at(all.ends)}">` +
    (all.audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${all.audience}</saml:Audience></saml:AudienceRestriction>`) +
    `${all.conditions}</saml:Conditions>${all.statement}` +
    (attributes ? `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>` : '') +
    '</saml:Assertion>'
  )
}

/** Returns an unsigned response as XML, around assertions. */
export function responseOf(said: Needed & Partial<Said>, assertions = assertionOf(said)): string {
  const all = { responseId: `_r${crypto.randomUUID()}`, ...usual, ...said }
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"` +
    ` ID="${all.responseId}" Version="2.0" IssueInstant="${at(0)}"${attribute('Destination', all.destination)}${attribute('InResponseTo', all.answers)}>` +
    (all.responseIssuer === null ? '' : `<saml:Issuer>${all.responseIssuer}</saml:Issuer>`) +
    `<samlp:Status><samlp:StatusCode Value="${all.status}"/></samlp:Status>${assertions}</samlp:Response>`
  )
}
