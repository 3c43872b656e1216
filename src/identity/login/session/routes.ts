/** /api/auth/session: signing in a browser with a cookie. A3. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import * as z from 'zod'
import { anonymous, inSession } from '../../../kernel/access/credentials.ts'
import { signInInput } from '../../../kernel/access/jwt/schema.ts'
import { deviceCookie } from '../../../kernel/access/known-device.ts'
import { factorRequired } from '../../../kernel/access/second-factor/schema.ts'
import { deleteSession, setSession } from '../../../kernel/access/session-responses.ts'
import { newTrust, readTrust, setTrust } from '../../../kernel/access/trust-responses.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { databaseUnavailable, notSignedIn } from '../../../kernel/http/openapi/answers.ts'
import { detail } from '../../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import { keysUnavailable, sessionCodeAnswer } from '../../accounts/factors/schema.ts'
import { answerWithCode } from '../../accounts/factors/service.ts'
import { detailOrFields, sessionPasskeyAnswer } from '../../accounts/passkeys/schema.ts'
import { signInWithPasskey } from '../../accounts/passkeys/service.ts'
import { sessionStarted, sessionToken } from './schema.ts'
import { createSessionToken, endSession, type StartedSession, startFor, startSession } from './service.ts'

const otherPage = { body: detail, description: 'The request was not sent by a page of this host' }

/** The 401 if the password was changed or the account was deactivated after the factor was checked. */
const endedMeanwhile = { body: detail, description: 'The sign-in has ended in the meantime' }

/** Answers with a session that was started, and sets its cookie. */
function started(c: Context<AppEnv>, { cookie, user }: StartedSession) {
  setSession(c, cookie)
  return { 200: { user } }
}

export const sessionRoutes: readonly Route[] = [
  route({
    id: 'createSession',
    summary: 'Start a session',
    description:
      'Signs in with a password and sets the session cookie. An account with a second factor is ' +
      'answered with 403 and a `challenge`, which is sent with the factor to ' +
      '/api/auth/session/factor/.',
    method: 'POST',
    path: '/api/auth/session',
    auth: anonymous,
    body: signInInput,
    answers: {
      200: { body: sessionStarted, headers: ['Set-Cookie'] },
      401: notSignedIn,
      403: z.union([detail, factorRequired]),
      503: databaseUnavailable,
    },
    handle: async ({ ctx, body, c }) => {
      await readTrust(c)
      return started(c, await startSession(ctx, body, getCookie(c, deviceCookie)))
    },
  }),
  route({
    id: 'answerSessionChallenge',
    summary: 'Start a session with a second factor',
    description:
      'Exchanges the `challenge` of a sign-in, and a code of the authenticator app or a recovery code, for ' +
      'the session cookie. With `trust_device`, the next sign-ins of this browser need no second factor.',
    method: 'POST',
    path: '/api/auth/session/factor',
    auth: anonymous,
    body: sessionCodeAnswer,
    answers: {
      200: { body: sessionStarted, headers: ['Set-Cookie'] },
      401: endedMeanwhile,
      500: keysUnavailable,
      503: databaseUnavailable,
    },
    handle: async ({ ctx, body, c }) => {
      const { trust_device, ...answer } = body
      const trust = newTrust(ctx, trust_device)
      const identity = await answerWithCode(ctx, answer, trust)
      setTrust(c, trust)
      return started(c, await startFor(ctx, identity, getCookie(c, deviceCookie)))
    },
  }),
  route({
    id: 'createPasskeySession',
    summary: 'Start a session with a passkey',
    description: 'Exchanges the signature of a passkey for the session cookie.',
    method: 'POST',
    path: '/api/auth/session/passkey',
    auth: anonymous,
    body: sessionPasskeyAnswer,
    answers: {
      200: { body: sessionStarted, headers: ['Set-Cookie'] },
      400: detailOrFields,
      401: notSignedIn,
      503: databaseUnavailable,
    },
    handle: async ({ ctx, body, c }) => {
      const trust = newTrust(ctx, body.trust_device)
      const identity = await signInWithPasskey(ctx, body.credential, trust)
      setTrust(c, trust)
      return started(c, await startFor(ctx, identity, getCookie(c, deviceCookie)))
    },
  }),
  route({
    id: 'createSessionToken',
    summary: 'Get an access token from the session',
    description:
      'Returns an access token for scripts of the pages of this host. ' +
      'It ends with the session, and after at most five minutes.',
    method: 'POST',
    path: '/api/auth/session/token',
    auth: inSession,
    answers: { 200: sessionToken, 403: otherPage },
    handle: async ({ ctx }) => ({ 200: await createSessionToken(ctx) }),
  }),
  route({
    id: 'deleteSession',
    summary: 'End the session',
    description: 'Signs out and removes the session cookie.',
    method: 'DELETE',
    path: '/api/auth/session',
    auth: inSession,
    answers: {
      204: { headers: ['Set-Cookie'] },
      403: otherPage,
    },
    handle: async ({ ctx, c }) => {
      await endSession(ctx)
      deleteSession(c)
      return { 204: null }
    },
  }),
]
