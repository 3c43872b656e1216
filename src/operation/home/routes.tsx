/** The route of the start page. */
import { visitor } from '../../kernel/access/credentials.ts'
import { page, type Route } from '../../kernel/http/route.ts'
import { showPage } from '../../kernel/page/show-page.tsx'
import { AccountPage, WelcomePage } from './page.tsx'
import { readSignedIn } from './service.ts'

/** The start page. */
export const homePages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/',
    auth: visitor,
    handle: async (c) => {
      const signedIn = await readSignedIn(c.var.ctx)
      c.header('Cache-Control', 'no-store')
      return showPage(c, signedIn ? <AccountPage {...signedIn} /> : <WelcomePage />)
    },
  }),
]
