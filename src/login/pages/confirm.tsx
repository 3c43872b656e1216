/** The page that asks for the code that was mailed to the account's address. S7. */
import { Alert, Field } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'

interface ConfirmProps {
  /** Where the site's pages stand: '' or `/sites/<slug>`. */
  mount: string
  confirmation: string
  problem?: string
}

export const ConfirmPage = ({ mount, confirmation, problem }: ConfirmProps) => (
  <Page title={problem ? 'Not signed in' : 'Confirm that it is you'}>
    <h1>Confirm that it is you</h1>
    <p>
      There is an account with your e-mail address already. A letter with a code is on its way to that address: enter the code to sign in. It is valid
      for ten minutes.
    </p>
    {problem ? <Alert id="problem" text={problem} /> : null}
    <form method="post" action={`${mount}/accounts/confirm/`}>
      <input type="hidden" name="confirmation" value={confirmation} />
      <Field name="code" label="Code" autocomplete="one-time-code" first wrong={problem && 'problem'} />
      <button type="submit">Sign in</button>
    </form>
  </Page>
)
