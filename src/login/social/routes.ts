/** /api/auth/{provider}: signing in through a provider, for programs. */
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { z } from 'zod'
import { anonymous, signedIn } from '../../access/credentials.ts'
import { siteVisitors } from '../../access/policies.ts'
import { throttleAddress } from '../../access/throttle.ts'
import { issueTokens } from '../../access/tokens.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { keepCookie } from '../../http/cookies.ts'
import { databaseAway, notSignedIn } from '../../http/openapi/answers.ts'
import { detail, errorDetail, fieldMessages } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body, query } from '../../http/validate.ts'
import { attemptsCookie, attemptsCookieOptions, statesOf, withoutState, withState } from './attempts.ts'
import { confirmSignIn } from './confirm.ts'
import { codeInput, confirmationInput, confirmationRequired, redirect, redirectQuery, signedInSocially } from './schema.ts'
import { beginSignIn, finishSignIn } from './service.ts'

const setAttempts = (c: Context<AppEnv>, states: string) => keepCookie(c, attemptsCookie, states, attemptsCookieOptions(c.req.url))

export const socialLoginRoutes = new Hono<AppEnv>()
  .get(
    '/:provider/redirect',
    operation(
      'getProviderRedirect',
      'Begin to sign in with a provider',
      { 200: { body: redirect, headers: ['Set-Cookie'] }, 400: detail },
      { description: 'Answers where to send the browser. The sign-in has ten minutes, and is finished once.' },
    ),
    signedIn,
    siteVisitors,
    query(redirectQuery),
    async (c) => {
      const handle = c.req.param('provider')
      const begun = await beginSignIn(c.var.ctx, { url: c.req.url, handle, redirectUri: c.req.valid('query').redirect_uri })
      setAttempts(c, withState(getCookie(c, attemptsCookie), begun.state))
      return c.json({ authorization_url: begun.authorizationUrl, state: begun.state })
    },
  )
  .post(
    '/:provider/token',
    operation(
      'createProviderToken',
      'Sign in with a code of a provider',
      {
        200: signedInSocially,
        400: z.union([detail, fieldMessages]),
        401: notSignedIn,
        403: z.union([detail, confirmationRequired]),
        500: { body: errorDetail, description: "The app's secret cannot be decrypted" },
        503: databaseAway,
      },
      { description: 'Exchanges the authorization code of the provider for the tokens of an account.' },
    ),
    anonymous,
    siteVisitors,
    body(codeInput),
    async (c) => {
      const { code, state, redirect_uri, iss } = c.req.valid('json')
      const cookie = getCookie(c, attemptsCookie)
      const begun = state ?? statesOf(cookie).at(-1) ?? null
      await throttleAddress(c.var.ctx)
      const { user, identity } = await finishSignIn(c.var.ctx, {
        url: c.req.url,
        handle: c.req.param('provider'),
        code,
        state: begun,
        iss: iss ?? null,
        redirectUri: redirect_uri,
      })
      if (begun !== null && cookie !== undefined) setAttempts(c, withoutState(cookie, begun))
      return c.json({ ...(await issueTokens(c.var.ctx.config, identity)), user })
    },
  )
  .post(
    '/confirm',
    operation(
      'confirmSignIn',
      'Confirm a sign-in with a mailed code',
      { 200: signedInSocially, 400: z.union([detail, fieldMessages]), 503: databaseAway },
      { description: 'Ends a sign-in that was answered with 403 and a `confirmation`: the code was mailed to the address of the account.' },
    ),
    anonymous,
    siteVisitors,
    body(confirmationInput),
    async (c) => {
      const { confirmation, code } = c.req.valid('json')
      const { user, identity } = await confirmSignIn(c.var.ctx, confirmation, code)
      return c.json({ ...(await issueTokens(c.var.ctx.config, identity)), user })
    },
  )
