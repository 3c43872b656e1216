/** The caller's own account, and its sign-ins. docs/guide/accounts.md. */
import type { TokenAnswer } from '../connection/session.ts'
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'
import type { Account } from './users.ts'

/** The caller's account, with the members that only its owner sees. */
export interface OwnAccount extends Account {
  preferred_language: string | null
  email_verified: boolean
  /** The new address that waits for its confirmation. */
  pending_email: string | null
  /** When the account will be deleted, at its owner's request. */
  deletes_at: string | null
}

/** The members that can be changed. A new e-mail address takes effect when its mailed link is opened. */
export interface OwnChanges {
  email?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
  /** A language tag, for example `de` or `en-GB`. */
  preferred_language?: string | null | undefined
}

/** A provider that can sign in to the account. */
export interface LinkedProvider {
  id: number
  site: string
  organization: string
  provider: string | null
  name: string | null
  [member: string]: unknown
}

const path = '/api/users/me/'

/** Creates the calls for the signed-in account. Many need a sign-in within the last 15 minutes. */
export const ownAccountCalls = (transport: Transport) => ({
  get: ({ signal }: CallOptions = {}): Promise<OwnAccount> => transport.json({ path, signal }),
  update: (changes: OwnChanges, { signal }: CallOptions = {}): Promise<OwnAccount> =>
    transport.json({ method: 'PATCH', path, body: changes, signal }),
  /**
   * Changes the password, which ends all sign-ins. Returns new tokens: pass them to `accounts.keepTokens`.
   */
  changePassword: (present: string, password: string, { signal }: CallOptions = {}): Promise<TokenAnswer> =>
    transport.json({
      method: 'POST',
      path: '/api/auth/password/change/',
      body: { current_password: present, password },
      signal,
    }),
  /** Plans the deletion of the account, and ends all sign-ins. Until the deletion, `restore` cancels it. */
  delete: ({ signal }: CallOptions = {}): Promise<{ deletes_at: string }> =>
    transport.json({ method: 'DELETE', path, signal }),
  restore: ({ signal }: CallOptions = {}): Promise<OwnAccount> =>
    transport.json({ method: 'POST', path: `${path}restore/`, signal }),
  /** Returns everything that is stored about the account. */
  export: ({ signal }: CallOptions = {}): Promise<{ account: OwnAccount; [part: string]: unknown }> =>
    transport.json({ path: `${path}export/`, signal }),
  providers: (options?: ItemOptions): Promise<Items<LinkedProvider>> =>
    readItems(transport, `${path}providers/`, options),
  unlinkProvider: (id: number, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: `${path}providers/${encodeURIComponent(id)}/`, signal }),
  /** Accepts the permissions that were granted in a site: no other organization can end the account then. */
  acceptPermissions: (site: string, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'PUT', path: `${path}permissions/${encodeURIComponent(site)}/`, signal }),
  /** Gives up the permissions that were granted in a site. */
  declinePermissions: (site: string, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: `${path}permissions/${encodeURIComponent(site)}/`, signal }),
})

/** A sign-in: its tokens, or a session in a browser. */
export interface SignIn {
  id: string
  kind: 'tokens' | 'session'
  /** For example `Firefox on Linux`. */
  device: string | null
  country: string | null
  created: string
  last_used_at: string
  expires_at: string
  is_current: boolean
  [member: string]: unknown
}

const sessions = '/api/auth/sessions/'

/** Creates the calls for the sign-ins of the signed-in account. */
export const sessionCalls = (transport: Transport) => ({
  list: (options?: ItemOptions): Promise<Items<SignIn>> => readItems(transport, sessions, options),
  /** Ends a sign-in. Its tokens are then rejected. */
  delete: (id: string, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: `${sessions}${encodeURIComponent(id)}/`, signal }),
  /** Ends all sign-ins except that of this client. API keys stay. */
  deleteOthers: ({ signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: sessions, signal }),
})
