/** One function: its code, its settings, running it, and its versions. */
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useSite } from '../../session/client.ts'
import { PartTabs } from '../../shared/part-tabs.tsx'
import { PageHead, Waiting } from '../../shared/states.tsx'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import { functionQuery } from '../functions/queries.ts'
import type { ShownFunction } from '../functions/types.ts'
import { Call } from './call.tsx'
import { Code } from './code.tsx'
import { Receiver } from './receiver.tsx'
import { RunNow } from './run-now.tsx'
import { useSave } from './save.ts'
import { Settings } from './settings.tsx'
import { functionTexts } from './texts.ts'
import { Versions } from './versions.tsx'

/** Shows the function in the address, which also contains the open part. */
export function Page() {
  const texts = useTexts(functionTexts)
  const { site } = useSite()
  const { app = '', function: slug = '' } = useParams({ strict: false }) as Record<string, string>
  const query = useQuery(functionQuery(site, app, slug))
  const { data } = query
  const firstLabels = { app: texts.code, proxy: texts.call, system: texts.run }
  // The form starts again with the values of another state of the function.
  const state = String(data?.updated_at)
  const runs = addressOf(site, 'runs')
  return (
    <Stack maw={1100}>
      <Group justify="space-between">
        <PageHead title={data?.name ?? slug} />
        <TextLink to={runs} search={{ function: slug } as never}>
          {texts.runs}
        </TextLink>
      </Group>
      <Waiting query={query} />
      {data ? (
        <PartTabs
          parts={[
            [
              'code',
              firstLabels[data.execution_mode],
              () => <FirstPart app={app} one={data} state={state} />,
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

/** The code or the call of the function, and the form to run it. */
function FirstPart({ app, one, state }: { app: string; one: ShownFunction; state: string }) {
  const [draft, setDraft] = useState({ state, code: one.code ?? '' })
  const { mutateAsync: save } = useSave(app, one.slug)
  // Code that was written for another state of the function is not a change of this state.
  const code = draft.state === state ? draft.code : (one.code ?? '')
  const isUnsaved = one.code !== undefined && code !== one.code
  return (
    <Stack>
      {one.execution_mode === 'app' ? (
        <Code
          key={state}
          app={app}
          one={one}
          code={code}
          change={(next) => setDraft({ state, code: next })}
        />
      ) : null}
      {one.execution_mode === 'proxy' ? <Call key={state} app={app} one={one} /> : null}
      <RunNow app={app} slug={one.slug} saveFirst={isUnsaved ? () => save({ code }) : undefined} />
    </Stack>
  )
}
