/** Explains why a caller may or may not do something: each rule with the condition that fails. */
import { Alert, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSite } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import { type Condition, type Explanation, rulesPath } from './queries.ts'
import { describe } from './sentences.ts'
import { accessTexts } from './texts.ts'

const actions = ['read', 'create', 'update', 'delete'] as const
type Kind = 'anyone' | 'user' | 'group' | 'role'

const asOf = (kind: Kind, value: string) => {
  if (kind === 'anyone') return { anyone: true }
  return kind === 'user' ? { user: Number(value) } : { [kind]: value }
}

/** Shows the question and its answer. */
export function Explain({ app, table }: { app: string; table: string }) {
  const texts = useTexts(accessTexts)
  const { client } = useSite()
  const [kind, setKind] = useState<Kind>('anyone')
  const [value, setValue] = useState('')
  const [action, setAction] = useState<string>('read')
  const [record, setRecord] = useState('')
  const question = useMutation({
    mutationFn: () =>
      client.request<Explanation>({
        method: 'POST',
        path: `${rulesPath(app, table)}explain/`,
        body: { as: asOf(kind, value), action, ...(record === '' ? {} : { record }) },
      }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    question.mutate()
  }
  return (
    <Paper component="section" aria-label={texts.explain} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.explain}
      </Title>
      <form onSubmit={submit}>
        <Group align="end">
          <Select
            label={texts.as}
            data={Object.entries(texts.asKinds).map(([each, label]) => ({ value: each, label }))}
            value={kind}
            onChange={(next) => setKind((next ?? 'anyone') as Kind)}
            allowDeselect={false}
          />
          {kind === 'anyone' ? null : (
            <TextInput
              label={texts.asValue}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              required
            />
          )}
          <Select
            label={texts.action}
            data={actions.map((each) => ({ value: each, label: texts.can[each] ?? each }))}
            value={action}
            onChange={(next) => setAction(next ?? 'read')}
            allowDeselect={false}
          />
          <TextInput
            label={texts.record}
            value={record}
            onChange={(event) => setRecord(event.currentTarget.value)}
          />
          <Button type="submit" loading={question.isPending}>
            {texts.ask}
          </Button>
        </Group>
      </form>
      {question.error ? <Problem error={question.error} /> : null}
      {question.data ? <Answer answer={question.data} /> : null}
    </Paper>
  )
}

function Answer({ answer: { allowed, reason, rules } }: { answer: Explanation }) {
  const texts = useTexts(accessTexts)
  return (
    <Alert
      color={allowed ? 'green' : 'red'}
      role="status"
      title={allowed ? texts.allowed : texts.refused}
      mt="md"
    >
      <Text size="sm">{reason}</Text>
      <Stack component="ul" gap={4} mb={0}>
        {rules.map(({ name, failed, conditions, check = [] }) => (
          <li key={name}>
            <Text size="sm" fw={600}>
              {name}: {failed === null ? texts.passes : texts.failed(failed)}
            </Text>
            <Conditions conditions={[...conditions, ...check]} />
          </li>
        ))}
      </Stack>
    </Alert>
  )
}

/** Returns the failing conditions, down to the smallest ones. */
function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  const texts = useTexts(accessTexts)
  return conditions
    .filter(({ passes }) => !passes)
    .map((one) =>
      one.conditions && one.conditions.length > 0 ? (
        <Conditions key={JSON.stringify(one.condition)} conditions={one.conditions} />
      ) : (
        <Text key={JSON.stringify(one.condition)} size="sm">
          {texts.condition(describe(one.condition), shown(one.found), shown(one.compared))}
        </Text>
      ),
    )
}

const shown = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value))
