/**
 * Access rules: a matrix for each app, the rules of each table as sentences and as JSON, and explanations.
 */
import { Paper, Stack, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useSite } from '../../session/client.ts'
import { AppAndTableSelects, useAppAndTable } from '../../shared/app-and-table.tsx'
import { Empty, PageHead, Waiting } from '../../shared/states.tsx'
import { useTexts } from '../../texts/define.ts'
import { AppRules } from './app-rules.tsx'
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
  const choice = useAppAndTable(site)
  const { apps, app, table } = choice
  return (
    <Stack maw={1200}>
      <PageHead title={texts.title} hint={texts.hint} />
      <Waiting query={apps} />
      {apps.data?.count === 0 ? <Empty title={texts.none}>{texts.noneText}</Empty> : null}
      {app === undefined ? null : (
        <>
          <AppAndTableSelects
            choice={choice}
            choose={(next) => void navigate({ to: '.', search: next as never })}
          />
          <Matrix site={site} app={app} />
          <AppRules key={`app ${app}`} site={site} app={app} tables={choice.names} />
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
