/** The people of a site: members with permissions and roles, the roles of the site, and invitations. */
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../session/client.ts'
import { PageHead, Waiting } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { siteEntryQuery } from './queries.ts'
import { Roles } from './roles.tsx'
import { peopleTexts } from './texts.ts'

/** Shows the people of the site in the address. */
export function Page() {
  const texts = useTexts(peopleTexts)
  const { site } = useSite()
  const query = useQuery(siteEntryQuery(site))
  const { data } = query
  return (
    <Stack maw={1200}>
      <PageHead title={texts.title} />
      <Waiting query={query} />
      {data ? (
        <>
          <Members site={site} organization={data.organization} />
          <Roles site={site} />
          <Invitations site={site} organization={data.organization.slug} />
        </>
      ) : null}
    </Stack>
  )
}
