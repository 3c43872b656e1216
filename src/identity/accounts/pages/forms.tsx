/**
 * The pages of links: the forms that request a link, and those that a link opens. They work without scripts.
 */
import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { accountTexts } from './texts/texts.ts'

/** The data that all these pages have. */
interface LinkPage {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The error of the last attempt. */
  problem?: string | undefined
}

/** The data of a page that a mailed link opens. */
export interface OpenedLink extends LinkPage {
  token: string
}

/** The paths of the forms that request a link, by the purpose of the link. */
export const requestPaths = {
  reset: '/accounts/password/reset/',
  verify: '/accounts/email/verify/',
} as const

/** The purposes of links. */
export type LinkKind = keyof typeof requestPaths

/** The form that requests a link. */
export function RequestPage({
  kind,
  mount,
  email = '',
  problem,
}: LinkPage & { kind: LinkKind; email?: string }) {
  const { common, links } = useTexts(accountTexts)
  const { title, introduction } = links[kind]
  return (
    <Page title={problem ? `${links.notSent} – ${title}` : title}>
      <h1>{title}</h1>
      <p>{introduction}</p>
      {problem ? <Alert id="problem" text={problem} /> : null}
      <form method="post" action={`${mount}${requestPaths[kind]}`}>
        <Field
          name="email"
          label={common.email}
          type="email"
          autocomplete="email"
          value={email}
          hasFocus
          errorId={problem && 'problem'}
        />
        <button type="submit">{links.button}</button>
      </form>
    </Page>
  )
}

/** The answer to every request for a link. */
export function SentPage() {
  const { common, links } = useTexts(accountTexts)
  return (
    <Page title={common.lookIntoMailbox}>
      <h1>{common.lookIntoMailbox}</h1>
      <p role="status">{links.sent}</p>
    </Page>
  )
}

export function NewPasswordPage({ mount, token, problem }: OpenedLink) {
  const { common, newPassword } = useTexts(accountTexts)
  return (
    <Page title={problem ? newPassword.titleWithProblem : newPassword.title}>
      <h1>{newPassword.title}</h1>
      {problem ? <Alert id="problem" text={problem} /> : null}
      <form method="post" action={`${mount}/accounts/password/reset/confirm/`}>
        <input type="hidden" name="token" value={token} />
        <Field
          name="password"
          label={newPassword.label}
          type="password"
          autocomplete="new-password"
          hasFocus
          errorId={problem && 'problem'}
        />
        <p class="hint">
          {common.passwordRule} {common.signedOutEverywhere}
        </p>
        <button type="submit">{newPassword.button}</button>
      </form>
      <p class="aside">
        <a href={`${mount}${requestPaths.reset}`}>{common.newLink}</a>
      </p>
    </Page>
  )
}

/**
 * The button that verifies an address. Opening the link verifies nothing, because mail programs open links,
 * too.
 */
export function ConfirmAddressPage({ mount, token, problem }: OpenedLink) {
  const { common, address } = useTexts(accountTexts)
  return (
    <Page title={problem ? address.titleWithProblem : address.title}>
      <h1>{address.title}</h1>
      {problem ? <Alert id="problem" text={problem} /> : null}
      <form method="post" action={`${mount}/accounts/email/verify/confirm/`}>
        <input type="hidden" name="token" value={token} />
        <button type="submit">{address.button}</button>
      </form>
      <p class="aside">
        <a href={`${mount}${requestPaths.verify}`}>{common.newLink}</a>
      </p>
    </Page>
  )
}

/** The page for a link that is no longer valid, with the way to another link. */
export const DeadLinkPage = ({ title, problem, next }: DeadLink) => (
  <Page title={title}>
    <h1>{title}</h1>
    <Alert id="problem" text={problem} />
    <a class="button main" href={next.path}>
      {next.text}
    </a>
  </Page>
)

interface DeadLink {
  title: string
  problem: string
  next: { text: string; path: string }
}

interface DoneProps {
  title: string
  text: string
  /** The path of the sign-in page, if there is one. */
  login: string | undefined
}

/** Shows what has happened, and where to continue. */
export const DonePage = ({ title, text, login }: DoneProps) => (
  <Page title={title}>
    <h1>{title}</h1>
    <p role="status">{text}</p>
    {login === undefined ? null : (
      <a class="button main" href={login}>
        {useTexts(accountTexts).common.signIn}
      </a>
    )}
  </Page>
)
