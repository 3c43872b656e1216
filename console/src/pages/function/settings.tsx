/** The settings of a function, its events, and deleting it. */
import {
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { clientOf, queryClient, useSite } from '../../session/client.ts'
import { Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { functionsOf } from '../functions/calls.ts'
import type { ShownFunction } from '../functions/types.ts'
import { useSave } from './save.ts'
import { functionTexts } from './texts.ts'

interface FunctionProps {
  app: string
  one: ShownFunction
}

/** Shows the settings. */
export const Settings = (props: FunctionProps) => (
  <Stack>
    <SettingsForm {...props} />
    <Events one={props.one} />
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
  } = one
  const [values, setValues] = useState({
    ...{ name, description, is_active, schedule, schedule_zone, timeout_seconds, as, secrets, allowed_hosts },
  })
  const set = (changes: Partial<typeof values>) => setValues((before) => ({ ...before, ...changes }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(values)
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <TextInput
          label={texts.name}
          value={values.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          required
        />
        <TextInput
          label={texts.description}
          value={values.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        <Switch
          label={texts.isActive}
          checked={values.is_active}
          onChange={(event) => set({ is_active: event.currentTarget.checked })}
        />
        <Group grow align="start">
          <TextInput
            label={texts.schedule}
            description={texts.scheduleHint}
            value={values.schedule}
            onChange={(event) => set({ schedule: event.currentTarget.value })}
          />
          <TextInput
            label={texts.zone}
            value={values.schedule_zone}
            onChange={(event) => set({ schedule_zone: event.currentTarget.value })}
          />
        </Group>
        <NumberInput
          label={texts.timeout}
          value={values.timeout_seconds}
          onChange={(value) => set({ timeout_seconds: Number(value) })}
          min={1}
          max={600}
          allowDecimal={false}
        />
        <Select
          label={texts.as}
          data={[
            { value: 'service', label: texts.asService },
            { value: 'caller', label: texts.asCaller },
          ]}
          value={values.as}
          onChange={(value) => set({ as: value === 'caller' ? 'caller' : 'service' })}
          allowDeselect={false}
        />
        <TagsInput label={texts.secrets} value={values.secrets} onChange={(keys) => set({ secrets: keys })} />
        <TagsInput
          label={texts.hosts}
          value={values.allowed_hosts}
          onChange={(hosts) => set({ allowed_hosts: hosts })}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
      {save.error ? <Problem error={save.error} /> : null}
    </form>
  )
}

function Events({ one }: Pick<FunctionProps, 'one'>) {
  const texts = useTexts(functionTexts)
  const tell = useTell()
  const { site } = useSite()
  const [event, setEvent] = useState<string | null>(null)
  const { data, error } = useQuery({
    queryKey: [site, 'events'],
    queryFn: ({ signal }) => clientOf(site).events.list({ signal }),
  })
  const change = useMutation({
    mutationFn: async (verb: 'subscribe' | 'unsubscribe') => {
      await clientOf(site).events[verb](event ?? '', one.id)
      return verb
    },
    onSuccess: () => tell(texts.saved),
  })
  return (
    <Paper component="section" aria-label={texts.events} withBorder p="md">
      <Title order={2} size="h4">
        {texts.events}
      </Title>
      <Text size="sm" className="muted" mb="xs">
        {texts.eventsHint}
      </Text>
      {error ? <Problem error={error} /> : null}
      <Group align="end">
        <Select label={texts.event} data={data ?? []} value={event} onChange={setEvent} searchable w={320} />
        <Button onClick={() => change.mutate('subscribe')} disabled={event === null}>
          {texts.subscribe}
        </Button>
        <Button variant="default" onClick={() => change.mutate('unsubscribe')} disabled={event === null}>
          {texts.unsubscribe}
        </Button>
      </Group>
      {change.error ? <Problem error={change.error} /> : null}
    </Paper>
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
