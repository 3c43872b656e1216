/** Runs a function, and shows what it returned and printed. */
import { Alert, Button, Code, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient, useSite } from '../../session/client.ts'
import { CodeField } from '../../shared/code-field.tsx'
import { parseObject } from '../../shared/json-object.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import { functionsOf } from '../functions/calls.ts'
import type { Run } from '../functions/types.ts'
import { Sample } from './sample.tsx'
import { functionTexts } from './texts.ts'

interface RunNowProps {
  app: string
  slug: string
  /** Saves unsaved code first, because the service runs its stored code. */
  saveFirst: (() => Promise<unknown>) | undefined
}

/** Shows the form with the parameters, and the result. */
export function RunNow({ app, slug, saveFirst }: RunNowProps) {
  const texts = useTexts(functionTexts)
  const { site } = useSite()
  const [text, setText] = useState('{}')
  const params = parseObject(text)
  const run = useMutation({
    async mutationFn() {
      await saveFirst?.()
      return functionsOf(site, app).run(slug, params ?? {})
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [site, 'runs'] }),
  })
  return (
    <Paper component="section" aria-label={texts.run} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.run}
      </Title>
      <Stack gap="xs" align="start">
        <Sample app={app} fill={(sample) => setText(JSON.stringify(sample, null, 2))} />
        <CodeField
          language="json"
          label={texts.params}
          value={text}
          onChange={setText}
          error={params ? undefined : texts.notJson}
          lines={[2, 12]}
        />
        <Button onClick={() => run.mutate()} disabled={!params} loading={run.isPending}>
          {saveFirst ? texts.saveAndRun : texts.runButton}
        </Button>
      </Stack>
      {run.error ? <Problem error={run.error} /> : null}
      {run.data ? <Outcome run={run.data.invocation} /> : null}
    </Paper>
  )
}

/** The result of a run, or its error, and its output. */
export function Outcome({ run }: { run: Run }) {
  const texts = useTexts(functionTexts)
  return (
    <Stack gap="xs" mt="md">
      {run.status === 'SKIPPED' ? (
        <Alert color="yellow" title={texts.wasSkipped}>
          {run.error ?? texts.conditionsFalse}
        </Alert>
      ) : null}
      {run.status === 'SUCCESS' ? (
        <div role="status">
          <Text size="sm" fw={600}>
            {texts.ranWell}
          </Text>
          <Code block>{JSON.stringify(run.result, null, 2)}</Code>
        </div>
      ) : null}
      {run.status === 'FAILURE' || run.status === 'RETRY' ? (
        <Alert color="red" role="alert" title={texts.ranWrong}>
          {run.error}
        </Alert>
      ) : null}
      {run.logs.length > 0 ? (
        <div>
          <Text size="sm" fw={600}>
            {texts.logs}
          </Text>
          <Code block>{run.logs.map(({ level, message }) => `${level}: ${message}`).join('\n')}</Code>
        </div>
      ) : null}
    </Stack>
  )
}
