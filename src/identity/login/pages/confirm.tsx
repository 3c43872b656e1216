/** The page that asks for the code that was mailed to the address of the account. S7. */
import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { loginTexts } from './texts.ts'

interface ConfirmProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  confirmation: string
  /** The error of the last attempt. */
  problem?: string
}

/** The page with the form for the code. */
export function ConfirmPage({ mount, confirmation, problem }: ConfirmProps) {
  const { common, confirm } = useTexts(loginTexts)
  return (
    <Page title={problem ? common.notSignedIn : confirm.title}>
      <h1>{confirm.title}</h1>
      <p>{confirm.introduction}</p>
      {problem ? <Alert id="problem" text={problem} /> : null}
      <form method="post" action={`${mount}/accounts/confirm/`}>
        <input type="hidden" name="confirmation" value={confirmation} />
        <Field
          name="code"
          label={common.code}
          autocomplete="one-time-code"
          hasFocus
          errorId={problem && 'problem'}
        />
        <button type="submit">{common.signIn}</button>
      </form>
    </Page>
  )
}
