/** The page that asks whether the command line of a machine may sign in. */
import { comparisonCode } from '../../../kernel/lib/comparison-code.ts'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import type { SignInRequest } from '../command-line/schema.ts'
import { accountTexts } from './texts/texts.ts'

/** The path of the page, below the mount. */
export const commandLinePath = '/accounts/cli/'

interface CommandLineProps {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  request: SignInRequest
  /** The name of the account that signs in. */
  username: string
}

/** The page that asks for the consent, with the code to compare. */
export function CommandLinePage({ mount, request, username }: CommandLineProps) {
  const { commandLine: texts } = useTexts(accountTexts)
  return (
    <Page title={texts.title}>
      <h1>{texts.title}</h1>
      <p>
        {texts.machine}: <strong>{request.name}</strong>
        <br />
        {texts.account}: <strong>{username}</strong>
      </p>
      <p>{texts.rights}</p>
      <p>{texts.compare}</p>
      <p class="code">{comparisonCode(request.challenge)}</p>
      <p>{texts.warning}</p>
      <form method="post" action={`${mount}${commandLinePath}`}>
        {Object.entries(request).map(([name, value]) => (
          <input type="hidden" name={name} value={String(value)} />
        ))}
        <button type="submit" name="answer" value="yes">
          {texts.agree}
        </button>
        <button type="submit" name="answer" value="no" class="button">
          {texts.refuse}
        </button>
      </form>
    </Page>
  )
}
