/** Creates a function: code that the service runs, or a server that it calls. */
import { Button, Group, Paper, Select, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { queryClient } from '../../session/client.ts'
import type { App } from '../../session/queries.ts'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTell } from '../../shared/tell.ts'
import { addressOf } from '../../shell/address.ts'
import { useTexts } from '../../texts/define.ts'
import { functionsOf } from './calls.ts'
import { functionsQuery } from './queries.ts'
import { SigningSecret } from './signing-secret.tsx'
import { functionsTexts } from './texts.ts'
import type { NewFunctionRecord } from './types.ts'

/** The code that a new function begins with. */
const firstCode = `export default async function (params, context) {
  console.log('Hello', params)
  return { ok: true }
}
`

/** Shows the form, and afterwards the signing secret of a function that has one. */
export function NewFunction({ site, apps }: { site: string; apps: readonly App[] }) {
  const texts = useTexts(functionsTexts)
  const tell = useTell()
  const navigate = useNavigate()
  const [app, setApp] = useState(apps[0]?.slug ?? '')
  const [mode, setMode] = useState('app')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const isProxy = mode === 'proxy'
  const lead = (slug: string, search: object) =>
    void navigate({ to: addressOf(site, 'functions', app, slug), search: search as never })
  const creation = useMutation({
    // The response may have a secret, so it is not cached longer than the form.
    gcTime: 0,
    mutationFn: () =>
      functionsOf(site, app).create({
        name,
        execution_mode: mode,
        ...(isProxy ? { webhook_url: address.trim() } : { code: firstCode }),
      }),
    onSuccess({ name: made, slug, signing_secret }: NewFunctionRecord) {
      tell(texts.created(made))
      void queryClient.invalidateQueries({ queryKey: functionsQuery(site, app).queryKey })
      if (signing_secret === undefined) lead(slug, {})
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate()
  }
  const own = creation.error ? messagesOf(creation.error, '') : {}
  const made = creation.data
  return (
    <Paper component="section" aria-label={texts.newFunction} withBorder p="md">
      <Title order={2} size="h4">
        {texts.newFunction}
      </Title>
      <form onSubmit={submit}>
        <Group align="start" mt="xs">
          <Select
            label={texts.app}
            data={apps.map(({ slug, name: label }) => ({ value: slug, label }))}
            value={app}
            onChange={(value) => setApp(value ?? '')}
            allowDeselect={false}
          />
          <Select
            label={texts.kind}
            data={[
              { value: 'app', label: texts.kinds.app },
              { value: 'proxy', label: texts.kinds.proxy },
            ]}
            value={mode}
            onChange={(value) => setMode(value ?? 'app')}
            allowDeselect={false}
          />
          <TextInput
            label={texts.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={own.name?.join(' ')}
            required
          />
          {isProxy ? (
            <TextInput
              label={texts.address}
              placeholder="https://"
              inputMode="url"
              miw={280}
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
              error={own.webhook_url?.join(' ')}
              required
            />
          ) : null}
          <Button type="submit" mt={25} loading={creation.isPending}>
            {texts.create}
          </Button>
        </Group>
      </form>
      {creation.error ? <Problem error={creation.error} except={['name', 'webhook_url']} /> : null}
      {made?.signing_secret === undefined ? null : (
        <SigningSecret
          secret={made.signing_secret}
          close={() => {
            creation.reset()
            lead(made.slug, { part: 'receiver' })
          }}
        />
      )}
    </Paper>
  )
}
