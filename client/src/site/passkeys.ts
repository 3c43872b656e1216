/** What passes between the service and a browser's passkeys: the JSON forms of WebAuthn. docs/guide/accounts.md. */

/** What a browser makes a passkey from: `createPasskey` of `tessera-client/passkeys`. */
export interface PasskeyCreationOptions {
  rp: { id: string; name: string }
  /** `id` is in base64url, as all binary values are. */
  user: { id: string; name: string; displayName: string }
  challenge: string
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  timeout: number
  excludeCredentials: { type: 'public-key'; id: string; transports: string[] }[]
  authenticatorSelection: { residentKey: 'required'; userVerification: 'required' }
  attestation: 'none'
}

/** What a browser has a passkey sign: `usePasskey` of `tessera-client/passkeys`. */
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

/** A passkey that a browser has made. */
export interface CreatedPasskey extends Credential {
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] }
}

/** What a passkey has signed. */
export interface SignedPasskey extends Credential {
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | null
  }
}
