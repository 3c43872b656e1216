/** /console/: the console, a page of scripts that uses the API. It needs no database. */
import type { Context } from 'hono'
import { notFound } from '../../kernel/errors.ts'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { policyWith } from '../../kernel/http/headers.ts'
import { page, type Route } from '../../kernel/http/route.ts'

/** The placeholder in the built page for the nonce of an answer. dev/build-console.ts writes it. */
const placeholder = 'nonce-of-this-answer'

const nonceBytes = 18

/** The pages of the console: one HTML document for all addresses, and the files that it loads. */
export const consolePages: readonly Route[] = [
  page({ method: 'GET', path: '/console', auth: null, handle: answerDocument }),
  page({
    method: 'GET',
    path: '/console/_/licenses',
    auth: null,
    async handle(c) {
      const found = await fileOf(c, '/console/licenses.md')
      if (!found.ok) throw notBuilt()
      return c.text(await found.text())
    },
  }),
  page({
    method: 'GET',
    path: '/console/_/:file',
    auth: null,
    async handle(c, { file }) {
      const found = await fileOf(c, `/console/_/${encodeURIComponent(file)}`)
      if (!found.ok) throw notFound()
      // The name of the file contains the hash of its content.
      const headers = new Headers(found.headers)
      headers.set('Cache-Control', 'public, max-age=31536000, immutable')
      return new Response(found.body, { status: found.status, headers })
    },
  }),
  page({ method: 'GET', path: '/console/*', auth: null, handle: answerDocument }),
]

/** Answers with the document and a new nonce. If the console was not built, the 404 says how to build it. */
async function answerDocument(c: Context<AppEnv>): Promise<Response> {
  const built = await fileOf(c, '/console/')
  if (!built.ok) throw notBuilt()
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(nonceBytes))))
  const html = (await built.text()).replaceAll(placeholder, nonce)
  c.header('Content-Security-Policy', policyOf(nonce))
  c.header('Cache-Control', 'no-store')
  return c.html(html)
}

const notBuilt = () => notFound('The console has not been built. Run `npm run build:console`.')

/** Requests a file of src/operation/assets. */
const fileOf = (c: Context<AppEnv>, path: string): Promise<Response> =>
  c.env.ASSETS.fetch(new Request(new URL(path, c.req.url)))

const policyOf = (nonce: string): string =>
  policyWith({
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': `'self' 'nonce-${nonce}'`,
    'connect-src': "'self'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'worker-src': "'self'",
  })
