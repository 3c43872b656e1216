/** One function: its code, its settings, running it, and its versions. */
import { Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useSite } from '../../session/client.ts'
import { PartTabs } from '../../shared/part-tabs.tsx'
import { Problem } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { functionQuery } from '../functions/queries.ts'
import { Call } from './call.tsx'
import { Code } from './code.tsx'
import { Receiver } from './receiver.tsx'
import { RunNow } from './run-now.tsx'
import { Settings } from './settings.tsx'
import { functionTexts } from './texts.ts'
import { Versions } from './versions.tsx'

/** Shows the function of the address, which also says which part is open. */
export function Page() {
  const texts = useTexts(functionTexts)
  const { site } = useSite()
  const { app = '', function: slug = '' } = useParams({ strict: false }) as Record<string, string>
  const { data, error, refetch } = useQuery(functionQuery(site, app, slug))
  const firstLabels = { app: texts.code, proxy: texts.call, system: texts.run }
  // Another state of the function begins with its own values.
  const state = String(data?.updated_at)
  const runs = addressOf(site, 'runs')
  return (
    <Stack maw={1100}>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {data?.name ?? slug}
        </Title>
        <TextLink to={runs} search={{ function: slug } as never}>
          {texts.runs}
        </TextLink>
      </Group>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? (
        <PartTabs
          parts={[
            [
              'code',
              firstLabels[data.execution_mode],
              () => (
                <Stack>
                  {data.execution_mode === 'app' ? <Code key={state} app={app} one={data} /> : null}
                  {data.execution_mode === 'proxy' ? <Call key={state} app={app} one={data} /> : null}
                  <RunNow app={app} slug={slug} />
                </Stack>
              ),
            ],
            data.execution_mode === 'proxy' ? ['receiver', texts.receiver.tab, () => <Receiver />] : null,
            ['settings', texts.settings, () => <Settings key={state} app={app} one={data} />],
            ['versions', texts.versions, () => <Versions app={app} slug={slug} />],
          ]}
        />
      ) : null}
    </Stack>
  )
}
