/** /accounts/password, /accounts/email: the pages of links that reset a password or verify an address. */
import { anonymous, visitor } from '../../access/credentials.ts'
import type { RequestContext } from '../../context.ts'
import { page, type Route } from '../../http/route.ts'
import { mountOf } from '../../http/tenant-locator.ts'
import { asDocument } from '../../page/page.tsx'
import { addressConfirmation, type VerifiedAddress } from '../address/schema.ts'
import { confirmAddress, requestVerification } from '../address/service.ts'
import { linkRequest, passwordReset } from '../password/schema.ts'
import { requestReset, resetPassword } from '../password/service.ts'
import {
  ConfirmAddressPage,
  DonePage,
  NewPasswordPage,
  RequestPage,
  requestTexts,
  SentPage,
} from './forms.tsx'
import { openedLink } from './opened-link.ts'
import { submitPage } from './submit-page.ts'

/** The pages of a form that asks for a link. */
function requestPages(
  kind: keyof typeof requestTexts,
  request: (ctx: RequestContext, email: string) => Promise<void>,
): Route[] {
  const texts = requestTexts[kind]
  const path = texts.path.replace(/\/$/, '')
  return [
    page({
      method: 'GET',
      path,
      auth: anonymous,
      handle: (c) => c.html(asDocument(<RequestPage texts={texts} mount={mountOf(c.req.url)} />)),
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
            <RequestPage texts={texts} mount={mountOf(c.req.url)} email={email} problem={problem} />
          ),
          next: () => <SentPage />,
        }),
    }),
  ]
}

/** The pages. Opening a link changes nothing: its form does. */
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
      return submitPage(c, {
        schema: passwordReset,
        act: resetPassword,
        again: ({ token = '' }, problem) => <NewPasswordPage mount={mount} token={token} problem={problem} />,
        next: () => (
          <DonePage
            mount={mount}
            title="Your password is set"
            text="You were signed out everywhere. You can sign in with your new password now."
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
      return submitPage(c, {
        schema: addressConfirmation,
        act: (ctx, { token }) => confirmAddress(ctx, token),
        again: ({ token = '' }, problem) => (
          <ConfirmAddressPage mount={mount} token={token} problem={problem} />
        ),
        next: (verified) => (
          <DonePage mount={mount} title="Your e-mail address is verified" text={verifiedText(verified)} />
        ),
      })
    },
  }),
]

const verifiedText = ({ email, has_password }: VerifiedAddress): string =>
  has_password
    ? `The address ${email} is verified.`
    : `The address ${email} is verified. The account has no password. To get one, reset the password.`
