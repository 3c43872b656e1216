/** The page that shows an error. */
import type { Context } from 'hono'
import { type AppError, SignInElsewhere } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { failureOf } from '../http/failures.ts'
import { mountOf } from '../http/tenant-locator.ts'
import { Alert } from './form.tsx'
import { Page } from './page.tsx'
import { isFactorMissing, requiredFactorPath } from './required-factor.ts'
import { showPage, textsOf } from './show-page.tsx'
import { commonTexts } from './texts/define.ts'
import type { Texts } from './texts/en.ts'

/**
 * Answers an error with a page that links to the sign-in page. Sends the browser of somebody who has to sign
 * in at another host there.
 */
export async function renderErrorPage(thrown: Error, c: Context<AppEnv>): Promise<Response> {
  if (thrown instanceof SignInElsewhere) return c.redirect(thrown.address, 303)
  const answer = failureOf(thrown, c)
  const texts = textsOf(c, commonTexts)
  const lacksFactor = isFactorMissing(answer)
  // Without the parameter, a provider with auto_redirect could lead directly back to this page.
  const login = `${mountOf(c.req.url)}/accounts/login/?auto_redirect=false${nextOf(c, answer)}`
  const title = answer.status === 401 ? texts.error.signInTitle : texts.error.title
  return showPage(
    c,
    <Page title={title}>
      <h1>{title}</h1>
      <Alert id="problem" text={lacksFactor ? texts.common.factorRequired : describeError(answer, texts)} />
      <a class="button main" href={lacksFactor ? requiredFactorPath(mountOf(c.req.url)) : login}>
        {lacksFactor ? texts.common.yourFactors : texts.error.toSignIn}
      </a>
    </Page>,
    answer,
  )
}

/** Returns the parameter that leads back to this page after the sign-in, if the page only lacks a session. */
const nextOf = ({ req }: Context, { status }: AppError): string => {
  const { pathname } = new URL(req.url)
  return status === 401 && req.method === 'GET' ? `&next=${encodeURIComponent(pathname)}` : ''
}

/** Returns sentences about an error for users: its detail, or the messages of its fields. */
export function describeError(failure: AppError, { error, errorText, message }: Texts): string {
  const { body, status } = failure
  const { detail, hint } = body as { detail?: unknown; hint?: unknown }
  if (status === 404) return `${error.noPage} ${hint ?? error.checkAddress}`
  const text = errorText(failure) ?? detail
  if (typeof text === 'string') return text
  const texts = Object.values(body as object)
    .flat()
    .filter((text) => typeof text === 'string')
  return texts.map(message).join(' ') || error.invalid
}
