/** /api/auth/jwt: tokens for a password. /.well-known/jwks.json: the keys that verify them. A1, A2. */
import { getCookie } from 'hono/cookie'
import * as z from 'zod'
import { databaseUnavailable, notSignedIn } from '../../http/openapi/answers.ts'
import { detail } from '../../http/openapi/bodies.ts'
import { type Route, route } from '../../http/route.ts'
import { anonymous } from '../credentials.ts'
import { deviceCookie } from '../known-device.ts'
import { factorRequired } from '../second-factor/schema.ts'
import { jsonWebKeySet, nothing, refreshInput, signInInput, tokenPair, verifyInput } from './schema.ts'
import { blacklistToken, publishedKeys, refreshTokens, requireLiveToken, signIn } from './service.ts'

const errors = { 401: notSignedIn, 503: databaseUnavailable }

/** The routes of tokens. */
export const jwtRoutes: readonly Route[] = [
  route({
    id: 'createToken',
    summary: 'Sign in with a password',
    description:
      'Returns an access token and a refresh token. The user name may be the e-mail address. An ' +
      'account with a second factor is answered with 403 and a `challenge`, which is sent with the ' +
      'factor to /api/auth/factor/. At the domain of a site, a superuser is answered with 403, and the ' +
      "tokens count in the site's organization only.",
    method: 'POST',
    path: '/api/auth/jwt/token',
    auth: anonymous,
    body: signInInput,
    answers: { 200: tokenPair, 403: z.union([detail, factorRequired]), ...errors },
    handle: async ({ ctx, body, c }) => ({ 200: await signIn(ctx, body, getCookie(c, deviceCookie)) }),
  }),
  route({
    id: 'refreshToken',
    summary: 'Refresh tokens',
    description:
      'Returns a new pair, at the host that has issued the token. Each refresh token works once. Within ' +
      'ten seconds it returns the same successor again. Later, or after the successor was used, it revokes ' +
      'all refresh tokens of the sign-in.',
    method: 'POST',
    path: '/api/auth/jwt/token/refresh',
    auth: anonymous,
    body: refreshInput,
    answers: { 200: tokenPair, ...errors },
    handle: async ({ ctx, body }) => ({ 200: await refreshTokens(ctx, body.refresh) }),
  }),
  route({
    id: 'verifyToken',
    summary: 'Verify a token',
    description: 'Returns an empty object if the token is valid and its account is active.',
    method: 'POST',
    path: '/api/auth/jwt/token/verify',
    auth: anonymous,
    body: verifyInput,
    answers: { 200: nothing, ...errors },
    handle: async ({ ctx, body }) => {
      await requireLiveToken(ctx, body.token)
      return { 200: {} }
    },
  }),
  route({
    id: 'blacklistToken',
    summary: 'Blacklist a refresh token',
    description: 'Ends a sign-in: its refresh tokens are then rejected.',
    method: 'POST',
    path: '/api/auth/jwt/token/blacklist',
    auth: anonymous,
    body: refreshInput,
    answers: { 200: nothing, ...errors },
    handle: async ({ ctx, body }) => {
      await blacklistToken(ctx, body.refresh)
      return { 200: {} }
    },
  }),
]

/** The route of the signing keys. */
export const wellKnownRoutes: readonly Route[] = [
  route({
    id: 'getSigningKeys',
    summary: 'Read the signing keys',
    description: 'Returns the public keys that verify tokens. During a rotation there are several keys.',
    method: 'GET',
    path: '/.well-known/jwks.json',
    auth: null,
    answers: { 200: jsonWebKeySet },
    handle: async ({ ctx }) => ({
      200: await publishedKeys(ctx),
      headers: { 'Cache-Control': 'public, max-age=300' },
    }),
  }),
]
