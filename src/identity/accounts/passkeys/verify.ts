/**
 * Verifies the answers of authenticators, with @simplewebauthn/server. WebAuthn level 3, sections 7.1 and
 * 7.2.
 */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import * as z from 'zod'
import type { RelyingParty } from '../../../kernel/access/relying-party.ts'
import { asBytes } from '../../../kernel/lib/cipher.ts'
import { notAPasskey, passkeyRejected } from './errors.ts'
import type { CreatedCredential, SignedCredential } from './schema.ts'

/** The algorithms of keys, the preferred one first: ES256, Ed25519 and RS256. */
export const algorithms = [-7, -8, -257]

const clientData = z.object({ challenge: z.string().max(200), crossOrigin: z.boolean().optional() })

/** Returns the challenge that an authenticator has signed; undefined for data that no browser writes. */
export function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge, crossOrigin } = clientData.parse(
      JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')),
    )
    // A page of another origin must not request the passkey in a frame.
    return crossOrigin ? undefined : challenge
  } catch {
    return undefined
  }
}

/** A key that an authenticator has made. */
export interface NewKey {
  credentialId: string
  /** A COSE key in base64url. */
  publicKey: string
  counter: number
}

/** Returns the new key of an authenticator. Throws 400. */
export async function verifyNew(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string,
  { id, rawId, type, response }: CreatedCredential,
): Promise<NewKey> {
  try {
    const { clientDataJSON, attestationObject } = response
    requireNoCertificates(attestationObject)
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo || registrationInfo.credential.id !== id) throw new Error('not verified')
    const { credential } = registrationInfo
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { credentialId: credential.id, publicKey, counter: credential.counter }
  } catch (error) {
    throw notAPasskey(error)
  }
}

/**
 * Throws for an attestation with certificates. The service asks for none, and verifying them would require
 * fetching the addresses in them.
 */
function requireNoCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(asBytes(attestationObject))
  const format = attestation.get('fmt')
  const hasCertificates = attestation.get('attStmt').get('x5c') !== undefined
  if (!(format === 'none' || (format === 'packed' && !hasCertificates)))
    throw new Error('an attestation that was not asked for')
}

/** Returns the authenticator's counter. Throws 401 if the signature does not match the key. */
export async function verifySigned(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string,
  { id, rawId, type, response }: SignedCredential,
  { credentialId, publicKey, counter }: NewKey,
): Promise<number> {
  try {
    const { clientDataJSON, authenticatorData, signature } = response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      credential: { id: credentialId, publicKey: asBytes(publicKey), counter },
    })
    if (!verified) throw new Error('not verified')
    return authenticationInfo.newCounter
  } catch (error) {
    throw passkeyRejected(error)
  }
}
