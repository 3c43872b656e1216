/**
 * The page that shows the passkeys of an account, adds one and removes them. Adding needs a script
 * (src/operation/assets/passkeys.js).
 */

import { AccountLink } from '../../../kernel/page/account-link.tsx'
import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { RowForm } from '../../../kernel/page/part.tsx'
import { NewCodes, passkeyScript } from '../../../kernel/page/passkey.tsx'
import { type Problem, ProblemPart } from '../../../kernel/page/problem.tsx'
import type { Passkey } from '../passkeys/schema.ts'
import { accountTexts } from './texts/texts.ts'

interface PasskeysProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  passkeys: readonly Passkey[]
  /** Whether a passkey was just removed. */
  isRemoved: boolean
  /** The error of the last attempt to remove a passkey. */
  problem?: Problem | undefined
}

/** The path of the page, below the prefix of the site's paths. */
export const passkeysPath = '/accounts/passkeys/'

/** Shows the passkeys of the account, and the button that adds one. */
export function PasskeysPage({ mount, passkeys, isRemoved, problem }: PasskeysProps) {
  const { common, passkey, passkeys: texts } = useTexts(accountTexts)
  return (
    <Page title={problem ? `${common.notChanged} – ${texts.title}` : texts.title} script={passkeyScript}>
      <h1>{texts.title}</h1>
      {problem ? <ProblemPart mount={mount} problem={problem} /> : null}
      {isRemoved ? <p role="status">{texts.removed}</p> : null}
      <p>{texts.introduction}</p>
      {passkeys.length > 0 ? (
        <ul id="present" class="rows">
          {passkeys.map(({ id, name, host }) => (
            <li>
              <span>
                {name} <span class="hint">({host})</span>
              </span>
              <RowForm
                action={`${mount}${passkeysPath}remove/`}
                id={id}
                text={texts.remove}
                label={texts.removeOf(name)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <p id="present">{texts.none}</p>
      )}
      <noscript>
        <Alert id="no-script" text={texts.needsScript} />
      </noscript>
      <form data-passkey="add" data-mount={mount} data-messages={JSON.stringify(passkey.errors)} hidden>
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
      <AccountLink mount={mount} />
    </Page>
  )
}
