/** Answers with a page for people, in their language. */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../http/app-env.ts'
import { InLanguage, textsFor } from './language.ts'
import { asDocument } from './page.tsx'
import type { Texts } from './texts/en.ts'

/** Returns the texts in the language of the request. */
export const textsOf = (c: Context<AppEnv>): Texts => textsFor(c.req.header('accept-language'))

/** Returns the response with a page in the language of the request. */
export function showPage(c: Context<AppEnv>, page: Child, status: ContentfulStatusCode = 200): Response {
  const texts = textsOf(c)
  c.header('Content-Language', texts.language)
  c.header('Vary', 'Accept-Language', { append: true })
  return c.html(asDocument(<InLanguage value={texts}>{page}</InLanguage>), status)
}
