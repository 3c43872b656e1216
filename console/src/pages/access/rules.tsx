/** The rules of a table: as sentences, and as JSON to change. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TesseraError } from '../../../../client/src/index.ts'
import { queryClient, useSite } from '../../session/client.ts'
import { CodeField } from '../../shared/code-field.tsx'
import { parseObject } from '../../shared/json-object.ts'
import { Problem } from '../../shared/problem.tsx'
import { Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { NewRule } from './new-rule.tsx'
import { type Rule, rulesPath, rulesQuery } from './queries.ts'
import { useSentence } from './sentences.ts'
import { accessTexts } from './texts.ts'

interface RulesProps {
  site: string
  app: string
  table: string
}

export function Rules({ site, app, table }: RulesProps) {
  const texts = useTexts(accessTexts)
  const sentence = useSentence()
  const query = useQuery(rulesQuery(site, app, table))
  const { data, refetch } = query
  return (
    <Paper component="section" aria-label={texts.rules} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.rules}: {table}
      </Title>
      <Waiting query={query} />
      {data?.rules.length === 0 ? <Text>{texts.noRules}</Text> : null}
      <Stack component="ul" gap={4} mb="md">
        {data?.rules.map((rule) => (
          <Text component="li" key={rule.name} size="sm">
            <b>{rule.name}:</b> {sentence(rule)}
            {rule.fields ? ` ${texts.fields}: ${fieldsText(rule.fields)}.` : ''}
          </Text>
        ))}
      </Stack>
      {data ? (
        <Editor
          key={data.etag}
          site={site}
          app={app}
          table={table}
          rules={data.rules}
          etag={data.etag}
          reload={() => void refetch()}
        />
      ) : null}
    </Paper>
  )
}

const fieldsText = (fields: NonNullable<Rule['fields']>): string =>
  Array.isArray(fields)
    ? fields.join(', ')
    : Object.entries(fields)
        .map(([kind, names]) => `${kind} ${names?.join(', ')}`)
        .join('; ')

interface EditorProps {
  site: string
  app: string
  table: string
  rules: readonly Rule[]
  /** The state that the change is based on. */
  etag: string
  reload: () => void
}

const preconditionFailed = 412

function Editor({ site, app, table, rules, etag, reload }: EditorProps) {
  const texts = useTexts(accessTexts)
  const tell = useTell()
  const { client } = useSite()
  const [text, setText] = useState(() => JSON.stringify({ rules }, null, 2))
  const body = parseObject(text)
  const written = Array.isArray(body?.rules) ? (body.rules as readonly Rule[]) : undefined
  const write = useMutation({
    mutationFn: ({ isDry }: { isDry: boolean }) =>
      client.request({
        method: 'PUT',
        path: rulesPath(app, table),
        query: { dry_run: isDry || undefined },
        headers: { 'if-match': etag },
        body: body ?? {},
      }),
    async onSuccess(_, { isDry }) {
      tell(isDry ? texts.checked : texts.saved)
      if (!isDry) await queryClient.invalidateQueries({ queryKey: [site, 'apps', app, 'access'] })
    },
  })
  const hasMoved = write.error instanceof TesseraError && write.error.status === preconditionFailed
  return (
    <Stack gap="xs">
      {written ? (
        <NewRule
          site={site}
          app={app}
          table={table}
          taken={written.map(({ name }) => name)}
          add={(rule) => setText(JSON.stringify({ ...body, rules: [...written, rule] }, null, 2))}
        />
      ) : null}
      <CodeField
        language="json"
        label={texts.edit}
        value={text}
        onChange={setText}
        error={written ? undefined : texts.notJson}
        lines={[6, 26]}
      />
      <Group>
        <Button onClick={() => write.mutate({ isDry: false })} disabled={!body} loading={write.isPending}>
          {texts.save}
        </Button>
        <Button variant="default" onClick={() => write.mutate({ isDry: true })} disabled={!body}>
          {texts.check1}
        </Button>
      </Group>
      {hasMoved ? (
        <Group>
          <Text role="alert">{texts.moved}</Text>
          <Button variant="default" onClick={reload}>
            {texts.reload}
          </Button>
        </Group>
      ) : null}
      {write.error && !hasMoved ? <Problem error={write.error} /> : null}
    </Stack>
  )
}
