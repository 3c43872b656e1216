/** Chooses the person or guest as whom the records of a table are shown. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { anyone } from '../../session/viewer.ts'
import { Problem } from '../../shared/problem.tsx'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { asIn } from '../data/state.ts'
import { accessTexts } from './texts.ts'
import { viewersQuery } from './viewers.ts'

interface SeeAsProps {
  site: string
  app: string
  table: string
  /** Called when the view begins. */
  begun?(): void
}

/** The choice of a person who is not in the list. */
const other = 'other'

/** Shows the form. */
export function SeeAs({ site, app, table, begun }: SeeAsProps) {
  const texts = useTexts(accessTexts)
  const navigate = useNavigate()
  const { data, error } = useQuery(viewersQuery(site))
  const [chosen, setChosen] = useState<string>(anyone)
  const [id, setId] = useState('')
  function submit(event: FormEvent): void {
    event.preventDefault()
    begun?.()
    void navigate({
      to: addressOf(site, 'data', app, table),
      search: asIn({ as: chosen === other ? id.trim() : chosen }) as never,
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Text size="sm">{texts.seeAsText}</Text>
        {error ? <Problem error={error} /> : null}
        <Group align="end">
          <NativeSelect
            label={texts.seeAsWho}
            data={[
              { value: anyone, label: texts.guest },
              ...(data ?? []).map((person) => ({ value: String(person.id), label: person.name })),
              { value: other, label: texts.asKinds.user ?? '' },
            ]}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          {chosen === other ? (
            <TextInput
              label={texts.personId}
              inputMode="numeric"
              pattern="[1-9][0-9]*"
              value={id}
              onChange={(event) => setId(event.currentTarget.value)}
              required
            />
          ) : null}
          <Button type="submit" variant="default">
            {texts.seeTable(table)}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
