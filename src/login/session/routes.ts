/** /api/auth/session: signing in for a browser. A3. */
import { Hono } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { anonymous, inSession } from '../../access/credentials.ts'
import { signInInput } from '../../access/jwt/schema.ts'
import { cookieOptions, sessionCookie } from '../../access/session-cookie.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { databaseAway, notSignedIn } from '../../http/openapi/answers.ts'
import { detail } from '../../http/openapi/bodies.ts'
import { operation } from '../../http/openapi/describe.ts'
import { body } from '../../http/validate.ts'
import { sessionStarted } from './schema.ts'
import { endSession, startSession } from './service.ts'

export const sessionRoutes = new Hono<AppEnv>()
  .post(
    '/',
    operation(
      'createSession',
      'Start a session',
      { 200: { body: sessionStarted, headers: ['Set-Cookie'] }, 401: notSignedIn, 503: databaseAway },
      { description: 'Signs in with a password, and sets the cookie of a session.' },
    ),
    anonymous,
    body(signInInput),
    async (c) => {
      const { cookie, user } = await startSession(c.var.ctx, c.req.valid('json'))
      setCookie(c, sessionCookie, cookie, cookieOptions(c.var.ctx.config, c.req.url))
      return c.json({ user })
    },
  )
  .delete(
    '/',
    operation(
      'deleteSession',
      'End the session',
      {
        204: { headers: ['Set-Cookie'] },
        403: { body: detail, description: 'The request does not come from a page of this host' },
      },
      { description: 'Signs out, and removes the cookie.' },
    ),
    inSession,
    async (c) => {
      await endSession(c.var.ctx)
      deleteCookie(c, sessionCookie, cookieOptions(c.var.ctx.config, c.req.url))
      return c.body(null, 204)
    },
  )
