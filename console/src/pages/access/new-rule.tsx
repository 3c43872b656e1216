/** A form that creates a rule: who may do what, with which records and fields. */
import { Button, Group, MultiSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { tableQuery } from '../../session/queries.ts'
import { useTexts } from '../../texts/define.ts'
import { FilterBar } from '../data/filter-bar.tsx'
import type { Filters } from '../data/state.ts'
import { CallerFields, type Callers, whoOf } from './caller-fields.tsx'
import type { Rule } from './queries.ts'
import { accessTexts } from './texts.ts'

const kinds = ['anyone', 'signed-in', 'user', 'group', 'role', 'permission'] as const
const actions = ['read', 'create', 'update', 'delete', 'history', 'edges'] as const

interface NewRuleProps {
  site: string
  app: string
  table: string
  /** The names of the existing rules. */
  taken: readonly string[]
  add(rule: Rule): void
}

/** Shows the form. Its rule is added to the existing rules, which are saved together. */
export function NewRule({ site, app, table, taken, add }: NewRuleProps) {
  const texts = useTexts(accessTexts)
  const { data } = useQuery(tableQuery(site, app, table))
  const [callers, setCallers] = useState<Callers>({ kind: 'anyone', of: '' })
  const [can, setCan] = useState<string[]>(['read'])
  const [where, setWhere] = useState<Filters>({})
  const [names, setNames] = useState<string[]>([])
  const { fields = [], primaryKey = [] } = data?.json_schema ?? {}
  // Readers identify records by the primary key, so the service rejects a rule that hides it from them.
  const always = can.includes('read') ? primaryKey : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { kind } = callers
    add({
      name: freeName(`${kind === 'anyone' ? 'public' : kind}-${can[0] ?? 'read'}`, taken),
      who: whoOf(callers),
      can,
      ...(Object.keys(where).length > 0 ? { where } : {}),
      ...(names.length > 0 ? { fields: [...new Set([...always, ...names])] } : {}),
    })
  }
  return (
    <Paper component="section" aria-label={texts.newRule} withBorder p="md">
      <Title order={3} size="h5" mb="xs">
        {texts.newRule}
      </Title>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group align="start">
            <CallerFields kinds={kinds} value={callers} change={setCallers} />
            <MultiSelect
              label={texts.mayDo}
              data={actions.map((value) => ({ value, label: texts.can[value] ?? value }))}
              value={can}
              onChange={setCan}
              miw={220}
            />
            <MultiSelect
              label={texts.onlyFields}
              description={texts.onlyFieldsHint}
              inputWrapperOrder={['label', 'input', 'description']}
              placeholder={names.length === 0 ? texts.allFields : undefined}
              data={fields.map(({ name }) => name)}
              value={names}
              onChange={setNames}
              miw={220}
            />
          </Group>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {texts.whichRecords}
            </Text>
            {fields.length > 0 ? <FilterBar fields={fields} filters={where} change={setWhere} /> : null}
          </div>
          <Group>
            <Button type="submit" variant="default" disabled={can.length === 0}>
              {texts.addRule}
            </Button>
            <Text size="sm" className="muted">
              {texts.addRuleHint}
            </Text>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

/** Returns a new name for a rule, with a number if the rule is not the first one of its kind. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name
  for (let number = 2; taken.includes(free); number++) free = `${name}-${number}`
  return free
}
