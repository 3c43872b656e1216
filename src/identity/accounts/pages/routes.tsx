/** /accounts/password, /accounts/email: the pages of links that reset a password or verify an address. */
import { anonymous, visitor } from '../../../kernel/access/credentials.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { addressConfirmation, type VerifiedAddress } from '../address/schema.ts'
import { confirmAddress, requestVerification } from '../address/service.ts'
import { linkRequest, passwordReset } from '../password/schema.ts'
import { requestReset, resetPassword } from '../password/service.ts'
import {
  ConfirmAddressPage,
  DeadLinkPage,
  DonePage,
  type LinkKind,
  NewPasswordPage,
  RequestPage,
  requestPaths,
  SentPage,
} from './forms.tsx'
import { loginPathOf } from './login-path.ts'
import { openedLink } from './opened-link-page.tsx'
import { submitPage } from './submit-page.ts'
import { type AccountTexts, accountTexts } from './texts/texts.ts'

/** The pages of a form that requests a link. */
function requestPages(
  kind: LinkKind,
  request: (ctx: RequestContext, email: string) => Promise<void>,
): Route[] {
  const path = requestPaths[kind].replace(/\/$/, '')
  return [
    page({
      method: 'GET',
      path,
      auth: anonymous,
      handle: (c) => showPage(c, <RequestPage kind={kind} mount={mountOf(c.req.url)} />),
    }),
    page({
      method: 'POST',
      path,
      auth: anonymous,
      handle: (c) =>
        submitPage(c, {
          schema: linkRequest,
          act: (ctx, { email }) => request(ctx, email),
          again: ({ email = '' }, problem) => (
            <RequestPage kind={kind} mount={mountOf(c.req.url)} email={email} problem={problem} />
          ),
          next: () => <SentPage />,
        }),
    }),
  ]
}

/** The pages. Opening a link changes nothing; its form does. */
export const linkPages: readonly Route[] = [
  ...requestPages('reset', requestReset),
  ...requestPages('verify', requestVerification),
  openedLink('/accounts/password/reset/confirm', NewPasswordPage),
  page({
    method: 'POST',
    path: '/accounts/password/reset/confirm',
    auth: anonymous,
    handle: (c) => {
      const mount = mountOf(c.req.url)
      const texts = textsOf(c, accountTexts)
      return submitPage(c, {
        schema: passwordReset,
        act: resetPassword,
        again: ({ token = '' }, problem) => <NewPasswordPage mount={mount} token={token} problem={problem} />,
        dead: (problem) => (
          <DeadLinkPage
            title={texts.newPassword.deadTitle}
            problem={problem}
            next={{
              text: texts.common.newLink,
              path: `${mount}${requestPaths.reset}`,
            }}
          />
        ),
        next: () => (
          <DonePage
            login={loginPathOf(c.var.ctx, c.req.url)}
            title={texts.newPassword.doneTitle}
            text={texts.newPassword.done}
          />
        ),
      })
    },
  }),
  openedLink('/accounts/email/verify/confirm', ConfirmAddressPage),
  page({
    method: 'POST',
    path: '/accounts/email/verify/confirm',
    auth: visitor,
    handle: (c) => {
      const mount = mountOf(c.req.url)
      const texts = textsOf(c, accountTexts)
      return submitPage(c, {
        schema: addressConfirmation,
        act: (ctx, { token }) => confirmAddress(ctx, token),
        again: ({ token = '' }, problem) => (
          <ConfirmAddressPage mount={mount} token={token} problem={problem} />
        ),
        dead: (problem) => (
          <DeadLinkPage
            title={texts.address.titleWithProblem}
            problem={problem}
            next={{
              text: texts.common.newLink,
              path: `${mount}${requestPaths.verify}`,
            }}
          />
        ),
        next: (verified) => (
          <DonePage
            login={loginPathOf(c.var.ctx, c.req.url)}
            title={texts.address.doneTitle}
            text={verifiedText(verified, texts)}
          />
        ),
      })
    },
  }),
]

const verifiedText = ({ email, has_password }: VerifiedAddress, { address }: AccountTexts): string =>
  has_password ? address.done(email) : `${address.done(email)} ${address.noPassword}`
