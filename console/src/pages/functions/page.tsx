/** The functions of a site, by app, and a form for a new one. */
import { Badge, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { queryClient, useSite } from '../../session/client.ts'
import { type App, appsQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { functionsOf } from './calls.ts'
import { functionsQuery } from './queries.ts'
import { functionsTexts } from './texts.ts'
import type { ShownFunction } from './types.ts'

/** The code that a new function begins with. */
const firstCode = `export default async function (params, context) {
  console.log('Hello', params)
  return { ok: true }
}
`

/** Shows the functions of all apps. */
export function Page() {
  const texts = useTexts(functionsTexts)
  const { site } = useSite()
  const { data, error, refetch } = useQuery(appsQuery(site))
  return (
    <Stack maw={1100}>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {texts.title}
        </Title>
        <TextLink to={addressOf(site, 'runs')}>{texts.allRuns}</TextLink>
      </Group>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data?.results.map((app) => (
        <AppFunctions key={app.slug} site={site} app={app} />
      ))}
      {data && data.results.length > 0 ? <NewFunction site={site} apps={data.results} /> : null}
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

function NewFunction({ site, apps }: { site: string; apps: readonly App[] }) {
  const texts = useTexts(functionsTexts)
  const tell = useTell()
  const navigate = useNavigate()
  const [app, setApp] = useState(apps[0]?.slug ?? '')
  const [name, setName] = useState('')
  const creation = useMutation({
    mutationFn: () => functionsOf(site, app).create({ name, code: firstCode }),
    onSuccess(created) {
      tell(texts.created(created.name))
      void queryClient.invalidateQueries({ queryKey: functionsQuery(site, app).queryKey })
      void navigate({ to: addressOf(site, 'functions', app, created.slug) })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate()
  }
  return (
    <Paper component="section" aria-label={texts.newFunction} withBorder p="md">
      <Title order={2} size="h4">
        {texts.newFunction}
      </Title>
      <form onSubmit={submit}>
        <Group align="end" mt="xs">
          <Select
            label={texts.app}
            data={apps.map(({ slug, name: label }) => ({ value: slug, label }))}
            value={app}
            onChange={(value) => setApp(value ?? '')}
            allowDeselect={false}
          />
          <TextInput
            label={texts.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
          />
          <Button type="submit" loading={creation.isPending}>
            {texts.create}
          </Button>
        </Group>
      </form>
      {creation.error ? <Problem error={creation.error} /> : null}
    </Paper>
  )
}
