/**
 * The page that shows the passkeys of an account, and adds one. Adding needs a script
 * (src/assets/passkeys.js).
 */
import { Alert, Field } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'
import { passkeyScript } from '../../page/passkey.tsx'
import type { Passkey } from '../passkeys/schema.ts'

interface PasskeysProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  passkeys: readonly Passkey[]
}

/** The page. */
export const PasskeysPage = ({ mount, passkeys }: PasskeysProps) => (
  <Page title="Your passkeys" script={passkeyScript}>
    <h1>Your passkeys</h1>
    <p>
      A passkey signs you in with the lock of your device, in the place of a password. It is also a second
      factor: with a passkey, your password alone opens nothing any more.
    </p>
    {passkeys.length > 0 ? (
      <ul id="present">
        {passkeys.map(({ name, host }) => (
          <li>
            {name} ({host})
          </li>
        ))}
      </ul>
    ) : (
      <p id="present">You have no passkeys.</p>
    )}
    <noscript>
      <Alert id="no-script" text="Adding a passkey needs JavaScript." />
    </noscript>
    <form data-passkey="add" data-mount={mount} hidden>
      <Field name="name" label="Name of the new passkey" autocomplete="off" value="My device" />
      <button type="submit">Add a passkey</button>
      <p class="alert" role="alert" hidden />
    </form>
    <div id="added" tabindex={-1} role="status" hidden>
      <p>
        The passkey was added. You were signed out everywhere, so that every sign-in needs it from now on.
      </p>
      <div id="has-codes" hidden>
        <p>
          Keep these recovery codes. Each one replaces your passkey once, if you lose it. They are not shown
          again.
        </p>
        <ul id="codes" />
      </div>
      <a class="button main" href={`${mount}/accounts/login/`}>
        Sign in again
      </a>
    </div>
  </Page>
)
