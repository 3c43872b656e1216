/** The schema of a site: its apps with their tables, and a new app. */
import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { clientOf, useSite } from '../../session/client.ts'
import { type App, appsQuery, tablesQuery } from '../../session/queries.ts'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { TableList } from '../../shared/table-list.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { appPath, refreshSchema } from './queries.ts'
import { schemaTexts } from './texts.ts'

/** Shows the apps. */
export function Page() {
  const texts = useTexts(schemaTexts)
  const { site } = useSite()
  const query = useQuery(appsQuery(site))
  const { data } = query
  return (
    <Stack maw={1100}>
      <PageHead title={texts.pageTitle} hint={texts.hint} />
      <Waiting query={query} />
      {data?.count === 0 ? <Empty title={texts.noApp}>{texts.noAppText}</Empty> : null}
      {data?.results.map((app) => (
        <AppPart key={app.slug} site={site} app={app} />
      ))}
      <NewApp site={site} />
    </Stack>
  )
}

function AppPart({ site, app: { name, slug, description } }: { site: string; app: App }) {
  const texts = useTexts(schemaTexts)
  const { data, error, refetch } = useQuery(tablesQuery(site, slug))
  return (
    <Paper component="section" aria-label={name} withBorder p="md">
      <Group justify="space-between">
        <Title order={2} size="h4">
          <TextLink to={addressOf(site, 'schema', slug)} inherit>
            {name}
          </TextLink>
        </Title>
        <Group gap="md">
          <TextLink to={addressOf(site, 'schema', slug)} search={{ part: 'new' } as never} size="sm">
            {texts.newTable}
          </TextLink>
          {data && data.length > 0 ? (
            <TextLink to={addressOf(site, 'picture', slug)} size="sm">
              {texts.picture}
            </TextLink>
          ) : null}
        </Group>
      </Group>
      {description ? <Text size="sm">{description}</Text> : null}
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data ? <TableList site={site} app={slug} tables={data} area="schema" /> : null}
    </Paper>
  )
}

function NewApp({ site }: { site: string }) {
  const texts = useTexts(schemaTexts)
  const tell = useTell()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const make = useMutation({
    mutationFn: () =>
      clientOf(site).request<App>({
        method: 'POST',
        path: appPath(),
        body: { name, description },
        key: true,
      }),
    async onSuccess(app) {
      await refreshSchema(site)
      tell(texts.appMade(app.name))
      await navigate({ to: addressOf(site, 'schema', app.slug) })
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    make.mutate()
  }
  const own = make.error ? messagesOf(make.error, '') : {}
  return (
    <Paper component="section" aria-label={texts.newApp} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.newApp}
      </Title>
      <form onSubmit={submit}>
        <Group align="start">
          <TextInput
            label={texts.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={own.name?.join(' ')}
            required
          />
          <TextInput
            label={texts.appDescription}
            miw={280}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={own.description?.join(' ')}
          />
          <Button type="submit" mt={25} loading={make.isPending}>
            {texts.create}
          </Button>
        </Group>
      </form>
      {make.error ? <Problem error={make.error} except={['name', 'description']} /> : null}
    </Paper>
  )
}
