/** /accounts/passkeys: the page to manage passkeys. */
import { inSession } from '../../access/credentials.ts'
import { policyWith } from '../../http/headers.ts'
import { page, type Route } from '../../http/route.ts'
import { mountOf } from '../../http/tenant-locator.ts'
import { passkeyPolicy } from '../../page/passkey.tsx'
import { showPage } from '../../page/show-page.tsx'
import { passkeysQuery } from '../passkeys/schema.ts'
import { listPasskeys } from '../passkeys/service.ts'
import { PasskeysPage } from './passkeys.tsx'

/** The page. */
export const passkeyPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/passkeys',
    auth: inSession,
    handle: async (c) => {
      const { results } = await listPasskeys(c.var.ctx, c.req.url, passkeysQuery.parse({}))
      c.header('Content-Security-Policy', policyWith(passkeyPolicy))
      return showPage(c, <PasskeysPage mount={mountOf(c.req.url)} passkeys={results} />)
    },
  }),
]
