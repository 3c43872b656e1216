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
import { functionTexts } from './texts.ts'

/** Shows the form with the parameters, and the outcome. */
export function RunNow({ app, slug }: { app: string; slug: string }) {
  const texts = useTexts(functionTexts)
  const { site } = useSite()
  const [text, setText] = useState('{}')
  const params = parseObject(text)
  const run = useMutation({
    mutationFn: () => functionsOf(site, app).run(slug, params ?? {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [site, 'runs'] }),
  })
  return (
    <Paper component="section" aria-label={texts.run} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.run}
      </Title>
      <Stack gap="xs" align="start">
        <CodeField
          language="json"
          label={texts.params}
          value={text}
          onChange={setText}
          error={params ? undefined : texts.notJson}
          lines={[2, 12]}
        />
        <Button onClick={() => run.mutate()} disabled={!params} loading={run.isPending}>
          {texts.runButton}
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
      {run.error === null ? (
        <div role="status">
          <Text size="sm" fw={600}>
            {texts.ranWell}
          </Text>
          <Code block>{JSON.stringify(run.result, null, 2)}</Code>
        </div>
      ) : (
        <Alert color="red" role="alert" title={texts.ranWrong}>
          {run.error}
        </Alert>
      )}
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
