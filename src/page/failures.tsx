/** From what was thrown to a page that says so. */
import type { Context } from 'hono'
import type { AppError } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { failureOf } from '../http/failures.ts'
import { splitSitePrefix } from '../http/tenant.ts'
import { Alert } from './form.tsx'
import { asDocument, Page } from './page.tsx'

export function showFailure(thrown: Error, c: Context<AppEnv>): Response {
  const failure = failureOf(thrown, c)
  const { slug } = splitSitePrefix(new URL(c.req.url).pathname)
  // Whoever would be led on by itself to where this came from stays.
  const login = `${slug === null ? '' : `/sites/${slug}`}/accounts/login/?auto_redirect=false`
  return c.html(
    asDocument(
      <Page title="That did not work">
        <h1>That did not work</h1>
        <Alert id="problem" text={sentenceOf(failure)} />
        <a class="button main" href={login}>
          Go to the sign-in
        </a>
      </Page>,
    ),
    failure.status,
  )
}

/** What went wrong, for people. */
export function sentenceOf({ body, status }: AppError): string {
  if (status === 404) return 'There is no such page.'
  const { detail } = body as { detail?: unknown }
  return typeof detail === 'string' ? detail : 'Something was wrong with the request.'
}
