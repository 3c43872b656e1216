/** The tables of an app as a picture, which can be searched. */
import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { useMemo, useState } from 'react'
import { useSite } from '../../session/client.ts'
import { type Table, tableQuery, tablesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading, PageHead } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { Canvas } from './canvas.tsx'
import { type Arrow, arrowsOf, layOut } from './layout.ts'
import { pictureTexts } from './texts.ts'

/** Shows the picture, and the same tables as a list. */
export function Page() {
  const texts = useTexts(pictureTexts)
  const { site } = useSite()
  const { app } = useParams({ strict: false }) as { app: string }
  const names = useQuery(tablesQuery(site, app))
  const read = useQueries({
    queries: (names.data ?? []).map(({ name }) => tableQuery(site, app, name)),
    combine: (results) => ({
      tables: results.flatMap(({ data }) => data ?? []),
      isPending: results.some((one) => one.isPending),
      error: results.find((one) => one.error)?.error,
    }),
  })
  const error = names.error ?? read.error
  return (
    <Stack gap="xs">
      <nav>
        <TextLink to={addressOf(site, 'schema', app)}>{texts.toSchema}</TextLink>
      </nav>
      <PageHead title={texts.title(app)} size="h3" />
      {error ? <Problem error={error} retry={() => void names.refetch()} /> : null}
      {!error && (!names.data || read.isPending) ? <Loading /> : null}
      {names.data?.length === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {names.data && !read.isPending && read.tables.length > 0 ? (
        <Picture site={site} app={app} tables={read.tables} />
      ) : null}
    </Stack>
  )
}

const nothingFound: readonly string[] = []

function Picture({ site, app, tables }: { site: string; app: string; tables: readonly Table[] }) {
  const texts = useTexts(pictureTexts)
  const [search, setSearch] = useState('')
  const arrows = useMemo(() => arrowsOf(tables), [tables])
  const places = useQuery({
    queryKey: [site, 'apps', app, 'places', tables.map(({ name, schema_hash }) => [name, schema_hash])],
    queryFn: () => layOut(tables, arrows),
  })
  const found = useMemo(() => foundIn(tables, search), [tables, search])
  if (places.error) return <Problem error={places.error} retry={() => void places.refetch()} />
  if (!places.data) return <Loading />
  return (
    <>
      <Group gap="sm" align="end">
        <TextInput
          type="search"
          label={texts.find}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Button variant="default" disabled={search === ''} onClick={() => setSearch('')}>
          {texts.all}
        </Button>
        <Text size="sm" role="status" mb={8}>
          {search.trim() === '' ? '' : texts.found(found.length)}
        </Text>
      </Group>
      <ReactFlowProvider>
        <Canvas
          site={site}
          app={app}
          tables={tables}
          arrows={arrows}
          places={places.data}
          found={found}
          search={search}
        />
      </ReactFlowProvider>
      <Text size="xs" className="muted">
        {texts.hint}
      </Text>
      <details>
        <summary>{texts.asList}</summary>
        <References arrows={arrows} />
      </details>
    </>
  )
}

function foundIn(tables: readonly Table[], search: string): readonly string[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return nothingFound
  const has = (name: string) => name.toLowerCase().includes(wanted)
  return tables
    .filter(({ name, json_schema: { fields } }) => has(name) || fields.some((field) => has(field.name)))
    .map(({ name }) => name)
}

function References({ arrows }: { arrows: readonly Arrow[] }) {
  const texts = useTexts(pictureTexts)
  if (arrows.length === 0) return <Text size="sm">{texts.noReferences}</Text>
  return (
    <List size="sm">
      {arrows.map(({ id, from, to, label }) => (
        <List.Item key={id}>
          {from}.{label} → {to}
        </List.Item>
      ))}
    </List>
  )
}
