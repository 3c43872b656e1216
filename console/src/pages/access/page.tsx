/** Who may what: a matrix for each app, the rules of each table as sentences and as JSON, and why. */
import { Group, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSite } from '../../session/client.ts'
import { appsQuery, tablesQuery } from '../../session/queries.ts'
import { Problem } from '../../shared/problem.tsx'
import { Empty, Loading } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { Explain } from './explain.tsx'
import { Matrix } from './matrix.tsx'
import { Rules } from './rules.tsx'
import { SeeAs } from './see-as.tsx'
import { accessTexts } from './texts.ts'

/** Shows the rules of an app and of one of its tables. */
export function Page() {
  const texts = useTexts(accessTexts)
  const { site } = useSite()
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { app?: string; table?: string }
  const apps = useQuery(appsQuery(site))
  const app = search.app ?? apps.data?.results[0]?.slug
  const tables = useQuery({ ...tablesQuery(site, app ?? ''), enabled: app !== undefined })
  const names = tables.data?.filter((table) => table.is_materialized).map(({ name }) => name) ?? []
  const table = search.table ?? names[0]
  const go = (next: { app?: string | undefined; table?: string }) =>
    void navigate({ to: '.', search: next as never })
  return (
    <Stack maw={1200}>
      <Title order={1} size="h2">
        {texts.title}
      </Title>
      <Text size="sm" className="muted">
        {texts.hint}
      </Text>
      {apps.error ? <Problem error={apps.error} retry={() => void apps.refetch()} /> : null}
      {!apps.data && !apps.error ? <Loading /> : null}
      {apps.data?.count === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {app === undefined ? null : (
        <>
          <Group align="end">
            <Select
              label={texts.app}
              data={(apps.data?.results ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
              value={app}
              onChange={(value) => go({ app: value ?? undefined })}
              allowDeselect={false}
            />
            <Select
              label={texts.table}
              data={names}
              value={table ?? null}
              onChange={(value) => go({ app, ...(value ? { table: value } : {}) })}
              allowDeselect={false}
              searchable
            />
          </Group>
          <Matrix site={site} app={app} />
          {table === undefined ? null : (
            <>
              <Rules key={`rules ${app} ${table}`} site={site} app={app} table={table} />
              <Paper component="section" aria-label={texts.seeAs} withBorder p="md">
                <Title order={2} size="h4" mb="xs">
                  {texts.seeAs}
                </Title>
                <SeeAs site={site} app={app} table={table} />
              </Paper>
              <Explain key={`explain ${app} ${table}`} app={app} table={table} />
            </>
          )}
        </>
      )}
    </Stack>
  )
}
