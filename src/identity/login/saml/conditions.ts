/** The conditions of a signed assertion: its audience, its request and its period. */
import { namespaces } from './names.ts'
import { SamlProblem, type SamlProblemName } from './problems.ts'
import type { ReadResponse } from './response.ts'
import { childrenNamed, type XmlElement } from './xml.ts'

/** The allowed clock difference to a provider. */
const clockSkewMs = 60_000
const lifetimeMsMax = 24 * 60 * 60 * 1000

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const entityFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity'

/** The values with which the response is compared. */
export interface Expected {
  /** The entity id of the provider. */
  issuer: string
  /** The entity id of the site: the client_id of the app. */
  audience: string
  /** The address of the consumer service that received the response. */
  consumer: string
  /** The id of the request that the response must answer. Null: it must answer none. */
  requestId: string | null
  /** Milliseconds since 1970. */
  now: number
}

/** The remaining data of a valid assertion. */
export interface Validity {
  id: string
  /** When the assertion ends, in milliseconds since 1970, with the clock skew. */
  endsAt: number
}

/** Throws SamlProblem unless an assertion has all expected values. */
export function requireValid(read: ReadResponse, expected: Expected): Validity {
  const { response, isSigned, assertion } = read
  const { now } = expected
  requireEnvelope(response, isSigned, expected)
  if (assertion.attributes.get('Version') !== '2.0') throw new SamlProblem('form')
  if (textOf(only(assertion, 'Issuer', 'issuer')) !== expected.issuer) throw new SamlProblem('issuer')
  const ends = [
    confirmedUntil(assertion, expected),
    conditionsUntil(assertion, expected),
    sessionUntil(assertion),
  ]
  const endsAt = Math.min(...ends) + clockSkewMs
  if (now >= endsAt) throw new SamlProblem('late')
  if (endsAt - now > lifetimeMsMax) throw new SamlProblem('long')
  const id = assertion.attributes.get('ID') ?? ''
  if (id === '') throw new SamlProblem('form')
  return { id, endsAt }
}

/** Checks the attributes of the response. They are optional if only the assertion is signed. */
function requireEnvelope(response: XmlElement, isSigned: boolean, expected: Expected): void {
  const { attributes } = response
  if (attributes.get('Version') !== '2.0') throw new SamlProblem('form')
  const [issuer, ...others] = childrenNamed(response, namespaces.assertion, 'Issuer')
  if (others.length > 0 || (issuer && textOf(issuer) !== expected.issuer)) throw new SamlProblem('issuer')
  const destination = attributes.get('Destination')
  const isOther = destination !== expected.consumer && (isSigned || destination !== undefined)
  if (isOther) throw new SamlProblem('destination')
  requireRequest(attributes.get('InResponseTo'), expected, isSigned)
}

function requireRequest(answered: string | undefined, { requestId }: Expected, isRequired: boolean): void {
  if (answered === undefined && (requestId === null || !isRequired)) return
  if (requestId === null) throw new SamlProblem('unsolicited')
  if (answered !== requestId) throw new SamlProblem('request')
}

/**
 * Returns when the confirmation of the assertion for its bearer ends. There must be exactly one confirmation.
 */
function confirmedUntil(assertion: XmlElement, expected: Expected): number {
  const subject = only(assertion, 'Subject', 'subject')
  const confirmation = only(subject, 'SubjectConfirmation', 'confirmation')
  if (confirmation.attributes.get('Method') !== bearer) throw new SamlProblem('confirmation')
  const { attributes } = only(confirmation, 'SubjectConfirmationData', 'confirmation')
  // The profile forbids the attribute in a bearer confirmation.
  if (attributes.has('NotBefore')) throw new SamlProblem('confirmation')
  if (attributes.get('Recipient') !== expected.consumer) throw new SamlProblem('recipient')
  requireRequest(attributes.get('InResponseTo'), expected, true)
  const until = attributes.get('NotOnOrAfter')
  if (until === undefined) throw new SamlProblem('confirmation')
  return timeOf(until)
}

/**
 * The allowed conditions, apart from the audience. They require nothing that the service does not do anyway.
 */
const harmless = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** Returns when the conditions end. Each restriction must name the site as an audience. */
function conditionsUntil(assertion: XmlElement, { audience, now }: Expected): number {
  const conditions = only(assertion, 'Conditions', 'conditions')
  const isUnderstood = conditions.children.every(
    ({ namespace, name }) => namespace === namespaces.assertion && harmless.includes(name),
  )
  if (!isUnderstood) throw new SamlProblem('conditions')
  const restrictions = childrenNamed(conditions, namespaces.assertion, 'AudienceRestriction')
  const isForUs = (restriction: XmlElement) =>
    childrenNamed(restriction, namespaces.assertion, 'Audience').some((named) => textOf(named) === audience)
  if (restrictions.length === 0 || !restrictions.every(isForUs)) throw new SamlProblem('audience')
  const from = conditions.attributes.get('NotBefore')
  if (from !== undefined && timeOf(from) > now + clockSkewMs) throw new SamlProblem('early')
  return endOf(conditions, 'NotOnOrAfter')
}

/** Returns when the session at the provider ends. */
function sessionUntil(assertion: XmlElement): number {
  const statements = childrenNamed(assertion, namespaces.assertion, 'AuthnStatement')
  if (statements.length === 0) throw new SamlProblem('authentication')
  return Math.min(...statements.map((statement) => endOf(statement, 'SessionNotOnOrAfter')))
}

function endOf({ attributes }: XmlElement, name: string): number {
  const until = attributes.get(name)
  return until === undefined ? Number.POSITIVE_INFINITY : timeOf(until)
}

/** Reads a time, which SAML writes in UTC. */
function timeOf(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new SamlProblem('conditions')
  return time
}

/**
 * Returns the only child with a name in the namespace of assertions. Throws the problem if there is not
 * exactly one.
 */
function only(parent: XmlElement, name: string, problem: SamlProblemName): XmlElement {
  const [child, ...others] = childrenNamed(parent, namespaces.assertion, name)
  if (!child || others.length > 0) throw new SamlProblem(problem)
  return child
}

/** Returns the text of an issuer or an audience: an entity id in an element without other content. */
function textOf({ children, text, attributes }: XmlElement): string | undefined {
  const isEntity = (attributes.get('Format') ?? entityFormat) === entityFormat
  return children.length === 0 && isEntity ? text.trim() : undefined
}
