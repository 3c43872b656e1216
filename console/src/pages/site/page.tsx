/** The apps of a site with their tables. */
import { Anchor, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../session/client.ts'
import { type App, appsQuery, tablesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { TableList } from '../../shared/table-list.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { siteTexts } from './texts.ts'

/** Shows the apps. */
export function Page() {
  const texts = useTexts(siteTexts)
  const { site } = useSite()
  const query = useQuery(appsQuery(site))
  const { data } = query
  return (
    <Stack maw={1100}>
      <PageHead title={texts.title} />
      <Waiting query={query} />
      {data?.count === 0 ? (
        <Empty title={texts.none}>
          <Text>{texts.noneText}</Text>
          <TextLink to={addressOf(site, 'schema')}>{texts.make}</TextLink>
          <Anchor href="/docs/guide/apps-and-tables/" underline="always">
            {texts.howTo}
          </Anchor>
        </Empty>
      ) : null}
      {data?.results.map((app) => (
        <AppTables key={app.slug} site={site} app={app} />
      ))}
    </Stack>
  )
}

function AppTables({ site, app: { name, slug, description } }: { site: string; app: App }) {
  const { data, error, refetch } = useQuery(tablesQuery(site, slug))
  return (
    <Paper component="section" aria-label={name} withBorder p="md">
      <Title order={2} size="h4">
        {name}
      </Title>
      {description ? <Text size="sm">{description}</Text> : null}
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data ? <TableList site={site} app={slug} tables={data} area="data" /> : null}
    </Paper>
  )
}
