/**
 * The messages between the service and a browser's passkeys: the JSON forms of WebAuthn.
 * docs/guide/accounts.md.
 */

/** The options with which a browser creates a passkey: see `createPasskey` of `tessera-client/passkeys`. */
export interface PasskeyCreationOptions {
  rp: { id: string; name: string }
  /** `id` is in base64url, like all binary values. */
  user: { id: string; name: string; displayName: string }
  challenge: string
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  timeout: number
  excludeCredentials: { type: 'public-key'; id: string; transports: string[] }[]
  authenticatorSelection: { residentKey: 'required'; userVerification: 'required' }
  attestation: 'none'
}

/** The options with which a browser uses a passkey: see `usePasskey` of `tessera-client/passkeys`. */
export interface PasskeyRequestOptions {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'required'
}

interface Credential {
  id: string
  rawId: string
  type: 'public-key'
}

/** A passkey that a browser has created. */
export interface CreatedPasskey extends Credential {
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] }
}

/** The signature of a passkey. */
export interface SignedPasskey extends Credential {
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | null
  }
}
