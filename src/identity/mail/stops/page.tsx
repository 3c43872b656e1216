/** The page that stops the e-mails of an organization, or allows them again. */
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { LetterName } from '../letter-name.ts'
import { stopPath } from '../letter-sender.ts'
import type { StopRow } from './store.ts'
import { stopTexts } from './texts.ts'

type Props = StopRow & { token: string; canAllow: boolean }

export function StopPage({ organization, slug, isStopped, token, canAllow }: Props) {
  const texts = useTexts(stopTexts).stop
  const name = `${LetterName.forAnybody(organization, slug)} (${slug})`
  return (
    <Page title={texts.title(name)}>
      <h1>{texts.title(name)}</h1>
      <p role="status">{isStopped ? texts.stopped : texts.question}</p>
      {isStopped && !canAllow ? null : (
        <form method="post" action={`${stopPath}?token=${encodeURIComponent(token)}`}>
          {isStopped ? <input type="hidden" name="allow" value="yes" /> : null}
          <button type="submit">{isStopped ? texts.allow : texts.button}</button>
        </form>
      )}
    </Page>
  )
}
