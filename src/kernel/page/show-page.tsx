/** Answers with a page for browsers, in the user's language. */
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { RequestContext } from '../context.ts'
import { type AppError, codeHeader } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { mountOf } from '../http/tenant-locator.ts'
import { brandingOf, WithBranding } from './branding.ts'
import { InLanguage, languageFor } from './language.ts'
import { asDocument } from './page.tsx'
import type { TextsByLanguage } from './texts/define.ts'
import type { Texts } from './texts/en.ts'

/** Returns the texts in the language of the request. */
export function textsOf<Shape>(c: Context<AppEnv>, texts: TextsByLanguage<Shape>): Texts & Shape {
  return texts[languageIn(c)]
}

const languageIn = (c: Context<AppEnv>) => languageFor(c.req.header('accept-language'))

/**
 * Returns the response with a page in the language of the request and the branding of its site. `failure` is
 * the error that the page tells.
 */
export async function showPage(c: Context<AppEnv>, page: Child, failure?: AppError): Promise<Response> {
  const language = languageIn(c)
  // Undefined for files of the console and the documentation: these are answered, also with an error, before
  // a site is known.
  const ctx: RequestContext | undefined = c.var.ctx
  const branding = ctx && (await brandingOf(ctx))
  c.header('Content-Language', language)
  c.header('Vary', 'Accept-Language', { append: true })
  const document = (
    <WithBranding value={{ branding, mount: mountOf(c.req.url) }}>
      <InLanguage value={language}>{page}</InLanguage>
    </WithBranding>
  )
  if (failure) c.header(codeHeader, failure.code)
  return c.html(asDocument(document), failure?.status ?? 200)
}
