/** /docs/ and /llms.txt: the documentation, as pages and as Markdown. It needs no database. */
import type { Context } from 'hono'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { namesTag, quotedTag } from '../../kernel/http/entity-tags.ts'
import { page, type Route } from '../../kernel/http/route.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { asDocument } from '../../kernel/page/page.tsx'
import { listOfPages } from './list-of-pages.ts'
import { DocumentView, SearchView } from './page.tsx'
import { pages } from './pages.ts'
import { search } from './search.ts'

const queryLengthMax = 100

const html = 'text/html; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'

/** The pages of the documentation, their Markdown, the search and `/llms.txt`. */
export const docsPages: readonly Route[] = [
  ...pages.flatMap((one) => [
    page({
      method: 'GET',
      path: one.address.replace(/\/$/, ''),
      auth: null,
      handle: (c) => answer(c, html, asDocument(<DocumentView page={one} />)),
    }),
    page({
      method: 'GET',
      path: `/docs/${one.file}`,
      auth: null,
      handle: (c) => answer(c, markdown, one.markdown),
    }),
  ]),
  page({
    method: 'GET',
    path: '/docs/search',
    auth: null,
    handle(c) {
      const query = (c.req.query('q') ?? '').trim().slice(0, queryLengthMax)
      return answer(c, html, asDocument(<SearchView query={query} found={search(query)} />))
    },
  }),
  page({
    method: 'GET',
    path: '/llms.txt',
    auth: null,
    handle: (c) => answer(c, markdown, listOfPages(new URL(c.req.url).origin)),
  }),
]

/**
 * Answers with a text that only a deployment changes. A browser asks again after five minutes, and may get a
 * 304.
 */
function answer(c: Context<AppEnv>, type: string, text: string): Response {
  const tag = sha256(text)
  c.header('ETag', quotedTag(tag))
  c.header('Cache-Control', 'public, max-age=300')
  if (namesTag(c.req.header('if-none-match'), tag)) return c.body(null, 304)
  return c.body(text, 200, { 'Content-Type': type })
}
