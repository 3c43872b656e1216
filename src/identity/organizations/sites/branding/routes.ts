/** /accounts/logo, /accounts/colors: files that the pages of a site load. Only this service serves them. */
import { anonymous } from '../../../../kernel/access/credentials.ts'
import { notFound } from '../../../../kernel/errors.ts'
import { page, type Route } from '../../../../kernel/http/route.ts'
import { readLogoFile, stylesFor } from './service.ts'

/** The address changes with the content. */
const forever = 'public, max-age=31536000, immutable'

/** These files must not run anything, even if somebody opens them as a page. */
const nothing = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** The files. */
export const brandingPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/logo/:hash',
    auth: anonymous,
    handle: async (c, { hash }) => {
      if (!/^[0-9a-f]{32}$/.test(hash)) throw notFound()
      const { type, bytes } = await readLogoFile(c.var.ctx, hash)
      c.header('Content-Security-Policy', nothing)
      c.header('Cache-Control', forever)
      return c.body(bytes, 200, { 'Content-Type': type })
    },
  }),
  page({
    method: 'GET',
    path: '/accounts/colors/:color',
    auth: anonymous,
    handle: (c, { color }) => {
      if (!/^[0-9a-f]{6}$/.test(color)) throw notFound()
      c.header('Content-Security-Policy', nothing)
      c.header('Cache-Control', forever)
      return c.body(stylesFor(`#${color}`), 200, { 'Content-Type': 'text/css; charset=utf-8' })
    },
  }),
]
