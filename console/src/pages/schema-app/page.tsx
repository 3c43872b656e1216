/** An app: its tables, a form for a new one, its name, and its deleted tables. */
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useSite } from '../../session/client.ts'
import { appsQuery, tablesQuery } from '../../session/queries.ts'
import { PartTabs } from '../../shared/part-tabs.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Loading, PageHead } from '../../shared/states.tsx'
import { TableList } from '../../shared/table-list.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { schemaTexts } from '../schema/texts.ts'
import { Datasources } from './datasources.tsx'
import { DeletedTables } from './deleted-tables.tsx'
import { ForeignTable } from './foreign-table.tsx'
import { NewTable } from './new-table.tsx'
import { AppSettings } from './settings.tsx'

/** Shows the app. The open part is in the address. */
export function Page() {
  const texts = useTexts(schemaTexts)
  const { site } = useSite()
  const { app } = useParams({ strict: false }) as { app: string }
  const apps = useQuery(appsQuery(site))
  const found = apps.data?.results.find(({ slug }) => slug === app)
  return (
    <Stack gap="sm" maw={1100}>
      <nav>
        <TextLink to={addressOf(site, 'schema')}>{texts.pageTitle}</TextLink>
      </nav>
      <PageHead title={found?.name ?? app} size="h3" />
      {apps.error ? <Problem error={apps.error} retry={() => void apps.refetch()} /> : null}
      <PartTabs
        parts={[
          ['tables', texts.tables, () => <Tables site={site} app={app} />],
          ['new', texts.newTable, () => <NewTable site={site} app={app} />],
          [
            'settings',
            texts.settings,
            () =>
              found ? (
                <Stack>
                  <AppSettings site={site} app={found} />
                  <Datasources site={site} app={app} />
                </Stack>
              ) : (
                <Loading />
              ),
          ],
          ['deleted', texts.deletedTables, () => <DeletedTables site={site} app={app} />],
        ]}
      />
    </Stack>
  )
}

function Tables({ site, app }: { site: string; app: string }) {
  const texts = useTexts(schemaTexts)
  const { data, error, refetch } = useQuery(tablesQuery(site, app))
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <Stack>
      {data.length > 0 ? <TextLink to={addressOf(site, 'picture', app)}>{texts.picture}</TextLink> : null}
      <TableList
        site={site}
        app={app}
        tables={data}
        area="schema"
        hasRecordLinks
        beginning={
          <TextLink to={addressOf(site, 'schema', app)} search={{ part: 'new' } as never}>
            {texts.newTable}
          </TextLink>
        }
      />
      <ForeignTable site={site} app={app} />
    </Stack>
  )
}
