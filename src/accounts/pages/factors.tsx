/** The pages of one's own second factors. They work without scripts. */
import { Alert, Field } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'
import { QrCode } from '../../page/qr-code.tsx'
import type { NewTotp, OwnFactors } from '../factors/schema.ts'

/** The path of the page, below the prefix of the site. */
export const factorsPath = '/accounts/second-factor/'

/** What was wrong, and the page that helps. */
export interface Problem {
  text: string
  help?: { text: string; path: string }
}

interface FactorsPage {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The error of the last attempt. */
  problem?: Problem
}

const title = 'Your second factors'

/** What the account has, and the buttons that change it. */
export const FactorsPage = ({ mount, factors, problem }: FactorsPage & { factors: OwnFactors }) => (
  <Page title={problem ? `Not changed – ${title}` : title}>
    <h1>{title}</h1>
    {problem ? <ProblemPart mount={mount} problem={problem} /> : null}
    <p>With a second factor, nobody gets into your account by knowing your password alone.</p>
    <article>
      <h2>Authenticator app</h2>
      <AppPart mount={mount} factors={factors} />
    </article>
    <article>
      <h2>Passkeys</h2>
      <p>{counted(factors.passkeys, 'passkey')}.</p>
      <p class="aside">
        <a href={`${mount}/accounts/passkeys/`}>Your passkeys</a>
      </p>
    </article>
    <article>
      <h2>Recovery codes</h2>
      <CodesPart mount={mount} factors={factors} />
    </article>
    <p class="aside">
      <a href="/">Start page</a>
    </p>
  </Page>
)

const ProblemPart = ({ mount, problem: { text, help } }: { mount: string; problem: Problem }) => (
  <>
    <Alert id="problem" text={text} />
    {help ? (
      <p class="aside">
        <a href={`${mount}${help.path}`}>{help.text}</a>
      </p>
    ) : null}
  </>
)

const AppPart = ({ mount, factors: { totp } }: { mount: string; factors: OwnFactors }) =>
  totp === null ? (
    <form method="post" action={`${mount}${factorsPath}app/`}>
      <p>It is not turned on. The app shows a new code every 30 seconds, which every sign-in then needs.</p>
      <button type="submit">Set up an authenticator app</button>
    </form>
  ) : (
    <form method="post" action={`${mount}${factorsPath}app/remove/`}>
      <p>
        It is turned on, since <time datetime={totp.created}>{totp.created.slice(0, 10)}</time>. To use
        another app, turn it off and set up the other one. Turning it off ends your other sign-ins.
      </p>
      <button type="submit" class="button">
        Turn off the authenticator app
      </button>
    </form>
  )

const CodesPart = ({ mount, factors }: { mount: string; factors: OwnFactors }) =>
  factors.is_required ? (
    <form method="post" action={`${mount}${factorsPath}recovery-codes/`}>
      <p>{counted(factors.recovery_codes, 'unused code')}. New codes replace those that you have.</p>
      <button type="submit" class="button">
        Get new recovery codes
      </button>
    </form>
  ) : (
    <p>You get them together with your first second factor.</p>
  )

const counted = (count: number, noun: string): string =>
  `You have ${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`

/** The secret for an app, and the form for its first code. */
export const NewAppPage = ({ mount, totp: { secret, uri } }: { mount: string; totp: NewTotp }) => (
  <Page title="Set up an authenticator app">
    <h1>Set up an authenticator app</h1>
    <p>Scan this code with the app:</p>
    <QrCode text={uri} label="QR code for your authenticator app" />
    <p>
      Or type this secret into it: <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
    </p>
    <p class="hint">
      They are shown only here, and wait for 15 minutes. When the app is turned on, you are signed out
      everywhere else.
    </p>
    <CodeForm mount={mount} />
  </Page>
)

/** The form for the first code, again. It does not show the secret, which is in the app by now. */
export const FirstCodePage = ({ mount, problem }: { mount: string; problem: string }) => (
  <Page title="Not turned on – set up an authenticator app">
    <h1>Set up an authenticator app</h1>
    <Alert id="problem" text={problem} />
    <CodeForm mount={mount} errorId="problem" />
    <p class="aside">
      <a href={`${mount}${factorsPath}`}>Begin again with a new QR code</a>
    </p>
  </Page>
)

const CodeForm = ({ mount, errorId }: { mount: string; errorId?: string }) => (
  <form method="post" action={`${mount}${factorsPath}app/confirm/`}>
    <Field
      name="code"
      label="Code that the app shows"
      autocomplete="one-time-code"
      hasFocus
      errorId={errorId}
    />
    <button type="submit">Turn on the app</button>
  </form>
)

/** The recovery codes, this once. Without any, those of an earlier factor stay. */
export const CodesPage = ({
  mount,
  title: done,
  codes,
}: {
  mount: string
  title: string
  codes: string[]
}) => (
  <Page title={done}>
    <h1>{done}</h1>
    {codes.length > 0 ? (
      <>
        <p role="status">
          Keep these recovery codes. Each one replaces your second factor once, if you lose it. They are not
          shown again.
        </p>
        <ul class="codes">
          {codes.map((code) => (
            <li>{code}</li>
          ))}
        </ul>
      </>
    ) : (
      <p role="status">The recovery codes that you have still work.</p>
    )}
    <a class="button main" href={`${mount}${factorsPath}`}>
      Your second factors
    </a>
  </Page>
)
