/** The functions of a site, by app, and a form for a new one. */
import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useSite } from '../../session/client.ts'
import { type App, appsQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { NewFunction } from './new-function.tsx'
import { functionsQuery } from './queries.ts'
import { functionsTexts } from './texts.ts'
import type { ShownFunction } from './types.ts'

/** Shows the functions of all apps. */
export function Page() {
  const texts = useTexts(functionsTexts)
  const { site } = useSite()
  const query = useQuery(appsQuery(site))
  const { data } = query
  const apps = data?.results ?? []
  const lists = useQueries({ queries: apps.map(({ slug }) => functionsQuery(site, slug)) })
  // The form appears below the lists when these are complete, so that it does not move under a click.
  const isComplete = apps.length > 0 && lists.every(({ isPending }) => !isPending)
  return (
    <Stack maw={1100}>
      <Group justify="space-between">
        <PageHead title={texts.title} />
        <TextLink to={addressOf(site, 'runs')}>{texts.allRuns}</TextLink>
      </Group>
      <Waiting query={query} />
      {apps.map((app) => (
        <AppFunctions key={app.slug} site={site} app={app} />
      ))}
      {isComplete ? <NewFunction site={site} apps={apps} /> : null}
    </Stack>
  )
}

function AppFunctions({ site, app: { name, slug } }: { site: string; app: App }) {
  const texts = useTexts(functionsTexts)
  const { data, error, refetch } = useQuery(functionsQuery(site, slug))
  return (
    <Paper component="section" aria-label={name} withBorder p="md">
      <Title order={2} size="h4">
        {name}
      </Title>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data?.results.length === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      <Stack component="ul" gap={6} mt="xs" mb={0} pl={0}>
        {data?.results.map((one) => (
          <FunctionRow key={one.slug} address={addressOf(site, 'functions', slug, one.slug)} one={one} />
        ))}
      </Stack>
    </Paper>
  )
}

function FunctionRow({ address, one }: { address: string; one: ShownFunction }) {
  const texts = useTexts(functionsTexts)
  return (
    <Group component="li" gap="xs">
      <TextLink to={address}>{one.name}</TextLink>
      <Badge variant="default">{one.execution_mode}</Badge>
      {one.schedule ? <Badge variant="default">{texts.schedule(one.schedule)}</Badge> : null}
      {one.is_active ? null : <Badge variant="default">{texts.inactive}</Badge>}
      <Text size="sm" className="muted">
        {one.description}
      </Text>
    </Group>
  )
}
