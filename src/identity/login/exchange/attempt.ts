/** The attempt to sign in through a provider: the data that is stored between its start and its end. S4. */
import type { Person } from '../providers/provider.ts'

/** A sign-in that has started and is not finished. */
interface Attempt {
  nonce: string
  codeVerifier: string
  redirectUri: string
  /** The path that the browser opens afterwards. */
  next: string
}

/** An attempt with the state under which it is stored. */
export interface NewAttempt extends Attempt {
  state: string
}

/** A person by the provider's issuer and subject. */
export interface ProviderIdentity {
  issuer: string
  person: Person
}

export interface EndedAttempt extends Attempt {
  /** For SAML: the hash of the code that completes it. Null if no response has arrived. */
  codeHash: string | null
  /** For SAML: the person that the provider has asserted. */
  identity: ProviderIdentity | null
}
