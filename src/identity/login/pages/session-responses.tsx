/** The last step of the sign-in pages: starts the session of the browser, or asks for a second factor. */
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import { deviceCookie, deviceCookieOptions } from '../../../kernel/access/known-device.ts'
import { relyingPartyOf } from '../../../kernel/access/relying-party.ts'
import type { Admitted } from '../../../kernel/access/second-factor/service.ts'
import { setSession } from '../../../kernel/access/session-responses.ts'
import { trustDaysOf } from '../../../kernel/access/trust-responses.ts'
import type { AppError } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { passkeyPolicy } from '../../../kernel/page/passkey.tsx'
import { requiredFactorPath } from '../../../kernel/page/required-factor.ts'
import { showPage } from '../../../kernel/page/show-page.tsx'
import { type StartedSession, startFor } from '../session/service.ts'
import { FactorPage } from './factor.tsx'

type PageContext = Context<AppEnv>

/**
 * Signs in the browser and sends it to `next`. If the account lacks a required second factor, sends it to the
 * page that sets one up. The cookie of the device is set for sign-ins with a password.
 */
export function startBrowserSession(
  c: PageContext,
  { cookie, device, lacksFactor }: StartedSession,
  next: string,
  knowsDevice = false,
): Response {
  setSession(c, cookie)
  if (knowsDevice) setCookie(c, deviceCookie, device, deviceCookieOptions(c.req.url))
  return c.redirect(lacksFactor ? requiredFactorPath(mountOf(c.req.url)) : next, 303)
}

/** Starts the session of a sign-in through a provider, and sends the browser to `next`. */
export const startForProvider = async (c: PageContext, identity: Admitted, next: string): Promise<Response> =>
  startBrowserSession(c, await startFor(c.var.ctx, identity, undefined), next)

/** Renders the page that asks for a second factor. */
export function showFactor(
  c: PageContext,
  { challenge, next, problem }: { challenge: string; next: string; problem?: string },
  failure: AppError,
): Promise<Response> {
  const withPasskeys = relyingPartyOf(c.var.ctx) !== undefined
  if (withPasskeys) c.header('Content-Security-Policy', policyWith(passkeyPolicy))
  const trustDays = trustDaysOf(c.var.ctx)
  const props = { challenge, next, mount: mountOf(c.req.url), hasPasskeys: withPasskeys, trustDays }
  const wrong = problem === undefined ? {} : { problem }
  return showPage(c, <FactorPage {...props} {...wrong} />, failure)
}
