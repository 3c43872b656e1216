/** The page that asks for the code that was mailed to the address of the account. S7. */
import { Alert, Field } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'

interface ConfirmProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  confirmation: string
  /** The error of the last attempt. */
  problem?: string
}

/** The page, with the form for the code. */
export const ConfirmPage = ({ mount, confirmation, problem }: ConfirmProps) => (
  <Page title={problem ? 'Not signed in' : 'Confirm that it is you'}>
    <h1>Confirm that it is you</h1>
    <p>
      An account with your e-mail address already exists. We have sent an e-mail with a code to that address.
      Enter the code to sign in. It is valid for ten minutes.
    </p>
    {problem ? <Alert id="problem" text={problem} /> : null}
    <form method="post" action={`${mount}/accounts/confirm/`}>
      <input type="hidden" name="confirmation" value={confirmation} />
      <Field name="code" label="Code" autocomplete="one-time-code" hasFocus errorId={problem && 'problem'} />
      <button type="submit">Sign in</button>
    </form>
  </Page>
)
