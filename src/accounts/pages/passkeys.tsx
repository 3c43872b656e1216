/**
 * The page that shows the passkeys of an account, and adds one. Adding needs a script
 * (src/assets/passkeys.js).
 */
import { Alert, Field } from '../../page/form.tsx'
import { useTexts } from '../../page/language.ts'
import { Page } from '../../page/page.tsx'
import { NewCodes, passkeyScript } from '../../page/passkey.tsx'
import type { Passkey } from '../passkeys/schema.ts'

interface PasskeysProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  passkeys: readonly Passkey[]
}

/** The page. */
export function PasskeysPage({ mount, passkeys }: PasskeysProps) {
  const { common, login, passkeys: texts } = useTexts()
  return (
    <Page title={texts.title} script={passkeyScript}>
      <h1>{texts.title}</h1>
      <p>{texts.introduction}</p>
      {passkeys.length > 0 ? (
        <ul id="present">
          {passkeys.map(({ name, host }) => (
            <li>
              {name} ({host})
            </li>
          ))}
        </ul>
      ) : (
        <p id="present">{texts.none}</p>
      )}
      <noscript>
        <Alert id="no-script" text={texts.needsScript} />
      </noscript>
      <form data-passkey="add" data-mount={mount} data-messages={JSON.stringify(login.passkeyErrors)} hidden>
        <Field name="name" label={texts.name} autocomplete="off" value={texts.defaultName} />
        <button type="submit">{texts.add}</button>
        <p class="alert" role="alert" hidden />
      </form>
      <div id="added" tabindex={-1} role="status" hidden>
        <p>{texts.added}</p>
        <NewCodes />
        <a class="button main" href={`${mount}/accounts/login/`}>
          {common.signInAgain}
        </a>
      </div>
    </Page>
  )
}
