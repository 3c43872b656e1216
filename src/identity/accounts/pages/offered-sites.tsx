/** The part of the account page that lists permissions that organizations have given to the person. */
import { accountPath } from '../../../kernel/page/account-path.ts'
import { useTexts } from '../../../kernel/page/language.ts'
import { Part, RowForm } from '../../../kernel/page/part.tsx'
import type { OfferedSite } from '../../users/service.ts'
import { accountTexts } from './texts/texts.ts'

interface OfferedSitesProps {
  mount: string
  sites: readonly OfferedSite[]
}

/** Shows the sites, each with buttons. Shows nothing if there are none. */
export function OfferedSites({ mount, sites }: OfferedSitesProps) {
  const texts = useTexts(accountTexts).account
  if (sites.length === 0) return null
  return (
    <Part title={texts.offered}>
      <p>{texts.offeredHint}</p>
      <ul class="rows">
        {sites.map(({ slug, name, organization }) => {
          const shown = `${name} (${organization})`
          return (
            <li>
              <span>{shown}</span>
              <RowForm
                action={`${mount}${accountPath}permissions/accept/`}
                id={slug}
                text={texts.accept}
                label={texts.acceptOf(shown)}
              />
              <RowForm
                action={`${mount}${accountPath}permissions/decline/`}
                id={slug}
                text={texts.decline}
                label={texts.declineOf(shown)}
              />
            </li>
          )
        })}
      </ul>
    </Part>
  )
}
