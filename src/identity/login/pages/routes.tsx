/** /accounts: the pages on which users sign in with a browser. S6. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { anonymous, callerOfSession, inSession } from '../../../kernel/access/credentials.ts'
import { signInInput } from '../../../kernel/access/jwt/schema.ts'
import { deviceCookie } from '../../../kernel/access/known-device.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { relyingPartyOf } from '../../../kernel/access/relying-party.ts'
import { FactorRequired } from '../../../kernel/access/second-factor/service.ts'
import { deleteSession } from '../../../kernel/access/session-responses.ts'
import { readTrust } from '../../../kernel/access/trust-responses.ts'
import { AppError, forbidden, SignInElsewhere } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { failureOf } from '../../../kernel/http/failures.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { publicBase } from '../../../kernel/http/hosts.ts'
import { isSameOrigin } from '../../../kernel/http/is-same-origin.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import { passkeyPolicy } from '../../../kernel/page/passkey.tsx'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { endSession, startSession } from '../session/service.ts'
import { setAttempts } from '../social/attempt-responses.ts'
import { attemptsCookie, statesOf, withoutState, withState } from '../social/attempts-cookie.ts'
import { confirmSignIn } from '../social/confirm.ts'
import {
  attemptUnknown,
  ConfirmationRequired,
  cancelled,
  confirmationGone,
  wrongCode,
} from '../social/errors.ts'
import { finishInBrowser } from '../social/link.ts'
import { localPath } from '../social/redirects.ts'
import { confirmationInput } from '../social/schema.ts'
import { beginSignIn } from '../social/service.ts'
import { type LoginOptions, readLoginOptions } from '../social-apps/service.ts'
import { ConfirmPage } from './confirm.tsx'
import { ContinuePage } from './continue.tsx'
import { factorPage } from './factor-routes.tsx'
import { iconPolicy } from './icon-policy.ts'
import { LoginPage } from './login.tsx'
import { showFactor, startBrowserSession, startForProvider } from './session-responses.tsx'
import { loginTexts } from './texts.ts'

type PageContext = Context<AppEnv>

interface LoginForm {
  next: string
  username?: string
  problem?: string
}

/** Renders the login page. */
function showLogin(
  c: PageContext,
  options: LoginOptions,
  form: LoginForm,
  failure?: AppError,
): Promise<Response> {
  const withPasskeys = relyingPartyOf(c.var.ctx) !== undefined
  const { config, tenant } = c.var.ctx
  const more = {
    ...iconPolicy(options.apps),
    ...(withPasskeys ? passkeyPolicy : {}),
    // From a tenant's host, the form may lead to the platform's. Browsers apply the policy to redirects, too.
    ...(tenant.domain === null ? {} : { 'form-action': `'self' ${publicBase(config)?.origin ?? ''}`.trim() }),
  }
  c.header('Content-Security-Policy', policyWith(more))
  const props = { ...options, ...form, mount: mountOf(c.req.url), hasPasskeys: withPasskeys }
  return showPage(c, <LoginPage {...props} />, failure)
}

/** Renders the page that asks for a mailed code. `problem` is the error of the last attempt. */
function showConfirm(
  c: PageContext,
  confirmation: string,
  failure: AppError,
  problem?: string,
): Promise<Response> {
  const props = { mount: mountOf(c.req.url), confirmation, ...(problem === undefined ? {} : { problem }) }
  return showPage(c, <ConfirmPage {...props} />, failure)
}

/** The pages of signing in. */
export const accountPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/login',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c) => {
      const next = localPath(c.req.url, c.req.query('next'))
      const options = await readLoginOptions(c.var.ctx)
      const redirects = c.req.query('auto_redirect') !== 'false'
      const app = redirects ? options.apps.find(({ autoRedirect }) => autoRedirect) : undefined
      if (!app) return showLogin(c, options, { next })
      const path = `${mountOf(c.req.url)}/accounts/${app.handle}/login/`
      return c.redirect(`${path}?next=${encodeURIComponent(next)}`, 302)
    },
  }),
  page({
    method: 'POST',
    path: '/accounts/login',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c) => {
      if (!isSameOrigin(c)) throw forbidden()
      const { next: requested, username = '', password } = await formOf(c)
      const next = localPath(c.req.url, requested)
      try {
        const input = signInInput.safeParse({ username, password })
        if (!input.success)
          throw new AppError(400, 'validation_failed', { detail: textsOf(c, loginTexts).login.missingInput })
        await readTrust(c)
        const started = await startSession(c.var.ctx, input.data, getCookie(c, deviceCookie))
        return startBrowserSession(c, started, next, true)
      } catch (error) {
        if (error instanceof FactorRequired) return showFactor(c, { challenge: error.challenge, next }, error)
        if (!(error instanceof AppError) || error.status >= 500 || error instanceof SignInElsewhere)
          throw error
        const failure = failureOf(error, c)
        const options = await readLoginOptions(c.var.ctx)
        return showLogin(
          c,
          options,
          { next, username, problem: describeError(failure, textsOf(c, loginTexts)) },
          failure,
        )
      }
    },
  }),
  page({
    method: 'POST',
    path: '/accounts/logout',
    auth: inSession,
    handle: async (c) => {
      await endSession(c.var.ctx)
      deleteSession(c)
      return c.redirect('/', 303)
    },
  }),
  page({
    method: 'GET',
    path: '/accounts/:provider/login',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c, params) => {
      const { authorizationUrl, state } = await beginSignIn(c.var.ctx, {
        url: c.req.url,
        handle: params.provider,
        next: localPath(c.req.url, c.req.query('next')),
      })
      setAttempts(c, withState(getCookie(c, attemptsCookie), state))
      return c.redirect(authorizationUrl, 302)
    },
  }),
  page({
    method: 'GET',
    path: '/accounts/:provider/login/callback',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c, params) => {
      const { code, state, iss, error, first_name, last_name } = c.req.query()
      const cookie = getCookie(c, attemptsCookie)
      // Only the browser that has started a sign-in can finish it.
      if (!state || !statesOf(cookie).includes(state)) throw attemptUnknown()
      setAttempts(c, withoutState(cookie, state))
      if (error || !code) throw cancelled()
      const names = { firstName: first_name ?? '', lastName: last_name ?? '' }
      try {
        await readTrust(c)
        const completion = { url: c.req.url, handle: params.provider, code, state, iss, names }
        const { signedIn, next } = await finishInBrowser(c.var.ctx, completion, await callerOfSession(c))
        if (!signedIn) return c.redirect(next, 303)
        return await startForProvider(c, signedIn.identity, next)
      } catch (error) {
        if (error instanceof FactorRequired)
          return showFactor(c, { challenge: error.challenge, next: '/' }, error)
        if (!(error instanceof ConfirmationRequired)) throw error
        return showConfirm(c, error.confirmation, error)
      }
    },
  }),
  // Finishes a sign-in to an account of another organization, with the code that was mailed to the account.
  page({
    method: 'POST',
    path: '/accounts/confirm',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c) => {
      if (!isSameOrigin(c)) throw forbidden()
      const { confirmation = '', code = '' } = await formOf(c)
      const input = confirmationInput.safeParse({ confirmation, code })
      if (!input.success && !confirmationInput.shape.confirmation.safeParse(confirmation).success)
        throw confirmationGone()
      try {
        if (!input.success) throw wrongCode()
        await readTrust(c)
        const { identity } = await confirmSignIn(c.var.ctx, confirmation, code)
        return await startForProvider(c, identity, '/')
      } catch (error) {
        if (error instanceof FactorRequired)
          return showFactor(c, { challenge: error.challenge, next: '/' }, error)
        if (!(error instanceof AppError) || error.code !== 'wrong_code') throw error
        return showConfirm(c, confirmation, error, textsOf(c, loginTexts).confirm.wrongCode)
      }
    },
  }),
  factorPage,
  // If the provider's page posts a form, it arrives without this host's cookies. So the returned page sends
  // the browser to the same address with GET, which includes the cookies.
  page({
    method: 'POST',
    path: '/accounts/:provider/login/callback',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c) => {
      const form = await formOf(c)
      const target = new URL(c.req.url)
      target.search = new URLSearchParams([
        ...['code', 'state', 'iss', 'error'].flatMap((name) => (form[name] ? [[name, form[name]]] : [])),
        ...namesIn(form.user),
      ]).toString()
      return showPage(c, <ContinuePage to={`${target.pathname}${target.search}`} />)
    },
  }),
]

/** Reads the names from the form's member `user`. Apple sends them only here, and only the first time. */
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
