/** /api/users/me/passkeys, /api/auth/passkeys: adding passkeys, and signing in with them. */

import { anonymous, signedIn } from '../access/credentials.ts'
import { tokenPair } from '../access/jwt/schema.ts'
import { startTokens } from '../access/record-sign-in.ts'
import { databaseUnavailable, notSignedIn } from '../http/openapi/answers.ts'
import { detail, pageOfItems } from '../http/openapi/bodies.ts'
import { parseId } from '../http/params.ts'
import { type Route, route } from '../http/route.ts'
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

/** The routes of passkeys. */
export const passkeyRoutes: readonly Route[] = [
  route({
    id: 'listPasskeys',
    summary: 'List your passkeys',
    description: 'Lists the passkeys of the caller, with the hosts that they sign in at.',
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
      'Returns what a browser makes a passkey from: the JSON form of WebAuthn. It needs a recent ' +
      'sign-in, and not one through a provider.',
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
      'Adds the passkey that a browser has made. All earlier sessions and tokens end; API keys stay. ' +
      'A passkey ' +
      'of the service is also a second factor: from then on every sign-in needs one. A passkey that ' +
      'was made at ' +
      "a site's own domain signs in at its organization only. It needs a recent sign-in, and not one " +
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
      'Removes a passkey, but never the last way into the account. The other sign-ins end. It needs ' +
      'a recent sign-in, and not one through a provider.',
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
      'Returns what a browser has a passkey sign: the JSON form of WebAuthn. With the `challenge` ' +
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
    description: 'Returns an access token and a refresh token for what a passkey has signed.',
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
