/** The page that a mailed link opens. */
import { anonymous } from '../../access/credentials.ts'
import { page, type Route } from '../../http/route.ts'
import { mountOf } from '../../http/tenant-locator.ts'
import { asDocument } from '../../page/page.tsx'
import type { OpenedLink } from './forms.tsx'

/** Declares the page. Opening it changes nothing, since mail programs open links, too: its form does. */
export const openedLink = (path: string, view: (link: OpenedLink) => unknown): Route =>
  page({
    method: 'GET',
    path,
    auth: anonymous,
    handle: (c) => c.html(asDocument(view({ mount: mountOf(c.req.url), token: c.req.query('token') ?? '' }))),
  })
