/** The rules of an app: for all its tables or for some, and a form that adds one from a preset. */
import { Button, Group, MultiSelect, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AccessPreset, accessPresets, presetRule } from '../../../../src/data/model/access-presets.ts'
import { queryClient, useSite } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { CallerFields, type Callers, whoOf } from './caller-fields.tsx'
import { type AppRule, appRulesPath, reportQuery } from './queries.ts'
import { useSentence } from './sentences.ts'
import { accessTexts } from './texts.ts'

const kinds = ['role', 'group', 'user', 'anyone'] as const

interface AppRulesProps {
  site: string
  app: string
  /** The tables of the app. */
  tables: readonly string[]
}

/** Lists the rules, removes them and adds others. Each change is saved at once. */
export function AppRules({ site, app, tables }: AppRulesProps) {
  const texts = useTexts(accessTexts)
  const sentence = useSentence()
  const tell = useTell()
  const { client } = useSite()
  const { data } = useQuery(reportQuery(site, app))
  const rules = data?.rules ?? []
  const [preset, setPreset] = useState<AccessPreset>('reader')
  const [callers, setCallers] = useState<Callers>({ kind: 'role', of: '' })
  const [only, setOnly] = useState<string[]>([])
  const save = useMutation({
    mutationFn: (next: readonly AppRule[]) =>
      client.request({
        method: 'PUT',
        path: appRulesPath(app),
        headers: { 'if-match': data?.etag ?? '' },
        body: { rules: next },
      }),
    onSuccess: () => tell(texts.saved),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [site, 'apps', app, 'access'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate([...rules, presetRule(preset, whoOf(callers), only.length > 0 ? only : '*', rules)])
  }
  return (
    <Paper component="section" aria-label={texts.appRules} withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        {texts.appRules}
      </Title>
      <Text size="sm" mb="xs">
        {rules.length === 0 ? texts.noAppRules : texts.appRulesHint}
      </Text>
      <Stack component="ul" gap={6} pl={0}>
        {rules.map((rule) => (
          <Group component="li" key={rule.name} gap="sm">
            <Text size="sm">
              <b>{rule.tables === '*' ? texts.allTables : rule.tables.join(', ')}:</b> {sentence(rule)}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={texts.removeRuleOf(rule.name)}
              onClick={() => save.mutate(rules.filter(({ name }) => name !== rule.name))}
            >
              {texts.removeRule}
            </Button>
          </Group>
        ))}
      </Stack>
      <form onSubmit={submit}>
        <Group align="end" mt="xs">
          <CallerFields kinds={kinds} value={callers} change={setCallers} />
          <Select
            label={texts.preset}
            data={(Object.keys(accessPresets) as AccessPreset[]).map((value) => ({
              value,
              label: texts.presets[value],
            }))}
            value={preset}
            onChange={(value) => setPreset(value as AccessPreset)}
            allowDeselect={false}
            w={260}
          />
          <MultiSelect
            label={texts.inTables}
            placeholder={only.length === 0 ? texts.allTables : undefined}
            data={[...tables]}
            value={only}
            onChange={setOnly}
            miw={220}
          />
          <Button type="submit" variant="default" disabled={!data} loading={save.isPending}>
            {texts.newRule}
          </Button>
        </Group>
      </form>
      {save.error ? <Problem error={save.error} /> : null}
    </Paper>
  )
}
