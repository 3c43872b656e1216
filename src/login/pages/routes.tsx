/** /accounts: signing in as people do, in a browser. S6. */
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { anonymous } from '../../access/credentials.ts'
import { signInInput } from '../../access/jwt/schema.ts'
import { siteVisitors } from '../../access/policies.ts'
import { cookieOptions, sessionCookie } from '../../access/session-cookie.ts'
import { issueSession } from '../../access/tokens.ts'
import { AppError, forbidden } from '../../errors.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { formOf } from '../../http/body.ts'
import { keepCookie } from '../../http/cookies.ts'
import { failureOf } from '../../http/failures.ts'
import { policyWith } from '../../http/headers.ts'
import { page } from '../../http/openapi/describe.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import { sentenceOf } from '../../page/failures.tsx'
import { asDocument } from '../../page/page.tsx'
import { startSession } from '../session/service.ts'
import { attemptsCookie, attemptsCookieOptions, statesOf, withoutState, withState } from '../social/attempts.ts'
import { confirmSignIn } from '../social/confirm.ts'
import { attemptUnknown, ConfirmationRequired, cancelled, confirmationGone, isWrongCode, wrongCode } from '../social/errors.ts'
import { localPath, mountOf } from '../social/redirects.ts'
import { confirmationInput } from '../social/schema.ts'
import { beginSignIn, finishSignIn } from '../social/service.ts'
import { type LoginOptions, readLoginOptions } from '../social-apps/service.ts'
import { ConfirmPage } from './confirm.tsx'
import { ContinuePage } from './continue.tsx'
import { LoginPage } from './login.tsx'

type PageContext = Context<AppEnv>

const setAttempts = (c: PageContext, states: string) => keepCookie(c, attemptsCookie, states, attemptsCookieOptions(c.req.url))

/** From here on the browser is signed in. */
function enter(c: PageContext, session: string, next: string): Response {
  setCookie(c, sessionCookie, session, cookieOptions(c.var.ctx.config, c.req.url))
  return c.redirect(next, 303)
}

interface Shown {
  next: string
  username?: string
  problem?: string
}

/** Pictures of providers are the one thing that comes from elsewhere. */
function showLogin(c: PageContext, options: LoginOptions, shown: Shown, status: ContentfulStatusCode = 200): Response {
  const origins = options.apps.flatMap(({ icon }) => (icon.startsWith('https:') ? new URL(icon).origin : []))
  c.header('Content-Security-Policy', policyWith({ 'img-src': ["'self'", ...new Set(origins)].join(' ') }))
  return c.html(asDocument(<LoginPage {...options} {...shown} mount={mountOf(c.req.url)} />), status)
}

const badPassword = 'Enter your user name, or your e-mail, and your password.'

export const pageRoutes = new Hono<AppEnv>()
  .use(page, anonymous, siteVisitors)

  .get('/login', async (c) => {
    const next = localPath(c.req.url, c.req.query('next'))
    const options = await readLoginOptions(c.var.ctx)
    const first = c.req.query('auto_redirect') === 'false' ? undefined : options.apps.find((app) => app.autoRedirect)
    if (first) return c.redirect(`${mountOf(c.req.url)}/accounts/${first.handle}/login/?next=${encodeURIComponent(next)}`, 302)
    return showLogin(c, options, { next })
  })

  .post('/login', async (c) => {
    if (!isSameOrigin(c)) throw forbidden()
    const { next: wanted, ...entered } = await formOf(c)
    const next = localPath(c.req.url, wanted)
    try {
      const input = signInInput.safeParse({ username: entered.username, password: entered.password })
      if (!input.success) throw new AppError(400, { detail: badPassword })
      const { cookie } = await startSession(c.var.ctx, input.data)
      return enter(c, cookie, next)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      const failure = failureOf(error, c)
      return showLogin(c, await readLoginOptions(c.var.ctx), { next, username: entered.username ?? '', problem: sentenceOf(failure) }, failure.status)
    }
  })

  .get('/:provider/login', async (c) => {
    const begun = await beginSignIn(c.var.ctx, { url: c.req.url, handle: c.req.param('provider'), next: localPath(c.req.url, c.req.query('next')) })
    setAttempts(c, withState(getCookie(c, attemptsCookie), begun.state))
    return c.redirect(begun.authorizationUrl, 302)
  })

  .get('/:provider/login/callback', async (c) => {
    const { code, state, iss, error, first_name, last_name } = c.req.query()
    const cookie = getCookie(c, attemptsCookie)
    // The browser that ends a sign-in is the one that began it.
    if (!state || !statesOf(cookie).includes(state)) throw attemptUnknown()
    setAttempts(c, withoutState(cookie, state))
    if (error || !code) throw cancelled()
    const names = { firstName: first_name ?? '', lastName: last_name ?? '' }
    try {
      const { identity, next } = await finishSignIn(c.var.ctx, { url: c.req.url, handle: c.req.param('provider'), code, state, iss, names })
      return enter(c, await issueSession(c.var.ctx.config, identity), next)
    } catch (error) {
      if (!(error instanceof ConfirmationRequired)) throw error
      return c.html(asDocument(<ConfirmPage mount={mountOf(c.req.url)} confirmation={error.confirmation} />), 403)
    }
  })

  // The account is tied to another organization: the code that was mailed to it ends the sign-in.
  .post('/confirm', async (c) => {
    if (!isSameOrigin(c)) throw forbidden()
    const { confirmation = '', code = '' } = await formOf(c)
    const input = confirmationInput.safeParse({ confirmation, code })
    if (!input.success && !confirmationInput.shape.confirmation.safeParse(confirmation).success) throw confirmationGone()
    const shown = { mount: mountOf(c.req.url), confirmation }
    try {
      if (!input.success) throw wrongCode()
      const { identity } = await confirmSignIn(c.var.ctx, confirmation, code)
      return enter(c, await issueSession(c.var.ctx.config, identity), '/')
    } catch (error) {
      if (!(error instanceof AppError) || !isWrongCode(error)) throw error
      return c.html(asDocument(<ConfirmPage {...shown} problem="This is not the code that was sent. Look at the newest letter." />), 400)
    }
  })

  // A form that a provider has the browser post here comes without our cookies: the page that it gets goes on with them.
  .post('/:provider/login/callback', async (c) => {
    const form = await formOf(c)
    const target = new URL(c.req.url)
    target.search = new URLSearchParams([
      ...['code', 'state', 'iss', 'error'].flatMap((name) => (form[name] ? [[name, form[name]]] : [])),
      ...namesIn(form.user),
    ]).toString()
    return c.html(asDocument(<ContinuePage to={`${target.pathname}${target.search}`} />))
  })

/** Apple tells somebody's name here alone, the first time. */
function namesIn(user: string | undefined): [string, string][] {
  try {
    const { name = {} } = JSON.parse(user ?? '{}') as { name?: Record<string, unknown> }
    return Object.entries({ first_name: name.firstName, last_name: name.lastName }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
  } catch {
    return []
  }
}
