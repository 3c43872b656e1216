/** The request and response bodies of passkeys, as WebAuthn (level 3) writes them in JSON. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { detail, fieldMessages, id, timestamp } from '../../../kernel/http/openapi/bodies.ts'
import { trustsDevice } from '../factors/schema.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: ['id', 'name', 'created', 'last_used_at'],
  ordering: 'id',
  searched: 'the name or the host',
} as const satisfies ListForm

/** The query string of the list. */
export const passkeysQuery = listQuery(listForm, {})

/** A passkey as its owner sees it. */
export const passkey = z
  .object({
    id: id.describe('The id of the passkey.'),
    name: z.string().describe('The name that its owner gave it.'),
    host: z.string().describe('The host on which it works.'),
    organization: z
      .string()
      .nullable()
      .describe('The slug of the organization in which its sign-ins are valid. Null: all.'),
    created: timestamp.describe('When it was added.'),
    last_used_at: timestamp.nullable().describe('When it was last used. Null: never.'),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the caller.' })
export type Passkey = z.infer<typeof passkey>

const base64url = (max: number) => z.string().regex(new RegExp(`^[\\w-]{1,${max}}$`), 'Must be base64url.')
const text = base64url(1366).meta({ description: 'In base64url.' })

/** The options for `navigator.credentials.create`. */
export const creationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }).describe('The service.'),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }).describe('The account.'),
    challenge: text.describe('The challenge that the authenticator signs. It works once, for five minutes.'),
    pubKeyCredParams: z
      .array(z.object({ type: z.literal('public-key'), alg: z.int() }))
      .describe('The algorithms that are accepted.'),
    timeout: z.int().describe('In milliseconds.'),
    excludeCredentials: z
      .array(z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) }))
      .describe('The passkeys that the account has.'),
    authenticatorSelection: z
      .object({ residentKey: z.literal('required'), userVerification: z.literal('required') })
      .describe('The requirements for the authenticator.'),
    attestation: z.literal('none').describe('No attestation is needed: any authenticator is accepted.'),
  })
  .meta({ id: 'PasskeyCreationOptions', description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn.' })
export type CreationOptions = z.infer<typeof creationOptions>

/** The options for `navigator.credentials.get`. */
export const requestOptions = z
  .object({
    challenge: text.describe('The challenge that the authenticator signs. It works once, for five minutes.'),
    rpId: z.string().describe('The host.'),
    timeout: z.int().describe('In milliseconds.'),
    userVerification: z.literal('required').describe('The authenticator must verify the person.'),
  })
  .meta({ id: 'PasskeyRequestOptions', description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn.' })
export type RequestOptions = z.infer<typeof requestOptions>

/** The body that asks for the options of a sign-in. */
export const optionsRequest = z.strictObject({
  challenge: z
    .uuid()
    .optional()
    .describe(
      'The challenge of a sign-in that needs a second factor. Omitted: the passkey is the only factor.',
    ),
})

const credential = {
  id: base64url(1366).describe('The id of the credential.'),
  rawId: base64url(1366).describe('The same.'),
  type: z.literal('public-key').describe('The type of the credential.'),
}

/** The result of `navigator.credentials.create`, as JSON. Members that browsers add are ignored. */
const createdCredential = z
  .looseObject({
    ...credential,
    response: z
      .looseObject({
        clientDataJSON: base64url(8192).describe('The client data from the browser.'),
        attestationObject: base64url(16384).describe('The data from the authenticator.'),
        transports: z
          .array(z.string().max(32))
          .max(10)
          .optional()
          .describe('How to reach the authenticator.'),
      })
      .describe('The answer of the authenticator.'),
  })
  .meta({ id: 'CreatedPasskey', description: 'RegistrationResponseJSON of WebAuthn.' })
export type CreatedCredential = z.infer<typeof createdCredential>

/** The body that adds a passkey. */
export const passkeyInput = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{C}*$/u, 'A name must not contain control characters.')
    .describe('A name that helps the owner to recognize it, such as "Phone".'),
  credential: createdCredential,
})
export type PasskeyInput = z.infer<typeof passkeyInput>

/** The result of `navigator.credentials.get`, as JSON. */
const signedCredential = z
  .looseObject({
    ...credential,
    response: z
      .looseObject({
        clientDataJSON: base64url(8192).describe('The client data from the browser.'),
        authenticatorData: base64url(8192).describe('The data from the authenticator.'),
        signature: base64url(8192).describe('The signature over both.'),
        userHandle: base64url(128).nullish().describe('The id of the account that the authenticator stores.'),
      })
      .describe('The answer of the authenticator.'),
  })
  .meta({ id: 'SignedPasskey', description: 'AuthenticationResponseJSON of WebAuthn.' })
export type SignedCredential = z.infer<typeof signedCredential>

/** The body that signs in with a passkey. */
export const passkeyAnswer = z.strictObject({ credential: signedCredential })

/** The body that signs a browser in with a passkey. */
export const sessionPasskeyAnswer = passkeyAnswer.extend(trustsDevice)

/** An error: either a sentence, or messages by field. */
export const detailOrFields = z.union([detail, fieldMessages])
