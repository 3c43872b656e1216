/** The part of the account page with which a person joins the site of the page. X2. */
import { accountPath } from '../../../kernel/page/account-path.ts'
import { useTexts } from '../../../kernel/page/language.ts'
import { Part } from '../../../kernel/page/part.tsx'
import type { JoinableSite } from '../join/store.ts'
import { accountTexts } from './texts/texts.ts'

interface JoinSiteProps {
  mount: string
  site: JoinableSite | undefined
}

/** Shows the button. Shows nothing if the person belongs to the site, or may not join it. */
export function JoinSite({ mount, site }: JoinSiteProps) {
  const texts = useTexts(accountTexts).account
  if (site === undefined) return null
  return (
    <Part title={texts.join(site.name)}>
      <p>{texts.joinHint}</p>
      <form method="post" action={`${mount}${accountPath}join/`}>
        <button type="submit" class="button main">
          {texts.join(site.name)}
        </button>
      </form>
    </Part>
  )
}
