/** The page that a mailed link opens. */
import type { Child } from 'hono/jsx'
import { anonymous } from '../../../kernel/access/credentials.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { showPage } from '../../../kernel/page/show-page.tsx'
import type { OpenedLink } from './forms.tsx'

/**
 * Declares the page. Opening it changes nothing, because mail programs open links, too; only its form does.
 * `policy`: additional resources that the page may load.
 */
export const openedLink = (
  path: string,
  View: (link: OpenedLink) => Child,
  policy?: Record<string, string>,
): Route =>
  page({
    method: 'GET',
    path,
    auth: anonymous,
    handle: (c) => {
      if (policy) c.header('Content-Security-Policy', policyWith(policy))
      return showPage(c, <View mount={mountOf(c.req.url)} token={c.req.query('token') ?? ''} />)
    },
  })
