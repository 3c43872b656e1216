/** The page that asks whether the command line of a machine may sign in. */
import { comparisonCode } from '../../lib/comparison-code.ts'
import { Page } from '../../page/page.tsx'
import type { SignInRequest } from '../command-line/schema.ts'

/** The path of the page, below the mount. */
export const commandLinePath = '/accounts/cli/'

interface CommandLineProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  request: SignInRequest
  /** The name of the account that signs in. */
  username: string
}

/** The page, with the code to compare. */
export const CommandLinePage = ({ mount, request, username }: CommandLineProps) => (
  <Page title="Sign in the command line">
    <h1>Sign in the command line?</h1>
    <p>
      The command line of <strong>{request.name}</strong> wants to sign in as <strong>{username}</strong>. It
      can then do what you can do, until you end its sign-in.
    </p>
    <p>Compare this code with the one in your terminal:</p>
    <p class="code">{comparisonCode(request.challenge)}</p>
    <p>
      Refuse if you have not just run <code>tessera login</code> on this machine, or if the codes differ.
    </p>
    <form method="post" action={`${mount}${commandLinePath}`}>
      {Object.entries(request).map(([name, value]) => (
        <input type="hidden" name={name} value={String(value)} />
      ))}
      <button type="submit" name="answer" value="yes">
        The codes are the same: sign in
      </button>
      <button type="submit" name="answer" value="no" class="button">
        Refuse
      </button>
    </form>
  </Page>
)
