/** /api/auth/jwt: tokens for a name and a password. /.well-known/jwks.json: the keys that verify them. */
import { Hono } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { databaseAway, notSignedIn } from '../../http/openapi/answers.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body } from '../../http/validate.ts'
import { anonymous } from '../credentials.ts'
import { jsonWebKeySet, nothing, refreshInput, signInInput, tokenPair, verifyInput } from './schema.ts'
import { blacklistToken, publishedKeys, refreshTokens, requireLiveToken, signIn } from './service.ts'

const refusals = { 401: notSignedIn, 503: databaseAway }

export const jwtRoutes = new Hono<AppEnv>()
  .use(anonymous)

  .post(
    '/token',
    operation(
      'createToken',
      'Sign in with a password',
      { 200: tokenPair, ...refusals },
      { description: 'Answers an access token and a refresh token. The user name may be the e-mail address.' },
    ),
    body(signInInput),
    async (c) => c.json(await signIn(c.var.ctx, c.req.valid('json'))),
  )
  .post(
    '/token/refresh',
    operation(
      'refreshToken',
      'Refresh tokens',
      { 200: tokenPair, ...refusals },
      { description: 'Each refresh token works once; using it again revokes every token that came of its sign-in.' },
    ),
    body(refreshInput),
    async (c) => c.json(await refreshTokens(c.var.ctx, c.req.valid('json').refresh)),
  )
  .post(
    '/token/verify',
    operation(
      'verifyToken',
      'Verify a token',
      { 200: nothing, ...refusals },
      { description: 'Answers an empty object if the token is valid and its account is active.' },
    ),
    body(verifyInput),
    async (c) => {
      await requireLiveToken(c.var.ctx, c.req.valid('json').token)
      return c.json({})
    },
  )
  .post(
    '/token/blacklist',
    operation(
      'blacklistToken',
      'Blacklist a refresh token',
      { 200: nothing, ...refusals },
      { description: 'From then on the refresh token and those that came from it get no more tokens.' },
    ),
    body(refreshInput),
    async (c) => {
      await blacklistToken(c.var.ctx, c.req.valid('json').refresh)
      return c.json({})
    },
  )

export const wellKnownRoutes = new Hono<AppEnv>().get(
  '/jwks.json',
  operation(
    'getSigningKeys',
    'Read the signing keys',
    { 200: jsonWebKeySet },
    { description: 'The public keys that access tokens are verified with. During a rotation there are several.' },
  ),
  async (c) => {
    c.header('Cache-Control', 'public, max-age=300')
    return c.json(await publishedKeys(c.var.ctx))
  },
)
