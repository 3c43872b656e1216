/** The datasources of an app: how its tables store records. */
import { Button, Group, List, NativeSelect, Paper, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { clientOf } from '../../session/client.ts'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { appPath, datasourcesQuery, refreshSchema } from '../schema/queries.ts'
import { schemaTexts } from '../schema/texts.ts'
import { Collections } from './collections.tsx'

/** Lists the datasources, and creates another one. */
export function Datasources({ site, app }: { site: string; app: string }) {
  const texts = useTexts(schemaTexts)
  const tell = useTell()
  const query = useQuery(datasourcesQuery(site, app))
  const { data } = query
  const [name, setName] = useState('')
  const [kind, setKind] = useState('jsonb')
  const make = useMutation({
    mutationFn: () =>
      clientOf(site).request<{ name: string }>({
        method: 'POST',
        path: `${appPath(app)}datasources/`,
        body: { name, slug: slugOf(name), provider_type: kind },
        key: true,
      }),
    async onSuccess(made) {
      await refreshSchema(site)
      setName('')
      tell(texts.datasourceMade(made.name))
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    make.mutate()
  }
  const own = make.error ? messagesOf(make.error, '') : {}
  return (
    <Paper component="section" aria-label={texts.datasources} withBorder p="md">
      <Title order={2} size="h5">
        {texts.datasources}
      </Title>
      <Text size="sm" className="muted" mb="xs">
        {texts.datasourcesText}
      </Text>
      <Waiting query={query} />
      <List size="sm" mb="xs">
        {data?.map(({ slug, name: label, provider_type }) => (
          <List.Item key={slug}>
            {label}: {texts.storedAs[provider_type] ?? provider_type}
            {provider_type === 'mongodb' ? <Collections site={site} app={app} datasource={slug} /> : null}
          </List.Item>
        ))}
      </List>
      <form onSubmit={submit}>
        <Group align="start">
          <TextInput
            label={texts.newDatasource}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={own.name?.join(' ')}
            required
          />
          <NativeSelect
            label={texts.stored}
            data={Object.entries(texts.storedAs).map(([value, label]) => ({ value, label }))}
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" mt={25} loading={make.isPending}>
            {texts.create}
          </Button>
        </Group>
      </form>
      {make.error ? <Problem error={make.error} except={['name']} /> : null}
    </Paper>
  )
}

/** Returns the name in the form of addresses. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
