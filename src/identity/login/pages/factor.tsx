/** The page that asks for a second factor. */

import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { PasskeyPart, passkeyScript } from '../../../kernel/page/passkey.tsx'
import { loginTexts } from './texts.ts'

interface FactorProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  challenge: string
  /** The path that the browser opens afterwards. */
  next: string
  /** The error of the last attempt. */
  problem?: string
  /** Whether passkeys work on this host. */
  hasPasskeys: boolean
  /** The number of days for which the browser can be trusted. 0: trust is not possible. */
  trustDays: number
}

/** The page with the form for a code. */
export function FactorPage({ mount, challenge, next, problem, hasPasskeys, trustDays }: FactorProps) {
  const { common, factor } = useTexts(loginTexts)
  return (
    <Page
      title={problem ? common.notSignedIn : factor.title}
      script={hasPasskeys ? passkeyScript : undefined}
    >
      <h1>{factor.heading}</h1>
      <p>{factor.introduction}</p>
      {problem ? <Alert id="problem" text={problem} /> : null}
      <form method="post" action={`${mount}/accounts/factor/`}>
        <input type="hidden" name="challenge" value={challenge} />
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label={common.code}
          autocomplete="one-time-code"
          hasFocus
          errorId={problem && 'problem'}
        />
        {trustDays > 0 ? (
          <label class="choice">
            <input type="checkbox" id="trust_device" name="trust_device" value="true" />
            {factor.trust(trustDays)}
          </label>
        ) : null}
        <button type="submit">{common.signIn}</button>
      </form>
      {hasPasskeys ? <PasskeyPart mount={mount} next={next} challenge={challenge} /> : null}
    </Page>
  )
}
