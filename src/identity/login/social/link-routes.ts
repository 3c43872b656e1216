/** /api/auth/{provider}/link: linking a provider to the account of the caller. */
import { getCookie } from 'hono/cookie'
import * as z from 'zod'
import { signedInOrSession } from '../../../kernel/access/credentials.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { throttleAddress } from '../../../kernel/access/throttle.ts'
import { databaseUnavailable } from '../../../kernel/http/openapi/answers.ts'
import { detail, errorDetail, fieldMessages } from '../../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { setAttempts } from './attempt-responses.ts'
import { attemptsCookie, withoutState, withState } from './attempts-cookie.ts'
import { beginLink, finishLink } from './link.ts'
import { linkCodeInput, linkedProvider, linkInput, redirect } from './schema.ts'

/** The routes of linking a provider. */
export const linkRoutes: readonly Route[] = [
  route({
    id: 'beginProviderLink',
    summary: 'Start linking a provider to your account',
    description:
      'Returns the address to send the browser to. Needs a recent sign-in. The linking must be completed ' +
      'with the same sign-in, once and within ten minutes. In a browser with a session, the callback page ' +
      'of the site completes it.',
    method: 'POST',
    path: '/api/auth/:provider/link',
    auth: signedInOrSession,
    may: siteVisitors,
    body: linkInput,
    answers: {
      200: { body: redirect, headers: ['Set-Cookie'] },
      400: z.union([detail, fieldMessages]),
      403: detail,
      404: detail,
    },
    handle: async ({ ctx, params, body, url, c }) => {
      const start = { url, handle: params.provider, redirectUri: body.redirect_uri, next: body.next }
      const { authorizationUrl, state } = await beginLink(ctx, start)
      setAttempts(c, withState(getCookie(c, attemptsCookie), state))
      return { 200: { authorization_url: authorizationUrl, state } }
    },
  }),
  route({
    id: 'finishProviderLink',
    summary: "Link a provider to your account with the provider's code",
    description:
      "Links the provider's account to the caller's account. Their e-mail addresses need not match. An " +
      "e-mail informs the account's address. The account's address must be verified, and the sign-in must " +
      'count everywhere.',
    method: 'POST',
    path: '/api/auth/:provider/link/confirm',
    auth: signedInOrSession,
    may: siteVisitors,
    body: linkCodeInput,
    answers: {
      200: linkedProvider,
      400: z.union([detail, fieldMessages]),
      403: detail,
      404: detail,
      409: detail,
      500: { body: errorDetail, description: "The app's secret cannot be decrypted" },
      503: databaseUnavailable,
    },
    handle: async ({ ctx, params, body, url, c }) => {
      const { code, state, iss = null, redirect_uri: redirectUri } = body
      await throttleAddress(ctx)
      const id = await finishLink(ctx, { url, handle: params.provider, code, state, iss, redirectUri })
      const cookie = getCookie(c, attemptsCookie)
      if (cookie !== undefined) setAttempts(c, withoutState(cookie, state))
      return { 200: { id } }
    },
  }),
]
