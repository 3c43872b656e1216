/**
 * Passkeys in a browser: `tessera-client/passkeys`. Gets the service's options, asks the person, and returns
 * the result for the service. Throws the browser's errors: a NotAllowedError if the person declines.
 */
import type {
  CreatedPasskey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SignedPasskey,
} from './site/passkeys.ts'

/** The parts of Web Authentication that this file uses. */
interface Credentials {
  create(options: { publicKey: object }): Promise<BrowserCredential | null>
  get(options: { publicKey: object }): Promise<BrowserCredential | null>
}
interface BrowserCredential {
  id: string
  rawId: ArrayBuffer
  response: Readonly<Record<string, ArrayBuffer | null>> & { getTransports?(): string[] }
}

const platform = globalThis as { navigator?: { credentials?: Credentials }; PublicKeyCredential?: unknown }

/** Returns whether this browser supports passkeys. */
export const hasPasskeys = (): boolean =>
  platform.PublicKeyCredential !== undefined && platform.navigator?.credentials !== undefined

/** Lets the browser create a passkey. */
export async function createPasskey(options: PasskeyCreationOptions): Promise<CreatedPasskey> {
  const { challenge, user, excludeCredentials } = options
  const credential = await credentials().create({
    publicKey: {
      ...options,
      challenge: bytesOf(challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: excludeCredentials.map((known) => ({ ...known, id: bytesOf(known.id) })),
    },
  })
  const { response, ...made } = asJson<CreatedPasskey>(credential, ['clientDataJSON', 'attestationObject'])
  return { ...made, response: { ...response, transports: credential?.response.getTransports?.() ?? [] } }
}

/** Lets a passkey sign a challenge of the service. */
export async function usePasskey(options: PasskeyRequestOptions): Promise<SignedPasskey> {
  const publicKey = { ...options, challenge: bytesOf(options.challenge) }
  const members = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']
  return asJson<SignedPasskey>(await credentials().get({ publicKey }), members)
}

function credentials(): Credentials {
  const { navigator } = platform
  if (!navigator?.credentials) throw new Error('This platform has no passkeys.')
  return navigator.credentials
}

/** Returns a credential as JSON, with these members of its response. */
function asJson<Json>(credential: BrowserCredential | null, members: readonly string[]): Json {
  if (credential === null) throw new Error('The browser returned no passkey.')
  const { id, rawId, response } = credential
  const parts = members.flatMap((name) => {
    const part = response[name]
    return part ? [[name, textOf(part)]] : []
  })
  return { id, rawId: textOf(rawId), type: 'public-key', response: Object.fromEntries(parts) } as Json
}

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

export type { CreatedPasskey, PasskeyCreationOptions, PasskeyRequestOptions, SignedPasskey }
