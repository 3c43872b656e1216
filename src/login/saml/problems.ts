/** Why a response of a SAML provider is refused: one sentence each, for the person and the owner of the app. */

const sentences = {
  encoding: 'It is not base64 of an XML document.',
  form: 'It is not one response with one assertion.',
  encrypted: 'Its assertion is encrypted. Turn off the encryption of assertions at the provider.',
  unsigned: 'Neither the response nor its assertion is signed.',
  signature: 'Its signature does not have the form that is accepted.',
  algorithm: 'Its signature has an algorithm that is not accepted. Use RSA or ECDSA with SHA-256.',
  forged: 'Its signature is not by a certificate of the metadata of the provider.',
  issuer: 'It is from another issuer than the metadata of the provider says.',
  destination: 'It is for another address.',
  recipient: 'Its assertion is for another recipient.',
  audience: 'Its assertion is for another audience than the client_id of the app.',
  early: 'Its assertion is not valid yet. Check the clock of the provider.',
  late: 'Its assertion is not valid any more. Check the clock of the provider.',
  long: 'Its assertion is valid for longer than a day.',
  conditions: 'Its assertion has conditions that are not understood.',
  confirmation: 'Its assertion is not confirmed for its bearer alone.',
  request: 'It does not answer the sign-in that was started.',
  unsolicited: 'It answers no sign-in, and the app does not allow that sign-ins start at the provider.',
  authentication: 'Its assertion does not say that the person has signed in.',
  subject: 'Its assertion has no identifier of the person that stays the same.',
  replay: 'Its assertion was used before.',
} as const

/** The name of a problem. */
export type SamlProblemName = keyof typeof sentences

/** The names of all problems. */
export const samlProblemNames: readonly SamlProblemName[] = Object.keys(sentences) as SamlProblemName[]

/** A response that is refused. `code` is the name of the problem, for the log. */
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

/** An XML document that cannot be used. The message says why, without anything of the document. */
export class DocumentProblem extends Error {
  /** The message as one word, for the log. */
  readonly code: string

  constructor(message: string) {
    super(message)
    this.name = 'DocumentProblem'
    this.code = message.replaceAll(/\W+/g, '_').slice(0, 60)
  }
}
