/** A page that continues a sign-in at another address, automatically or by its link. S6. */
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { loginTexts } from './texts.ts'

/** Continues at `to`: a path of this host, or the address at which a provider signs users in. */
export function ContinuePage({ to }: { to: string }) {
  const texts = useTexts(loginTexts).continue
  return (
    <Page title={texts.title} redirectTo={to}>
      <h1>{texts.title}</h1>
      <a class="button main" href={to}>
        {texts.button}
      </a>
    </Page>
  )
}
