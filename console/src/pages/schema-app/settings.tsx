/** The name and the description of an app, and its deletion. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { clientOf, queryClient } from '../../session/client.ts'
import { type App, appsQuery } from '../../session/queries.ts'
import { Cancel, Dialog } from '../../shared/dialog.tsx'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { appPath, refreshSchema } from '../schema/queries.ts'
import { schemaTexts } from '../schema/texts.ts'

interface SettingsProps {
  site: string
  app: App
}

/** Shows the form. */
export function AppSettings({ site, app }: SettingsProps) {
  const texts = useTexts(schemaTexts)
  const tell = useTell()
  const [name, setName] = useState(app.name)
  const [description, setDescription] = useState(app.description)
  const [isLeaving, setLeaving] = useState(false)
  const write = useMutation({
    mutationFn: () =>
      clientOf(site).request({
        method: 'PATCH',
        path: appPath(app.slug),
        body: { name, description },
        key: true,
      }),
    async onSuccess() {
      await refreshSchema(site)
      tell(texts.saved)
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    write.mutate()
  }
  const own = write.error ? messagesOf(write.error, '') : {}
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <TextInput
          label={texts.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={own.name?.join(' ')}
          required
        />
        <TextInput
          label={texts.appDescription}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={own.description?.join(' ')}
        />
        {write.error ? <Problem error={write.error} except={['name', 'description']} /> : null}
        <Group>
          <Button type="submit" loading={write.isPending}>
            {texts.save}
          </Button>
          <Button color="red.9" onClick={() => setLeaving(true)}>
            {texts.deleteApp}
          </Button>
        </Group>
      </Stack>
      <DeleteApp site={site} app={app} isOpen={isLeaving} close={() => setLeaving(false)} />
    </form>
  )
}

/** Asks before the app is deleted. The message afterwards offers to restore it. */
function DeleteApp({ site, app, isOpen, close }: SettingsProps & { isOpen: boolean; close(): void }) {
  const texts = useTexts(schemaTexts)
  const tell = useTell()
  const navigate = useNavigate()
  async function restore(): Promise<void> {
    await clientOf(site).request({ method: 'POST', path: `${appPath(app.slug)}restore/`, key: true })
    await refreshSchema(site)
  }
  const remove = useMutation({
    mutationFn: () => clientOf(site).request({ method: 'DELETE', path: appPath(app.slug) }),
    async onSuccess() {
      tell(
        <Group justify="space-between">
          {texts.appDeleted(app.name)}
          <Button size="compact-sm" variant="default" onClick={() => void restore()}>
            {texts.undo}
          </Button>
        </Group>,
      )
      // Otherwise, the page of all apps would request the tables of the deleted app.
      queryClient.setQueryData(appsQuery(site).queryKey, (apps) =>
        apps ? { ...apps, results: apps.results.filter(({ slug }) => slug !== app.slug) } : undefined,
      )
      await navigate({ to: addressOf(site, 'schema') })
      await refreshSchema(site)
    },
  })
  return (
    <Dialog isOpen={isOpen} close={close} title={texts.deleteApp}>
      <Stack>
        <Text>{texts.deleteAppText}</Text>
        {remove.error ? <Problem error={remove.error} /> : null}
        <Group>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.deleteApp}
          </Button>
          <Cancel close={close} />
        </Group>
      </Stack>
    </Dialog>
  )
}
