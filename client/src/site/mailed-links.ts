/** Links that are mailed to the owner of an account. docs/guide/accounts.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import type { Done } from './sign-up.ts'

/** Creates the calls of mailed links. No response tells whether an account has an address. */
export const mailedLinkCalls = (transport: Transport) => {
  const post = <Answer>(path: string, body: unknown, { signal }: CallOptions): Promise<Answer> =>
    transport.json({ method: 'POST', path: `/api/auth/${path}/`, body, signal })
  return {
    requestPasswordReset: (email: string, options: CallOptions = {}): Promise<Done> =>
      post('password/reset', { email }, options),
    /** Sets a password by the token of a link, and ends all sign-ins. */
    resetPassword: (token: string, password: string, options: CallOptions = {}): Promise<Done> =>
      post('password/reset/confirm', { token, password }, options),
    requestEmailVerification: (email: string, options: CallOptions = {}): Promise<Done> =>
      post('email/verify', { email }, options),
    /** Verifies an address by the token of a link. For a new address, the account must be signed in. */
    confirmEmail: (
      token: string,
      options: CallOptions = {},
    ): Promise<{ email: string; has_password: boolean }> => post('email/verify/confirm', { token }, options),
  }
}
