/** Asks for the slug before something is deleted. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Cancel, Dialog } from '../../shared/dialog.tsx'
import { Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import { tenantsTexts } from './texts.ts'

interface DeleteDialogProps {
  name: string
  slug: string
  /** The consequences of the deletion. */
  text: string
  close(): void
  remove(): Promise<unknown>
}

export function DeleteDialog({ name, slug, text, close, remove }: DeleteDialogProps) {
  const texts = useTexts(tenantsTexts)
  const [typed, setTyped] = useState('')
  const deletion = useMutation({ mutationFn: remove, onSuccess: close })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    deletion.mutate()
  }
  return (
    <Dialog title={texts.confirmTitle(name)} isOpen close={close}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{text}</Text>
          <TextInput
            label={texts.type(slug)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          {deletion.error ? <Problem error={deletion.error} /> : null}
          <Group>
            <Button type="submit" color="red" loading={deletion.isPending} disabled={typed !== slug}>
              {texts.deleteNow}
            </Button>
            <Cancel close={close} />
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
