/** /api/auth/{provider}: signing in through a provider, for programs. */
import { getCookie } from 'hono/cookie'
import * as z from 'zod'
import { anonymous, signedIn } from '../../../kernel/access/credentials.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { startTokens } from '../../../kernel/access/record-sign-in.ts'
import { factorRequired } from '../../../kernel/access/second-factor/schema.ts'
import { throttleAddress } from '../../../kernel/access/throttle.ts'
import { databaseUnavailable, notSignedIn } from '../../../kernel/http/openapi/answers.ts'
import { detail, errorDetail, fieldMessages } from '../../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { setAttempts } from './attempt-responses.ts'
import { attemptsCookie, statesOf, withoutState, withState } from './attempts-cookie.ts'
import { confirmSignIn } from './confirm.ts'
import {
  codeInput,
  confirmationInput,
  confirmationRequired,
  redirect,
  redirectQuery,
  signedInSocially,
} from './schema.ts'
import { beginSignIn, finishSignIn } from './service.ts'

/** The routes of signing in through a provider. */
export const socialLoginRoutes: readonly Route[] = [
  route({
    id: 'getProviderRedirect',
    summary: 'Start a sign-in with a provider',
    description:
      'Returns the address to send the browser to. The sign-in can be finished once, within ten minutes.',
    method: 'GET',
    path: '/api/auth/:provider/redirect',
    auth: signedIn,
    may: siteVisitors,
    query: redirectQuery,
    answers: { 200: { body: redirect, headers: ['Set-Cookie'] }, 400: detail },
    handle: async ({ ctx, params, query, url, c }) => {
      const { provider: handle } = params
      const { authorizationUrl, state } = await beginSignIn(ctx, {
        url,
        handle,
        redirectUri: query.redirect_uri,
      })
      setAttempts(c, withState(getCookie(c, attemptsCookie), state))
      return { 200: { authorization_url: authorizationUrl, state } }
    },
  }),
  route({
    id: 'createProviderToken',
    summary: "Sign in with a provider's code",
    description: 'Exchanges an authorization code of the provider for an access token and a refresh token.',
    method: 'POST',
    path: '/api/auth/:provider/token',
    auth: anonymous,
    may: siteVisitors,
    body: codeInput,
    answers: {
      200: signedInSocially,
      400: z.union([detail, fieldMessages]),
      401: notSignedIn,
      403: z.union([detail, confirmationRequired, factorRequired]),
      500: { body: errorDetail, description: "The app's secret cannot be decrypted" },
      503: databaseUnavailable,
    },
    handle: async ({ ctx, params, body, url, c }) => {
      const { code, iss = null, redirect_uri: redirectUri } = body
      const cookie = getCookie(c, attemptsCookie)
      const state = body.state ?? statesOf(cookie).at(-1) ?? null
      await throttleAddress(ctx)
      const completion = { url, handle: params.provider, code, state, iss, redirectUri }
      const { user, identity, ended } = await finishSignIn(ctx, completion)
      if (state !== null && cookie !== undefined) setAttempts(c, withoutState(cookie, state))
      return { 200: { ...(await startTokens(ctx, identity)), user, ...(ended && { ended: [...ended] }) } }
    },
  }),
  route({
    id: 'confirmSignIn',
    summary: 'Confirm a sign-in with a mailed code',
    description:
      'Finishes a sign-in that was answered with 403 and a `confirmation`. ' +
      'The code was mailed to the address of the account.',
    method: 'POST',
    path: '/api/auth/confirm',
    auth: anonymous,
    may: siteVisitors,
    body: confirmationInput,
    answers: {
      200: signedInSocially,
      400: z.union([detail, fieldMessages]),
      403: factorRequired,
      503: databaseUnavailable,
    },
    handle: async ({ ctx, body }) => {
      const { confirmation, code } = body
      const { user, identity, ended } = await confirmSignIn(ctx, confirmation, code)
      return { 200: { ...(await startTokens(ctx, identity)), user, ...(ended && { ended: [...ended] }) } }
    },
  }),
]
