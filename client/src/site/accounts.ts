/** Accounts: signing up, signing in and out, and the caller's own account. docs/guide/sign-in.md. */
import { ForbiddenError } from '../connection/errors.ts'
import type { TokenAnswer } from '../connection/session.ts'
import type { CallOptions, Transport } from '../connection/transport.ts'
import { mailedLinkCalls } from './mailed-links.ts'
import { ownAccountCalls } from './own-account.ts'
import type { PasskeyRequestOptions, SignedPasskey } from './passkeys.ts'
import { signUpCalls } from './sign-up.ts'

/** A sign-in that waits for a second factor. */
export interface SignInChallenge {
  challenge: string
  factors: ('totp' | 'passkey' | 'recovery_code')[]
  /** The seconds until the sign-in must be finished. */
  expires_in: number
}

/** Returns the waiting sign-in if `signIn` has failed because it needs a second factor. */
export function challengeOf(error: unknown): SignInChallenge | undefined {
  const body = error instanceof ForbiddenError ? (error.body as Partial<SignInChallenge> | null) : null
  return body?.challenge === undefined ? undefined : (body as SignInChallenge)
}

export function accountCalls(transport: Transport) {
  const keep = async (path: string, body: unknown, { signal }: CallOptions): Promise<void> =>
    transport.session.keep(await transport.json<TokenAnswer>({ method: 'POST', path, body, signal }))
  return {
    /**
     * Signs in by a name or e-mail address. The store keeps the tokens; they are renewed when they expire.
     * For an account with a second factor, throws a ForbiddenError, from which `challengeOf` returns the
     * waiting sign-in.
     */
    signIn: (username: string, password: string): Promise<void> =>
      transport.session.signIn(username, password),
    /** Finishes a waiting sign-in with a code of the authenticator app, or a recovery code. */
    answerChallenge: (challenge: string, code: string, options: CallOptions = {}): Promise<void> =>
      keep('/api/auth/factor/', { challenge, code }, options),
    /**
     * Returns the options for `usePasskey` of `tessera-client/passkeys`. With a challenge, the passkey
     * finishes that sign-in.
     */
    passkeyOptions: (challenge?: string, { signal }: CallOptions = {}): Promise<PasskeyRequestOptions> =>
      transport.json({
        method: 'POST',
        path: '/api/auth/passkeys/options/',
        body: { ...(challenge === undefined ? {} : { challenge }) },
        signal,
      }),
    /** Signs in with the signature of a passkey. */
    signInWithPasskey: (credential: SignedPasskey, options: CallOptions = {}): Promise<void> =>
      keep('/api/auth/passkeys/', { credential }, options),
    ...signUpCalls(transport),
    ...mailedLinkCalls(transport),
    /** Stores the tokens of another kind of sign-in, for example by a provider. */
    keepTokens: (answer: TokenAnswer): Promise<void> => transport.session.keep(answer),
    /** Renews the tokens now. Returns false if the sign-in has ended. */
    refresh: async (): Promise<boolean> =>
      (await transport.session.renew(await transport.session.authorization())) !== undefined,
    /** Removes the tokens, and revokes them at the service. */
    signOut: (): Promise<void> => transport.session.signOut(),
    /** The same as `me.get`. */
    me: ownAccountCalls(transport).get,
  }
}
