/**
 * Signs people up at a site. The account is created after the mailed link is opened. docs/guide/accounts.md.
 */
import type { CallOptions, Transport } from '../connection/transport.ts'
import type { CreatedPasskey, PasskeyCreationOptions, SignedPasskey } from './passkeys.ts'
import type { Account } from './users.ts'

export interface NewPerson {
  email: string
  first_name?: string | undefined
  last_name?: string | undefined
}

/** The result as a sentence for people. */
export interface Done {
  detail: string
}

const path = '/api/auth/sign-up/'

/** Creates the calls for sign-ups. The site must accept sign-ups. */
export const signUpCalls = (transport: Transport) => ({
  /**
   * Requests the e-mail with the link that finishes the sign-up. The response is the same for an address that
   * already has an account.
   */
  signUp: (person: NewPerson & { password: string }, { signal }: CallOptions = {}): Promise<Done> =>
    transport.json({ method: 'POST', path, body: person, signal }),
  /** Creates the account, with the token of the link and the chosen password. */
  confirmSignUp: (token: string, password: string, { signal }: CallOptions = {}): Promise<Account> =>
    transport.json({ method: 'POST', path: `${path}confirm/`, body: { token, password }, signal }),
  /**
   * Returns the options for `createPasskey` of `tessera-client/passkeys`, for a person without an account.
   */
  signUpPasskeyOptions: (person: NewPerson, { signal }: CallOptions = {}): Promise<PasskeyCreationOptions> =>
    transport.json({ method: 'POST', path: `${path}passkey/options/`, body: person, signal }),
  /** The same as `signUp`, with a passkey and its name instead of a password. */
  signUpWithPasskey: (
    person: NewPerson,
    name: string,
    credential: CreatedPasskey,
    { signal }: CallOptions = {},
  ): Promise<Done> =>
    transport.json({
      method: 'POST',
      path: `${path}passkey/`,
      body: { ...person, name, credential },
      signal,
    }),
  /**
   * Creates the account, with the token of the link and the signature of the passkey. The recovery codes are
   * never shown again.
   */
  confirmPasskeySignUp: (
    token: string,
    credential: SignedPasskey,
    { signal }: CallOptions = {},
  ): Promise<{ user: Account; recovery_codes: string[] }> =>
    transport.json({ method: 'POST', path: `${path}passkey/confirm/`, body: { token, credential }, signal }),
})
