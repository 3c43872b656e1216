/** The page that sends a request to a SAML provider in a form (HTTP-POST). It works without scripts. */
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { loginTexts } from './texts.ts'

interface SamlRequestProps {
  /** The display name of the provider. */
  name: string
  /** The address of the provider. */
  action: string
  fields: Readonly<Record<string, string>>
}

/** The page with a button that sends the form. */
export function SamlRequestPage({ name, action, fields }: SamlRequestProps) {
  const texts = useTexts(loginTexts)
  const title = texts.login.continueWith(name)
  return (
    <Page title={title}>
      <h1>{title}</h1>
      <form method="post" action={action}>
        {Object.entries(fields).map(([field, value]) => (
          <input type="hidden" name={field} value={value} />
        ))}
        <button type="submit">{texts.continue.button}</button>
      </form>
    </Page>
  )
}
