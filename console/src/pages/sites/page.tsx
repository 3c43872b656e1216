/** The sites that the caller may enter, by organization. */
import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type EnterableSite, meQuery, sitesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { sitesTexts } from './texts.ts'

const settleMs = 200

/** Lists the sites. */
export function Page() {
  const texts = useTexts(sitesTexts)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), settleMs)
  const { data, error, refetch } = useQuery({ ...sitesQuery(search), placeholderData: keepPreviousData })
  const { data: me } = useQuery(meQuery)
  const sites = data?.results ?? []
  return (
    <Stack maw={1100} mx="auto">
      <Group justify="space-between" align="baseline">
        <Title order={1}>{texts.title}</Title>
        <Group component="nav" gap="md" aria-label={texts.service}>
          <TextLink to={addressOf('_service', 'tenants')}>{texts.tenants}</TextLink>
          {me?.is_superuser ? <TextLink to={addressOf('_service', 'health')}>{texts.health}</TextLink> : null}
        </Group>
      </Group>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data && data.count === 0 && search === '' ? (
        <Empty title={texts.none}>
          <Text>{texts.noneText}</Text>
          <Anchor href="/docs/guide/organizations-and-sites/" underline="always">
            {texts.howTo}
          </Anchor>
        </Empty>
      ) : (
        <TextInput
          label={texts.filter}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maw={360}
        />
      )}
      {!data && !error ? <Loading /> : null}
      {data?.count === 0 && search !== '' ? <Text>{texts.noMatch(search)}</Text> : null}
      {organizationsOf(sites).map(([name, own]) => (
        <section key={name} aria-label={name}>
          <Title order={2} size="h4" mb="xs">
            {name}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {own.map((site) => (
              <SiteCard key={site.slug} site={site} />
            ))}
          </SimpleGrid>
        </section>
      ))}
      {data && data.count > sites.length ? <Text>{texts.more(sites.length, data.count)}</Text> : null}
    </Stack>
  )
}

function SiteCard({ site: { name, slug, environment } }: { site: EnterableSite }) {
  const texts = useTexts(sitesTexts)
  return (
    <Card withBorder padding="md">
      <TextLink to={addressOf(slug)} fw={600}>
        {name}
      </TextLink>
      <Group gap="xs" mt={4}>
        <Text size="sm" className="muted">
          {slug}
        </Text>
        <Badge variant="default" size="sm">
          {texts.environments[environment]}
        </Badge>
      </Group>
    </Card>
  )
}

function organizationsOf(sites: readonly EnterableSite[]): [name: string, own: EnterableSite[]][] {
  const groups = Map.groupBy(sites, ({ organization }) => organization.slug)
  return [...groups.values()].map((own) => [own[0]?.organization.name ?? '', own])
}
