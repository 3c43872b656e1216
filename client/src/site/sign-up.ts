/** Signing up at a site. The account is made when the mailed link was opened. docs/guide/accounts.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import type { CreatedPasskey, PasskeyCreationOptions, SignedPasskey } from './passkeys.ts'
import type { Account } from './users.ts'

/** Who signs up. */
export interface NewPerson {
  email: string
  first_name?: string
  last_name?: string
}

/** What has happened, for people. */
export interface Done {
  detail: string
}

const path = '/api/auth/sign-up/'

/** Makes the calls of signing up. The site has to take sign-ups. */
export const signUpCalls = (transport: Transport) => ({
  /** Has a link mailed that finishes the sign-up. The answer is the same for an address that has an account. */
  signUp: (person: NewPerson & { password: string }, { signal }: CallOptions = {}): Promise<Done> =>
    transport.json({ method: 'POST', path, body: person, signal }),
  /** Makes the account, with the token of the link and the password that was chosen. */
  confirmSignUp: (token: string, password: string, { signal }: CallOptions = {}): Promise<Account> =>
    transport.json({ method: 'POST', path: `${path}confirm/`, body: { token, password }, signal }),
  /** What `createPasskey` of `tessera-client/passkeys` takes, for somebody without an account. */
  signUpPasskeyOptions: (person: NewPerson, { signal }: CallOptions = {}): Promise<PasskeyCreationOptions> =>
    transport.json({ method: 'POST', path: `${path}passkey/options/`, body: person, signal }),
  /** The same as `signUp`, with a passkey and its name in the place of a password. */
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
  /** Makes the account, with the token of the link and what the passkey has signed. Nothing shows the codes again. */
  confirmPasskeySignUp: (
    token: string,
    credential: SignedPasskey,
    { signal }: CallOptions = {},
  ): Promise<{ user: Account; recovery_codes: string[] }> =>
    transport.json({ method: 'POST', path: `${path}passkey/confirm/`, body: { token, credential }, signal }),
})
