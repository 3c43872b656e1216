/** /accounts/link: the page on which a signed-in user links a provider of the site. */
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { inSession } from '../../../kernel/access/credentials.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { signInHelp } from '../../../kernel/access/sign-in-help-page.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { formOf } from '../../../kernel/http/body.ts'
import { failureOf } from '../../../kernel/http/failures.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { accountPath, linkPath } from '../../../kernel/page/account-path.ts'
import { describeError } from '../../../kernel/page/error-page.tsx'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { setAttempts } from '../social/attempt-responses.ts'
import { attemptsCookie, withState } from '../social/attempts-cookie.ts'
import { beginLink } from '../social/link.ts'
import { readLoginOptions } from '../social-apps/service.ts'
import { ContinuePage } from './continue.tsx'
import { iconPolicy } from './icon-policy.ts'
import { LinkPage } from './link.tsx'
import { loginTexts } from './texts.ts'

/** Shows the providers, with the error of an attempt. */
async function showProviders(c: Context<AppEnv>, failure?: AppError): Promise<Response> {
  const mount = mountOf(c.req.url)
  const texts = textsOf(c, loginTexts)
  const { apps } = await readLoginOptions(c.var.ctx)
  c.header('Content-Security-Policy', policyWith(iconPolicy(apps)))
  const help = await signInHelp(c, failure, linkPath)
  const problem = failure && { text: describeError(failure, texts), help }
  return showPage(c, <LinkPage mount={mount} apps={apps} problem={problem} />, failure)
}

/** The page and its form. The session's guard rejects forms from other origins. */
export const providerLinkPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/link',
    auth: inSession,
    may: siteVisitors,
    handle: (c) => showProviders(c),
  }),
  page({
    method: 'POST',
    path: '/accounts/link',
    auth: inSession,
    may: siteVisitors,
    handle: async (c) => {
      const { provider = '' } = await formOf(c)
      const next = `${mountOf(c.req.url)}${accountPath}?done=linked`
      try {
        const started = await beginLink(c.var.ctx, {
          url: c.req.url,
          handle: provider,
          next,
        })
        setAttempts(c, withState(getCookie(c, attemptsCookie), started.state))
        // The policy of pages allows no form to lead to another host. So another page continues to that
        // address.
        return showPage(c, <ContinuePage to={started.authorizationUrl} />)
      } catch (error) {
        if (!(error instanceof AppError) || ![400, 403, 404].includes(error.status)) throw error
        return showProviders(c, failureOf(error, c))
      }
    },
  }),
]
