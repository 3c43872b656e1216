/** Accounts: signing in and out, and oneself. docs/guide/sign-in.md. */
import type { TokenAnswer } from '../connection/session.ts'
import type { Transport } from '../connection/transport.ts'
import { ownAccountCalls } from './own-account.ts'

/** Makes the calls of accounts. */
export const accountCalls = (transport: Transport) => ({
  /** Signs in by a name or e-mail address. The store keeps the tokens; they are renewed when they end. */
  signIn: (username: string, password: string): Promise<void> => transport.session.signIn(username, password),
  /** Keeps the tokens of another way to sign in, as a provider's. */
  keepTokens: (answer: TokenAnswer): Promise<void> => transport.session.keep(answer),
  /** Renews the tokens now. False: the sign-in has ended. */
  refresh: async (): Promise<boolean> =>
    (await transport.session.renew(await transport.session.authorization())) !== undefined,
  /** Forgets the tokens and ends them at the service. */
  signOut: (): Promise<void> => transport.session.signOut(),
  /** The same as `me.get`. */
  me: ownAccountCalls(transport).get,
})
