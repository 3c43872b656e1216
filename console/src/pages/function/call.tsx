/** The call of a server: its address, and the headers that are sent. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import type { ShownFunction } from '../functions/types.ts'
import { hasTwins, hiddenRows, NamedRows, textsOf } from './named-rows.tsx'
import { useSave } from './save.ts'
import { functionTexts } from './texts.ts'

/** Shows the form. */
export function Call({ app, one }: { app: string; one: ShownFunction }) {
  const texts = useTexts(functionTexts)
  const save = useSave(app, one.slug)
  const { webhook_url, headers = {} } = one
  const [address, setAddress] = useState(webhook_url ?? '')
  const [rows, setRows] = useState(() => hiddenRows(headers))
  if (webhook_url === undefined) return <Text>{texts.noCall}</Text>
  const own = save.error ? messagesOf(save.error, '') : {}
  const messageOf = (name: string) => own[`headers.${name}`]?.join(' ')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ webhook_url: address.trim(), headers: textsOf(rows) })
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={700}>
        <TextInput
          label={texts.address}
          description={texts.addressHint}
          inputMode="url"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={own.webhook_url?.join(' ')}
          required
        />
        <NamedRows texts={texts.headers} rows={rows} change={setRows} messageOf={messageOf} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={hasTwins(rows)}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
      {save.error ? (
        <Problem
          error={save.error}
          except={['webhook_url', ...rows.map(({ name }) => `headers.${name.trim()}`)]}
        />
      ) : null}
    </form>
  )
}
