/** The pages of links: the forms that ask for one, and those that a link opens. They work without scripts. */
import { Alert, Field, passwordRule } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'

/** What all these pages know. */
interface LinkPage {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The error of the last attempt. */
  problem?: string | undefined
}

/** What the page that a mailed link opens knows. */
export interface OpenedLink extends LinkPage {
  token: string
}

/** The texts of a page that asks for a link. */
interface RequestTexts {
  title: string
  introduction: string
  button: string
  path: string
}

/** The texts, by what the link is for. */
export const requestTexts = {
  reset: {
    title: 'Reset your password',
    introduction: 'Enter the e-mail address of your account. We send you a link to choose a new password.',
    button: 'Send the link',
    path: '/accounts/password/reset/',
  },
  verify: {
    title: 'Verify your e-mail address',
    introduction: 'Enter the e-mail address of your account. We send you a link that verifies it.',
    button: 'Send the link',
    path: '/accounts/email/verify/',
  },
} as const satisfies Record<string, RequestTexts>

/** The form that asks for a link. */
export const RequestPage = ({
  texts,
  mount,
  email = '',
  problem,
}: LinkPage & { texts: RequestTexts; email?: string }) => (
  <Page title={problem ? `Not sent – ${texts.title}` : texts.title}>
    <h1>{texts.title}</h1>
    <p>{texts.introduction}</p>
    {problem ? <Alert id="problem" text={problem} /> : null}
    <form method="post" action={`${mount}${texts.path}`}>
      <Field
        name="email"
        label="E-mail"
        type="email"
        autocomplete="email"
        value={email}
        hasFocus
        errorId={problem && 'problem'}
      />
      <button type="submit">{texts.button}</button>
    </form>
  </Page>
)

/** The answer to everybody who asks for a link. */
export const SentPage = () => (
  <Page title="Look into your mailbox">
    <h1>Look into your mailbox</h1>
    <p role="status">
      If an account has this e-mail address, we have sent a link to it. The link works once, and for 30
      minutes.
    </p>
  </Page>
)

/** The form for a new password. */
export const NewPasswordPage = ({ mount, token, problem }: OpenedLink) => (
  <Page title={problem ? 'Not changed – choose a new password' : 'Choose a new password'}>
    <h1>Choose a new password</h1>
    {problem ? <Alert id="problem" text={problem} /> : null}
    <form method="post" action={`${mount}/accounts/password/reset/confirm/`}>
      <input type="hidden" name="token" value={token} />
      <Field
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        hasFocus
        errorId={problem && 'problem'}
      />
      <p class="hint">{passwordRule} You will be signed out everywhere.</p>
      <button type="submit">Set the password</button>
    </form>
    <p class="aside">
      <a href={`${mount}/accounts/password/reset/`}>Ask for a new link</a>
    </p>
  </Page>
)

/**
 * The button that verifies an address. Opening the link does nothing, since mail programs open links, too.
 */
export const ConfirmAddressPage = ({ mount, token, problem }: OpenedLink) => (
  <Page title={problem ? 'Not verified – your e-mail address' : 'Verify your e-mail address'}>
    <h1>Verify your e-mail address</h1>
    {problem ? <Alert id="problem" text={problem} /> : null}
    <form method="post" action={`${mount}/accounts/email/verify/confirm/`}>
      <input type="hidden" name="token" value={token} />
      <button type="submit">Verify the address</button>
    </form>
    <p class="aside">
      <a href={`${mount}/accounts/email/verify/`}>Ask for a new link</a>
    </p>
  </Page>
)

/** What has happened, and where to go. Only a site has a page to sign in. */
export const DonePage = ({ mount, title, text }: { mount: string; title: string; text: string }) => (
  <Page title={title}>
    <h1>{title}</h1>
    <p role="status">{text}</p>
    {mount === '' ? null : (
      <a class="button main" href={`${mount}/accounts/login/`}>
        Sign in
      </a>
    )}
  </Page>
)
