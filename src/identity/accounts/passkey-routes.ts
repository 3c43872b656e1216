/** /api/users/me/passkeys, /api/auth/passkeys: adding passkeys, and signing in with them. */

import { anonymous, signedIn } from '../../kernel/access/credentials.ts'
import { tokenPair } from '../../kernel/access/jwt/schema.ts'
import { startTokens } from '../../kernel/access/record-sign-in.ts'
import { databaseUnavailable, notSignedIn } from '../../kernel/http/openapi/answers.ts'
import { detail, pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { parseId } from '../../kernel/http/params.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { turnedOn } from './factors/schema.ts'
import { removeFactor } from './factors/service.ts'
import {
  creationOptions,
  detailOrFields,
  optionsRequest,
  passkey,
  passkeyAnswer,
  passkeyInput,
  passkeysQuery,
  requestOptions,
} from './passkeys/schema.ts'
import { addPasskey, beginPasskey, listPasskeys, signInWithPasskey } from './passkeys/service.ts'
import { beginSigning } from './passkeys/sign-in.ts'

export const passkeyRoutes: readonly Route[] = [
  route({
    id: 'listPasskeys',
    summary: 'List your passkeys',
    description: "Lists the caller's passkeys and the host on which each of them works.",
    method: 'GET',
    path: '/api/users/me/passkeys',
    auth: signedIn,
    query: passkeysQuery,
    answers: { 200: pageOfItems(passkey) },
    handle: async ({ ctx, query, url }) => ({ 200: await listPasskeys(ctx, url, query) }),
  }),
  route({
    id: 'createPasskeyOptions',
    summary: 'Start adding a passkey',
    description:
      'Returns the WebAuthn options with which a browser creates a passkey, as JSON. Needs a recent ' +
      'sign-in that was not through a provider.',
    method: 'POST',
    path: '/api/users/me/passkeys/options',
    auth: signedIn,
    answers: { 200: creationOptions, 400: detail, 403: detail },
    handle: async ({ ctx }) => ({ 200: await beginPasskey(ctx) }),
  }),
  route({
    id: 'createPasskey',
    summary: 'Add a passkey',
    description:
      'Adds the passkey that a browser created. All earlier sessions and tokens end; API keys stay. ' +
      'A passkey ' +
      'of the service is also a second factor: from then on, every sign-in needs one. A passkey that ' +
      'was made at ' +
      "a site's own domain works only in its organization. Needs a recent sign-in that was not " +
      'through a provider.',
    method: 'POST',
    path: '/api/users/me/passkeys',
    auth: signedIn,
    body: passkeyInput,
    answers: { 201: turnedOn, 400: detailOrFields, 403: detail },
    handle: async ({ ctx, body }) => ({ 201: await addPasskey(ctx, body) }),
  }),
  route({
    id: 'deletePasskey',
    summary: 'Remove a passkey',
    description:
      'Removes a passkey. The last way to sign in cannot be removed. All other sign-ins end. Needs ' +
      'a recent sign-in that was not through a provider.',
    method: 'DELETE',
    path: '/api/users/me/passkeys/:passkey',
    auth: signedIn,
    answers: { 204: null, 400: detail, 403: detail, 404: detail },
    handle: async ({ ctx, params }) => {
      await removeFactor(ctx, parseId(params.passkey))
      return { 204: null }
    },
  }),
  route({
    id: 'createSignInOptions',
    summary: 'Start a sign-in with a passkey',
    description:
      'Returns the WebAuthn options with which a browser uses a passkey, as JSON. With the `challenge` ' +
      'of a sign-in, the passkey is its second factor.',
    method: 'POST',
    path: '/api/auth/passkeys/options',
    auth: anonymous,
    body: optionsRequest,
    answers: { 200: requestOptions, 400: detailOrFields, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => ({ 200: await beginSigning(ctx, body.challenge) }),
  }),
  route({
    id: 'createPasskeyToken',
    summary: 'Sign in with a passkey',
    description: 'Exchanges the signature of a passkey for an access token and a refresh token.',
    method: 'POST',
    path: '/api/auth/passkeys',
    auth: anonymous,
    body: passkeyAnswer,
    answers: { 200: tokenPair, 400: detailOrFields, 401: notSignedIn, 503: databaseUnavailable },
    handle: async ({ ctx, body }) => ({
      200: await startTokens(ctx, await signInWithPasskey(ctx, body.credential)),
    }),
  }),
]
