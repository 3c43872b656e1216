/**
 * The reasons for rejecting a response of a SAML provider: one sentence each, for the user and the owner of
 * the app.
 */
import { ProviderProblem } from '../providers/problem.ts'

const sentences = {
  encoding: 'It is not an XML document in base64.',
  form: 'It does not contain exactly one response with one assertion.',
  encrypted: 'Its assertion is encrypted. Turn off the encryption of assertions at the provider.',
  unsigned: 'Neither the response nor its assertion is signed.',
  signature: 'The form of its signature is not supported.',
  algorithm: 'The algorithm of its signature is not supported. Use RSA or ECDSA with SHA-256.',
  forged: "No certificate in the provider's metadata matches its signature.",
  issuer: "Its issuer is not the one in the provider's metadata.",
  destination: 'It was sent to another address.',
  recipient: 'Its assertion is for another recipient.',
  audience: 'The audience of its assertion is not the client_id of the app.',
  early: "Its assertion is not valid yet. Check the provider's clock.",
  late: "Its assertion has expired. Check the provider's clock.",
  long: 'Its assertion is valid for longer than a day.',
  conditions: 'Its assertion has unknown conditions.',
  confirmation: 'Its assertion must have exactly one bearer confirmation.',
  request: 'It belongs to a different sign-in.',
  unsolicited: 'It belongs to no sign-in, and the app does not allow sign-ins to start at the provider.',
  authentication: 'Its assertion does not say that the person has signed in.',
  subject: 'Its assertion has no permanent identifier of the person.',
  replay: 'Its assertion was already used.',
} as const

export type SamlProblemName = keyof typeof sentences

export const samlProblemNames: readonly SamlProblemName[] = Object.keys(sentences) as SamlProblemName[]

/** A response that is rejected. `code` is the name of the problem, for the log. */
export class SamlProblem extends Error {
  readonly code: SamlProblemName

  constructor(code: SamlProblemName, cause?: unknown) {
    super(sentences[code], { cause })
    this.name = 'SamlProblem'
    this.code = code
  }
}

/** The provider says that the person is not signed in. */
export class SamlCancelled extends Error {}

/** An XML document that cannot be used. The message gives the reason, without any content of the document. */
export class DocumentProblem extends ProviderProblem {
  /** The message as one word, for the log. */
  readonly code: string

  constructor(message: string) {
    super(message)
    this.name = 'DocumentProblem'
    this.code = message.replaceAll(/\W+/g, '_').slice(0, 60)
  }
}
