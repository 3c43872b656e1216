/** The button that signs in with a passkey. Only the script shows it (src/operation/assets/passkeys.js). */
import { useTexts } from './language.ts'
import { commonTexts } from './texts/define.ts'

export const passkeyScript = '/passkeys.js'
/** The resources that the policy of such a page allows in addition to those of every page. */
export const passkeyPolicy = { 'script-src': "'self'", 'connect-src': "'self'" }

interface PasskeyProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The path that the browser opens afterwards. */
  next: string
  /** The sign-in that needs the passkey as its second factor. */
  challenge?: string
}

/** The button, and the element for error messages. */
export function PasskeyPart({ mount, next, challenge }: PasskeyProps) {
  const { common, passkey } = useTexts(commonTexts)
  return (
    <div
      data-passkey="sign-in"
      data-mount={mount}
      data-next={next}
      data-challenge={challenge}
      data-messages={JSON.stringify(passkey.errors)}
      hidden
    >
      <p class="or">{common.or}</p>
      <button type="button" class="button">
        {passkey.use}
      </button>
      <p class="alert" role="alert" hidden />
    </div>
  )
}

/** The element in which the script shows the recovery codes of a new passkey, only once. */
export function NewCodes() {
  return (
    <div id="has-codes" hidden>
      <p>{useTexts(commonTexts).passkey.keepCodes}</p>
      <ul id="codes" class="codes" />
    </div>
  )
}
