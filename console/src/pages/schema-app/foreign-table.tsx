/** Makes a table of another app readable in this one. */
import { Button, Group, NativeSelect, Paper, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { clientOf } from '../../session/client.ts'
import { appsQuery, tablesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { refreshSchema, tablesPath } from '../schema/queries.ts'
import { schemaTexts } from '../schema/texts.ts'

/** Shows the form, if there is another app with tables. */
export function ForeignTable({ site, app }: { site: string; app: string }) {
  const texts = useTexts(schemaTexts)
  const tell = useTell()
  const apps = useQuery(appsQuery(site))
  const others = (apps.data?.results ?? []).filter(({ slug }) => slug !== app)
  const [chosen, setChosen] = useState<string>()
  const source = chosen ?? others[0]?.slug
  const tables = useQuery({ ...tablesQuery(site, source ?? ''), enabled: source !== undefined })
  const names = (tables.data ?? [])
    .filter(({ is_materialized, is_reference }) => is_materialized && !is_reference)
    .map(({ name }) => name)
  const [picked, setPicked] = useState<string>()
  const table = picked !== undefined && names.includes(picked) ? picked : names[0]
  const make = useMutation({
    mutationFn: () =>
      clientOf(site).request<{ name: string }>({
        method: 'POST',
        path: `${tablesPath(app)}import-reference/`,
        body: { source_app_slug: source, source_table_name: table },
        key: true,
      }),
    async onSuccess({ name }) {
      await refreshSchema(site)
      tell(texts.tableMade(name))
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    make.mutate()
  }
  if (others.length === 0) return null
  return (
    <Paper component="section" aria-label={texts.importReference} withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {texts.importReference}
      </Title>
      <form onSubmit={submit}>
        <Group align="end">
          <NativeSelect
            label={texts.sourceApp}
            data={others.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={source ?? ''}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <NativeSelect
            label={texts.sourceTable}
            data={names}
            value={table ?? ''}
            onChange={(event) => setPicked(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={table === undefined} loading={make.isPending}>
            {texts.create}
          </Button>
        </Group>
      </form>
      {make.error ? <Problem error={make.error} /> : null}
    </Paper>
  )
}
