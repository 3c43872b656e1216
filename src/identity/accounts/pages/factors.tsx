/** The pages of the user's own second factors. They work without scripts. */

import { AccountLink } from '../../../kernel/page/account-link.tsx'
import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { type Problem, ProblemPart } from '../../../kernel/page/problem.tsx'
import { QrCode } from '../../../kernel/page/qr-code.tsx'
import { factorsPath } from '../../../kernel/page/required-factor.ts'
import type { NewTotp, OwnFactors } from '../factors/schema.ts'
import { accountTexts } from './texts/texts.ts'

interface FactorsPage {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The error of the last attempt. */
  problem?: Problem
}

interface FactorsProps extends FactorsPage {
  factors: OwnFactors
  /** Whether the site requires a second factor and sent the user here. */
  isRequired: boolean
}

/** Shows the second factors, and the buttons to change them. */
export function FactorsPage({ mount, factors, isRequired, problem }: FactorsProps) {
  const { common, factors: texts } = useTexts(accountTexts)
  return (
    <Page title={problem ? `${common.notChanged} – ${common.yourFactors}` : common.yourFactors}>
      <h1>{common.yourFactors}</h1>
      {problem ? <ProblemPart mount={mount} problem={problem} /> : null}
      {isRequired && !factors.is_required ? <p role="status">{common.factorRequired}</p> : null}
      <p>{texts.introduction}</p>
      <article>
        <h2>{texts.app}</h2>
        <AppPart mount={mount} factors={factors} />
      </article>
      <article>
        <h2>{texts.passkeys}</h2>
        <p>{texts.passkeyCount(factors.passkeys)}</p>
        <p class="aside">
          <a href={`${mount}/accounts/passkeys/`}>{texts.yourPasskeys}</a>
        </p>
      </article>
      <article>
        <h2>{texts.codes}</h2>
        <CodesPart mount={mount} factors={factors} />
      </article>
      <AccountLink mount={mount} />
    </Page>
  )
}

function AppPart({ mount, factors: { totp } }: { mount: string; factors: OwnFactors }) {
  const texts = useTexts(accountTexts).factors
  return totp === null ? (
    <form method="post" action={`${mount}${factorsPath}app/`}>
      <p>{texts.appOff}</p>
      <button type="submit">{texts.setUp}</button>
    </form>
  ) : (
    <form method="post" action={`${mount}${factorsPath}app/remove/`}>
      <p>
        {texts.appOnSince} <time datetime={totp.created}>{totp.created.slice(0, 10)}</time>. {texts.appOnMore}
      </p>
      <button type="submit" class="button">
        {texts.turnOff}
      </button>
    </form>
  )
}

function CodesPart({ mount, factors }: { mount: string; factors: OwnFactors }) {
  const texts = useTexts(accountTexts).factors
  return factors.is_required ? (
    <form method="post" action={`${mount}${factorsPath}recovery-codes/`}>
      <p>{texts.codeCount(factors.recovery_codes)}</p>
      <button type="submit" class="button">
        {texts.getCodes}
      </button>
    </form>
  ) : (
    <p>{texts.codesLater}</p>
  )
}

/** The secret for an app, and the form for its first code. */
export function NewAppPage({ mount, totp: { secret, uri } }: { mount: string; totp: NewTotp }) {
  const texts = useTexts(accountTexts).factors
  return (
    <Page title={texts.setUp}>
      <h1>{texts.setUp}</h1>
      <p>{texts.scan}</p>
      <QrCode text={uri} label={texts.qrCode} />
      <p>
        {texts.typeSecret} <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      </p>
      <p class="hint">{texts.secretHint}</p>
      <CodeForm mount={mount} />
    </Page>
  )
}

/** The form for the first code, again. It does not show the secret, because the app has it by now. */
export function FirstCodePage({ mount, problem }: { mount: string; problem: string }) {
  const texts = useTexts(accountTexts).factors
  return (
    <Page title={texts.notTurnedOn}>
      <h1>{texts.setUp}</h1>
      <Alert id="problem" text={problem} />
      <CodeForm mount={mount} errorId="problem" />
      <p class="aside">
        <a href={`${mount}${factorsPath}`}>{texts.beginAgain}</a>
      </p>
    </Page>
  )
}

function CodeForm({ mount, errorId }: { mount: string; errorId?: string }) {
  const texts = useTexts(accountTexts).factors
  return (
    <form method="post" action={`${mount}${factorsPath}app/confirm/`}>
      <Field name="code" label={texts.codeOfApp} autocomplete="one-time-code" hasFocus errorId={errorId} />
      <button type="submit">{texts.turnOn}</button>
    </form>
  )
}

/** Shows the new recovery codes, only once. If there are no new codes, the earlier ones remain valid. */
export function CodesPage({ mount, title: done, codes }: { mount: string; title: string; codes: string[] }) {
  const { common, factors: texts } = useTexts(accountTexts)
  return (
    <Page title={done}>
      <h1>{done}</h1>
      {codes.length > 0 ? (
        <>
          <p role="status">{texts.keepCodes}</p>
          <ul class="codes">
            {codes.map((code) => (
              <li>{code}</li>
            ))}
          </ul>
        </>
      ) : (
        <p role="status">{texts.codesStay}</p>
      )}
      <a class="button main" href={`${mount}${factorsPath}`}>
        {common.yourFactors}
      </a>
    </Page>
  )
}
