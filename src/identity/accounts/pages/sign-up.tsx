/** The pages of signing up: the form, and the one that the mailed link opens. They work without scripts. */
import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { NewCodes, passkeyScript } from '../../../kernel/page/passkey.tsx'
import type { OpenedLink } from './forms.tsx'
import { accountTexts } from './texts/texts.ts'

interface SignUpProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The values of the last attempt. */
  entered: Readonly<Record<string, string>>
  /** The error of the last attempt. */
  problem?: string | undefined
  /** Whether passkeys work on this host. */
  hasPasskeys: boolean
}

/** The form that signs up. */
export function SignUpPage({ mount, entered, problem, hasPasskeys }: SignUpProps) {
  const { common, passkey, passkeys, signUp } = useTexts(accountTexts)
  const errorId = problem && 'problem'
  return (
    <Page
      title={problem ? signUp.titleWithProblem : signUp.title}
      script={hasPasskeys ? passkeyScript : undefined}
    >
      <h1>{signUp.title}</h1>
      {problem ? <Alert id="problem" text={problem} /> : null}
      <form id="sign-up" method="post" action={`${mount}/accounts/sign-up/`}>
        <Field
          name="first_name"
          label={common.firstName}
          autocomplete="given-name"
          value={entered.first_name ?? ''}
          hasFocus
          errorId={errorId}
        />
        <Field
          name="last_name"
          label={common.lastName}
          autocomplete="family-name"
          value={entered.last_name ?? ''}
          errorId={errorId}
        />
        <Field
          name="email"
          label={common.email}
          type="email"
          autocomplete="email"
          value={entered.email ?? ''}
          errorId={errorId}
        />
        <Field
          name="password"
          label={common.password}
          type="password"
          autocomplete="new-password"
          errorId={errorId}
        />
        <p class="hint">
          {common.passwordRule} {signUp.hint}
        </p>
        <button type="submit">{signUp.title}</button>
      </form>
      {hasPasskeys ? (
        <div
          data-passkey="sign-up"
          data-mount={mount}
          data-name={passkeys.defaultName}
          data-messages={JSON.stringify(passkey.errors)}
          hidden
        >
          <p class="or">{common.or}</p>
          <button type="button" class="button">
            {signUp.withPasskey}
          </button>
          <p class="hint">{signUp.passkeyHint}</p>
          <p class="alert" role="alert" hidden />
        </div>
      ) : null}
      <div id="sent" role="status" tabindex={-1} hidden>
        <h2>{common.lookIntoMailbox}</h2>
        <p>{signUp.sent}</p>
      </div>
      <p class="aside">
        <a href={`${mount}/accounts/login/?auto_redirect=false`}>{signUp.haveAccount}</a>
      </p>
    </Page>
  )
}

/** The answer to every sign-up. */
export function SignUpSentPage() {
  const { common, signUp } = useTexts(accountTexts)
  return (
    <Page title={common.lookIntoMailbox}>
      <h1>{common.lookIntoMailbox}</h1>
      <p role="status">{signUp.sent}</p>
    </Page>
  )
}

/** The form that finishes a sign-up. Opening the link does nothing, because mail programs open links, too. */
export function FinishSignUpPage({ mount, token, problem }: OpenedLink) {
  const { common, signUp } = useTexts(accountTexts)
  return (
    <Page title={problem ? signUp.titleWithProblem : signUp.finishTitle}>
      <h1>{signUp.finishTitle}</h1>
      {problem ? <Alert id="problem" text={problem} /> : null}
      <p>{signUp.finishIntroduction}</p>
      <form method="post" action={`${mount}/accounts/sign-up/confirm/`}>
        <input type="hidden" name="token" value={token} />
        <Field
          name="password"
          label={common.password}
          type="password"
          autocomplete="current-password"
          hasFocus
          errorId={problem && 'problem'}
        />
        <button type="submit">{signUp.finish}</button>
      </form>
      <p class="aside">
        <a href={`${mount}/accounts/sign-up/`}>{signUp.again}</a>
      </p>
    </Page>
  )
}

/** The page that finishes a sign-up with a passkey. It needs a script, like the creation of the passkey. */
export function FinishPasskeySignUpPage({ mount, token }: OpenedLink) {
  const { common, passkey, passkeys, signUp } = useTexts(accountTexts)
  return (
    <Page title={signUp.finishTitle} script={passkeyScript}>
      <h1>{signUp.finishTitle}</h1>
      <noscript>
        <Alert id="no-script" text={passkeys.needsScript} />
      </noscript>
      <div
        data-passkey="finish-sign-up"
        data-mount={mount}
        data-token={token}
        data-messages={JSON.stringify(passkey.errors)}
        hidden
      >
        <p>{signUp.finishWithPasskey}</p>
        <button type="button">{passkey.use}</button>
        <p class="alert" role="alert" hidden />
      </div>
      <div id="added" tabindex={-1} role="status" hidden>
        <p>{signUp.doneWithPasskey}</p>
        <NewCodes />
        <a class="button main" href={`${mount}/accounts/login/`}>
          {common.signIn}
        </a>
      </div>
      <p class="aside">
        <a href={`${mount}/accounts/sign-up/`}>{signUp.again}</a>
      </p>
    </Page>
  )
}
