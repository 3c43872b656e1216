/** The pages of signing up: the form, and the one that the mailed link opens. They work without scripts. */
import { Alert, Field, passwordRule } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'
import type { OpenedLink } from './forms.tsx'

interface SignUpProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** What was entered in the last attempt. */
  entered: Readonly<Record<string, string>>
  /** The error of the last attempt. */
  problem?: string | undefined
}

/** The form. */
export const SignUpPage = ({ mount, entered, problem }: SignUpProps) => (
  <Page title={problem ? 'Not signed up' : 'Sign up'}>
    <h1>Sign up</h1>
    {problem ? <Alert id="problem" text={problem} /> : null}
    <form method="post" action={`${mount}/accounts/sign-up/`}>
      <Field
        name="first_name"
        label="First name"
        autocomplete="given-name"
        value={entered.first_name ?? ''}
        hasFocus
        errorId={problem && 'problem'}
      />
      <Field
        name="last_name"
        label="Last name"
        autocomplete="family-name"
        value={entered.last_name ?? ''}
        errorId={problem && 'problem'}
      />
      <Field
        name="email"
        label="E-mail"
        type="email"
        autocomplete="email"
        value={entered.email ?? ''}
        errorId={problem && 'problem'}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        errorId={problem && 'problem'}
      />
      <p class="hint">{passwordRule} We send you an e-mail with a link.</p>
      <button type="submit">Sign up</button>
    </form>
    <p class="aside">
      <a href={`${mount}/accounts/login/?auto_redirect=false`}>I have an account</a>
    </p>
  </Page>
)

/** The answer to everybody who signs up. */
export const SignUpSentPage = () => (
  <Page title="Look into your mailbox">
    <h1>Look into your mailbox</h1>
    <p role="status">
      If your address can sign up here, we have sent an e-mail to it. Its link works once, and for 30 minutes.
    </p>
  </Page>
)

/** The form that finishes a sign-up. Opening the link does nothing, since mail programs open links, too. */
export const FinishSignUpPage = ({ mount, token, problem }: OpenedLink) => (
  <Page title={problem ? 'Not signed up' : 'Finish your sign-up'}>
    <h1>Finish your sign-up</h1>
    {problem ? <Alert id="problem" text={problem} /> : null}
    <p>Enter the password that you have chosen. If you have not signed up, close this page.</p>
    <form method="post" action={`${mount}/accounts/sign-up/confirm/`}>
      <input type="hidden" name="token" value={token} />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        hasFocus
        errorId={problem && 'problem'}
      />
      <button type="submit">Finish</button>
    </form>
    <p class="aside">
      <a href={`${mount}/accounts/sign-up/`}>Sign up again</a>
    </p>
  </Page>
)
