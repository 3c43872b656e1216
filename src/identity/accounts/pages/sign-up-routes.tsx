/** /accounts/sign-up: the pages of signing up at a site. */
import type { Context } from 'hono'
import { anonymous } from '../../../kernel/access/credentials.ts'
import { siteVisitors } from '../../../kernel/access/policies.ts'
import { relyingPartyOf } from '../../../kernel/access/relying-party.ts'
import type { AppEnv } from '../../../kernel/http/app-env.ts'
import { policyWith } from '../../../kernel/http/headers.ts'
import { page, type Route } from '../../../kernel/http/route.ts'
import { mountOf } from '../../../kernel/http/tenant-locator.ts'
import { passkeyPolicy } from '../../../kernel/page/passkey.tsx'
import { showPage, textsOf } from '../../../kernel/page/show-page.tsx'
import { signUpConfirmation, signUpInput } from '../sign-up/schema.ts'
import { confirmSignUp, requireSignUps, signUp } from '../sign-up/service.ts'
import { DeadLinkPage, DonePage } from './forms.tsx'
import { loginPathOf } from './login-path.ts'
import { openedLink } from './opened-link-page.tsx'
import { FinishPasskeySignUpPage, FinishSignUpPage, SignUpPage, SignUpSentPage } from './sign-up.tsx'
import { submitPage } from './submit-page.ts'
import { accountTexts } from './texts/texts.ts'

/** Allows the passkey script on hosts where passkeys work. Returns whether they do. */
function allowPasskeys(c: Context<AppEnv>): boolean {
  const works = relyingPartyOf(c.var.ctx) !== undefined
  if (works) c.header('Content-Security-Policy', policyWith(passkeyPolicy))
  return works
}

export const signUpPages: readonly Route[] = [
  page({
    method: 'GET',
    path: '/accounts/sign-up',
    auth: anonymous,
    may: siteVisitors,
    handle: async (c) => {
      await requireSignUps(c.var.ctx)
      return showPage(
        c,
        <SignUpPage mount={mountOf(c.req.url)} entered={{}} hasPasskeys={allowPasskeys(c)} />,
      )
    },
  }),
  page({
    method: 'POST',
    path: '/accounts/sign-up',
    auth: anonymous,
    may: siteVisitors,
    handle: (c) => {
      const hasPasskeys = allowPasskeys(c)
      return submitPage(c, {
        schema: signUpInput,
        act: signUp,
        again: (entered, problem) => (
          <SignUpPage
            mount={mountOf(c.req.url)}
            entered={entered}
            problem={problem}
            hasPasskeys={hasPasskeys}
          />
        ),
        next: () => <SignUpSentPage />,
      })
    },
  }),
  openedLink('/accounts/sign-up/confirm', FinishSignUpPage),
  openedLink('/accounts/sign-up/passkey', FinishPasskeySignUpPage, passkeyPolicy),
  page({
    method: 'POST',
    path: '/accounts/sign-up/confirm',
    auth: anonymous,
    may: siteVisitors,
    handle: (c) => {
      const mount = mountOf(c.req.url)
      const texts = textsOf(c, accountTexts).signUp
      return submitPage(c, {
        schema: signUpConfirmation,
        act: confirmSignUp,
        again: ({ token = '' }, problem) => (
          <FinishSignUpPage mount={mount} token={token} problem={problem} />
        ),
        dead: (problem) => (
          <DeadLinkPage
            title={texts.titleWithProblem}
            problem={problem}
            next={{ text: texts.again, path: `${mount}/accounts/sign-up/` }}
          />
        ),
        next: ({ email }) => (
          <DonePage
            login={loginPathOf(c.var.ctx, c.req.url)}
            title={texts.doneTitle}
            text={texts.done(email)}
          />
        ),
      })
    },
  }),
]
