/** The second factors of the caller's account, and the browsers that need none. docs/guide/accounts.md. */
import type { TokenAnswer } from '../connection/session.ts'
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'
import type { CreatedPasskey, PasskeyCreationOptions } from './passkeys.ts'

/** The second factors of an account. */
export interface OwnFactors {
  /** The authenticator app; null: turned off. */
  totp: { created: string } | null
  passkeys: number
  recovery_codes: number
  /** Whether every sign-in needs a second factor. */
  is_required: boolean
}

/** A new second factor, which ends all sign-ins: pass `tokens` to `accounts.keepTokens`. */
export interface FactorTurnedOn {
  /** Ten recovery codes if it is the account's first factor, otherwise none. They are never shown again. */
  recovery_codes: string[]
  tokens: TokenAnswer
}

/** A passkey as its owner sees it. */
export interface Passkey {
  id: number
  name: string
  /** The host on which the passkey works. */
  host: string
  /** The organization in which its sign-ins count. Null: everywhere. */
  organization: string | null
  created: string
  last_used_at: string | null
  [member: string]: unknown
}

/** A browser that needs no second factor for some days. */
export interface TrustedDevice {
  id: number
  /** For example `Firefox on Linux`. */
  device: string | null
  country: string | null
  created: string
  last_used_at: string
  expires_at: string
  [member: string]: unknown
}

const path = '/api/users/me/'

/** Creates the calls for the second factors of the signed-in account. Changes need a recent sign-in. */
export const ownFactorCalls = (transport: Transport) => ({
  get: ({ signal }: CallOptions = {}): Promise<OwnFactors> =>
    transport.json({ path: `${path}factors/`, signal }),
  /**
   * Returns a secret for an authenticator app, only this time. The app counts after `confirmTotp` has
   * received its first code.
   */
  createTotp: ({ signal }: CallOptions = {}): Promise<{ secret: string; uri: string }> =>
    transport.json({ method: 'POST', path: `${path}totp/`, signal }),
  confirmTotp: (code: string, { signal }: CallOptions = {}): Promise<FactorTurnedOn> =>
    transport.json({ method: 'POST', path: `${path}totp/confirm/`, body: { code }, signal }),
  deleteTotp: ({ signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: `${path}totp/`, signal }),
  /** Returns ten new recovery codes, only this time. The earlier ones are no longer valid. */
  replaceRecoveryCodes: ({ signal }: CallOptions = {}): Promise<{ recovery_codes: string[] }> =>
    transport.json({ method: 'POST', path: `${path}recovery-codes/`, signal }),
})

/** Creates the calls for the passkeys of the signed-in account. */
export const ownPasskeyCalls = (transport: Transport) => ({
  list: (options?: ItemOptions): Promise<Items<Passkey>> => readItems(transport, `${path}passkeys/`, options),
  /** Returns the options for `createPasskey` of `tessera-client/passkeys`. */
  options: ({ signal }: CallOptions = {}): Promise<PasskeyCreationOptions> =>
    transport.json({ method: 'POST', path: `${path}passkeys/options/`, signal }),
  create: (name: string, credential: CreatedPasskey, { signal }: CallOptions = {}): Promise<FactorTurnedOn> =>
    transport.json({ method: 'POST', path: `${path}passkeys/`, body: { name, credential }, signal }),
  delete: (id: number, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: `${path}passkeys/${encodeURIComponent(id)}/`, signal }),
})

/** Creates the calls of the caller's trusted browsers. */
export const trustedDeviceCalls = (transport: Transport) => ({
  list: (options?: ItemOptions): Promise<Items<TrustedDevice>> =>
    readItems(transport, `${path}trusted-devices/`, options),
  delete: (id: number, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: `${path}trusted-devices/${encodeURIComponent(id)}/`, signal }),
  deleteAll: ({ signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: `${path}trusted-devices/`, signal }),
})
