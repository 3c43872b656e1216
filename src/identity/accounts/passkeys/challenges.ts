/** The options for an authenticator: a challenge, for a host and an account. */
import { type RelyingParty, relyingPartyOf } from '../../../kernel/access/relying-party.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { randomBytes } from '../../../kernel/lib/cipher.ts'
import { sha256 } from '../../../kernel/lib/sha256.ts'
import { noPasskeysHere } from './errors.ts'
import type { CreationOptions } from './schema.ts'
import { algorithms } from './verify.ts'

const challengeBytes = 32
/** How long a browser waits for the person's passkey. */
export const timeoutMs = 300_000

/** Creates a challenge. The database stores its hash. */
export const newChallenge = (): string => Buffer.from(randomBytes(challengeBytes)).toString('base64url')
/** Returns the hash that a challenge is stored under. */
export const challengeHash = (challenge: string): string => sha256(`passkey challenge ${challenge}`)

/** Returns the relying party of a request. Throws 400 where passkeys do not work. */
export function requireParty(ctx: RequestContext): RelyingParty {
  const party = relyingPartyOf(ctx)
  if (!party) throw noPasskeysHere()
  return party
}

/** Returns the account's id for authenticators: its UUID, which reveals nothing about the user. */
export const handleOf = (uuid: string): string =>
  Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')

/**
 * Returns the options that are the same for every new passkey: all but the account and its other passkeys.
 */
export const creationTerms = (
  { id }: RelyingParty,
  challenge: string,
): Omit<CreationOptions, 'user' | 'excludeCredentials'> => ({
  rp: { id, name: id },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: timeoutMs,
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  attestation: 'none',
})
