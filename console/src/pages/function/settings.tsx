/** The settings of a function, and deleting it. */
import { Button, Group, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { queryClient, useSite } from '../../session/client.ts'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { functionsOf } from '../functions/calls.ts'
import type { ShownFunction } from '../functions/types.ts'
import { Events } from './events.tsx'
import { hasTwins, NamedRows, shownRows, textsOf } from './named-rows.tsx'
import { useSave } from './save.ts'
import { ScheduleWords } from './schedule-words.tsx'
import { functionTexts } from './texts.ts'

interface FunctionProps {
  app: string
  one: ShownFunction
}

export const Settings = (props: FunctionProps) => (
  <Stack>
    <SettingsForm {...props} />
    <Events {...props} />
    <Removal {...props} />
  </Stack>
)

function SettingsForm({ app, one }: FunctionProps) {
  const texts = useTexts(functionTexts)
  const save = useSave(app, one.slug)
  const {
    name,
    description,
    is_active,
    schedule,
    schedule_zone,
    timeout_seconds,
    as,
    secrets,
    allowed_hosts,
    filter_conditions,
    ordering,
    variables,
  } = one
  const [values, setValues] = useState({
    ...{ name, description, is_active, schedule, schedule_zone, timeout_seconds, as, secrets, allowed_hosts },
    ...{ filter_conditions, ordering },
  })
  const [rows, setRows] = useState(() => shownRows(variables ?? {}))
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }))
  const isCode = one.execution_mode === 'app'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { as: _, secrets: __, allowed_hosts: ___, ...others } = values
    const code = { ...values, ...(variables ? { variables: textsOf(rows) } : {}) }
    save.mutate(isCode ? code : others)
  }
  const own = save.error ? messagesOf(save.error, '') : {}
  const messageOf = (field: keyof typeof values) => own[field]?.join(' ')
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <TextInput
          label={texts.name}
          value={values.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={messageOf('name')}
          required
        />
        <TextInput
          label={texts.description}
          value={values.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          error={messageOf('description')}
        />
        <Switch
          label={texts.isActive}
          checked={values.is_active}
          onChange={(event) => set({ is_active: event.currentTarget.checked })}
        />
        <div>
          <Group align="start">
            <TextInput
              label={texts.schedule}
              placeholder="*/5 * * * *"
              value={values.schedule}
              onChange={(event) => set({ schedule: event.currentTarget.value })}
              error={messageOf('schedule')}
              flex="1 1 200px"
            />
            <TextInput
              label={texts.zone}
              value={values.schedule_zone}
              onChange={(event) => set({ schedule_zone: event.currentTarget.value })}
              error={messageOf('schedule_zone')}
              flex="1 1 200px"
            />
          </Group>
          <ScheduleWords schedule={values.schedule} zone={values.schedule_zone} />
        </div>
        <TextInput
          label={texts.conditions}
          description={texts.conditionsHint}
          value={values.filter_conditions}
          onChange={(event) => set({ filter_conditions: event.currentTarget.value })}
          error={messageOf('filter_conditions')}
        />
        <Select
          label={texts.ordering}
          data={[
            { value: 'none', label: texts.orderings.none },
            { value: 'record', label: texts.orderings.record },
          ]}
          value={values.ordering}
          onChange={(value) => set({ ordering: value === 'record' ? 'record' : 'none' })}
          error={messageOf('ordering')}
          allowDeselect={false}
        />
        <NumberInput
          label={texts.timeout}
          value={values.timeout_seconds}
          onChange={(value) => set({ timeout_seconds: Number(value) })}
          error={messageOf('timeout_seconds')}
          min={1}
          max={600}
          allowDecimal={false}
        />
        {isCode ? (
          <>
            <Select
              label={texts.as}
              data={[
                { value: 'service', label: texts.asService },
                { value: 'caller', label: texts.asCaller },
              ]}
              value={values.as}
              onChange={(value) => set({ as: value === 'caller' ? 'caller' : 'service' })}
              error={messageOf('as')}
              allowDeselect={false}
            />
            <TagsInput
              label={texts.secrets}
              value={values.secrets}
              onChange={(keys) => set({ secrets: keys })}
              error={messageOf('secrets')}
            />
            <TagsInput
              label={texts.hosts}
              value={values.allowed_hosts}
              onChange={(hosts) => set({ allowed_hosts: hosts })}
              error={messageOf('allowed_hosts')}
            />
            {variables ? (
              <NamedRows
                texts={texts.variables}
                rows={rows}
                change={setRows}
                messageOf={(name) => own[`variables.${name}`]?.join(' ')}
                allowsEmpty
              />
            ) : null}
          </>
        ) : null}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={hasTwins(rows)}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
      {save.error ? (
        <Problem
          error={save.error}
          except={[...Object.keys(values), ...rows.map(({ name }) => `variables.${name.trim()}`)]}
        />
      ) : null}
    </form>
  )
}

function Removal({ app, one }: FunctionProps) {
  const texts = useTexts(functionTexts)
  const tell = useTell()
  const { site } = useSite()
  const navigate = useNavigate()
  const removal = useMutation({
    mutationFn: () => functionsOf(site, app).delete(one.slug),
    async onSuccess() {
      tell(texts.removed)
      await navigate({ to: addressOf(site, 'functions') })
      queryClient.removeQueries({ queryKey: [site, 'apps', app, 'functions'] })
    },
  })
  return (
    <div>
      <Button
        color="red"
        variant="outline"
        loading={removal.isPending}
        onClick={() => {
          if (window.confirm(texts.removeAsk)) removal.mutate()
        }}
      >
        {texts.remove}
      </Button>
      {removal.error ? <Problem error={removal.error} /> : null}
    </div>
  )
}
